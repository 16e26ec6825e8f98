//! Positions as clients write them.

use super::*;

#[test]
fn all_that_clients_write_is_understood() {
    let mut client = Client::ucci();
    let start = position(&format!("{START} w"), &[]);
    for tail in ["w", "r", "w - - 0 1", "w -- 0 1", "w -- 0 1  moves ", "w - - 0 1 moves", "w moves"] {
        assert_plays(&mut client, &format!("position fen {START} {tail}"), &start);
    }
    let played = position(&format!("{START} w"), &["h2e2"]);
    assert_plays(&mut client, &format!("position fen {START} w -- 0 1  moves h2e2"), &played);
    assert_plays(&mut client, &format!("fen {START} r moves h2e2"), &played);
    assert_plays(&mut client, "startpos moves h2e2", &played);
    assert_plays(&mut client, "POSITION  STARTPOS\tMOVES  H2E2 \r", &played);
    let named = START.replace('N', "H").replace('n', "h").replace('B', "E").replace('b', "e");
    assert_plays(&mut client, &format!("position fen {named} r"), &start);
    assert_plays(&mut client, "position startpos moves ", &start);
}

#[test]
fn a_comment_of_any_bytes_does_no_harm() {
    let mut client = Client::ucci();
    let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/4P4/P1P3P1P/1C5C1/9/RNBAKABNR";
    client.send_bytes(format!("position fen {fen} b - - 0 4   ;").as_bytes());
    client.send_bytes(b"\xd6\xd0\xc5\xda - - 0 1 moves i9i8\n");
    let expected = position(&format!("{fen} b - - 0 4"), &["i9i8"]);
    assert_eq!(client.fen(), expected.to_fen());
    client.send("go depth 2");
    assert!(expected.legal_moves().contains(&client.best_move()));
}

#[test]
fn four_hundred_moves_fit_into_a_line() {
    let mut client = Client::uci();
    let shuffle = ["h0g2", "h9g7", "g2h0", "g7h9"].repeat(100);
    client.send(&format!("position startpos moves {}", shuffle.join(" ")));
    let expected = position(&format!("{START} w"), &shuffle);
    assert_eq!(client.fen(), expected.to_fen());
    client.send("go depth 2");
    assert!(expected.legal_moves().contains(&client.best_move()), "a drawn game has moves too");
}

#[test]
fn the_first_bad_move_ends_the_list_and_is_named() {
    let mut client = Client::ucci();
    for (list, kept) in [
        ("h2e2 h9g7 h9g7 h0g2", 2), // the same move twice
        ("h2e2 z9z9 h0g2", 1),
        ("e0e5", 0),
        ("h2e2 h0g2", 1), // not Red's turn
        ("h2e2 h10g8", 1),
    ] {
        client.send(&format!("position startpos moves {list}"));
        let notes = client.settle();
        assert_eq!(notes.len(), 1, "{list}: {notes:?}");
        assert!(notes[0].starts_with(&format!("info message move {} ", kept + 1)), "{notes:?}");
        let played: Vec<&str> = list.split(' ').take(kept).collect();
        assert_eq!(client.fen(), position(&format!("{START} w"), &played).to_fen(), "{list}");
    }
}

#[test]
fn nonsense_is_refused_with_one_message_and_the_old_position_stays() {
    let mut client = Client::uci();
    client.send("position startpos moves h2e2");
    let before = client.fen();
    for setup in [
        "position",
        "position fen",
        "position fen x",
        "position h2e2",
        "position fen 9/9/9/9/9/9/9/9/9/9 w - - 0 1",
        "position fen 4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
        "position fen 4k4/9/9/9/9/9/9/9/4R4/3K5 w",
        "position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR x",
        "fen 9/9",
        "position fen 3k5/9/9/9/9/9/9/9/9/3KK4 w moves d0d1",
    ] {
        client.send(setup);
        let notes = client.settle();
        assert_eq!(notes.len(), 1, "{setup}: {notes:?}");
        assert!(notes[0].starts_with("info string "), "{setup}: {notes:?}");
        assert_eq!(client.fen(), before, "{setup}");
    }
}
