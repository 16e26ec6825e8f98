//! What a search may spend, and how it is to behave.

use std::time::Duration;

use super::handicap::Handicap;
use xiangqi::rules::{CXA2020, NO_CAPTURE_PLIES, Ruleset};
use xiangqi::types::Move;

/// A game clock as the mover sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until more time is given; `None` for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// The nodes of the short search before the proof of a mate.
const FIRST_LOOK: u64 = 20_000;

/// Where a search must end. Several limits may be set: the first that is reached counts. The default has no limit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchLimits {
    /// Iterations, in plies.
    pub depth: Option<u32>,
    /// Nodes of all threads together; exact with one thread.
    pub nodes: Option<u64>,
    /// The nodes of the first thread after which no iteration begins: a budget that is kept on average.
    pub soft_nodes: Option<u64>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// The game clock, from which the search plans its time.
    pub clock: Option<Clock>,
    /// Report nothing final before [`super::ThreadPool::stop`].
    pub infinite: bool,
    /// Think on the opponent's time: clocks stand still until [`super::ThreadPool::ponderhit`].
    pub ponder: bool,
    /// Look for nothing but a mate in this many moves or fewer: find one, or prove that there is none.
    pub mate: Option<u32>,
    /// Root moves to look at; empty for all.
    pub only: Vec<Move>,
    /// Root moves that must not be played. If nothing else is left, the best of them is.
    pub banned: Vec<Move>,
}

impl SearchLimits {
    /// The limits of the short search that comes before the proof of a mate, so that there is a move to play whatever
    /// the proof finds; if no mate is asked for, the limits themselves.
    pub(super) fn before_proof(&self) -> SearchLimits {
        if self.mate.is_none() {
            return self.clone();
        }
        let nodes = self.nodes.map_or(FIRST_LOOK, |nodes| (nodes / 8).clamp(1, FIRST_LOOK));
        SearchLimits { mate: None, infinite: false, nodes: Some(nodes), ..self.clone() }
    }

    /// A budget of nodes that is kept on average: no iteration begins after it, and ten times as many end the search.
    pub fn soft(nodes: u64) -> SearchLimits {
        SearchLimits {
            soft_nodes: Some(nodes),
            nodes: Some(nodes.saturating_mul(10)),
            ..SearchLimits::default()
        }
    }
}

/// How to search, from one search to the next.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchOptions {
    /// How many best lines to report, 1 at least.
    pub multipv: usize,
    /// The time that may be lost between the engine's answer and the stopping of its clock, kept back on every move.
    pub move_overhead: Duration,
    /// The time lost there on average, which the time plan subtracts for each move still to come.
    pub lag: Duration,
    /// The rules by which repetitions are judged.
    pub rules: &'static Ruleset,
    /// Counted plies without capture that draw; `None` for no limit.
    pub no_capture_limit: Option<u32>,
    /// Plan for more time a move because pondering will win some back.
    pub ponder: bool,
    /// How well to play; `None` for full strength. An infinite search is an analysis and ignores the level.
    pub handicap: Option<Handicap>,
    /// Random differences between moves that do not matter, in centipawns; 0 plays the best move.
    pub noise: i32,
    /// The seed of everything random, so that games with the same seed repeat.
    pub seed: u64,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            multipv: 1,
            move_overhead: Duration::from_millis(10),
            lag: Duration::from_millis(10),
            rules: &CXA2020,
            no_capture_limit: Some(NO_CAPTURE_PLIES),
            ponder: false,
            handicap: None,
            noise: 0,
            seed: 0,
        }
    }
}
