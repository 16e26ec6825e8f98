//! Zobrist keys: a random word for each piece on each square, and one for the side to move.

use once_cell::sync::Lazy;
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::types::{PerSquare, Piece, Side, Square};

/// The table of random words. The generator and its seed are fixed, so keys are the same in every run and
/// on every machine: books and the bench signature rely on it.
pub struct Zobrist {
    pieces: [PerSquare<u64>; 14],
    black_to_move: u64,
}

static TABLE: Lazy<Zobrist> = Lazy::new(|| {
    // "JUZHONG" in ASCII.
    let mut rng = ChaCha8Rng::seed_from_u64(0x004a_555a_484f_4e47);
    let mut pieces = [const { PerSquare::filled(0) }; 14];
    for table in &mut pieces {
        for square in Square::all() {
            table[square] = rng.next_u64();
        }
    }
    Zobrist { pieces, black_to_move: rng.next_u64() }
});

impl Zobrist {
    /// The one table.
    pub fn get() -> &'static Zobrist {
        &TABLE
    }

    /// The word of a piece on a square.
    #[inline]
    pub fn piece(&self, piece: Piece, square: Square) -> u64 {
        self.pieces[piece.index()][square]
    }

    /// The word that differs between the two sides to move.
    #[inline]
    pub fn turn(&self) -> u64 {
        self.black_to_move
    }

    /// The word of the side to move: 0 for Red.
    pub fn side(&self, side: Side) -> u64 {
        if side == Side::Black { self.black_to_move } else { 0 }
    }
}
