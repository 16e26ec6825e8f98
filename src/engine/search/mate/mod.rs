//! Proof and refutation of a mate in so many moves.
//!
//! The search proper stops looking where it is fairly sure; it can find a mate, but never say that there is none. This
//! one leaves nothing out: an AND/OR search to a fixed number of the attacker's moves, depth first, over a table of its
//! own. It goes from the cheap to the costly: first mates by checks alone, one move deeper each time, then with one
//! quiet move anywhere among the checks, then with two, and then all there are. A position without a mate at that point
//! has none at all.
//!
//! Mate and stalemate (困毙) both count. A defender who can reach a position that the game has been through
//! twice before, bare boards or the no-capture limit has escaped; see `Escapes`.

mod allowance;
mod escapes;
mod line;
mod prover;
mod table;
mod waiting;

use allowance::Allowance;
use escapes::Escapes;
use prover::Prover;

use super::report::Refuted;
use xiangqi::board::Position;
use xiangqi::types::Move;

/// The most moves within which a mate is looked for.
pub(super) const MOST_MOVES: u32 = 100;

const _: () = assert!(MOST_MOVES < table::MOST_MOVES as u32);

/// The answer to a [`Problem`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Solution {
    /// There is a mate.
    Mate {
        /// The distance.
        plies: usize,
        /// Best play of both sides, as far as time allowed: one move at least.
        line: Vec<Move>,
    },
    /// No mate was found; the value says which mates are known not to exist.
    None(Refuted),
}

/// A question to the prover.
pub(super) struct Problem<'a> {
    pub position: &'a Position,
    /// The moves of the attacker at the root.
    pub root: &'a [Move],
    /// Moves to mate, at most.
    pub moves: u32,
    /// Plies without a capture that draw.
    pub no_capture_limit: Option<u32>,
    /// The most memory for proofs, in MB.
    pub hash_mb: usize,
    /// Nodes after which the search stops.
    pub nodes: u64,
}

/// Looks for a mate until there is a solution, the nodes are spent, or `halt`, which is called now and then, returns
/// true. Returns the solution and the nodes it took.
pub(super) fn search(problem: &Problem, halt: &mut dyn FnMut() -> bool) -> (Solution, u64) {
    let most = problem.moves.min(MOST_MOVES) as u8;
    let mut prover =
        Prover::new(problem, Escapes::new(problem.position, problem.no_capture_limit, most), halt);
    for quiets in [0, 1, 2, most] {
        for moves in 1..=most {
            let allowance = Allowance::new(moves, quiets);
            if prover.attack(allowance) {
                let line = prover.line(allowance);
                return (Solution::Mate { plies: 2 * usize::from(moves) - 1, line }, prover.nodes);
            }
            if prover.stopped {
                return (Solution::None(prover.certain(quiets > 0, Refuted::Checks)), prover.nodes);
            }
        }
    }
    (Solution::None(prover.certain(problem.moves <= MOST_MOVES, Refuted::All)), prover.nodes)
}

#[cfg(test)]
mod tests;
