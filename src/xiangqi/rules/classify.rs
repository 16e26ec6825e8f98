//! The effect of a move: check by every ruleset, and otherwise what the ruleset's own classifier finds.
//!
//! An effect depends on the position before the move and on the move alone, never on the game that led there.
//! That is what lets effects be remembered by position and move.

use std::collections::HashMap;

use crate::board::Position;
use crate::types::{Move, Side};

use super::context::MoveContext;
use super::effect::{Effect, Evidence, MoveClass};
use super::ruleset::{Classifier, Ruleset};
use super::{axf, cxa};

/// The effect of the legal move `mv` in `position`.
pub(super) fn classify(position: &Position, mv: Move, rules: &Ruleset) -> Effect {
    let Some(context) = MoveContext::of(position, mv, rules) else { return check(position, mv) };
    match rules.classifier {
        Classifier::ChecksOnly => Effect::new(MoveClass::Idle, Evidence::None),
        Classifier::Axf => axf::effect(context),
        Classifier::Cxa => cxa::effect(context, rules),
    }
}

fn check(position: &Position, mv: Move) -> Effect {
    let mut moved = position.without_past();
    moved.make(mv);
    Effect::new(MoveClass::Check, Evidence::Checkers(moved.checkers()))
}

/// A ply of a record with its effect.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlyEffect<'a> {
    /// Who moved.
    pub side: Side,
    /// The move.
    pub mv: Move,
    /// Its effect.
    pub effect: &'a Effect,
}

/// Effects found under one ruleset, by the position before the move and the move.
#[derive(Clone)]
pub(super) struct EffectCache {
    rules: &'static Ruleset,
    known: HashMap<(u64, Move), Effect>,
}

/// Effects kept; beyond it the cache starts afresh.
const MOST_KNOWN: usize = 4096;

impl EffectCache {
    /// An empty cache for effects under `rules`.
    pub fn new(rules: &'static Ruleset) -> EffectCache {
        EffectCache { rules, known: HashMap::new() }
    }

    /// The ruleset that the effects are found under.
    pub fn rules(&self) -> &'static Ruleset {
        self.rules
    }

    /// The plies of the record from `start` on, each with its effect.
    pub fn since<'a>(&'a mut self, game: &Position, start: usize) -> Vec<PlyEffect<'a>> {
        self.learn(game, start);
        let mut side = if (game.plies() - start).is_multiple_of(2) { game.side() } else { !game.side() };
        let known = &self.known;
        let plies = moves_since(game, start).into_iter().map(|(key, mv)| {
            let mover = side;
            side = !side;
            known.get(&(key, mv)).map(|effect| PlyEffect { side: mover, mv, effect })
        });
        plies.flatten().collect()
    }

    /// Classifies those plies from `start` on that are not known yet.
    fn learn(&mut self, game: &Position, start: usize) {
        let moves = moves_since(game, start);
        if moves.iter().all(|ply| self.known.contains_key(ply)) {
            return;
        }
        if self.known.len() + moves.len() > MOST_KNOWN {
            self.known.clear();
        }
        let mut before = game.clone();
        for ply in moves.into_iter().rev() {
            before.unmake();
            self.known.entry(ply).or_insert_with(|| classify(&before, ply.1, self.rules));
        }
    }
}

/// The moves of the record from `start` on, each with the key of the position before it.
fn moves_since(game: &Position, start: usize) -> Vec<(u64, Move)> {
    let played = game.record().skip(start).enumerate();
    played
        .filter_map(|(ply, played)| Some((game.key_before(game.plies() - start - ply)?, played.mv?)))
        .collect()
}
