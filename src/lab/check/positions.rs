//! Steps about `position`: every form of FEN and move list that clients are known to send.

use super::conversation::{SEARCH, board};
use super::{CheckStep, Checked, Examination, PASS, StepProtocols, ensure, step};
use crate::arena::engine::Protocol;
use xiangqi::board::STARTPOS;

pub(super) const STEPS: &[CheckStep] = &[
    step(StepProtocols::Both, "reads a FEN with nothing behind the side to move", bare_fen),
    step(StepProtocols::Both, "reads `r` for red to move", red_as_r),
    step(StepProtocols::Both, "reads a FEN with its dashes stuck together", stuck_dashes),
    step(StepProtocols::Both, "reads a FEN with a comment and a second tail", commented_fen),
    step(StepProtocols::Both, "reads E and H for elephants and horses", letters),
    step(StepProtocols::Both, "reads a move list that is empty", empty_list),
    step(StepProtocols::Both, "reads a list of 400 moves", long_list),
    step(StepProtocols::Both, "survives an illegal move in a list", illegal_in_list),
    step(StepProtocols::Both, "survives FENs that make no sense", senseless_fens),
    step(StepProtocols::Both, "keeps its position when `position` makes no sense", keeps_position),
];

/// An open middle game in which the two sides have quite different moves.
const MIDDLE: &str = "r1bakabr1/9/1cn3nc1/p1p1p3p/6p2/9/P1P1P1P1P/1C2C1N2/9/RNBAKABR1";

/// Sends a `position` line as it stands and expects a legal move in the position that it means.
fn understands(
    exam: &Examination<'_>,
    line: &str,
    start: &str,
    moves: &str,
) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    let position = board(start, moves)?;
    let lines = engine.search(&format!("{line}\ngo depth 2"), SEARCH)?;
    engine.legal_move(&lines, &position)?;
    PASS
}

fn bare_fen(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    understands(exam, &format!("position fen {MIDDLE} w"), &format!("{MIDDLE} w"), "")?;
    understands(exam, &format!("position fen {MIDDLE} b"), &format!("{MIDDLE} b"), "")
}

fn red_as_r(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    understands(exam, &format!("position fen {MIDDLE} r - - 0 1"), &format!("{MIDDLE} w"), "")
}

fn stuck_dashes(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let engine = exam.engine()?;
    let mv = engine.words("b2c2");
    understands(exam, &format!("position fen {MIDDLE} w -- 0 1  moves {mv}"), &format!("{MIDDLE} w"), "b2c2")
}

fn commented_fen(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let engine = exam.engine()?;
    let mv = engine.words("a9a8");
    let line = format!("position fen {MIDDLE} b - - 0 4   ;text - - 0 1 moves {mv}");
    understands(exam, &line, &format!("{MIDDLE} b"), "a9a8")
}

fn letters(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let fen = MIDDLE.replace('b', "e").replace('n', "h").replace('B', "E").replace('N', "H");
    understands(exam, &format!("position fen {fen} w - - 0 1"), &format!("{MIDDLE} w"), "")
}

fn empty_list(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    understands(exam, "position startpos moves ", "startpos", "")?;
    understands(exam, &format!("position fen {STARTPOS} moves"), "startpos", "")
}

fn long_list(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    let cycle = "a0a1 a9a8 i0i1 i9i8 a1a0 a8a9 i1i0 i8i9 ";
    let moves = cycle.repeat(50);
    let line = engine.position("startpos", &moves);
    let lines = engine.search(&format!("{line}\ngo depth 2"), SEARCH)?;
    engine.legal_move(&lines, &board("startpos", &moves)?)?;
    PASS
}

fn illegal_in_list(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    for word in ["a0a9", "zzzz", "h2", "h2e2e2"] {
        let line = engine.position("startpos", "h2e2 h9g7");
        engine.say(&format!("{line} {word} b0c2"))?;
        engine.sync()?;
    }
    let lines = engine.search("go depth 2", SEARCH)?;
    engine.legal_move(&lines, &board("startpos", "h2e2 h9g7")?)?;
    PASS
}

fn senseless_fens(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    for fen in [
        "9/9/9/9/9/9/9/9/9/9 w - - 0 1",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9 w",
        "xnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
        "rnbakabnr/99/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
        "",
    ] {
        let mut engine = exam.engine()?;
        engine.say(&format!("position fen {fen}"))?;
        engine.sync().map_err(|failure| super::StepFailure::new(format!("`{fen}`: {failure}")))?;
    }
    PASS
}

fn keeps_position(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    let line = engine.position("startpos", "h2e2");
    engine.say(&line)?;
    engine.say(if exam.protocol == Protocol::Ucci { "position\nposition nowhere" } else { "position" })?;
    engine.sync()?;
    let lines = engine.search("go depth 2", SEARCH)?;
    let kept = engine.legal_move(&lines, &board("startpos", "h2e2")?);
    ensure(kept.is_ok(), || "the position before is lost".to_owned())?;
    PASS
}
