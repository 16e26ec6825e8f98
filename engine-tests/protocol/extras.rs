//! What both protocols have beyond their standards.

use super::*;

#[test]
fn both_protocols_have_them() {
    for mut client in [Client::ucci(), Client::uci()] {
        client.send("d");
        let drawing = client.until("Checkers:");
        assert!(drawing.iter().any(|line| line.contains("K帅")), "{drawing:?}");
        client.send("eval");
        assert!(client.settle().iter().any(|line| line.contains("evaluation")));
        client.send("help");
        assert!(client.settle().len() > 10);
        client.send("flip");
        assert!(client.fen().ends_with(" b - - 0 1"));
        client.send("bench 1");
        assert!(client.until("40/40").len() == 40);
        let last = client.line();
        let words: Vec<&str> = last.split(' ').collect();
        assert_eq!((words.len(), words[1], words[3]), (4, "nodes", "nps"), "{last}");
    }
}
