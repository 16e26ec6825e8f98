//! The ends of a game: mate and stalemate, rulings, bare positions and the no-capture limit.

use crate::board::{Board, Position};
use crate::types::{Bitboard, Kind, Outcome, Side};

/// The natural limit (自然限着) of the rule book: 60 rounds, 120 plies, without a capture draw (CXA 2020,
/// 3.3; digest section 4).
pub const NO_CAPTURE_PLIES: u32 = 120;

/// Whether neither side has a piece that can cross the river, so that nobody can ever win.
#[inline]
pub fn is_bare(board: &Board) -> bool {
    [Kind::Rook, Kind::Cannon, Kind::Horse, Kind::Pawn]
        .into_iter()
        .fold(Bitboard::EMPTY, |set, kind| {
            set | board.pieces(Side::Red, kind) | board.pieces(Side::Black, kind)
        })
        .is_empty()
}

/// Why a game is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameEnd {
    /// The side to move is in check and has no legal move (将死).
    Mate,
    /// The side to move has no legal move although it is not in check (困毙); it loses just the same.
    Stalemate,
    /// Neither side has a piece that can cross the river.
    Bare,
    /// The no-capture limit is reached.
    NoCapture,
    /// A repetition was ruled on.
    Repetition,
}

/// The order in which a game ends: mate, a ruling, bare boards, the limit.
pub(super) fn ended(
    position: &Position,
    no_capture_limit: Option<u32>,
    ruled: impl FnOnce() -> Option<Outcome>,
) -> Option<(Outcome, GameEnd)> {
    if !position.has_legal_move() {
        let ending = if position.in_check() { GameEnd::Mate } else { GameEnd::Stalemate };
        return Some((Outcome::Win(!position.side()), ending));
    }
    if let Some(outcome) = ruled() {
        return Some((outcome, GameEnd::Repetition));
    }
    if is_bare(position) {
        return Some((Outcome::Draw, GameEnd::Bare));
    }
    match no_capture_limit {
        Some(limit) if position.quiet_plies() >= limit => Some((Outcome::Draw, GameEnd::NoCapture)),
        _ => None,
    }
}
