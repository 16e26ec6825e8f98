//! What only UCI has.

use super::*;

#[test]
fn perft_counts_by_move() {
    let mut client = Client::uci();
    for command in ["go perft 2", "perft 2"] {
        client.send(command);
        let lines = client.until("Nodes searched:");
        assert_eq!(lines.last().unwrap(), "Nodes searched: 1920");
        assert_eq!(lines[lines.len() - 2], "");
        let counts: Vec<u64> =
            lines.iter().filter_map(|line| line.split_once(": ")?.1.parse().ok()).collect();
        assert_eq!((counts.len(), counts.iter().sum::<u64>()), (45, 2 * 1920));
        assert_eq!(client.line(), "");
        assert!(client.settle().is_empty(), "no bestmove");
    }
}

#[test]
fn tools_can_be_interrupted() {
    let mut client = Client::uci();
    for command in ["perft 12", "bench 60"] {
        client.send(command);
        client.send("isready");
        client.until("readyok");
        client.send("stop");
        let lines = client.until(&command[..5]);
        assert!(lines.last().unwrap().ends_with("stopped"), "{lines:?}");
        client.send("go depth 2");
        client.best_move();
    }
}

#[test]
fn searchmoves_confines_the_search() {
    let mut client = Client::uci();
    client.send("go searchmoves a0a1 A0A2 depth 3");
    assert!(["a0a1", "a0a2"].contains(&client.best_move().to_string().as_str()));
    client.send("go depth 2 searchmoves i0i1");
    assert_eq!(client.best_move().to_string(), "i0i1");
    client.send("go searchmoves e0e9 depth 2");
    let lines = client.answer();
    assert!(lines[0].starts_with("info string no legal moves here"), "{lines:?}");
    assert!(moved(lines.last().unwrap()).is_some());
}

#[test]
fn mate_in_one_is_announced_and_played() {
    let mut client = Client::uci();
    client.send(&format!("position fen {MATE_IN_ONE}"));
    client.send("go mate 1");
    let lines = client.answer();
    assert!(lines.iter().any(|line| line.contains(" score mate 1 ")), "{lines:?}");
    let mut after = position(MATE_IN_ONE, &[]);
    after.play(moved(lines.last().unwrap()).unwrap()).unwrap();
    assert!(!after.has_legal_move());
    client.send("ucci");
    client.until("ucciok");
    client.send("go depth 3");
    let lines = client.answer();
    assert!(lines.iter().any(|line| line.contains(" score 9999 ")), "{lines:?}");
}

#[test]
fn several_lines_are_numbered_and_different() {
    let mut client = Client::uci();
    client.send("setoption name MultiPV value 3");
    client.send("go depth 4");
    let lines = client.answer();
    let last: Vec<&String> = lines.iter().rev().filter(|line| line.contains(" multipv ")).take(3).collect();
    let mut firsts: Vec<&str> =
        last.iter().map(|line| line.split(" pv ").nth(1).unwrap().split(' ').next().unwrap()).collect();
    let best = lines.last().unwrap().split(' ').nth(1).unwrap();
    assert_eq!(firsts[2], best, "{lines:?}");
    assert!(last[2].contains(" multipv 1 ") && last[0].contains(" multipv 3 "), "{lines:?}");
    firsts.sort();
    firsts.dedup();
    assert_eq!(firsts.len(), 3, "{lines:?}");
}

#[test]
fn wdl_sums_to_a_thousand() {
    let mut client = Client::uci();
    client.send("setoption name UCI_ShowWDL value true");
    client.send("go depth 4");
    let lines = client.answer();
    let shares = |line: &String| -> Option<u32> {
        let words = line.split(" wdl ").nth(1)?.split(' ').take(3);
        Some(words.map(|word| word.parse::<u32>().unwrap()).sum())
    };
    let sums: Vec<u32> = lines.iter().filter_map(shares).collect();
    assert!(!sums.is_empty());
    assert!(sums.iter().all(|&sum| sum == 1000), "{sums:?}");
}

#[test]
fn bad_options_are_named_once_and_change_nothing() {
    let mut client = Client::uci();
    for line in [
        "setoption name No Such Option value 1",
        "setoption name Hash value many",
        "setoption name Hash",
        "setoption name MultiPV value 0",
        "setoption name Threads value 99999",
        "setoption name UCI_Variant value chess",
        "setoption name Ponder value perhaps",
    ] {
        client.send(line);
        let notes = client.settle();
        assert_eq!(notes.len(), 1, "{line}: {notes:?}");
        assert!(notes[0].starts_with("info string "), "{notes:?}");
    }
    client.send("go depth 1");
    client.best_move();
}

#[test]
fn ranks_count_from_one_after_the_variant_is_set() {
    let mut client = Client::uci();
    client.send("setoption name UCI_Variant value xiangqi");
    client.send("position startpos moves h3e3 h10g8");
    assert_eq!(client.fen(), position(&format!("{START} w"), &["h2e2", "h9g7"]).to_fen());
    client.send("go depth 2 searchmoves h1g3");
    let lines = client.answer();
    assert!(lines.last().unwrap().starts_with("bestmove h1g3"), "{lines:?}");
    assert!(lines.iter().any(|line| line.contains(" pv h1g3")), "{lines:?}");
    // UCCI knows one spelling only.
    client.send_all(&["ucci", "position startpos moves h2e2"]);
    client.until("ucciok");
    assert!(client.settle().is_empty());
}

/// uci2wb sets the variant because it is announced, and then writes ranks from 0 in lines of its own form.
#[test]
fn a_bare_position_means_ranks_from_zero() {
    for line in [format!("fen {START} r moves h2e2"), "startpos moves h2e2".to_owned()] {
        let mut client = Client::uci();
        client.send("setoption name UCI_Variant value xiangqi");
        client.send(&line);
        assert_eq!(client.fen(), position(&format!("{START} w"), &["h2e2"]).to_fen());
        client.send("go depth 2 searchmoves h9g7");
        assert!(client.answer().last().unwrap().starts_with("bestmove h9g7"), "{line}");
    }
}

/// A list of moves that makes sense in the other spelling only shows how the client spells.
#[test]
fn the_clients_spelling_is_recognised() {
    let moved = position(&format!("{START} w"), &["h2e2", "h9g7"]);
    for (variant, list, answer) in
        [(true, "h2e2 h9g7", "bestmove h0g2"), (false, "h3e3 h10g8", "bestmove h1g3")]
    {
        let mut client = Client::uci();
        if variant {
            client.send("setoption name UCI_Variant value xiangqi");
        }
        client.send(&format!("position startpos moves {list}"));
        assert!(client.settle().is_empty(), "{list}");
        assert_eq!(client.fen(), moved.to_fen(), "{list}");
        client.send(&format!("go depth 2 searchmoves {}", &answer[9..]));
        assert!(client.answer().last().unwrap().starts_with(answer), "{list}");
        // A list that makes sense in neither changes nothing about that.
        client.send("position startpos moves h2e2 h10g8");
        assert_eq!(client.settle().len(), 1);
    }
}

#[test]
fn a_line_of_one_move_never_says_zero() {
    let mut client = Client::uci();
    client.send("position fen 3ak4/9/9/9/9/9/9/9/9/3AK4 w");
    client.send("go depth 3");
    for line in client.answer() {
        let one_move = line.split(" pv ").nth(1).is_some_and(|pv| !pv.trim().contains(' '));
        assert!(!(line.contains(" score cp 0 ") && one_move), "{line}");
    }
}
