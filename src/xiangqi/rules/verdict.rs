//! The verdict on a loop: what both sides did over it, set against the scale of a ruleset.

use std::cmp::Ordering;

use crate::board::Position;
use crate::types::{Outcome, Side};

use super::loops::{Loop, first_ply_of_run};
use super::ruleset::{Conduct, OpeningRule, RIPE, Ruleset};

/// How far a repetition has got towards ending the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum VerdictStatus {
    /// There is no loop, or it was played too few times for a ruling.
    None,
    /// The position is ripe for a ruling (待判局面), and the side that must change has one more loop to do so.
    Pending,
    /// The game is decided.
    Final,
}

/// What a ruleset says about a loop, which is never a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// The result of the game if nobody changes.
    pub outcome: Outcome,
    /// How far the ruling has got.
    pub status: VerdictStatus,
    /// The side that has to change to avoid a loss, or `None` where either side may keep the draw.
    pub must_change: Option<Side>,
    /// The clause that decides.
    pub clause: &'static str,
}

impl Verdict {
    /// The verdict on a loop of `game` over which Red and Black behaved like this: the heavier offence loses
    /// unless that side changes, and equal ones draw.
    ///
    /// This is the only place where outcome, clause and ripeness are decided.
    pub(super) fn of(rules: &Ruleset, game: &Position, looped: Loop, conduct: [Conduct; 2]) -> Verdict {
        let [red, black] = conduct.map(|conduct| rules.weight(conduct));
        let loser = match red.cmp(&black) {
            Ordering::Greater => Side::Red,
            Ordering::Less => Side::Black,
            Ordering::Equal => {
                let clause = rules.draw_clauses[usize::from(red > 0)];
                return Verdict::drawn(rules, game, looped, clause);
            }
        };
        let offence = rules.offence(conduct[loser.index()]);
        let (clause, final_after) =
            offence.map_or(("", RIPE), |offence| (offence.clause, offence.final_after));
        Verdict::lost(loser, looped.count, clause, final_after)
    }

    fn lost(loser: Side, count: u32, clause: &'static str, final_after: u32) -> Verdict {
        let status = match count {
            count if count < RIPE => VerdictStatus::None,
            count if count < final_after => VerdictStatus::Pending,
            _ => VerdictStatus::Final,
        };
        Verdict { outcome: Outcome::Win(!loser), status, must_change: Some(loser), clause }
    }

    /// Equal conduct draws, unless an opening rule forbids one side to keep the draw.
    fn drawn(rules: &Ruleset, game: &Position, looped: Loop, clause: &'static str) -> Verdict {
        match &rules.opening {
            Some(opening) if is_opening(game, ripe_at(game, looped), opening) => {
                Verdict::lost(opening.must_change, looped.count, opening.clause, opening.final_after)
            }
            _ => {
                let status = if looped.count < RIPE { VerdictStatus::None } else { VerdictStatus::Final };
                Verdict { outcome: Outcome::Draw, status, must_change: None, clause }
            }
        }
    }
}

/// Whether the rule for the first rounds applies to a loop that was ripe after `plies` plies of the record.
///
/// Only a game has first rounds: a record from the start position, or from one whose FEN counts enough rounds
/// for all that was taken, like that of a client that leaves out what came before the last capture. Any other
/// record may be a study.
fn is_opening(game: &Position, plies: usize, rule: &OpeningRule) -> bool {
    let now = 2 * (game.fullmove() as usize).saturating_sub(1) + game.side().index();
    let before_record = now.saturating_sub(game.plies());
    (before_record + plies).div_ceil(2) <= rule.rounds as usize
        && (started_at_home(game) || is_of_a_game(game, before_record))
}

/// Whether so many plies are likely to have led from the start position to a position with these pieces. A study
/// may have been played on for a few plies, and games seldom lose a piece more often than every second ply.
fn is_of_a_game(game: &Position, plies: usize) -> bool {
    const PIECES: usize = 32;
    const PLAYED_ON: usize = 8;
    let taken = PIECES.saturating_sub(game.occupied().len() as usize);
    plies >= PLAYED_ON + 2 * taken
}

/// The ply after which the loop had been played often enough for a ruling, at whichever of its positions that
/// was first: who has to change then has to change, and does not escape by repeating (3.3).
fn ripe_at(game: &Position, looped: Loop) -> usize {
    game.plies().min(first_ply_of_run(game, looped) + RIPE as usize * looped.length)
}

fn started_at_home(game: &Position) -> bool {
    game.key_before(game.plies()) == Some(Position::startpos().key())
}

#[cfg(test)]
mod tests {
    use super::super::{ALWAYSDRAW, ASIAN, CHECKBAN, CXA1999, CXA2020};
    use super::*;
    use Conduct::{Allowed, Attack, FrozenRook, LesserAttack, PerpetualCheck};

    /// The conducts of a book, lightest first, each heavier than the one before: the tables of verdicts.
    const TABLES: [(&Ruleset, &[Conduct]); 5] = [
        (&CXA2020, &[Allowed, LesserAttack, Attack, PerpetualCheck]),
        (&CXA1999, &[Allowed, Attack, PerpetualCheck]),
        (&ASIAN, &[Allowed, Attack, FrozenRook, PerpetualCheck]),
        (&CHECKBAN, &[Allowed, PerpetualCheck]),
        (&ALWAYSDRAW, &[Allowed]),
    ];

    #[test]
    fn the_graver_conduct_loses_and_equal_ones_draw() {
        let study = Position::from_fen("3k5/9/9/9/9/9/9/9/R8/4K4 w - - 0 1").unwrap();
        let looped = Loop { start_ply: 0, length: 4, count: 3 };
        for (rules, conducts) in TABLES {
            for (i, &red) in conducts.iter().enumerate() {
                for (j, &black) in conducts.iter().enumerate() {
                    let (outcome, must_change) = match i.cmp(&j) {
                        Ordering::Less => (Outcome::Win(Side::Red), Some(Side::Black)),
                        Ordering::Equal => (Outcome::Draw, None),
                        Ordering::Greater => (Outcome::Win(Side::Black), Some(Side::Red)),
                    };
                    let verdict = Verdict::of(rules, &study, looped, [red, black]);
                    assert_eq!(verdict.outcome, outcome, "{rules}: {red:?} against {black:?}");
                    assert_eq!(verdict.must_change, must_change);
                    assert!(!verdict.clause.is_empty());
                }
            }
        }
    }
}
