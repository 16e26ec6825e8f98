//! Lines that cross the engine's own answer: exactly one answer to each `go`, whatever arrives when.

use super::*;

/// Waits a little without giving the processor away.
fn spin(time: Duration) {
    let start = Instant::now();
    while start.elapsed() < time {
        std::hint::spin_loop();
    }
}

/// 2,000 stops around the moment of the answer, from well before it to well after.
#[test]
fn a_stop_that_crosses_the_answer_is_never_answered_itself() {
    for (mut client, go) in [
        (Client::ucci(), ["go time 0 increment 0", "go nodes 300"]),
        (Client::uci(), ["go movetime 0", "go nodes 300"]),
    ] {
        client.send_all(&[
            "setoption threads 1",
            "setoption hashsize 1",
            "setoption usebook false",
            "isready",
        ]);
        client.until("readyok");
        for round in 0..1000 {
            client.send(go[round % 2]);
            spin(Duration::from_micros((round as u64 * 7) % 1500));
            client.send("stop");
            client.best_move();
            let rest = client.settle();
            assert!(!rest.iter().any(|line| is_answer(line)), "round {round}: {rest:?}");
        }
    }
}

/// `ucci-late-stop`: the client takes whatever comes next for the answer to its next `go`.
#[test]
fn the_first_answer_after_a_late_stop_is_that_to_the_next_go() {
    let mut client = Client::ucci();
    client.send_all(&["position startpos", "go time 0 increment 0"]);
    client.best_move();
    client.send_all(&["stop", "position startpos moves h2e2", "go depth 2"]);
    let mv = client.best_move();
    assert!(position(&format!("{START} w"), &["h2e2"]).legal_moves().contains(&mv));
    client.send_all(&["stop", "stop"]);
    assert!(client.settle().is_empty());
}

/// A `stop` behind a `go` that waits for the end of the search before it belongs to that `go`.
#[test]
fn a_stop_is_kept_for_a_go_that_waits() {
    for mut client in [Client::ucci(), Client::uci()] {
        client.send("go infinite");
        client.no_answer_for(ms(20));
        client.send_all(&["stop", "position startpos moves h2e2", "go infinite", "stop"]);
        client.best_move();
        let mv = client.best_move();
        assert!(position(&format!("{START} w"), &["h2e2"]).legal_moves().contains(&mv));
        assert!(client.settle().is_empty());
    }
}

#[test]
fn an_endless_search_can_be_stopped_in_batch_mode() {
    let mut client = Client::ucci();
    client.send_all(&["setoption batch true", "go infinite"]);
    client.no_answer_for(ms(50));
    client.send("stop");
    client.best_move();
}
