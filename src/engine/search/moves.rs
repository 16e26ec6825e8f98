//! The moves of a node, tried one after the other.

use super::history::{LIMIT, PieceTo};
use super::node::{Node, NodeType, NonPvNode, PvNode};
use super::params::*;
use super::picker::{Hints, MovePicker};
use super::thread_data::ThreadData;
use super::tt::{Bound, TtEntry};
use crate::score::{INFINITE, RULED_BOUND, Value, is_ruled, mated_in};
use xiangqi::board::Position;
use xiangqi::types::{Move, MoveList};

/// One of the moves being tried.
#[derive(Clone, Copy)]
pub(super) struct Trial {
    pub mv: Move,
    pub number: i32,
    pub capture: bool,
    pub check: bool,
    pub history: i32,
    pub bad_capture: bool,
    /// The value to beat when the move was taken.
    pub alpha: Value,
    /// Whether an earlier move had already raised `alpha`.
    pub raised: bool,
}

/// The state of the loop over the moves of a node: the moves left, and the results of the moves tried.
#[derive(Clone)]
pub(super) struct MoveLoop {
    picker: MovePicker,
    /// The plays one, two and four plies ago.
    before: [PieceTo; 3],
    pub alpha: Value,
    pub best: Value,
    pub best_move: Option<Move>,
    /// Moves looked at, whether searched or left out.
    number: i32,
    /// Quiet moves and captures that were searched and did not fail high.
    tried: [MoveList; 2],
}

impl MoveLoop {
    pub(super) fn new(position: &Position, hints: Hints, alpha: Value) -> MoveLoop {
        MoveLoop {
            picker: MovePicker::new(position, hints),
            before: hints.before,
            alpha,
            best: -INFINITE,
            best_move: None,
            number: 0,
            tried: [MoveList::new(), MoveList::new()],
        }
    }

    /// Whether a move failed high, so that the remaining moves do not matter.
    pub(super) fn is_cut(&self, node: &Node) -> bool {
        self.best >= node.beta
    }
}

impl ThreadData<'_> {
    /// Tries the moves in order and stores the result.
    pub(super) fn search_moves<K: NodeType>(&mut self, node: Node) -> Value {
        let table = if K::ROOT {
            Some(self.root.moves[self.root.line].mv)
        } else {
            node.entry.and_then(|entry| entry.mv)
        };
        let killers = self.stack[node.ply].killers;
        let hints = Hints { table, killers, before: self.earlier(node.ply) };
        let mut moves = MoveLoop::new(&self.position, hints, node.alpha);
        while let Some(trial) = self.next_trial::<K>(&node, &mut moves) {
            let extension = match self.extension::<K>(&node, &trial, table) {
                Ok(extension) => extension,
                Err(value) => return value,
            };
            if K::ROOT {
                self.tell_currmove(trial.mv, trial.number as usize + self.root.line);
            }
            let nodes = self.nodes;
            let value = if K::ROOT {
                self.try_root_move::<K>(&node, &trial, extension)
            } else {
                self.try_move::<K>(&node, &trial, extension)
            };
            if let Some(value) = value {
                if K::ROOT {
                    self.note_root_move(trial.mv, value, trial.alpha, trial.number == 1, nodes);
                }
                self.weigh::<K>(&node, &mut moves, &trial, value);
                if moves.is_cut(&node) {
                    break;
                }
            }
            if self.stopped {
                return moves.best.max(moves.alpha);
            }
        }
        self.conclude::<K>(&node, &moves)
    }

    /// The next move worth a search.
    fn next_trial<K: NodeType>(&mut self, node: &Node, moves: &mut MoveLoop) -> Option<Trial> {
        while !moves.is_cut(node)
            && let Some(mv) = moves.picker.next(&self.position, self.history)
        {
            if node.excluded == Some(mv)
                || (K::ROOT && !self.is_root_choice(mv))
                || (!K::ROOT && self.overlooks(mv, node.ply))
            {
                continue;
            }
            self.prefetch(mv, node.depth);
            moves.number += 1;
            let trial = self.describe(mv, moves);
            let dispensable = !K::ROOT && moves.best > -RULED_BOUND;
            if !(dispensable && self.prune_move::<K>(node, &trial, &mut moves.picker)) {
                return Some(trial);
            }
        }
        None
    }

    fn describe(&self, mv: Move, moves: &MoveLoop) -> Trial {
        let position = &self.position;
        let capture = position.is_capture(mv);
        let history = match (position.piece_on(mv.from()), position.piece_on(mv.to())) {
            (Some(piece), Some(victim)) => self.history.capture(piece, mv.to(), victim),
            (Some(piece), None) => self.history.quiet(position.side(), mv, piece, moves.before),
            (None, _) => 0,
        };
        Trial {
            mv,
            number: moves.number,
            capture,
            check: position.gives_check(mv),
            history,
            bad_capture: moves.picker.is_bad_capture(),
            alpha: moves.alpha,
            raised: moves.best_move.is_some(),
        }
    }

    /// Makes the move, searches the position after it, and takes it back; `None` if this thread was stopped.
    fn try_move<K: NodeType>(&mut self, node: &Node, trial: &Trial, extension: i32) -> Option<Value> {
        if self.stopped {
            return None;
        }
        self.make(trial.mv, node.ply);
        let value = self.search_move::<K>(node, trial, extension);
        self.unmake();
        (!self.stopped).then_some(value)
    }

    /// Does the same as `try_move` at the root: the window and the value are moved by the bias of the move.
    fn try_root_move<K: NodeType>(&mut self, node: &Node, trial: &Trial, extension: i32) -> Option<Value> {
        let index = self.root.moves.iter().position(|root| root.mv == trial.mv)?;
        let bias = self.root.moves[index].bias;
        let below = |value: Value| (value - bias).max(-INFINITE);
        let node = Node { alpha: below(node.alpha), beta: below(node.beta), ..*node };
        let trial = Trial { alpha: below(trial.alpha), ..*trial };
        let value = self.try_move::<K>(&node, &trial, extension)?;
        Some(self.root.moves[index].biased(value))
    }

    /// Searches the move just made: late ones reduced, all but the first with an empty window first.
    fn search_move<K: NodeType>(&mut self, node: &Node, trial: &Trial, extension: i32) -> Value {
        let (depth, ply, alpha) = (node.depth - 1 + extension, node.ply + 1, trial.alpha);
        if K::PV && trial.number == 1 {
            return -self.search::<PvNode>(-node.beta, -alpha, depth, ply, false);
        }
        let late = trial.number > 1 + i32::from(K::ROOT) + i32::from(K::PV && trial.raised);
        let mut value = INFINITE;
        if node.depth >= 2 && late && (!trial.capture || trial.bad_capture) {
            let reduced = (depth - self.reduction::<K>(node, trial)).clamp(1, depth.max(1));
            value = -self.search::<NonPvNode>(-alpha - 1, -alpha, reduced, ply, true);
            if value > alpha && reduced < depth {
                value = -self.search::<NonPvNode>(-alpha - 1, -alpha, depth, ply, !node.cut);
            }
        } else if !K::PV || trial.number > 1 {
            value = -self.search::<NonPvNode>(-alpha - 1, -alpha, depth, ply, !node.cut);
        }
        if K::PV && value > alpha && !self.stopped {
            value = -self.search::<PvNode>(-node.beta, -alpha, depth, ply, false);
        }
        value
    }

    /// Notes the value of a move.
    fn weigh<K: NodeType>(&mut self, node: &Node, moves: &mut MoveLoop, trial: &Trial, value: Value) {
        if value > moves.best {
            moves.best = value;
            if value > moves.alpha {
                moves.alpha = value;
                moves.best_move = Some(trial.mv);
                if K::PV {
                    self.extend_pv(node.ply, trial.mv);
                }
                if moves.is_cut(node) {
                    self.stats.cutoff(trial.number);
                    return;
                }
            }
        }
        moves.tried[usize::from(trial.capture)].push(trial.mv);
    }

    /// Rewards the move that failed high, if one did, and stores the result of the node.
    fn conclude<K: NodeType>(&mut self, node: &Node, moves: &MoveLoop) -> Value {
        if moves.number == 0 {
            return self.value_without_moves(node);
        }
        if moves.best == -INFINITE {
            return node.alpha;
        }
        if let Some(mv) = moves.best_move.filter(|_| moves.is_cut(node)) {
            self.reward(node, mv, &moves.tried);
        }
        self.store::<K>(node, moves.best, moves.best_move);
        moves.best
    }

    /// The value of a node without a searched move: mate and stalemate are the same loss, a node whose only move is
    /// excluded fails low, and a player that overlooks every move judges the position as it stands.
    fn value_without_moves(&self, node: &Node) -> Value {
        if node.excluded.is_some() {
            node.alpha
        } else if self.attention.is_some() && self.position.has_legal_move() {
            node.eval
        } else {
            mated_in(node.ply)
        }
    }

    /// Raises the history of the best move, and lowers that of the moves tried before it.
    fn reward(&mut self, node: &Node, mv: Move, tried: &[MoveList; 2]) {
        let (side, before) = (self.position.side(), self.earlier(node.ply));
        let bonus = history_bonus(node.depth);
        let Some(piece) = self.position.piece_on(mv.from()) else { return };
        if let Some(victim) = self.position.piece_on(mv.to()) {
            self.history.reward_capture(piece, mv.to(), victim, bonus);
        } else {
            let killers = &mut self.stack[node.ply].killers;
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

    /// Stores what was found; a score that a ruling on the path decides is worth nothing elsewhere.
    fn store<K: NodeType>(&mut self, node: &Node, best: Value, best_move: Option<Move>) {
        if node.pending
            || node.excluded.is_some()
            || is_ruled(best)
            || (K::ROOT && (self.root.line > 0 || self.context.randomness.is_some()))
        {
            return;
        }
        let bound = match best {
            _ if best >= node.beta => Bound::Lower,
            _ if K::PV && best_move.is_some() => Bound::Exact,
            _ => Bound::Upper,
        };
        let entry = TtEntry { mv: best_move, score: best, depth: node.depth, bound, pv: K::PV };
        self.keep(node.ply, entry);
    }
}
