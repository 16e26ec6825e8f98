//! The positions around one judged move.

use crate::board::Position;
use crate::types::{Move, Side, Square};

use super::budget::TryBudget;
use super::ruleset::Ruleset;

/// The positions around one judged move. None has a past, so all are cheap to copy.
pub(super) struct MoveContext {
    /// Before the move, the mover to play.
    pub before: Position,
    /// After it, the other side to play.
    pub moved: Position,
    /// After it, the turn handed back to the mover.
    pub passed: Position,
    /// The move.
    pub mv: Move,
    /// How its gains are counted, and what counting them may still cost.
    pub budget: TryBudget,
    /// What looking for a mate may still cost: apart, so that a mate that is not found hides no chase.
    pub kill_budget: TryBudget,
}

impl MoveContext {
    /// The context of a legal move that does not give check. `None` if it does, for then no turn can be passed.
    pub fn of(position: &Position, mv: Move, rules: &Ruleset) -> Option<MoveContext> {
        let before = position.without_past();
        let mut moved = before.clone();
        moved.make(mv);
        if moved.in_check() {
            return None;
        }
        let mut passed = moved.without_past();
        passed.make_null();
        Some(MoveContext {
            before,
            moved,
            passed,
            mv,
            budget: TryBudget::new(rules.pawn_buys_rook),
            kill_budget: TryBudget::for_mate(rules.pawn_buys_rook),
        })
    }

    /// Who moved.
    pub fn mover(&self) -> Side {
        self.before.side()
    }

    /// Where the piece on `square` after the move stood before it.
    pub fn origin(&self, square: Square) -> Square {
        if square == self.mv.to() { self.mv.from() } else { square }
    }

    /// A move on the passed board, as the same move would read before the judged one.
    pub fn original(&self, threat: Move) -> Option<Move> {
        Move::new(self.origin(threat.from()), threat.to())
    }
}
