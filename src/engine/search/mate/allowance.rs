//! What the attacker may still spend on a mate.

/// Moves left to the attacker, and how many of them may be quiet, that is, no checks.
///
/// More quiet moves than moves have no meaning, so an allowance never holds them: an allowance whose moves may all be
/// quiet covers every way to mate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Allowance {
    pub moves: u8,
    pub quiets: u8,
}

impl Allowance {
    pub(super) fn new(moves: u8, quiets: u8) -> Allowance {
        Allowance { moves, quiets: quiets.min(moves) }
    }

    /// What is left after a move; `None` if a quiet one is not allowed.
    #[inline]
    pub(super) fn after(self, check: bool) -> Option<Allowance> {
        let quiets = if check { self.quiets } else { self.quiets.checked_sub(1)? };
        Some(Allowance::new(self.moves.checked_sub(1)?, quiets))
    }

    /// Whether everything that `other` allows is allowed too.
    #[inline]
    pub(super) fn covers(self, other: Allowance) -> bool {
        self.moves >= other.moves && self.quiets >= other.quiets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_spent_move_by_move() {
        let allowance = Allowance::new(3, 1);
        assert_eq!(allowance.after(true), Some(Allowance::new(2, 1)));
        assert_eq!(allowance.after(false), Some(Allowance::new(2, 0)));
        assert_eq!(Allowance::new(2, 0).after(false), None);
        assert_eq!(Allowance::new(0, 0).after(true), None);
        assert_eq!(Allowance::new(2, 9), Allowance::new(2, 2));
    }

    #[test]
    fn more_of_either_covers_less_of_both() {
        assert!(Allowance::new(4, 1).covers(Allowance::new(3, 1)));
        assert!(!Allowance::new(4, 1).covers(Allowance::new(3, 2)));
        assert!(!Allowance::new(3, 3).covers(Allowance::new(4, 0)));
        assert!(
            Allowance::new(3, 3).covers(Allowance::new(3, 2))
                && Allowance::new(3, 3).covers(Allowance::new(2, 2))
        );
    }
}
