//! Steps about positions in which a game ends, or nearly.

use super::conversation::{SEARCH, board};
use super::{CheckStep, Checked, Examination, PASS, StepFailure, StepProtocols, ensure, step};
use crate::arena::engine::{Answer, Protocol};

pub(super) const STEPS: &[CheckStep] = &[
    step(StepProtocols::Both, "has no move when mated, and says so in its protocol's words", mated),
    step(StepProtocols::Both, "has no move in stalemate, and says so in its protocol's words", stalemated),
    step(StepProtocols::Both, "moves in a position that has occurred before", repeated),
    step(StepProtocols::Both, "moves though no piece can cross the river", bare),
    step(StepProtocols::Both, "finds a mate in one", mate_in_one),
    step(StepProtocols::Both, "plays its only legal move", only_move),
];

const MATED: &str = "3k5/3R5/3R5/9/9/9/9/9/9/4K4 b - - 0 1";
const STALEMATED: &str = "3k5/2P6/9/9/9/9/9/9/9/4K4 b - - 0 1";
/// The rook mates on the back rank, and nothing else does.
pub(super) const MATE_IN_ONE: &str = "3k5/R8/9/p8/9/9/9/9/9/1R3K3 w - - 0 1";
/// Red is in check and has a single legal move.
pub(super) const ONLY_MOVE: &str = "3k5/9/9/9/9/9/9/9/9/r3K4 w - - 0 1";

fn no_move(exam: &Examination<'_>, fen: &str) -> Checked<Option<&'static str>> {
    ensure(!board(fen, "")?.has_legal_move(), || format!("{fen} is not the end"))?;
    let mut engine = exam.engine()?;
    let line = engine.position(fen, "");
    let lines = engine.search(&format!("{line}\ngo depth 3"), SEARCH)?;
    let last = lines.last().map_or("", |line| line.trim());
    let wanted = match exam.protocol {
        Protocol::Ucci => "nobestmove",
        Protocol::Uci => "bestmove (none)",
    };
    ensure(last == wanted, || format!("`{last}` where `{wanted}` is wanted"))?;
    PASS
}

fn mated(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    no_move(exam, MATED)
}

fn stalemated(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    no_move(exam, STALEMATED)
}

/// Expects a legal move after `moves` from `start`.
fn moves_on(exam: &Examination<'_>, start: &str, moves: &str) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    let line = engine.position(start, moves);
    let lines = engine.search(&format!("{line}\ngo depth 3"), SEARCH)?;
    if Answer::read(lines.last().map_or("", String::as_str)) == Answer::NoBest {
        return Err(StepFailure::new("no move: clients take that for a resignation"));
    }
    engine.legal_move(&lines, &board(start, moves)?)?;
    PASS
}

fn repeated(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    moves_on(exam, "startpos", &"a0a1 a9a8 a1a0 a8a9 ".repeat(4))
}

fn bare(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    moves_on(exam, "3ak4/9/9/9/9/9/9/9/9/3K1A3 w - - 0 1", "")
}

fn mate_in_one(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    let line = engine.position(MATE_IN_ONE, "");
    let lines = engine.search(&format!("{line}\ngo depth 4"), SEARCH)?;
    let mut position = board(MATE_IN_ONE, "")?;
    let mv = engine.legal_move(&lines, &position)?;
    position.make(mv);
    ensure(!position.has_legal_move(), || format!("plays {mv}"))?;
    PASS
}

fn only_move(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    moves_on(exam, ONLY_MOVE, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positions_are_what_they_claim() {
        for fen in [MATED, STALEMATED] {
            let position = board(fen, "").unwrap();
            assert!(!position.has_legal_move(), "{fen}");
            assert_eq!(position.in_check(), fen == MATED, "{fen}");
        }
        assert_eq!(board(ONLY_MOVE, "").unwrap().legal_moves().len(), 1);
        let position = board(MATE_IN_ONE, "").unwrap();
        let moves = position.legal_moves();
        let mates = moves.iter().filter(|&&mv| {
            let mut after = position.clone();
            after.make(mv);
            !after.has_legal_move()
        });
        assert_eq!(mates.count(), 1);
    }
}
