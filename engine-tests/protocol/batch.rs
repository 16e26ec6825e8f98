//! Scripts that are piped in (UCCI).

use super::*;

#[test]
fn a_script_is_worked_off() {
    for quit in [&["quit"][..], &[]] {
        let mut client = Client::start();
        client.send_all(&[
            "ucci",
            "setoption batch true",
            "position startpos",
            "go depth 3",
            "position startpos moves h2e2",
            "go depth 3",
        ]);
        if !quit.is_empty() {
            client.send_all(quit);
        }
        client.close();
        let (lines, _) = client.farewell(Instant::now());
        let moves: Vec<Move> = lines.iter().filter_map(|line| moved(line)).collect();
        assert_eq!(moves.len(), 2, "{lines:?}");
        assert!(position(&format!("{START} w"), &["h2e2"]).legal_moves().contains(&moves[1]));
        assert_eq!(lines.last().unwrap() == "bye", !quit.is_empty(), "{lines:?}");
    }
}

#[test]
fn one_move_and_goodbye_in_one_write() {
    let mut client = Client::ucci();
    client.send_all(&["setoption batch true", "go time 200", "quit"]);
    let (lines, _) = client.farewell(Instant::now());
    assert_eq!(lines.iter().filter(|line| is_answer(line)).count(), 1, "{lines:?}");
    assert_eq!(lines.last().unwrap(), "bye");
}
