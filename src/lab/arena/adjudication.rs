//! How games end other than on the board: scores, draw offers, length.

use serde::{Deserialize, Serialize};

use xiangqi::types::Side;

/// A draw when both players have seen the game as level for long enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DrawByScore {
    /// The first full move at which the draw may happen.
    pub from_move: u32,
    /// Number of moves in a row of each side.
    pub moves: u32,
    /// The greatest distance from zero, in the engines' points.
    pub score: i32,
}

/// A loss when a player has seen its own position as lost for long enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ResignByScore {
    /// Number of moves in a row.
    pub moves: u32,
    /// The least distance below zero, in the engine's points.
    pub score: i32,
    /// Whether the opponent's scores must agree.
    #[serde(default)]
    pub both: bool,
}

/// How offers of draws are treated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Offers {
    /// Offers follow the rule book of 2020: none in the first 25 rounds; offering twice more often than the opponent is
    /// a foul, and three fouls lose.
    #[default]
    Book,
    /// Every offer is passed on.
    Free,
    /// Offers are not passed on.
    Off,
}

/// Rounds at the start of a game in which no draw may be offered (2020, chapter 3, clause 3).
const ROUNDS_WITHOUT_OFFERS: u32 = 25;

/// Fouls that lose a game (2020, chapter 3, clause 1 (10)).
const LOSING_FOULS: u32 = 3;

/// The offers of one game.
#[derive(Debug, Clone, Default)]
pub struct DrawOffers {
    policy: Offers,
    pending: Option<Side>,
    made: [u32; 2],
    fouls: [u32; 2],
}

/// The result of an offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfferResult {
    /// The game goes on.
    None,
    /// Both sides want a draw.
    Agreed,
    /// The side that offered has committed its third foul.
    Fouls,
}

impl DrawOffers {
    /// A record without any offer yet.
    pub fn new(policy: Offers) -> DrawOffers {
        DrawOffers { policy, ..DrawOffers::default() }
    }

    /// Whether `side`, about to move, has an offer to answer.
    pub fn is_offered_to(&self, side: Side) -> bool {
        self.pending == Some(!side)
    }

    /// Fouls of a side so far.
    pub const fn fouls(&self, side: Side) -> u32 {
        self.fouls[side as usize]
    }

    /// Records the move of `side` in `round` (full move, from 1) with or without an offer.
    pub fn moved(&mut self, side: Side, round: u32, offers: bool) -> OfferResult {
        let answered = self.pending.take() == Some(!side);
        if !offers || self.policy == Offers::Off {
            return OfferResult::None;
        }
        if answered {
            return OfferResult::Agreed;
        }
        if self.policy == Offers::Book {
            if round <= ROUNDS_WITHOUT_OFFERS {
                return OfferResult::None;
            }
            if self.made[side as usize] >= self.made[(!side) as usize] + 2 {
                self.fouls[side as usize] += 1;
                let lost = self.fouls[side as usize] >= LOSING_FOULS;
                return if lost { OfferResult::Fouls } else { OfferResult::None };
            }
        }
        self.made[side as usize] += 1;
        self.pending = Some(side);
        OfferResult::None
    }
}

/// What the scores of a game lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adjudication {
    /// A draw by [`DrawByScore`].
    Draw,
    /// This side loses by [`ResignByScore`].
    Lost(Side),
}

/// Follows the scores of a game.
#[derive(Debug, Clone, Default)]
pub struct ScoreAdjudicator {
    draw: Option<DrawByScore>,
    resign: Option<ResignByScore>,
    level: [u32; 2],
    losing: [u32; 2],
    winning: [u32; 2],
}

impl ScoreAdjudicator {
    /// An adjudicator at the start of a game.
    pub fn new(draw: Option<DrawByScore>, resign: Option<ResignByScore>) -> ScoreAdjudicator {
        ScoreAdjudicator { draw, resign, ..ScoreAdjudicator::default() }
    }

    /// Records the score that `side` gave with its move in `round`; a move without a score breaks every run.
    pub fn moved(&mut self, side: Side, round: u32, score: Option<i32>) -> Option<Adjudication> {
        let (own, other) = (side as usize, (!side) as usize);
        if let Some(rule) = self.draw {
            count(&mut self.level[own], score.is_some_and(|s| s.abs() <= rule.score));
            if round >= rule.from_move && self.level.iter().all(|&n| n >= rule.moves) {
                return Some(Adjudication::Draw);
            }
        }
        if let Some(rule) = self.resign {
            count(&mut self.losing[own], score.is_some_and(|s| s <= -rule.score));
            count(&mut self.winning[own], score.is_some_and(|s| s >= rule.score));
            for (loser, winner, lost) in [(own, other, side), (other, own, !side)] {
                let agreed = !rule.both || self.winning[winner] >= rule.moves;
                if self.losing[loser] >= rule.moves && agreed {
                    return Some(Adjudication::Lost(lost));
                }
            }
        }
        None
    }
}

fn count(run: &mut u32, holds: bool) {
    *run = if holds { *run + 1 } else { 0 };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offer_is_answered_by_the_next_move_only() {
        let mut book = DrawOffers::new(Offers::Free);
        assert_eq!(book.moved(Side::Red, 1, true), OfferResult::None);
        assert!(book.is_offered_to(Side::Black) && !book.is_offered_to(Side::Red));
        assert_eq!(book.moved(Side::Black, 1, false), OfferResult::None);
        assert_eq!(book.moved(Side::Red, 2, false), OfferResult::None);
        assert_eq!(book.moved(Side::Black, 2, true), OfferResult::None);
        assert_eq!(book.moved(Side::Red, 3, true), OfferResult::Agreed);
    }

    #[test]
    fn the_rule_book_limits_offers() {
        let mut book = DrawOffers::new(Offers::Book);
        book.moved(Side::Red, 25, true);
        assert!(!book.is_offered_to(Side::Black), "no offers in the first 25 rounds");
        let mut last = OfferResult::None;
        for round in 26..31 {
            assert_eq!(last, OfferResult::None);
            last = book.moved(Side::Red, round, true);
            assert_eq!(book.is_offered_to(Side::Black), round < 28, "round {round}");
            book.moved(Side::Black, round, false);
        }
        assert_eq!((last, book.fouls(Side::Red)), (OfferResult::Fouls, 3));
    }

    #[test]
    fn no_offers_at_all() {
        let mut book = DrawOffers::new(Offers::Off);
        book.moved(Side::Red, 40, true);
        assert!(!book.is_offered_to(Side::Black));
    }

    #[test]
    fn draws_need_both_sides_and_time() {
        let rule = DrawByScore { from_move: 3, moves: 2, score: 10 };
        let mut watch = ScoreAdjudicator::new(Some(rule), None);
        let mut see = |side, round, score| watch.moved(side, round, score);
        assert_eq!(see(Side::Red, 1, Some(0)), None);
        assert_eq!(see(Side::Black, 1, Some(10)), None);
        assert_eq!(see(Side::Red, 2, Some(-10)), None);
        assert_eq!(see(Side::Black, 2, Some(3)), None);
        assert_eq!(see(Side::Red, 3, None), None);
        assert_eq!(see(Side::Black, 3, Some(3)), None);
        assert_eq!(see(Side::Red, 4, Some(0)), None);
        assert_eq!(see(Side::Black, 4, Some(0)), None);
        assert_eq!(see(Side::Red, 5, Some(0)), Some(Adjudication::Draw));
    }

    #[test]
    fn resignation_of_one_or_by_consent_of_both() {
        let rule = ResignByScore { moves: 2, score: 500, both: false };
        let mut watch = ScoreAdjudicator::new(None, Some(rule));
        assert_eq!(watch.moved(Side::Black, 1, Some(-500)), None);
        assert_eq!(watch.moved(Side::Red, 2, Some(0)), None);
        assert_eq!(watch.moved(Side::Black, 2, Some(-900)), Some(Adjudication::Lost(Side::Black)));
        let mut watch = ScoreAdjudicator::new(None, Some(ResignByScore { both: true, ..rule }));
        for round in 1..4 {
            assert_eq!(watch.moved(Side::Black, round, Some(-500)), None);
            assert_eq!(
                watch.moved(Side::Red, round, Some(if round < 2 { 0 } else { 600 })),
                match round {
                    3 => Some(Adjudication::Lost(Side::Black)),
                    _ => None,
                }
            );
        }
    }
}
