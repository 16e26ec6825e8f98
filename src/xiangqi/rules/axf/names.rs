//! Names for pieces that survive their moves.

use crate::types::{Bitboard, Move, PerSquare, Square};

/// Follows pieces through the moves of a loop, so that a victim keeps its name wherever it goes.
#[derive(Clone)]
pub(in super::super) struct PieceNames {
    origins: PerSquare<Square>,
}

impl PieceNames {
    /// Every piece is named by the square it stands on now.
    pub fn at_start() -> PieceNames {
        let mut origins = PerSquare::filled(Square::all().next().unwrap_or_else(|| unreachable!()));
        for square in Square::all() {
            origins[square] = square;
        }
        PieceNames { origins }
    }

    /// Follows one move.
    pub fn follow(&mut self, mv: Move) {
        self.origins[mv.to()] = self.origins[mv.from()];
    }

    /// The names of the pieces on these squares.
    pub fn of(&self, squares: Bitboard) -> Bitboard {
        squares.into_iter().map(|square| self.origins[square]).collect()
    }
}
