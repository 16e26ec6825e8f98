//! Iterative deepening at the root, line by line, with aspiration windows.

use super::node::{RootNode, is_mate};
use super::params::*;
use super::report::{Event, Info};
use super::root::RootMove;
use super::thread_data::ThreadData;
use super::time::Certainty;
use super::tt::Bound;
use crate::score::{INFINITE, MATE, MAX_PLY, RULED_BOUND, Value};
use xiangqi::types::Move;

/// The last iteration there is.
pub(super) const MAX_DEPTH: i32 = 160;
/// A proven mate is looked at for so many more iterations, in case there is a shorter one. (Of 240 mates at 1 s each 227
/// instead of 225 were announced in their shortest form with 16 instead of 6.)
const MATE_PATIENCE: i32 = 16;
/// The root move being searched is reported from this many milliseconds on.
const CURRMOVE_AFTER: u128 = 3000;

impl ThreadData<'_> {
    /// Leaves only those root moves that a weak player sees; all, if he saw none but such as lose by ruling.
    pub(super) fn narrow_root(&mut self) {
        let Some(attention) = self.attention else { return };
        let position = self.position.clone();
        let seen: Vec<RootMove> =
            self.root.iter().filter(|root| !attention.overlooks(&position, root.mv, 0)).cloned().collect();
        if seen.iter().any(|root| !self.loses_by_ruling(root.mv)) {
            self.root = seen;
        }
    }

    /// Whether the move breaks a rule of repetition at once.
    fn loses_by_ruling(&mut self, mv: Move) -> bool {
        self.position.make(mv);
        let end = self.game_end(1);
        self.position.unmake();
        end.is_some_and(|value| value >= RULED_BOUND)
    }

    /// Searches deeper and deeper until a limit is met or the search is stopped.
    pub(super) fn iterate(&mut self) {
        let lines = self.lines();
        let last = self.shared.limits.depth.map_or(MAX_DEPTH, |depth| (depth as i32).clamp(1, MAX_DEPTH));
        let mut certainty = Certainty::default();
        let mut reported = None;
        for depth in 1..=last {
            self.depth = depth;
            let before = (self.root[0].mv, self.root[0].score);
            self.root.iter_mut().for_each(|root| root.previous = root.score);
            for line in 0..lines {
                self.line = line;
                self.search_line();
                if self.stopped {
                    break;
                }
            }
            if self.stopped {
                break;
            }
            self.completed = depth;
            self.stats.iteration(self.nodes, self.shared.signal.started());
            reported = Some(self.report_lines());
            let best = &self.root[0];
            certainty.stable = if best.mv == before.0 { certainty.stable + 1 } else { 0 };
            certainty.fall = if depth > 1 { before.1 - best.score } else { 0 };
            certainty.effort = best.nodes as f64 / self.nodes.max(1) as f64;
            if self.id == 0 && self.is_enough(&certainty) {
                break;
            }
        }
        if let Some(randomness) = self.shared.randomness.filter(|_| self.id == 0) {
            let seed = self.shared.options.seed ^ self.position.key();
            let chosen = randomness.choose(&self.root[..self.lines()], seed);
            self.root[..=chosen].rotate_right(1);
        }
        self.settle_score();
        self.report_end(reported);
    }

    /// A search that ended before its first move was judged goes by what it knew before, or else by the
    /// static value.
    fn settle_score(&mut self) {
        if self.root[0].score == -INFINITE {
            let previous = self.root[0].previous;
            self.root[0].score = if previous > -INFINITE { previous } else { self.evaluate() };
        }
    }

    /// Tells, after the last iteration, what the lines told so far do not: the move that is played, if it
    /// came up in an iteration that was cut short, or else what the whole search took.
    fn report_end(&mut self, reported: Option<Info>) {
        let (nodes, time) = (self.all_nodes(), self.shared.signal.started().elapsed());
        match reported {
            Some(info) if info.pv.first() == Some(&self.root[0].mv) => {
                // The score of an iteration that was cut short may be a bound only.
                self.root[0].score = info.score;
                if self.stopped && self.lines() == 1 {
                    self.tell(Event::Info(Info { nodes, time, ..info }));
                }
            }
            _ => self.tell(Event::Info(self.info(0, self.depth, Bound::Lower))),
        }
    }

    /// How many lines are searched.
    fn lines(&self) -> usize {
        let candidates = self.shared.randomness.map_or(1, |randomness| randomness.lines());
        self.shared.options.multipv.max(candidates).min(self.root.len())
    }

    /// Searches one line: the best of the root moves that no earlier line has taken.
    fn search_line(&mut self) {
        let previous = self.root[self.line].previous;
        let (mut alpha, mut beta, mut delta) = (-INFINITE, INFINITE, aspiration_window());
        if self.depth >= aspiration_depth() && !is_mate(previous) && previous > -INFINITE {
            alpha = previous - delta;
            beta = previous + delta;
        }
        let mut depth = self.depth;
        self.seldepth = 0;
        loop {
            let value = self.search::<RootNode>(alpha, beta, depth, 0, false);
            // A stable sort leaves moves without an exact score in their old order.
            self.root[self.line..].sort_by_key(|root| std::cmp::Reverse(root.score));
            if self.stopped {
                break;
            }
            if value <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (value - delta).max(-INFINITE);
                depth = self.depth;
            } else if value >= beta {
                beta = (value + delta).min(INFINITE);
                depth = (depth - 1).max(self.depth - 2).max(1);
            } else {
                break;
            }
            delta += delta / 2;
            if delta > 1000 || is_mate(value) {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
        self.root[..=self.line].sort_by_key(|root| std::cmp::Reverse(root.score));
    }

    /// Whether the present line may take this root move.
    pub(super) fn is_root_choice(&self, mv: Move) -> bool {
        self.root[self.line..].iter().any(|root| root.mv == mv)
    }

    /// Notes what the search of a root move gave.
    pub(super) fn note_root_move(&mut self, mv: Move, value: Value, alpha: Value, first: bool, nodes: u64) {
        let Some(root) = self.root.iter_mut().find(|root| root.mv == mv) else { return };
        root.nodes += self.nodes - nodes;
        if first || value > alpha {
            root.score = value;
            root.seldepth = self.seldepth;
            root.pv.clear();
            root.pv.push(mv);
            root.pv.extend_from_slice(&self.pvs[1]);
        } else {
            root.score = -INFINITE;
        }
    }

    /// Tells which root move is looked at, once the search has lasted a while.
    pub(super) fn tell_currmove(&mut self, mv: Move, number: usize) {
        if self.id == 0 && self.shared.signal.started().elapsed().as_millis() >= CURRMOVE_AFTER {
            self.tell(Event::CurrMove { depth: self.depth as u32, mv, number });
        }
    }

    /// Tells the lines of the iteration just completed, and returns the first.
    fn report_lines(&mut self) -> Info {
        let lines = self.shared.options.multipv.clamp(1, self.root.len());
        (0..lines).for_each(|line| self.tell(Event::Info(self.info(line, self.completed, Bound::Exact))));
        self.info(0, self.completed, Bound::Exact)
    }

    fn info(&self, line: usize, depth: i32, bound: Bound) -> Info {
        let root = &self.root[line];
        Info {
            depth: depth.max(1) as u32,
            seldepth: root.seldepth as u32,
            multipv: line + 1,
            score: root.score,
            bound,
            nodes: self.all_nodes(),
            time: self.shared.signal.started().elapsed(),
            hashfull: self.shared.table.hashfull(),
            pv: root.pv.clone(),
        }
    }

    /// Whether another iteration is not worth its while.
    fn is_enough(&self, certainty: &Certainty) -> bool {
        let (limits, best) = (self.shared.limits, &self.root[0]);
        let plies = MATE - best.score.abs();
        if limits.depth.is_none()
            && self.lines() == 1
            && is_mate(best.score)
            && self.depth >= plies + MATE_PATIENCE
        {
            return true;
        }
        if limits.soft_nodes.is_some_and(|budget| self.nodes >= budget) {
            return true;
        }
        let forced = self.root.len() == 1 && limits.clock.is_some() && !self.shared.signal.is_pondering();
        forced || self.shared.plan.is_enough(self.shared.signal, certainty)
    }
}

const _: () = assert!((MAX_DEPTH as usize) < MAX_PLY);
