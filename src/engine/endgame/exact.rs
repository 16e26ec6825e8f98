//! The result of an ending with best play.

/// The result of a position with best play by both sides, for the side to move. Repetition rules and the no-capture
/// limit are not considered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExactResult {
    /// The side to move mates or stalemates after this many plies, an odd number.
    Win(u8),
    /// Neither side can force anything.
    Draw,
    /// The side to move is mated or stalemated after this many plies, an even number.
    Loss(u8),
}

impl ExactResult {
    /// The longest way to mate that can be stored, in plies.
    pub const LONGEST: u8 = 252;
    /// The byte of a draw; the byte of a win or loss is its number of plies.
    pub(super) const DRAWN: u8 = 254;

    /// The byte that stands for it in the tables.
    pub(super) fn byte(self) -> u8 {
        match self {
            ExactResult::Win(plies) | ExactResult::Loss(plies) => plies,
            ExactResult::Draw => ExactResult::DRAWN,
        }
    }

    /// The result that a byte of the tables stands for; `None` if there is none.
    #[inline]
    pub(super) fn of_byte(byte: u8) -> Option<ExactResult> {
        match byte {
            ExactResult::DRAWN => Some(ExactResult::Draw),
            plies if plies > ExactResult::LONGEST => None,
            plies if plies % 2 == 1 => Some(ExactResult::Win(plies)),
            plies => Some(ExactResult::Loss(plies)),
        }
    }

    /// The result a ply earlier, for the other side, if it plays the move that leads here.
    #[must_use]
    pub fn before(self) -> ExactResult {
        match self {
            ExactResult::Win(plies) => ExactResult::Loss(plies.saturating_add(1)),
            ExactResult::Draw => ExactResult::Draw,
            ExactResult::Loss(plies) => ExactResult::Win(plies.saturating_add(1)),
        }
    }

    /// The better the result for the side to move, the greater: quick wins before slow ones, slow losses before quick
    /// ones.
    pub fn rank(self) -> i16 {
        match self {
            ExactResult::Win(plies) => 1000 - i16::from(plies),
            ExactResult::Draw => 0,
            ExactResult::Loss(plies) => i16::from(plies) - 1000,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_as_they_are_written() {
        for byte in 0..=u8::MAX {
            assert!(ExactResult::of_byte(byte).is_none_or(|exact| exact.byte() == byte), "{byte}");
        }
        assert_eq!(ExactResult::of_byte(0), Some(ExactResult::Loss(0)));
        assert_eq!(ExactResult::of_byte(255), None);
    }

    #[test]
    fn better_results_rank_higher() {
        let order = [
            ExactResult::Loss(0),
            ExactResult::Loss(2),
            ExactResult::Loss(98),
            ExactResult::Draw,
            ExactResult::Win(97),
            ExactResult::Win(1),
        ];
        assert!(order.is_sorted_by_key(|exact| exact.rank()));
        assert_eq!(ExactResult::Loss(0).before(), ExactResult::Win(1));
        assert_eq!(ExactResult::Win(5).before(), ExactResult::Loss(6));
    }
}
