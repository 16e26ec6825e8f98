//! What is said and obeyed while the engine thinks.

use super::*;

/// gmchess throws away each full block of 1024 bytes unread, and a `bestmove` in it is lost.
#[test]
fn a_quick_search_in_ucci_says_little() {
    let mut client = Client::ucci();
    client.send("isready");
    client.until("readyok");
    // On a busy machine the search may be slow, and then it may say more.
    let quick = (0..20).any(|_| {
        client.send("setoption newgame");
        let start = Instant::now();
        client.send("go depth 6");
        let said: usize = client.answer().iter().map(|line| line.len() + 1).sum();
        start.elapsed() < ms(250) && said < 1000
    });
    assert!(quick);
}

#[test]
fn questions_are_answered_during_a_search() {
    let mut client = Client::ucci();
    client.send("go infinite");
    client.send("isready");
    client.until("readyok");
    client.send("probe startpos");
    client.until("pophash");
    client.send("d");
    client.until("Checkers:");
    client.no_answer_for(ms(50));
    client.send("stop");
    client.best_move();
    client.send("probe startpos");
    let answer = client.until("pophash").pop().unwrap();
    assert!(answer.contains(" depth "), "the searched position is stored: {answer}");
    client.send("probe fen 3k5/9/9/9/9/9/9/9/9/5K3 w");
    assert_eq!(client.until("pophash").pop().unwrap(), "pophash");
}

#[test]
fn what_does_not_belong_into_a_search_changes_nothing() {
    let mut client = Client::ucci();
    client.send_all(&["position startpos moves h2e2", "go infinite"]);
    client.send_all(&[
        "position startpos",
        "setoption usemillisec false",
        "go depth 1",
        "banmoves h9g7",
        "go",
    ]);
    client.no_answer_for(ms(100));
    client.send("stop");
    let mv = client.best_move();
    assert!(position(&format!("{START} w"), &["h2e2"]).legal_moves().contains(&mv));
    assert!(client.settle().is_empty(), "one answer");
    assert!(client.fen().contains(" b - - 1 1"), "the position stays");
}

#[test]
fn uci_lets_settings_wait_and_refuses_a_second_search() {
    let mut client = Client::uci();
    client.send_all(&["go infinite", "go depth 1", "position startpos moves h2e2"]);
    client.no_answer_for(ms(50));
    client.send("stop");
    client.best_move();
    assert!(client.settle().is_empty(), "one answer");
    assert!(client.fen().contains(" b - - 1 1"), "the position came into force after the search");
}

#[test]
fn the_next_position_may_follow_stop_at_once() {
    for mut client in [Client::ucci(), Client::uci()] {
        client.send("go infinite");
        client.no_answer_for(ms(30));
        client.send_all(&["stop", "position startpos moves h2e2", "go depth 2"]);
        client.best_move();
        let mv = client.best_move();
        assert!(position(&format!("{START} w"), &["h2e2"]).legal_moves().contains(&mv));
        assert!(client.settle().is_empty());
    }
}

#[test]
fn quit_is_obeyed_at_once() {
    for (greeted, farewell) in [(Client::ucci as fn() -> Client, Some("bye")), (Client::uci, None)] {
        assert_takes(AT_ONCE, || {
            let mut client = greeted();
            client.send("go infinite");
            client.no_answer_for(ms(50));
            let start = Instant::now();
            client.send("quit");
            let (lines, used) = client.farewell(start);
            let last = lines.last().map(String::as_str);
            assert!(farewell.is_none_or(|word| last == Some(word)), "{lines:?}");
            assert_eq!(lines.iter().filter(|line| is_answer(line)).count(), 1, "{lines:?}");
            used
        });
    }
}
