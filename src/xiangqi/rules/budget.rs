//! By what measure gains are counted (尺度, 1999 25.3), and how much finding one move's class may cost.

use std::cell::Cell;

/// Moves that may be tried while the gains of one move are counted.
///
/// Of 148,000 moves in the loops of real games one in a thousand needs 10,000 and a single one more than
/// 40,000. At two million tries a second that bounds one move to 20 ms and a loop of eight plies to 160 ms.
/// What is not proven within it counts as no threat.
const MOST_TRIES: u32 = 40_000;

/// Moves that may be tried in search of the mate that a move threatens. Positions that were refuted are remembered,
/// so that proven mates of up to ten checks are found within it.
const MOST_TRIES_FOR_MATE: u32 = 8_000;

/// The budget for one move, with what is left of the bound.
#[derive(Debug, Clone)]
pub(super) struct TryBudget {
    /// See [`Ruleset::pawn_buys_rook`](super::ruleset::Ruleset::pawn_buys_rook).
    pub pawn_buys_rook: bool,
    left: Cell<u32>,
}

impl TryBudget {
    /// The budget of a ruleset, nothing spent yet.
    pub fn new(pawn_buys_rook: bool) -> TryBudget {
        TryBudget { pawn_buys_rook, left: Cell::new(MOST_TRIES) }
    }

    /// The budget of the search for mate, nothing spent yet.
    pub fn for_mate(pawn_buys_rook: bool) -> TryBudget {
        TryBudget { pawn_buys_rook, left: Cell::new(MOST_TRIES_FOR_MATE) }
    }

    /// Whether anything is left, so that what was not proven is known not to hold.
    pub fn is_left(&self) -> bool {
        self.left.get() > 0
    }

    /// Takes one try; false once nothing is left.
    pub fn spend(&self) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left > 0
    }
}
