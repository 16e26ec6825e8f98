//! The node of the alpha-beta search, step by step.

use super::params::*;
use super::thread_data::{NodeEnd, ThreadData};
use super::tt::{Bound, TtEntry};
use crate::score::{MAX_PLY, Value, is_mate, mate_in, mated_in};
use xiangqi::types::Move;

/// What sort of node is searched; a type parameter, so that each sort is compiled for itself.
pub(super) trait NodeType {
    /// The root of the tree.
    const ROOT: bool;
    /// A node whose window is open: its exact score is wanted.
    const PV: bool;
}

/// The root.
pub(super) struct RootNode;
/// A node on a principal variation.
pub(super) struct PvNode;
/// A node with an empty window, which only has to fail high or low.
pub(super) struct NonPvNode;

impl NodeType for RootNode {
    const ROOT: bool = true;
    const PV: bool = true;
}

impl NodeType for PvNode {
    const ROOT: bool = false;
    const PV: bool = true;
}

impl NodeType for NonPvNode {
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
    pub entry: Option<TtEntry>,
    /// The static evaluation, improved by the table; meaningless in check.
    pub eval: Value,
    /// Whether the evaluation has risen since two plies ago.
    pub improving: bool,
    /// Whether the tables of endings know the position.
    pub known: bool,
    /// The move left out, if its singularity is being tested.
    pub excluded: Option<Move>,
    /// Whether a ruling is pending on the path, so that the score holds for this path alone.
    pub pending: bool,
}

impl ThreadData<'_> {
    /// The value of the position within the window, searched to `depth` plies.
    pub(super) fn search<K: NodeType>(
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
        self.pvs[ply].clear();
        if self.stopped {
            return 0;
        }
        match if K::ROOT { None } else { self.game_end(ply) } {
            Some(NodeEnd::Over(value)) => value,
            Some(NodeEnd::AtLeast(value)) if value >= beta => value,
            // The table knows nothing of the loop that was played: what it says may be to stay in it.
            Some(NodeEnd::AtLeast(value)) => {
                self.search_on::<K>(alpha.max(value), beta, depth, ply, cut, true).max(value)
            }
            None => self.search_on::<K>(alpha, beta, depth, ply, cut, false),
        }
    }

    /// The value of a position in which the game goes on; if a ruling is `pending`, the table is not trusted.
    fn search_on<K: NodeType>(
        &mut self,
        mut alpha: Value,
        mut beta: Value,
        depth: i32,
        ply: usize,
        cut: bool,
        pending: bool,
    ) -> Value {
        if !K::ROOT {
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
        let excluded = self.stack[ply].excluded;
        let entry = if pending || excluded.is_some() { None } else { self.probe(ply, depth) };
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
        let known = self.is_known();
        let (eval, improving) = (0, false);
        let mut node =
            Node { alpha, beta, depth, ply, cut, in_check, entry, eval, improving, known, excluded, pending };
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
        self.stack[ply + 1].killers = [None; 2];
        self.stack[ply].doubled = if ply > 0 { self.stack[ply - 1].doubled } else { 0 };
        if node.in_check {
            self.stack[ply].eval = None;
            return;
        }
        let fixed = self.stack[ply].eval.filter(|_| node.excluded.is_some());
        let eval = fixed.unwrap_or_else(|| self.evaluate());
        self.stack[ply].eval = Some(eval);
        let before = |back: usize| ply.checked_sub(back).and_then(|at| self.stack[at].eval);
        node.improving = before(2).or(before(4)).is_some_and(|earlier| eval > earlier);
        if let Some(theirs) = before(1).filter(|_| node.excluded.is_none()) {
            self.reward_by_evaluation(-(theirs + eval));
        }
        // A mate in the table is no measure for margins in centipawns.
        node.eval = match node.entry.filter(|entry| !is_mate(entry.score)) {
            Some(TtEntry { bound: Bound::Exact, score, .. }) => score,
            Some(TtEntry { bound: Bound::Lower, score, .. }) => eval.max(score),
            Some(TtEntry { bound: Bound::Upper, score, .. }) => eval.min(score),
            None => eval,
        };
    }

    /// Rewards the quiet move that led here by how far it raised its player's evaluation: a hint long before any
    /// cut-off.
    fn reward_by_evaluation(&mut self, gain: Value) {
        let Some(played) = self.position.last_played().filter(|played| played.captured.is_none()) else {
            return;
        };
        if let Some(mv) = played.mv {
            let bonus = (gain * eval_bonus()).clamp(-eval_bonus_limit(), eval_bonus_limit());
            self.history.reward_alone(!self.position.side(), mv, bonus);
        }
    }
}

/// The table's score if it settles the node.
#[inline]
pub(super) fn cutoff(entry: Option<TtEntry>, depth: i32, alpha: Value, beta: Value) -> Option<Value> {
    let entry = entry.filter(|entry| entry.depth >= depth)?;
    let settles = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score >= beta,
        Bound::Upper => entry.score <= alpha,
    };
    settles.then_some(entry.score)
}
