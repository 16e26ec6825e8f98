//! Perft: the number of leaves of the tree of legal moves, which is the standard test of a move generator.

use std::fmt::Display;
use std::sync::atomic::{AtomicBool, Ordering};

#[cfg(feature = "rayon")]
use rayon::prelude::*;

use crate::board::Position;
use crate::types::Move;

/// The deepest trees that are counted without a look at the stop flag, since they take milliseconds.
const SHORT: u32 = 4;

/// Counts the sequences of `depth` legal moves; the moves of the last ply are counted without being made.
///
/// ```
/// use xiangqi::{board::Position, perft::perft};
///
/// assert_eq!(perft(&mut Position::startpos(), 3), 79_666);
/// ```
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(position.count_legal()),
        _ => {
            let moves = position.legal_moves();
            moves.iter().map(|&mv| below(position, mv, |position| perft(position, depth - 1))).sum()
        }
    }
}

/// Counts like [`perft`], but gives up with a wrong count soon after `stop` is set.
fn perft_until(position: &mut Position, depth: u32, stop: &AtomicBool) -> u64 {
    if depth <= SHORT {
        return perft(position, depth);
    }
    let moves = position.legal_moves();
    let going = moves.iter().take_while(|_| !stop.load(Ordering::Relaxed));
    going.map(|&mv| below(position, mv, |position| perft_until(position, depth - 1, stop))).sum()
}

/// What `count` returns for the position after a move, which is unmade again.
fn below(position: &mut Position, mv: Move, count: impl FnOnce(&mut Position) -> u64) -> u64 {
    position.make(mv);
    let leaves = count(position);
    position.unmake();
    leaves
}

/// Counts the sequences of `depth` legal moves by their first move, or returns `None` if `stop` was set before the
/// end.
///
/// The counts are in the order of [`Position::legal_moves`], and there are none at depth 0. With the feature `rayon`
/// the first moves are shared among the threads of the current rayon pool.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use xiangqi::{board::Position, perft};
///
/// let counts = perft::divide(&Position::startpos(), 2, &AtomicBool::new(false)).unwrap_or_default();
/// assert_eq!((counts.len(), perft::total(&counts)), (44, 1_920));
/// ```
pub fn divide(position: &Position, depth: u32, stop: &AtomicBool) -> Option<Vec<(Move, u64)>> {
    let Some(below_root) = depth.checked_sub(1) else { return Some(Vec::new()) };
    let count = |&mv: &Move| {
        let mut position = position.clone();
        (mv, below(&mut position, mv, |position| perft_until(position, below_root, stop)))
    };
    let moves = position.legal_moves();
    #[cfg(feature = "rayon")]
    let counts = moves.par_iter().map(count).collect();
    #[cfg(not(feature = "rayon"))]
    let counts = moves.iter().map(count).collect();
    (!stop.load(Ordering::Relaxed)).then_some(counts)
}

/// The sum of the counts of [`divide`].
pub fn total(counts: &[(Move, u64)]) -> u64 {
    counts.iter().map(|(_, count)| count).sum()
}

/// The lines that show the counts of [`divide`]: one for each move, as `spell` writes it, and then the sum.
pub fn lines<S: Display>(counts: &[(Move, u64)], spell: impl Fn(Move) -> S) -> Vec<String> {
    let mut lines: Vec<String> =
        counts.iter().map(|&(mv, count)| format!("{}: {count}", spell(mv))).collect();
    lines.extend([String::new(), format!("Nodes searched: {}", total(counts)), String::new()]);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_divided_counts_sum_to_the_whole() {
        let mut position = Position::startpos();
        for (depth, nodes) in [(1, 44), (2, 1920), (3, 79666)] {
            assert_eq!(perft(&mut position, depth), nodes);
            let counts = divide(&position, depth, &AtomicBool::new(false)).unwrap();
            assert_eq!((counts.len(), total(&counts)), (44, nodes));
            assert!(lines(&counts, |mv| mv).contains(&format!("Nodes searched: {nodes}")));
        }
        assert_eq!(perft(&mut position, 0), 1);
        assert_eq!(divide(&position, 0, &AtomicBool::new(false)), Some(Vec::new()));
    }

    #[test]
    fn a_stopped_count_is_no_count() {
        assert_eq!(divide(&Position::startpos(), 20, &AtomicBool::new(true)), None);
    }
}
