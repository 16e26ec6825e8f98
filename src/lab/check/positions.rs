//! Steps about `position`: every form of FEN and move list that clients are known to send.

use super::talk::{SEARCH, board};
use super::{Bench, In, Outcome, PASS, Step, ensure, step};
use crate::arena::engine::Protocol;
use xiangqi::board::STARTPOS;

pub(super) const STEPS: &[Step] = &[
    step(In::Both, "reads a FEN with nothing behind the side to move", bare_fen),
    step(In::Both, "reads `r` for red to move", red_as_r),
    step(In::Both, "reads a FEN with its dashes stuck together", stuck_dashes),
    step(In::Both, "reads a FEN with a comment and a second tail", commented_fen),
    step(In::Both, "reads E and H for elephants and horses", letters),
    step(In::Both, "reads a move list that is empty", empty_list),
    step(In::Both, "reads a list of 400 moves", long_list),
    step(In::Both, "survives an illegal move in a list", illegal_in_list),
    step(In::Both, "survives FENs that make no sense", senseless_fens),
    step(In::Both, "keeps its position when `position` makes no sense", keeps_position),
];

/// An open middle game in which the two sides have quite different moves.
const MIDDLE: &str = "r1bakabr1/9/1cn3nc1/p1p1p3p/6p2/9/P1P1P1P1P/1C2C1N2/9/RNBAKABR1";

/// Sends a `position` line as it stands and expects a legal move in the position that it means.
fn understands(bench: &Bench<'_>, line: &str, start: &str, moves: &str) -> Outcome<Option<&'static str>> {
    let mut talk = bench.talk()?;
    let position = board(start, moves)?;
    let lines = talk.search(&format!("{line}\ngo depth 2"), SEARCH)?;
    talk.legal_move(&lines, &position)?;
    PASS
}

fn bare_fen(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    understands(bench, &format!("position fen {MIDDLE} w"), &format!("{MIDDLE} w"), "")?;
    understands(bench, &format!("position fen {MIDDLE} b"), &format!("{MIDDLE} b"), "")
}

fn red_as_r(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    understands(bench, &format!("position fen {MIDDLE} r - - 0 1"), &format!("{MIDDLE} w"), "")
}

fn stuck_dashes(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let talk = bench.talk()?;
    let mv = talk.words("b2c2");
    understands(bench, &format!("position fen {MIDDLE} w -- 0 1  moves {mv}"), &format!("{MIDDLE} w"), "b2c2")
}

fn commented_fen(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let talk = bench.talk()?;
    let mv = talk.words("a9a8");
    let line = format!("position fen {MIDDLE} b - - 0 4   ;text - - 0 1 moves {mv}");
    understands(bench, &line, &format!("{MIDDLE} b"), "a9a8")
}

fn letters(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let fen = MIDDLE.replace('b', "e").replace('n', "h").replace('B', "E").replace('N', "H");
    understands(bench, &format!("position fen {fen} w - - 0 1"), &format!("{MIDDLE} w"), "")
}

fn empty_list(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    understands(bench, "position startpos moves ", "startpos", "")?;
    understands(bench, &format!("position fen {STARTPOS} moves"), "startpos", "")
}

fn long_list(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = bench.talk()?;
    let cycle = "a0a1 a9a8 i0i1 i9i8 a1a0 a8a9 i1i0 i8i9 ";
    let moves = cycle.repeat(50);
    let line = talk.position("startpos", &moves);
    let lines = talk.search(&format!("{line}\ngo depth 2"), SEARCH)?;
    talk.legal_move(&lines, &board("startpos", &moves)?)?;
    PASS
}

fn illegal_in_list(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = bench.talk()?;
    for word in ["a0a9", "zzzz", "h2", "h2e2e2"] {
        let line = talk.position("startpos", "h2e2 h9g7");
        talk.say(&format!("{line} {word} b0c2"))?;
        talk.sync()?;
    }
    let lines = talk.search("go depth 2", SEARCH)?;
    talk.legal_move(&lines, &board("startpos", "h2e2 h9g7")?)?;
    PASS
}

fn senseless_fens(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    for fen in [
        "9/9/9/9/9/9/9/9/9/9 w - - 0 1",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9 w",
        "xnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
        "rnbakabnr/99/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
        "",
    ] {
        let mut talk = bench.talk()?;
        talk.say(&format!("position fen {fen}"))?;
        talk.sync().map_err(|failure| super::Failure::new(format!("`{fen}`: {failure}")))?;
    }
    PASS
}

fn keeps_position(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = bench.talk()?;
    let line = talk.position("startpos", "h2e2");
    talk.say(&line)?;
    talk.say(if bench.protocol == Protocol::Ucci { "position\nposition nowhere" } else { "position" })?;
    talk.sync()?;
    let lines = talk.search("go depth 2", SEARCH)?;
    let kept = talk.legal_move(&lines, &board("startpos", "h2e2")?);
    ensure(kept.is_ok(), || "the position before is lost".to_owned())?;
    PASS
}
