//! The arbiter: rules on the repetition at the end of a game and says why.

use std::collections::HashMap;

use crate::board::Position;
use crate::types::{Move, Outcome, Side};

use super::classify::EffectCache;
use super::conduct::conducts;
use super::effect::Effect;
use super::loops::{Loop, first_ply_of_run, last_loop, returns};
use super::ruleset::{CXA2020, Conduct, Ruleset};
use super::verdict::{Verdict, VerdictStatus};

/// One ply of the judged loop with its class.
#[derive(Debug, Clone)]
pub struct ClassifiedMove {
    /// The move.
    pub mv: Move,
    /// The side that made it.
    pub side: Side,
    /// The number of the ply in the record, counted from 0.
    pub ply: usize,
    /// The position before the move, without its past.
    pub before: Position,
    /// The class of the move, with the proof.
    pub effect: Effect,
}

/// A ruling on the loop that the last move of a record closed.
#[derive(Debug, Clone)]
pub struct Ruling {
    /// The ruleset that was applied.
    pub rules: &'static Ruleset,
    /// The verdict, or `None` if no position has been repeated.
    pub verdict: Option<Verdict>,
    /// The judged loop, or `None` if no position has been repeated.
    pub looped: Option<Loop>,
    /// What Red and Black did over the loop.
    pub conduct: [Conduct; 2],
    /// The plies of the loop, each with its class.
    pub moves: Vec<ClassifiedMove>,
}

impl Ruling {
    /// How far the ruling has got, [`VerdictStatus::None`] without a loop.
    pub fn status(&self) -> VerdictStatus {
        self.verdict.map_or(VerdictStatus::None, |verdict| verdict.status)
    }

    /// The result of the game if nobody changes, or `None` without a loop.
    pub fn outcome(&self) -> Option<Outcome> {
        self.verdict.map(|verdict| verdict.outcome)
    }

    /// The side that has to change, if one has to.
    pub fn must_change(&self) -> Option<Side> {
        self.verdict.and_then(|verdict| verdict.must_change)
    }

    /// The clause that decides, empty without a loop.
    pub fn clause(&self) -> &'static str {
        self.verdict.map_or("", |verdict| verdict.clause)
    }
}

/// Judges repetitions under one ruleset.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::rules::{Arbiter, MoveClass, VerdictStatus};
/// use xiangqi::types::{Outcome, Side};
///
/// // A rook chases a cannon that nothing protects, and the cannon runs along its rank.
/// let mut game = Position::from_fen("3ak4/9/9/9/9/2c6/9/9/2R6/3K5 b - - 0 1")?;
/// for _ in 0..3 {
///     for mv in ["c4b4", "c1b1", "b4c4", "b1c1"] {
///         game.play(mv.parse()?)?;
///     }
/// }
/// let ruling = Arbiter::default().judge(&game);
/// assert_eq!(ruling.status(), VerdictStatus::Pending);
/// assert_eq!(ruling.outcome(), Some(Outcome::Win(Side::Black)));
/// assert_eq!(ruling.moves[1].effect.class, MoveClass::Chase);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Arbiter {
    rules: &'static Ruleset,
}

impl Default for Arbiter {
    /// The arbiter of the Chinese rules of 2020.
    fn default() -> Arbiter {
        Arbiter::new(&CXA2020)
    }
}

impl Arbiter {
    /// An arbiter that applies `rules`.
    pub fn new(rules: &'static Ruleset) -> Arbiter {
        Arbiter { rules }
    }

    /// Rules on the repetition with which the record of `game` ends.
    pub fn judge(&self, game: &Position) -> Ruling {
        let rules = self.rules;
        let mut effects = EffectCache::new(rules);
        let Some(found) = Found::at_end(game, &mut effects) else {
            let conduct = [Conduct::Allowed; 2];
            return Ruling { rules, verdict: None, looped: None, conduct, moves: Vec::new() };
        };
        let moves = classified(game, found.looped, &mut effects);
        Ruling {
            rules,
            verdict: Some(found.verdict),
            looped: Some(found.looped),
            conduct: found.conduct,
            moves,
        }
    }
}

/// A loop with its verdict, without the words.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    /// The judged loop.
    pub looped: Loop,
    /// What Red and Black did over it.
    pub conduct: [Conduct; 2],
    /// The verdict on it.
    pub verdict: Verdict,
}

impl Found {
    /// The loop that the last move of `game` closed and the verdict on it: the one way to a ruling, for the
    /// arbiter, for the end of a game and for search alike.
    pub fn at_end(game: &Position, effects: &mut EffectCache) -> Option<Found> {
        let looped = last_loop(game)?;
        let found = Found::on(game, looped, effects);
        // A record that ran round the same loop all along has been counted.
        let counted = if looped.count > 1 { game.plies() - first_ply_of_run(game, looped) } else { 0 };
        let lasting = lasting_offence(game, counted, effects);
        Some(lasting.filter(|lasting| lasting.verdict.status > found.verdict.status).unwrap_or(found))
    }

    fn on(game: &Position, looped: Loop, effects: &mut EffectCache) -> Found {
        let rules = effects.rules();
        let mut plies = effects.since(game, looped.start_ply);
        plies.truncate(looped.length);
        let conduct = conducts(rules, &plies);
        let verdict = Verdict::of(rules, game, looped, conduct);
        Found { looped, conduct, verdict }
    }
}

/// An offence that lasts over loops that differ: one record is kept of it across all returns, whichever position
/// comes back, for the side that must change has not changed by offending in another order (24.11, 25).
///
/// The stretch is drawn out backwards, beyond the plies that are `counted` already, as long as the same side would
/// lose for it, and the position that occurs most often within it says how often the loop was played.
fn lasting_offence(game: &Position, counted: usize, effects: &mut EffectCache) -> Option<Found> {
    const LONGEST: usize = 512;
    let plies = game.plies();
    let shortest = returns(game).first()?.max(&(counted + 1)).to_owned();
    let mut best: Option<Found> = None;
    let mut seen: HashMap<u64, u32> = HashMap::new();
    let mut most = 0;
    for back in 0..=game.reversible_plies().min(LONGEST) {
        let occurred = seen.entry(game.key_before(back)?).or_default();
        *occurred += 1;
        let grew = *occurred > most;
        most = most.max(*occurred);
        if back < shortest {
            continue;
        }
        let looped = Loop { start_ply: plies - back, length: back, count: most - 1 };
        let found = Found::on(game, looped, effects);
        let [red, black] = found.conduct.map(|conduct| effects.rules().weight(conduct));
        let is_same = |best: Found| best.verdict.must_change == found.verdict.must_change;
        if red == black || !best.is_none_or(is_same) {
            break;
        }
        if best.is_none() || grew {
            best = Some(found);
        }
        if found.verdict.status == VerdictStatus::Final {
            break;
        }
    }
    best
}

fn classified(game: &Position, looped: Loop, effects: &mut EffectCache) -> Vec<ClassifiedMove> {
    let mut position = game.clone();
    for _ in looped.start_ply..game.plies() {
        position.unmake();
    }
    let plies = effects.since(game, looped.start_ply).into_iter().take(looped.length);
    let classified = plies.enumerate().map(|(index, ply)| {
        let before = position.without_past();
        position.make(ply.mv);
        let effect = ply.effect.clone();
        ClassifiedMove { mv: ply.mv, side: ply.side, ply: looped.start_ply + index, before, effect }
    });
    classified.collect()
}
