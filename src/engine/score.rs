//! Scores: plain integers inside the search, and the form shown to people.
//!
//! Unit: centipawn of the evaluation (an uncrossed pawn is about 100), from the side to move's view.
//! Above [`MATE_BOUND`] a score is a forced mate, counted in plies from the root; between [`RULED_BOUND`]
//! and it, a game won because the opponent breaks a repetition rule, which is no mate and is not shown as one.

/// A score in centipawns, seen by the side to move.
pub type Value = i32;

/// The deepest ply the search can reach.
pub const MAX_PLY: usize = 200;

/// An impossible score, beyond every mate.
pub const INFINITE: Value = 31_000;
/// The score of a mate on the board; a mate in n plies is worth n less.
pub const MATE: Value = 30_000;
/// The least score that means a forced mate.
pub const MATE_BOUND: Value = MATE - MAX_PLY as Value;
/// The score of a game just won by a repetition ruling; n plies away it is worth n less.
pub const RULED: Value = 29_000;
/// The least score that means a win by ruling.
pub const RULED_BOUND: Value = RULED - MAX_PLY as Value;
/// The largest score the evaluation may give.
pub const MAX_EVAL: Value = 20_000;
/// The score of a drawn game.
pub const DRAW: Value = 0;

/// The score of being mated `ply` plies from the root.
#[inline]
pub const fn mated_in(ply: usize) -> Value {
    ply as Value - MATE
}

/// The score of mating `ply` plies from the root.
#[inline]
pub const fn mate_in(ply: usize) -> Value {
    MATE - ply as Value
}

/// Whether a score rests on a repetition ruling: `Some(true)` for a win by it, `Some(false)` for a loss.
#[inline]
pub fn ruled(value: Value) -> Option<bool> {
    (RULED_BOUND..MATE_BOUND).contains(&value.abs()).then_some(value > 0)
}

/// A score as it is shown: centipawns, or the distance to mate in moves of the mating side (negative when
/// the side to move is the one mated; 0 when it is mated already).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Score {
    /// Centipawns, from the side to move's view.
    Centipawns(Value),
    /// Moves to mate.
    Mate(i32),
}

impl From<Value> for Score {
    fn from(value: Value) -> Score {
        if value >= MATE_BOUND {
            Score::Mate((MATE - value + 1) / 2)
        } else if value <= -MATE_BOUND {
            Score::Mate(-(MATE + value) / 2)
        } else {
            Score::Centipawns(value)
        }
    }
}

/// Whether a score is a forced mate of either side.
#[inline]
pub fn is_mate(value: Value) -> bool {
    value.abs() >= MATE_BOUND
}

/// Whether a score comes from a ruling on the path, which says nothing about the position itself.
#[inline]
pub fn is_ruled(value: Value) -> bool {
    (RULED_BOUND..=RULED).contains(&value.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rulings_lie_between_evaluations_and_mates() {
        assert_eq!(ruled(RULED - 3), Some(true));
        assert_eq!(ruled(3 - RULED), Some(false));
        for value in [0, MAX_EVAL, -MAX_EVAL, MATE_BOUND, mate_in(1), mated_in(0)] {
            assert_eq!(ruled(value), None, "{value}");
        }
    }

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(Score::from(mate_in(1)), Score::Mate(1));
        assert_eq!(Score::from(mate_in(3)), Score::Mate(2));
        assert_eq!(Score::from(mated_in(0)), Score::Mate(0));
        assert_eq!(Score::from(mated_in(2)), Score::Mate(-1));
        assert_eq!(Score::from(mated_in(4)), Score::Mate(-2));
        assert_eq!(Score::from(RULED), Score::Centipawns(RULED));
        assert_eq!(Score::from(-57), Score::Centipawns(-57));
    }
}
