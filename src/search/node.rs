//! The node of the alpha-beta search, step by step.

use super::history::LIMIT;
use super::params::*;
use super::picker::{Hints, Picker};
use super::tt::{Bound, Entry};
use super::worker::Worker;
use crate::types::score::{INFINITE, MATE_BOUND, MAX_PLY, RULED, RULED_BOUND, Value, mate_in, mated_in};
use crate::types::{Move, MoveList};

/// What sort of node is searched; a type parameter, so that each sort is compiled for itself.
pub(super) trait NodeKind {
    /// The root of the tree.
    const ROOT: bool;
    /// A node whose window is open: its exact score is wanted.
    const PV: bool;
}

/// The root.
pub(super) struct Root;
/// A node on a principal variation.
pub(super) struct Pv;
/// A node with an empty window, which only has to fail high or low.
pub(super) struct Cut;

impl NodeKind for Root {
    const ROOT: bool = true;
    const PV: bool = true;
}

impl NodeKind for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
}

impl NodeKind for Cut {
    const ROOT: bool = false;
    const PV: bool = false;
}

/// What is known of a node before its moves are tried.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub alpha: Value,
    pub beta: Value,
    pub depth: i32,
    pub ply: usize,
    /// Expected to fail high.
    pub cut: bool,
    pub in_check: bool,
    pub entry: Option<Entry>,
    /// The static evaluation, bettered by the table; meaningless in check.
    pub eval: Value,
    /// Whether the evaluation rises against two plies ago.
    pub improving: bool,
    /// Whether the tables of endings know the position.
    pub known: bool,
    /// The move left out, if its singularity is being tested.
    pub excluded: Option<Move>,
}

/// One of the moves being tried.
#[derive(Clone, Copy)]
pub(super) struct Trial {
    pub mv: Move,
    pub number: i32,
    pub capture: bool,
    pub check: bool,
    pub history: i32,
    pub bad_capture: bool,
}

impl Worker<'_> {
    /// The value of the position within the window, searched to `depth` plies.
    pub(super) fn search<K: NodeKind>(
        &mut self,
        alpha: Value,
        beta: Value,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Value {
        if depth <= 0 {
            return self.quiesce::<K>(alpha, beta, ply, true);
        }
        self.stats.main();
        self.frames[ply].pv.clear();
        if self.stopped {
            return 0;
        }
        let (mut alpha, mut beta) = (alpha, beta);
        if !K::ROOT {
            if let Some(value) = self.game_end(ply) {
                return value;
            }
            if ply >= MAX_PLY {
                return self.evaluate();
            }
            // A mate already found higher up cannot be bettered here.
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }
        let excluded = self.frames[ply].excluded;
        let entry = if excluded.is_some() { None } else { self.probe(ply, depth) };
        if !K::PV
            && let Some(value) = cutoff(entry, depth, alpha, beta)
        {
            self.stats.settled();
            return value;
        }
        if !K::ROOT
            && excluded.is_none()
            && let Some(value) = self.known_end(depth)
        {
            return value;
        }
        let in_check = self.position.in_check();
        let known = self.shared.endgames.is_some_and(|tables| tables.knows(&self.position));
        let (eval, improving) = (0, false);
        let mut node =
            Node { alpha, beta, depth, ply, cut, in_check, entry, eval, improving, known, excluded };
        self.judge_statically(&mut node);
        if !K::PV
            && !in_check
            && excluded.is_none()
            && let Some(value) = self.prune_node(&node)
        {
            return value;
        }
        // Without a table move the first move is a guess: look less deep, and store one for next time.
        if node.depth >= iir_depth()
            && excluded.is_none()
            && (K::PV || cut)
            && node.entry.is_none_or(|entry| entry.mv.is_none())
        {
            node.depth -= 1;
        }
        self.search_moves::<K>(node)
    }

    /// Fills in the static evaluation and what follows from it.
    fn judge_statically(&mut self, node: &mut Node) {
        let ply = node.ply;
        self.frames[ply + 1].killers = [None; 2];
        self.frames[ply].doubled = if ply > 0 { self.frames[ply - 1].doubled } else { 0 };
        if node.in_check {
            self.frames[ply].eval = None;
            return;
        }
        let fixed = self.frames[ply].eval.filter(|_| node.excluded.is_some());
        let eval = fixed.unwrap_or_else(|| self.evaluate());
        self.frames[ply].eval = Some(eval);
        let before = |back: usize| ply.checked_sub(back).and_then(|at| self.frames[at].eval);
        node.improving = before(2).or(before(4)).is_some_and(|earlier| eval > earlier);
        if let Some(theirs) = before(1).filter(|_| node.excluded.is_none()) {
            self.reward_by_evaluation(-(theirs + eval));
        }
        // A mate in the table is no measure for margins in centipawns.
        node.eval = match node.entry.filter(|entry| !is_mate(entry.score)) {
            Some(Entry { bound: Bound::Exact, score, .. }) => score,
            Some(Entry { bound: Bound::Lower, score, .. }) => eval.max(score),
            Some(Entry { bound: Bound::Upper, score, .. }) => eval.min(score),
            None => eval,
        };
    }

    /// The quiet move that led here is remembered by how far it lifted its player's evaluation: a hint long before
    /// any cut-off can tell.
    fn reward_by_evaluation(&mut self, gain: Value) {
        let Some(played) = self.position.last_played().filter(|played| played.captured.is_none()) else {
            return;
        };
        if let Some(mv) = played.mv {
            let bonus = (gain * eval_bonus()).clamp(-eval_bonus_limit(), eval_bonus_limit());
            self.history.reward_alone(!self.position.side(), mv, bonus);
        }
    }

    /// Tries the moves in order and stores the result.
    fn search_moves<K: NodeKind>(&mut self, node: Node) -> Value {
        let ply = node.ply;
        let hints = Hints {
            table: if K::ROOT {
                Some(self.root[self.line].mv)
            } else {
                node.entry.and_then(|entry| entry.mv)
            },
            killers: self.frames[ply].killers,
            before: self.plays_before(ply),
        };
        let mut picker = Picker::new(&self.position, hints);
        let (mut alpha, mut best, mut best_move) = (node.alpha, -INFINITE, None);
        let (mut number, mut tried) = (0, [MoveList::new(), MoveList::new()]);
        while let Some(mv) = picker.next(&self.position, self.history) {
            if node.excluded == Some(mv)
                || (K::ROOT && !self.is_root_choice(mv))
                || (!K::ROOT && self.overlooks(mv, ply))
            {
                continue;
            }
            self.prefetch(mv, node.depth);
            number += 1;
            let trial = self.describe(mv, number, &picker, hints);
            if !K::ROOT && best > -RULED_BOUND && self.prune_move::<K>(&node, &trial, &mut picker) {
                continue;
            }
            let extension = match self.extension::<K>(&node, &trial, hints.table) {
                Ok(extension) => extension,
                Err(value) => return value,
            };
            if K::ROOT {
                self.tell_currmove(mv, number as usize + self.line);
            }
            if self.stopped {
                return best.max(alpha);
            }
            let nodes = self.nodes;
            self.make(mv, ply);
            let value = self.search_move::<K>(&node, &trial, alpha, best_move.is_some(), extension);
            self.unmake();
            if self.stopped {
                return best.max(alpha);
            }
            if K::ROOT {
                self.note_root_move(mv, value, alpha, number == 1, nodes);
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(mv);
                    if K::PV {
                        self.extend_pv(ply, mv);
                    }
                    if value >= node.beta {
                        self.stats.cutoff(number);
                        self.reward(&node, mv, trial.capture, &tried);
                        break;
                    }
                    alpha = value;
                }
            }
            tried[usize::from(trial.capture)].push(mv);
        }
        if number == 0 {
            return self.value_without_moves(&node);
        }
        if best == -INFINITE {
            return node.alpha;
        }
        self.store::<K>(&node, best, best_move);
        best
    }

    /// Mate and stalemate are the same loss; a node that leaves its only move out fails low; who overlooks every
    /// move judges the position as it stands.
    fn value_without_moves(&self, node: &Node) -> Value {
        if node.excluded.is_some() {
            node.alpha
        } else if self.sight.is_some() && self.position.has_legal_move() {
            node.eval
        } else {
            mated_in(node.ply)
        }
    }

    fn describe(&self, mv: Move, number: i32, picker: &Picker, hints: Hints) -> Trial {
        let position = &self.position;
        let capture = position.is_capture(mv);
        let history = match (position.piece_on(mv.from()), position.piece_on(mv.to())) {
            (Some(piece), Some(victim)) => self.history.capture(piece, mv.to(), victim),
            (Some(piece), None) => self.history.quiet(position.side(), mv, piece, hints.before),
            (None, _) => 0,
        };
        let check = position.gives_check(mv);
        Trial { mv, number, capture, check, history, bad_capture: picker.is_bad_capture() }
    }

    /// Searches the move just made: late ones reduced, all but the first with an empty window first.
    fn search_move<K: NodeKind>(
        &mut self,
        node: &Node,
        trial: &Trial,
        alpha: Value,
        raised: bool,
        extension: i32,
    ) -> Value {
        let (depth, ply) = (node.depth - 1 + extension, node.ply + 1);
        if K::PV && trial.number == 1 {
            return -self.search::<Pv>(-node.beta, -alpha, depth, ply, false);
        }
        let late = trial.number > 1 + i32::from(K::ROOT) + i32::from(K::PV && raised);
        let mut value = INFINITE;
        if node.depth >= 2 && late && (!trial.capture || trial.bad_capture) {
            let reduced = (depth - self.reduction::<K>(node, trial)).clamp(1, depth.max(1));
            value = -self.search::<Cut>(-alpha - 1, -alpha, reduced, ply, true);
            if value > alpha && reduced < depth {
                value = -self.search::<Cut>(-alpha - 1, -alpha, depth, ply, !node.cut);
            }
        } else if !K::PV || trial.number > 1 {
            value = -self.search::<Cut>(-alpha - 1, -alpha, depth, ply, !node.cut);
        }
        if K::PV && value > alpha && !self.stopped {
            value = -self.search::<Pv>(-node.beta, -alpha, depth, ply, false);
        }
        value
    }

    /// By how much the best move's rivals that were tried before it lose in the history, and it wins.
    fn reward(&mut self, node: &Node, mv: Move, capture: bool, tried: &[MoveList; 2]) {
        let (side, before) = (self.position.side(), self.plays_before(node.ply));
        let bonus = history_bonus(node.depth);
        let Some(piece) = self.position.piece_on(mv.from()) else { return };
        if let Some(victim) = self.position.piece_on(mv.to()) {
            self.history.reward_capture(piece, mv.to(), victim, bonus);
        }
        if !capture {
            let killers = &mut self.frames[node.ply].killers;
            if killers[0] != Some(mv) {
                *killers = [Some(mv), killers[0]];
            }
            self.history.reward_quiet(side, mv, piece, before, bonus);
            for &other in tried[0].iter() {
                if let Some(piece) = self.position.piece_on(other.from()) {
                    self.history.reward_quiet(side, other, piece, before, -bonus);
                }
            }
        }
        for &other in tried[1].iter() {
            if let (Some(piece), Some(victim)) =
                (self.position.piece_on(other.from()), self.position.piece_on(other.to()))
            {
                self.history.reward_capture(piece, other.to(), victim, -bonus);
            }
        }
        debug_assert!(bonus < LIMIT);
    }

    /// Stores what was found; a score that a ruling on the path decided is worth nothing elsewhere.
    fn store<K: NodeKind>(&mut self, node: &Node, best: Value, best_move: Option<Move>) {
        if node.excluded.is_some() || is_ruled(best) || (K::ROOT && self.line > 0) {
            return;
        }
        let bound = match best {
            _ if best >= node.beta => Bound::Lower,
            _ if K::PV && best_move.is_some() => Bound::Exact,
            _ => Bound::Upper,
        };
        let entry = Entry { mv: best_move, score: best, depth: node.depth, bound, pv: K::PV };
        self.keep(node.ply, entry);
    }
}

/// The table's score if it settles the node.
#[inline]
pub(super) fn cutoff(entry: Option<Entry>, depth: i32, alpha: Value, beta: Value) -> Option<Value> {
    let entry = entry.filter(|entry| entry.depth >= depth)?;
    let settles = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score >= beta,
        Bound::Upper => entry.score <= alpha,
    };
    settles.then_some(entry.score)
}

/// Whether a score is a forced mate of either side.
#[inline]
pub(super) fn is_mate(value: Value) -> bool {
    value.abs() >= MATE_BOUND
}

/// Whether a score comes from a ruling on the path, which says nothing of the position by itself.
#[inline]
pub(super) fn is_ruled(value: Value) -> bool {
    (RULED_BOUND..=RULED).contains(&value.abs())
}
