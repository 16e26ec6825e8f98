//! Iterative deepening at the root, line by line, with aspiration windows.

use super::node::RootNode;
use super::params::*;
use super::report::{Event, Info};
use super::root::RootMove;
use super::thread_data::{NodeEnd, ThreadData};
use super::time::Certainty;
use super::tt::Bound;
use super::vote::ThreadResult;
use crate::score::{INFINITE, MATE, MAX_PLY, RULED_BOUND, Value, is_mate};
use xiangqi::types::Move;

/// The depth of the last iteration, in plies.
pub(super) const MAX_DEPTH: i32 = 160;
/// The number of further iterations after a proven mate, in case there is a shorter one. (With 16 rather than 6, 227
/// rather than 225 of 240 mates at 1 s each were announced at their shortest length.)
const MATE_PATIENCE: i32 = 16;
/// The root move being searched is reported from this many milliseconds on.
const CURRMOVE_AFTER: u128 = 3000;

/// Searches deeper and deeper until a limit is met or the search is stopped, and publishes the result.
pub(super) fn iterate(mut thread: ThreadData<'_>) {
    if !thread.root.moves.is_empty() {
        thread.poll();
        thread.narrow_root();
        thread.bias_root();
        thread.deepen();
    }
    thread.stats.finish(thread.nodes);
    thread.context.nodes.publish(thread.id, thread.nodes);
    thread.context.publish_stats(thread.id, thread.stats);
}

impl ThreadData<'_> {
    /// Keeps only the root moves that a weak player sees, or all of them if every move it sees loses by ruling.
    fn narrow_root(&mut self) {
        let Some(attention) = self.attention else { return };
        let position = self.position.clone();
        let sees = |root: &&RootMove| !attention.overlooks(&position, root.mv, 0);
        let seen: Vec<RootMove> = self.root.moves.iter().filter(sees).cloned().collect();
        if seen.iter().any(|root| !self.loses_by_ruling(root.mv)) {
            self.root.moves = seen;
        }
    }

    /// Gives each root move the bias that makes the choice among moves of nearly equal worth vary. All threads have the
    /// same one, and the one search finds the best move with it, so that varying costs hardly any depth.
    fn bias_root(&mut self) {
        if let Some(randomness) = self.context.randomness {
            let seed = self.context.options.seed ^ self.position.key();
            self.root.moves.iter_mut().for_each(|root| root.bias = randomness.bias(root.mv, seed));
        }
    }

    /// Whether the move breaks a rule of repetition at once.
    fn loses_by_ruling(&mut self, mv: Move) -> bool {
        self.position.make(mv);
        let end = self.game_end(1);
        self.position.unmake();
        matches!(end, Some(NodeEnd::Over(value)) if value >= RULED_BOUND)
    }

    /// Searches one iteration after the other.
    fn deepen(&mut self) {
        let lines = self.lines();
        let last = self.context.limits.depth.map_or(MAX_DEPTH, |depth| (depth as i32).clamp(1, MAX_DEPTH));
        let mut certainty = Certainty::default();
        let mut reported = None;
        let id = self.id;
        for depth in (1..=last).filter(|&depth| depth == last || !skips(id, depth)) {
            self.root.depth = depth;
            let before = (self.root.moves[0].mv, self.root.moves[0].score);
            self.root.moves.iter_mut().for_each(|root| root.previous = root.score);
            for line in 0..lines {
                self.root.line = line;
                self.search_line();
                if self.stopped {
                    break;
                }
            }
            if self.stopped {
                break;
            }
            self.root.completed = depth;
            self.publish(0, true);
            if id > 0 {
                continue;
            }
            self.stats.iteration(self.nodes, self.context.signal.started());
            reported = Some(self.report_lines());
            let best = &self.root.moves[0];
            certainty.stable = if best.mv == before.0 { certainty.stable + 1 } else { 0 };
            certainty.fall = if depth > 1 { before.1 - best.score } else { 0 };
            certainty.effort = best.nodes as f64 / self.nodes.max(1) as f64;
            if self.is_enough(&certainty) {
                break;
            }
        }
        self.conclude_root(reported);
        if self.id == 0 {
            self.context.signal.halt();
        }
    }

    /// Settles which move is played, and how it is reported.
    fn conclude_root(&mut self, reported: Option<Info>) {
        self.settle_score();
        if self.id == 0 {
            self.report_end(reported);
        } else if self.root.completed == 0 {
            self.publish(0, false);
        }
    }

    /// Lets the other threads know which root move this one holds best, and whether its score is exact.
    fn publish(&self, index: usize, exact: bool) {
        let best = self.root.moves[index].clone();
        self.context.publish(self.id, ThreadResult { best, depth: self.root.completed, exact });
    }

    /// Gives a search that ended before its first move was judged the score it had before, or else the static value.
    fn settle_score(&mut self) {
        let RootMove { score, previous, .. } = self.root.moves[0];
        if score == -INFINITE {
            let score = if previous > -INFINITE { previous } else { self.evaluate() };
            self.root.moves[0].score = score;
        }
    }

    /// Reports, after the last iteration, what the lines reported so far do not say: the move that is played, if it
    /// came up in an iteration that was cut short, or else what the whole search took. With several threads, the thread
    /// that gives the answer reports this.
    fn report_end(&mut self, reported: Option<Info>) {
        let alone = self.context.threads() == 1;
        let (nodes, time) = (self.all_nodes(), self.context.signal.started().elapsed());
        match reported {
            Some(_) if alone && self.stopped && self.context.options.multipv > 1 => {
                self.report_stopped_lines();
                self.publish(0, true);
            }
            Some(info) if info.pv.first() == Some(&self.root.moves[0].mv) => {
                // The score of an iteration that was cut short may be a bound only.
                self.root.moves[0].score = self.root.moves[0].biased(info.score);
                self.publish(0, true);
                if alone && self.stopped && self.lines() == 1 {
                    self.context.tell(Event::Info(Info { nodes, time, ..info }));
                }
            }
            _ => {
                self.publish(0, false);
                if alone {
                    let info = self.info(0, self.root.depth, Bound::Lower);
                    self.context.tell(Event::Info(info));
                }
            }
        }
    }

    /// Reports all lines once more after an iteration that was cut short, the move to be played first: each with its
    /// newest score and the depth which that is from, but with no better score than the line before it.
    fn report_stopped_lines(&mut self) {
        let moves = &mut self.root.moves;
        for root in moves.iter_mut().filter(|root| root.score == -INFINITE) {
            root.score = root.previous;
        }
        moves[1..].sort_by_key(|root| std::cmp::Reverse(root.score));
        let lines = self.context.options.multipv.clamp(1, moves.len());
        let mut bound = INFINITE;
        for root in &mut moves[..lines] {
            bound = bound.min(root.score);
            root.score = bound;
        }
        for line in (0..lines).filter(|&line| self.root.moves[line].score > -INFINITE) {
            self.context.tell(Event::Info(self.info(line, self.root.moves[line].depth, Bound::Exact)));
        }
    }

    /// How many lines are searched.
    fn lines(&self) -> usize {
        self.context.options.multipv.clamp(1, self.root.moves.len())
    }

    /// Half the width of the first aspiration window, in centipawns.
    fn first_window(&self) -> Value {
        aspiration_window() + smp_window() * (self.id % 4) as Value
    }

    /// Searches one line: the best of the root moves that no earlier line has taken.
    fn search_line(&mut self) {
        let previous = self.root.moves[self.root.line].previous;
        let (mut alpha, mut beta, mut delta) = (-INFINITE, INFINITE, self.first_window());
        if self.root.depth >= aspiration_depth() && !is_mate(previous) && previous > -INFINITE {
            alpha = previous - delta;
            beta = previous + delta;
        }
        let mut depth = self.root.depth;
        self.root.seldepth = 0;
        loop {
            let value = self.search::<RootNode>(alpha, beta, depth, 0, false);
            // A stable sort leaves moves without an exact score in their old order.
            self.root.moves[self.root.line..].sort_by_key(|root| std::cmp::Reverse(root.score));
            if self.stopped {
                break;
            }
            if value <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (value - delta).max(-INFINITE);
                depth = self.root.depth;
            } else if value >= beta {
                beta = (value + delta).min(INFINITE);
                depth = (depth - 1).max(self.root.depth - 2).max(1);
            } else {
                break;
            }
            delta += delta / 2;
            if delta > 1000 || is_mate(value) {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
        self.root.moves[..=self.root.line].sort_by_key(|root| std::cmp::Reverse(root.score));
    }

    /// Whether the present line may take this root move.
    pub(super) fn is_root_choice(&self, mv: Move) -> bool {
        self.root.moves[self.root.line..].iter().any(|root| root.mv == mv)
    }

    /// Records the result of the search of a root move.
    pub(super) fn note_root_move(&mut self, mv: Move, value: Value, alpha: Value, first: bool, nodes: u64) {
        let Some(root) = self.root.moves.iter_mut().find(|root| root.mv == mv) else { return };
        root.nodes += self.nodes - nodes;
        if first || value > alpha {
            root.score = value;
            root.depth = self.root.depth;
            root.seldepth = self.root.seldepth;
            root.pv.clear();
            root.pv.push(mv);
            root.pv.extend_from_slice(&self.pvs[1]);
            if !first && self.root.line == 0 && self.context.threads() > 1 {
                // The answer may be given before this iteration ends.
                let (best, depth) = (root.clone(), self.root.completed);
                self.context.publish(self.id, ThreadResult { best, depth, exact: false });
            }
        } else {
            root.score = -INFINITE;
        }
    }

    /// Reports the root move being searched, once the search has lasted [`CURRMOVE_AFTER`] milliseconds.
    pub(super) fn tell_currmove(&mut self, mv: Move, number: usize) {
        if self.id == 0 && self.context.signal.started().elapsed().as_millis() >= CURRMOVE_AFTER {
            self.context.tell(Event::CurrMove { depth: self.root.depth as u32, mv, number });
        }
    }

    /// Reports the lines of the iteration just completed, and returns the first.
    fn report_lines(&mut self) -> Info {
        (0..self.lines()).for_each(|line| {
            self.context.tell(Event::Info(self.info(line, self.root.completed, Bound::Exact)))
        });
        self.info(0, self.root.completed, Bound::Exact)
    }

    fn info(&self, line: usize, depth: i32, bound: Bound) -> Info {
        let root = &self.root.moves[line];
        Info {
            depth: depth.max(1) as u32,
            seldepth: root.seldepth as u32,
            multipv: line + 1,
            score: root.true_score(),
            bound,
            nodes: self.all_nodes(),
            time: self.context.signal.started().elapsed(),
            hashfull: self.context.table.hashfull(),
            pv: root.pv.clone(),
        }
    }

    /// Whether another iteration is not worth its time.
    fn is_enough(&self, certainty: &Certainty) -> bool {
        let (limits, best) = (&self.context.limits, &self.root.moves[0]);
        let plies = MATE - best.score.abs();
        if limits.depth.is_none()
            && self.lines() == 1
            && is_mate(best.score)
            && self.root.depth >= plies + MATE_PATIENCE
        {
            return true;
        }
        if limits.soft_nodes.is_some_and(|budget| self.nodes >= budget) {
            return true;
        }
        let forced =
            self.root.moves.len() == 1 && limits.clock.is_some() && !self.context.signal.is_pondering();
        forced || self.context.plan.is_enough(&self.context.signal, certainty)
    }
}

/// Whether a thread leaves out this iteration. Each helper leaves out different ones, so that the helpers are at
/// different depths, and what they find reaches the common table before other threads need it. The first thread leaves
/// out none.
fn skips(id: usize, depth: i32) -> bool {
    id > 0 && depth > 4 && (depth * 3 + id as i32 * 5) % 8 < smp_skip()
}

const _: () = assert!((MAX_DEPTH as usize) < MAX_PLY);
