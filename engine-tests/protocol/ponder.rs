//! Thinking on the opponent's time.

use super::*;

#[test]
fn no_answer_before_the_hit_or_the_miss() {
    for mut client in [Client::ucci(), Client::uci()] {
        for fen in [MATE_IN_ONE, ONE_REPLY, MATED, &format!("{START} w")] {
            let legal = position(fen, &[]).legal_moves();
            for (go, end) in [
                ("go ponder time 1000 increment 0", "ponderhit"),
                ("go ponder time 1000 increment 0", "stop"),
                ("go ponder wtime 1000 btime 1000", "ponderhit draw"),
                ("go ponder depth 1", "ponderhit"),
                ("go ponder", "ponderhit"),
                ("go ponder infinite", "stop"),
            ] {
                client.send(&format!("position fen {fen}"));
                client.send(go);
                client.no_answer_for(ms(60));
                client.send(end);
                let answer = client.answer().pop().unwrap();
                match moved(&answer) {
                    Some(mv) => assert!(legal.contains(&mv), "{fen}: {mv}"),
                    None => assert!(legal.is_empty(), "{fen}: {answer}"),
                }
                assert!(client.settle().is_empty());
            }
        }
    }
}

#[test]
fn a_hit_outside_pondering_is_harmless() {
    let mut client = Client::ucci();
    client.send_all(&["ponderhit", "ponderhit draw"]);
    assert!(client.settle().is_empty());
    client.send("go infinite");
    client.send_all(&["ponderhit draw", "ponderhit"]);
    client.no_answer_for(ms(60));
    client.send("stop");
    client.best_move();
    assert!(client.settle().is_empty());
}

#[test]
fn the_clock_starts_at_the_hit() {
    let mut client = Client::uci();
    client.send("go ponder movetime 300");
    client.no_answer_for(ms(400));
    let start = Instant::now();
    client.send("ponderhit");
    client.best_move();
    assert!(start.elapsed() < ms(300) + SLACK, "{:?}", start.elapsed());
}
