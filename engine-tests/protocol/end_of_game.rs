//! Positions without a move, and the end of a session.

use super::*;

#[test]
fn mate_and_stalemate_have_no_move() {
    let (mut ucci, mut uci) = (Client::ucci(), Client::uci());
    for fen in [MATED, STALEMATED] {
        for go in ["go depth 3", "go time 1000 increment 0", "go nodes 100"] {
            ucci.send(&format!("position fen {fen}"));
            ucci.send(go);
            let lines = ucci.answer();
            assert_eq!(lines.last().unwrap(), "nobestmove", "{fen}");
            uci.send(&format!("position fen {fen}"));
            uci.send(go);
            let lines = uci.answer();
            assert_eq!(lines[lines.len() - 2..], ["info depth 0 score mate 0", "bestmove (none)"], "{fen}");
        }
    }
}

#[test]
fn a_drawn_game_has_a_move_all_the_same() {
    let mut client = Client::ucci();
    for setup in [
        // Bare generals and advisors.
        "position fen 3ak4/9/9/9/9/9/9/9/9/3KA4 w".to_owned(),
        // The no-capture limit is reached.
        "position fen 3ak4/4a4/9/9/9/9/4R4/9/4A4/3AK4 w - - 120 200".to_owned(),
        // Repetition.
        format!("position startpos moves {}", ["h0g2", "h9g7", "g2h0", "g7h9"].repeat(4).join(" ")),
    ] {
        client.send(&setup);
        client.send("go depth 3");
        client.best_move();
    }
}
