//! The referee: rulings for search and for the end of a game, which are asked for often.

use crate::board::Position;
use crate::types::{Outcome, Side};

use super::arbiter::Found;
use super::classify::EffectCache;
use super::conduct::conducts_by_checks;
use super::game_end::{GameEnd, ended};
use super::loops::{Loop, is_turn, occurred};
use super::ruleset::{RIPE, Ruleset};
use super::verdict::{Verdict, VerdictStatus};

/// What a repetition means at a node of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeRuling {
    /// The game counts as over: the ruling is final, or the side that must change has repeated once more.
    Over(Outcome),
    /// The side to move may still leave the loop, so that its moves have to be searched.
    Pending {
        /// The result if nobody leaves.
        outcome: Outcome,
        /// The side that must change, which is then the side to move, or `None` where either may draw.
        must_change: Option<Side>,
    },
}

impl Verdict {
    /// What the verdict on a played loop means for the side to move in `position`.
    fn at_node(self, position: &Position) -> NodeRuling {
        let Verdict { outcome, status, must_change, .. } = self;
        let closed_by_offender = must_change == Some(!position.side());
        if status == VerdictStatus::Final || closed_by_offender {
            NodeRuling::Over(outcome)
        } else {
            NodeRuling::Pending { outcome, must_change }
        }
    }
}

/// An arbiter that remembers the effects of moves and asks the cheapest question first.
///
/// Each thread of a search has one. An effect depends on a position and a move alone, so what is remembered
/// stays true in any game.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::rules::{CXA2020, GameEnd, Referee};
/// use xiangqi::types::{Outcome, Side};
///
/// let mated = Position::from_fen("R2k5/R8/9/9/9/9/9/9/9/4K4 b - - 0 1")?;
/// let end = Referee::new(&CXA2020).game_over(&mated, None);
/// assert_eq!(end, Some((Outcome::Win(Side::Red), GameEnd::Mate)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Referee {
    effects: EffectCache,
}

impl Referee {
    /// A referee that applies `rules`.
    pub fn new(rules: &'static Ruleset) -> Referee {
        Referee { effects: EffectCache::new(rules) }
    }

    /// The ruleset that is applied.
    pub fn rules(&self) -> &'static Ruleset {
        self.effects.rules()
    }

    /// What a repetition means at a node `ply` plies below the root of a search, or `None` if there is none.
    ///
    /// A loop within the tree is ruled on at its first return and by its checks alone: nobody has played it,
    /// and if it is good it will be played and seen by the next search. Both sides had their other moves within
    /// the tree, so the loop ends the game there.
    ///
    /// A loop that was played, wholly or in part, is ruled on in full when it returns for the second time, one
    /// loop before the books do, so that the engine still has the move to leave it. That ends the game only if
    /// the ruling is final or if the side that must change closed the loop itself; if the side to move may still
    /// leave, the ruling is pending.
    #[inline]
    pub fn at_node(&mut self, position: &Position, ply: usize) -> Option<NodeRuling> {
        if position.reversible_plies() < 4 {
            return None;
        }
        let back = position.last_occurrence()?;
        let in_tree = back <= ply;
        let played = if in_tree { is_turn(position, back, 2) } else { occurred(position, 2) };
        if played {
            let verdict = Found::at_end(position, &mut self.effects)?.verdict;
            return Some(if in_tree { NodeRuling::Over(verdict.outcome) } else { verdict.at_node(position) });
        }
        in_tree.then(|| {
            let looped = Loop { start_ply: position.plies() - back, length: back, count: 1 };
            let conduct = conducts_by_checks(self.rules(), position, back);
            let ruled = |conduct| Verdict::of(self.rules(), position, looped, conduct).outcome;
            NodeRuling::Over(conduct.map_or(Outcome::Draw, ruled))
        })
    }

    /// The result of the game that led to `position` and why it is over, or `None` if it is not.
    ///
    /// A move that mates goes before every count. `no_capture_limit` is in counted plies, see
    /// [`Position::quiet_plies`].
    pub fn game_over(
        &mut self,
        position: &Position,
        no_capture_limit: Option<u32>,
    ) -> Option<(Outcome, GameEnd)> {
        let ruled = || {
            let found =
                occurred(position, RIPE as usize).then(|| Found::at_end(position, &mut self.effects))??;
            (found.verdict.status == VerdictStatus::Final).then_some(found.verdict.outcome)
        };
        ended(position, no_capture_limit, ruled)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ALWAYSDRAW, ASIAN, CHECKBAN, CXA2020, NO_CAPTURE_PLIES};
    use super::*;

    fn after(fen: &str, moves: &str, times: usize) -> Position {
        let mut position = Position::from_fen(fen).unwrap();
        for mv in moves.split(' ').cycle().take(times * moves.split(' ').count()) {
            position.play(mv.parse().unwrap()).unwrap();
        }
        position
    }

    /// A red rook chases a black cannon.
    const CHASE: (&str, &str) = ("3ak4/9/9/9/9/2c6/9/9/2R6/3K5 b - - 0 1", "c4b4 c1b1 b4c4 b1c1");
    /// A red rook checks all along.
    const CHECK: (&str, &str) = ("R2k5/9/9/9/9/9/9/9/9/4K4 b - - 0 1", "d9d8 a9a8 d8d9 a8a9");

    #[test]
    fn a_chaser_that_closes_the_loop_has_lost_under_the_books() {
        let (fen, moves) = CHASE;
        for (rules, outcome) in [
            (&CXA2020, Outcome::Win(Side::Black)),
            (&ASIAN, Outcome::Win(Side::Black)),
            (&CHECKBAN, Outcome::Draw),
            (&ALWAYSDRAW, Outcome::Draw),
        ] {
            let mut referee = Referee::new(rules);
            let chaser_repeated = match outcome {
                Outcome::Draw => NodeRuling::Pending { outcome, must_change: None },
                Outcome::Win(_) => NodeRuling::Over(outcome),
            };
            assert_eq!(referee.at_node(&after(fen, moves, 2), 0), Some(chaser_repeated), "{rules}");
            assert_eq!(
                referee.at_node(&after(fen, moves, 2), 0),
                Some(chaser_repeated),
                "{rules}: remembered"
            );
            let mut victim_repeated = after(fen, moves, 2);
            victim_repeated.play("c4b4".parse().unwrap()).unwrap();
            let must_change = matches!(outcome, Outcome::Win(_)).then_some(Side::Red);
            assert_eq!(
                referee.at_node(&victim_repeated, 1),
                Some(NodeRuling::Pending { outcome, must_change }),
                "{rules}: the chaser may still leave"
            );
            assert_eq!(
                referee.at_node(&after(fen, moves, 1), 0),
                None,
                "one loop in the game decides nothing"
            );
            assert_eq!(
                referee.at_node(&after(fen, moves, 1), 4),
                Some(NodeRuling::Over(Outcome::Draw)),
                "in the tree it draws"
            );
        }
    }

    #[test]
    fn perpetual_check_is_ruled_on_in_the_tree() {
        let (fen, moves) = CHECK;
        for rules in [&CXA2020, &ASIAN, &CHECKBAN] {
            let outcome = Referee::new(rules).at_node(&after(fen, moves, 1), 4);
            assert_eq!(outcome, Some(NodeRuling::Over(Outcome::Win(Side::Black))), "{rules}");
        }
        let drawn = Some(NodeRuling::Over(Outcome::Draw));
        assert_eq!(Referee::new(&ALWAYSDRAW).at_node(&after(fen, moves, 1), 4), drawn);
    }

    #[test]
    fn red_breaks_a_drawn_loop_of_the_first_rounds() {
        let idle = "h0g2 h9g7 g2h0 g7h9";
        let home = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
        let away = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKAB1R w - - 0 1";
        let away_idle = "b0c2 h9g7 c2b0 g7h9";
        let at_node = |fen, moves, rules| Referee::new(rules).at_node(&after(fen, moves, 2), 0);
        let red_must_change =
            Some(NodeRuling::Pending { outcome: Outcome::Win(Side::Black), must_change: Some(Side::Red) });
        let drawn = Some(NodeRuling::Pending { outcome: Outcome::Draw, must_change: None });
        assert_eq!(at_node(home, idle, &CXA2020), red_must_change);
        assert_eq!(at_node(home, idle, &ASIAN), drawn);
        assert_eq!(at_node(away, away_idle, &CXA2020), drawn, "not a game from the start");
        let mut red_repeated = after(home, idle, 2);
        red_repeated.play("h0g2".parse().unwrap()).unwrap();
        let lost = Some(NodeRuling::Over(Outcome::Win(Side::Black)));
        assert_eq!(Referee::new(&CXA2020).at_node(&red_repeated, 1), lost);
        assert_eq!(
            Referee::new(&ASIAN).at_node(&after(home, idle, 3), 0),
            Some(NodeRuling::Over(Outcome::Draw)),
            "the third loop is final"
        );
        // What came before may be left out, if the FEN says how many rounds it was.
        let numbered = |number| {
            let position = after(&away.replace("0 1", &format!("0 {number}")), away_idle, 2);
            Referee::new(&CXA2020).at_node(&position, 0)
        };
        assert_eq!(numbered(6), red_must_change);
        assert_eq!(numbered(22), red_must_change);
        assert_eq!(numbered(23), drawn, "past the first rounds");
        assert_eq!(numbered(3), drawn, "a study that was played on");
    }

    #[test]
    fn the_book_gives_a_chaser_one_more_loop_and_a_checker_none() {
        let mut referee = Referee::new(&CXA2020);
        let lost = Some((Outcome::Win(Side::Black), GameEnd::Repetition));
        let over =
            |(fen, moves), times, referee: &mut Referee| referee.game_over(&after(fen, moves, times), None);
        assert_eq!(over(CHASE, 3, &mut referee), None);
        assert_eq!(over(CHASE, 4, &mut referee), lost);
        assert_eq!(over(CHECK, 2, &mut referee), None);
        assert_eq!(over(CHECK, 3, &mut referee), lost);
    }

    #[test]
    fn sixty_rounds_without_capture_draw_and_mate_goes_before() {
        let quiet = Position::from_fen("3k5/9/9/9/9/9/9/9/R8/4K4 b - - 120 61").unwrap();
        let mut referee = Referee::new(&CXA2020);
        let limit = Some(NO_CAPTURE_PLIES);
        assert_eq!(referee.game_over(&quiet, limit), Some((Outcome::Draw, GameEnd::NoCapture)));
        assert_eq!(referee.game_over(&quiet, None), None);
        let mated = Position::from_fen("R2k5/R8/9/9/9/9/9/9/9/4K4 b - - 120 61").unwrap();
        assert_eq!(referee.game_over(&mated, limit), Some((Outcome::Win(Side::Red), GameEnd::Mate)));
    }

    #[test]
    fn stalemate_loses_and_bare_positions_draw() {
        let mut referee = Referee::new(&CXA2020);
        let stuck = Position::from_fen("3k5/2P6/9/9/9/9/9/9/9/4K4 b - - 0 1").unwrap();
        assert_eq!(referee.game_over(&stuck, None), Some((Outcome::Win(Side::Red), GameEnd::Stalemate)));
        let bare = Position::from_fen("3k5/4a4/9/9/9/9/9/4B4/9/4K4 b - - 0 1").unwrap();
        assert_eq!(referee.game_over(&bare, None), Some((Outcome::Draw, GameEnd::Bare)));
    }

    #[test]
    fn only_ten_checks_of_a_side_count_towards_the_limit() {
        let mut checked = after("3k5/9/9/9/9/9/9/9/R8/4K4 w - - 0 1", "a1a9", 1);
        for mv in CHECK.1.split(' ').cycle().take(80) {
            checked.play(mv.parse().unwrap()).unwrap();
        }
        // Ten checks and ten replies; all later checks and replies are left out.
        assert_eq!(checked.quiet_plies(), 20);
    }
}
