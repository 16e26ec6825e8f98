//! When to accept a draw, to offer one, and to resign (UCCI); nothing here changes a move.

use crate::score::Value;

/// How willing the engine is to share the point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DrawPolicy {
    /// Accepts an offer where the game is level or worse, and never offers.
    #[default]
    Answer,
    /// Neither accepts nor offers.
    Never,
    /// Accepts as `Answer` does, and offers in dead level games.
    Offer,
}

/// An offer is accepted at any time if we are worse by as much as half a pawn, in centipawns.
const WORSE: Value = -50;
/// What counts as level, in centipawns.
const LEVEL: Value = 15;
/// After so many plies without a capture a level game may end by agreement.
const LONG_QUIET: u32 = 40;
/// A game is resigned when we are more than a rook and a half behind, in centipawns.
const HOPELESS: Value = -1500;

impl DrawPolicy {
    /// Whether `draw` stands behind the move, which both accepts and makes an offer. The score is from our view,
    /// `quiet_plies` counts the plies since the last capture, and `offered` says that the opponent has offered a draw.
    pub fn agrees(self, score: Value, quiet_plies: u32, offered: bool) -> bool {
        let dead = score.abs() <= LEVEL && quiet_plies >= LONG_QUIET;
        match self {
            DrawPolicy::Never => false,
            DrawPolicy::Answer => offered && (dead || score <= WORSE),
            DrawPolicy::Offer => dead || offered && score <= WORSE,
        }
    }
}

/// Whether a game with this score, from our view, is lost beyond hope.
pub fn is_hopeless(score: Value) -> bool {
    score <= HOPELESS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_agreed_to_only_on_a_clear_rule() {
        use DrawPolicy::{Answer, Never, Offer};
        assert!(Answer.agrees(-60, 0, true));
        assert!(!Answer.agrees(-60, 0, false));
        assert!(!Answer.agrees(0, 0, true), "not at move 1 of a level game");
        assert!(Answer.agrees(0, 40, true));
        assert!(!Answer.agrees(60, 80, true));
        assert!(!Never.agrees(-60, 80, true));
        assert!(Offer.agrees(3, 40, false));
        assert!(!Offer.agrees(3, 39, false));
    }

    #[test]
    fn games_are_resigned_only_without_hope() {
        assert!(is_hopeless(-1600));
        assert!(!is_hopeless(-1400));
    }
}
