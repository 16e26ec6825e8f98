//! What a search reports.

use std::time::Duration;

use super::stats::SearchStats;
use super::tt::Bound;
use crate::score::{Value, mate_in};
use xiangqi::types::Move;

/// The state of one line after an iteration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Info {
    /// The iteration, in plies.
    pub depth: u32,
    /// The deepest ply reached.
    pub seldepth: u32,
    /// Which line, 1 for the best.
    pub multipv: usize,
    /// Its score for the side to move.
    pub score: Value,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time since the start of the search.
    pub time: Duration,
    /// How full the table is, per mille.
    pub hashfull: u32,
    /// The line itself; its first move is the one the score belongs to.
    pub pv: Vec<Move>,
}

impl Info {
    /// The line of a proven mate in `plies` plies.
    pub(super) fn of_mate(plies: usize, pv: Vec<Move>, nodes: u64, time: Duration) -> Info {
        let (depth, score) = (plies as u32, mate_in(plies));
        Info { depth, seldepth: depth, multipv: 1, score, bound: Bound::Exact, nodes, time, hashfull: 0, pv }
    }
}

/// The end of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchReport {
    /// The move to play; `None` if there is no legal one.
    pub best: Option<Move>,
    /// The answer expected, for pondering.
    pub ponder: Option<Move>,
    /// The score of the best move.
    pub score: Value,
    /// The last iteration completed.
    pub depth: u32,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time used.
    pub time: Duration,
    /// What all threads did, if the build counts it.
    pub stats: SearchStats,
}

/// How far the search for a mate came without finding one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoMate {
    /// In how many moves a mate was asked for.
    pub moves: u32,
    /// The mates that are known not to exist.
    pub certainty: Refuted,
}

/// Which mates are known not to exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refuted {
    /// No mate within the moves asked for exists.
    All,
    /// No mate by consecutive checks exists within the moves asked for.
    Checks,
    /// Nothing is known.
    Nothing,
}

/// Something to report while a search runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A line with its score.
    Info(Info),
    /// The root move now looked at.
    CurrMove {
        /// The iteration, in plies.
        depth: u32,
        /// The move.
        mv: Move,
        /// Its place in the order, from 1.
        number: usize,
    },
    /// No mate of the length asked for was found.
    NoMate(NoMate),
    /// The search is over; nothing follows.
    Done(SearchReport),
}
