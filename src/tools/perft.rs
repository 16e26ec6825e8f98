//! Perft: counts the leaves of the tree of legal moves, the standard proof of a move generator.

use crate::board::Position;
use crate::types::Move;

/// The number of move sequences of `depth` plies. The last ply is counted without making its moves.
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(position.count_legal()),
        _ => {
            let moves = position.legal_moves();
            moves.iter().map(|&mv| below(position, mv, depth)).sum()
        }
    }
}

fn below(position: &mut Position, mv: Move, depth: u32) -> u64 {
    position.make(mv);
    let count = perft(position, depth - 1);
    position.unmake();
    count
}

/// The count below each legal move, in generation order; empty at depth 0.
pub fn divide(position: &mut Position, depth: u32) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let moves = position.legal_moves();
    moves.iter().map(|&mv| (mv, below(position, mv, depth))).collect()
}
