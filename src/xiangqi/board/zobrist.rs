//! Zobrist keys: a random word for each piece on each square, and one for the side to move.

use std::sync::LazyLock;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use crate::types::{PerSquare, Piece, Side, Square};

/// The table of random words, whose generator and seed are fixed so that keys are the same in every run and on every
/// machine: opening books rely on it.
pub(super) struct Zobrist {
    pieces: [PerSquare<u64>; 14],
    black_to_move: u64,
}

static TABLE: LazyLock<Zobrist> = LazyLock::new(|| {
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
    /// The table, which is filled at the first call.
    pub(super) fn get() -> &'static Zobrist {
        &TABLE
    }

    /// The word of a piece on a square.
    #[inline]
    pub(super) fn piece(&self, piece: Piece, square: Square) -> u64 {
        self.pieces[piece.index()][square]
    }

    /// The word by which the keys of the two sides to move differ.
    #[inline]
    pub(super) fn turn(&self) -> u64 {
        self.black_to_move
    }

    /// The word of the side to move, which is 0 for Red.
    pub(super) fn side(&self, side: Side) -> u64 {
        if side == Side::Black { self.black_to_move } else { 0 }
    }
}
