//! The choice among the moves that several threads found.

use super::root::RootMove;
use crate::score::{Value, is_mate};

/// The best result of one thread so far.
#[derive(Debug, Clone)]
pub(super) struct ThreadResult {
    /// The move, with its score and line.
    pub best: RootMove,
    /// The last iteration that the thread completed.
    pub depth: i32,
    /// Whether the score is exact, as it is at the end of an iteration, or a lower bound from within one.
    pub exact: bool,
}

/// The least weight that a thread has for each ply of its depth.
const LEAST_WEIGHT: i64 = 14;

/// The index of the result to play: the shortest proven mate if there is one; otherwise the move with the most votes,
/// where each thread's vote is weighted by its depth and by how far its score is above the lowest, and among the
/// results with this move the one with the most weight.
pub(super) fn vote(results: &[ThreadResult]) -> usize {
    let indices = || 0..results.len();
    let mates =
        indices().filter(|&index| results[index].best.score > 0 && is_mate(results[index].best.score));
    // The first of equals wins: that is the thread whose lines have been reported.
    if let Some(mate) = mates.rev().max_by_key(|&index| results[index].best.score) {
        return mate;
    }
    let lowest = results.iter().map(|result| result.best.score).min().unwrap_or_default();
    let weights: Vec<i64> = results.iter().map(|result| weight(result, lowest)).collect();
    let votes = |index: usize| -> i64 {
        let mv = results[index].best.mv;
        indices().filter(|&other| results[other].best.mv == mv).map(|other| weights[other]).sum()
    };
    indices().rev().max_by_key(|&index| (votes(index), weights[index])).unwrap_or_default()
}

fn weight(result: &ThreadResult, lowest: Value) -> i64 {
    (i64::from(result.best.score - lowest) + LEAST_WEIGHT) * i64::from(result.depth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::mate_in;

    fn result(mv: &str, score: Value, depth: i32) -> ThreadResult {
        let mv = mv.parse().unwrap();
        let best =
            RootMove { mv, score, previous: score, bias: 0, depth, nodes: 0, seldepth: 0, pv: vec![mv] };
        ThreadResult { best, depth, exact: true }
    }

    #[test]
    fn a_proven_mate_goes_first_and_the_shortest_of_all() {
        let results = [result("h2e2", 50, 20), result("b0c2", mate_in(7), 9), result("h0g2", mate_in(3), 5)];
        assert_eq!(vote(&results), 2);
        assert_eq!(vote(&[result("h2e2", 50, 20), result("b0c2", -mate_in(3), 22)]), 0);
    }

    #[test]
    fn two_threads_outvote_one_and_depth_counts() {
        let results = [result("h2e2", 30, 12), result("b0c2", 28, 12), result("b0c2", 27, 13)];
        assert_eq!(vote(&results), 2);
        assert_eq!(vote(&[result("h2e2", 30, 12), result("b0c2", 30, 14)]), 1);
    }

    #[test]
    fn the_first_of_equals_is_chosen() {
        assert_eq!(vote(&[result("h2e2", 30, 12), result("h2e2", 30, 12)]), 0);
        assert_eq!(vote(&[result("h2e2", 30, 12), result("b0c2", 30, 12)]), 0);
    }
}
