//! The moves at the root and what is known of each.

use super::limits::SearchLimits;
use crate::score::{INFINITE, RULED_BOUND, Value};
use xiangqi::board::Position;
use xiangqi::types::Move;

/// One move at the root.
#[derive(Debug, Clone)]
pub(super) struct RootMove {
    pub mv: Move,
    /// The score in this iteration with the bias in it; minus infinity if it is not known to be exact.
    pub score: Value,
    /// The score in the last iteration.
    pub previous: Value,
    /// By how much a player that varies its moves prefers this one, in centipawns.
    pub bias: Value,
    /// The iteration that the newest exact score is from, in plies.
    pub depth: i32,
    /// Nodes spent on it, over all iterations.
    pub nodes: u64,
    /// The deepest ply below it in this iteration.
    pub seldepth: usize,
    /// The line that begins with it.
    pub pv: Vec<Move>,
}

impl RootMove {
    /// The score of the position after the move, without the bias.
    pub(super) fn true_score(&self) -> Value {
        shifted(self.score, -self.bias)
    }

    /// A score of the position after the move, with the bias in it.
    pub(super) fn biased(&self, score: Value) -> Value {
        shifted(score, self.bias)
    }
}

/// Moves a score by some centipawns, unless it is a mate or a ruling, which is not left to chance.
fn shifted(score: Value, by: Value) -> Value {
    if score.abs() >= RULED_BOUND { score } else { score + by }
}

/// The legal moves that the limits leave. If they leave none, all the moves that were asked for, and if none of those
/// is legal, all legal moves, because a player must move.
pub(super) fn root_moves(position: &Position, limits: &SearchLimits) -> Vec<RootMove> {
    let legal = position.legal_moves();
    let wanted = |mv: &Move| limits.only.is_empty() || limits.only.contains(mv);
    let allowed = |mv: &Move| !limits.banned.contains(mv);
    let choices: [Vec<Move>; 3] = [
        legal.iter().copied().filter(|mv| wanted(mv) && allowed(mv)).collect(),
        legal.iter().copied().filter(|mv| allowed(mv)).collect(),
        legal.to_vec(),
    ];
    let moves = choices.into_iter().find(|moves| !moves.is_empty()).unwrap_or_default();
    let fresh = |mv| RootMove {
        mv,
        score: -INFINITE,
        previous: -INFINITE,
        bias: 0,
        depth: 0,
        nodes: 0,
        seldepth: 0,
        pv: vec![mv],
    };
    moves.into_iter().map(fresh).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bans_bind_until_nothing_is_left() {
        let position = Position::startpos();
        let all: Vec<Move> = position.legal_moves().to_vec();
        let count = |only: &[Move], banned: &[Move]| {
            let limits = SearchLimits { only: only.into(), banned: banned.into(), ..SearchLimits::default() };
            root_moves(&position, &limits).len()
        };
        assert_eq!(count(&[], &[]), 44);
        assert_eq!(count(&all[..3], &[]), 3);
        assert_eq!(count(&[], &all[..3]), 41);
        assert_eq!(count(&all[..3], &all[..2]), 1);
        assert_eq!(count(&all[..3], &all[..3]), 41);
        assert_eq!(count(&[], &all), 44);
    }
}
