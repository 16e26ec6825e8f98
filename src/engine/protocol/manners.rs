//! When to agree to a draw, to offer one, and to resign (UCCI). Nothing here changes a move.

use crate::score::Value;

/// How willing the engine is to share the point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Peace {
    /// Agrees to an offer where the game is level or worse; never offers.
    #[default]
    Answer,
    /// Neither agrees nor offers.
    Never,
    /// Agrees as `Answer`, and offers in dead level games.
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

/// What is known of the game when the move is sent.
#[derive(Debug, Clone, Copy)]
pub struct Prospect {
    /// The score of the move, from our view.
    pub score: Value,
    /// Plies since the last capture.
    pub quiet_plies: u32,
    /// Whether the opponent has offered a draw.
    pub offered: bool,
}

/// The word behind the move, if any: an offer of a draw is accepted or made with the same word.
pub fn word(prospect: Prospect, peace: Peace, gives_up: bool) -> Option<&'static str> {
    let Prospect { score, quiet_plies, offered } = prospect;
    let dead = score.abs() <= LEVEL && quiet_plies >= LONG_QUIET;
    let agreed = match peace {
        Peace::Never => false,
        Peace::Answer => offered && (dead || score <= WORSE),
        Peace::Offer => dead || offered && score <= WORSE,
    };
    if agreed {
        Some("draw")
    } else if gives_up && score <= HOPELESS {
        Some("resign")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_agreed_to_only_on_a_clear_rule() {
        let at = |score, quiet_plies, offered| Prospect { score, quiet_plies, offered };
        let answer = |prospect| word(prospect, Peace::Answer, false);
        assert_eq!(answer(at(-60, 0, true)), Some("draw"));
        assert_eq!(answer(at(-60, 0, false)), None);
        assert_eq!(answer(at(0, 0, true)), None, "not at move 1 of a level game");
        assert_eq!(answer(at(0, 40, true)), Some("draw"));
        assert_eq!(answer(at(60, 80, true)), None);
        assert_eq!(word(at(-60, 80, true), Peace::Never, false), None);
        assert_eq!(word(at(3, 40, false), Peace::Offer, false), Some("draw"));
        assert_eq!(word(at(3, 39, false), Peace::Offer, false), None);
    }

    #[test]
    fn games_are_resigned_only_when_allowed() {
        let lost = Prospect { score: -1600, quiet_plies: 0, offered: false };
        assert_eq!(word(lost, Peace::Answer, false), None);
        assert_eq!(word(lost, Peace::Answer, true), Some("resign"));
        assert_eq!(word(Prospect { score: -1400, ..lost }, Peace::Answer, true), None);
    }
}
