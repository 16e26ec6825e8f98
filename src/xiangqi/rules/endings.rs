//! Draws that need no repetition: the no-capture limit and bare positions.

use crate::board::Board;
use crate::types::{Bitboard, Kind, Side};

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
