//! What is not searched, less deeply searched, or more.

use once_cell::sync::Lazy;

use super::moves::Trial;
use super::node::{Node, NodeType, NonPvNode};
use super::params::*;
use super::picker::MovePicker;
use super::thread_data::ThreadData;
use super::tt::Bound;
use crate::score::{RULED_BOUND, Value, is_mate};
use xiangqi::types::Move;

/// Natural logarithms: a reduction grows with those of depth and move number.
static LOGARITHMS: Lazy<[f64; 64]> = Lazy::new(|| std::array::from_fn(|number| (number.max(1) as f64).ln()));

impl ThreadData<'_> {
    /// Whole-node prunings, outside check and principal variations: each returns a value at once.
    pub(super) fn prune_node(&mut self, node: &Node) -> Option<Value> {
        let Node { beta, depth, eval, .. } = *node;
        if is_mate(beta) {
            return None;
        }
        // Reverse futility: so far above beta that the opponent's best move will not matter.
        let margin = rfp_margin() * depth - rfp_improving() * i32::from(node.improving);
        if depth <= rfp_depth() && eval - margin >= beta {
            return Some((eval + beta) / 2);
        }
        self.try_null_move(node)
    }

    /// Null move: if the opponent may move twice and still falls short, a real move will do better. With
    /// hardly any pieces left having to move can be the trouble, so it is not tried then, and deep cut-offs
    /// are verified by a search of their own.
    fn try_null_move(&mut self, node: &Node) -> Option<Value> {
        let Node { beta, depth, ply, eval, .. } = *node;
        let after_null = ply > 0 && self.stack[ply - 1].mv.is_none();
        if depth < null_depth() || eval < beta || after_null || ply < self.null_from || !self.has_attackers()
        {
            return None;
        }
        let reduction = null_base() + depth / null_divisor() + ((eval - beta) / null_eval_step()).min(3);
        self.make_null(ply, depth - reduction);
        let value = -self.search::<NonPvNode>(-beta, -beta + 1, depth - reduction, ply + 1, !node.cut);
        self.unmake();
        if self.stopped || value < beta {
            return None;
        }
        // A mate found after a pass is no proven one.
        let value = if value >= RULED_BOUND { beta } else { value };
        if depth < null_verify_depth() || self.null_from > 0 {
            return Some(value);
        }
        self.null_from = ply + ((depth - reduction) as usize * 3 / 4).max(1);
        let verified = self.search::<NonPvNode>(beta - 1, beta, depth - reduction, ply, false);
        self.null_from = 0;
        (verified >= beta).then_some(value)
    }

    /// Whether a move is left out. No mate may be missed that way, so the first answer to a check and all checks are
    /// searched: mates in xiangqi are runs of checks, and many begin with the loss of a rook. In an ending of known result
    /// all moves are searched: a single move may keep the result, and it often looks bad by history or exchange.
    pub(super) fn prune_move<K: NodeType>(
        &self,
        node: &Node,
        trial: &Trial,
        picker: &mut MovePicker,
    ) -> bool {
        if node.known || trial.check || node.in_check && trial.number == 1 {
            return false;
        }
        let depth = node.depth;
        if trial.capture {
            let threshold = -see_capture() * depth;
            return depth <= see_depth() && trial.bad_capture && !self.position.see(trial.mv, threshold);
        }
        let quota = (lmp_base() + depth * depth) / if node.improving || node.in_check { 1 } else { 2 };
        if depth <= lmp_depth() && trial.number > quota {
            picker.skip_quiets(&self.position);
            return true;
        }
        let reduced = (depth - self.reduction::<K>(node, trial)).max(1);
        if !node.in_check
            && reduced <= futility_depth()
            && node.eval + futility_base() + futility_slope() * reduced <= node.alpha
        {
            picker.skip_quiets(&self.position);
            return true;
        }
        if depth <= history_depth() && trial.history < -history_margin() * depth {
            return true;
        }
        depth <= see_depth() && !self.position.see(trial.mv, -see_quiet() * reduced * reduced)
    }

    /// By how many plies a late move is reduced, which may be zero or negative.
    pub(super) fn reduction<K: NodeType>(&self, node: &Node, trial: &Trial) -> i32 {
        let logarithm = |number: i32| LOGARITHMS[number.clamp(0, 63) as usize];
        let product = logarithm(node.depth) * logarithm(trial.number);
        let mut reduction = self.lmr_base + (product * 1024.0 * 100.0 / f64::from(lmr_divisor())) as i32;
        reduction += 1024 * i32::from(node.cut);
        reduction -= 1024 * (i32::from(K::PV) + 2 * i32::from(trial.check) + i32::from(node.in_check));
        if !trial.capture {
            reduction -= trial.history * 1024 / lmr_history();
        }
        reduction / 1024
    }

    /// By how much the move is searched deeper; an `Err` is a value for the whole node.
    pub(super) fn extension<K: NodeType>(
        &mut self,
        node: &Node,
        trial: &Trial,
        table_move: Option<Move>,
    ) -> Result<i32, Value> {
        let ply = node.ply;
        if K::ROOT || ply as i32 >= 2 * self.root.depth {
            return Ok(0);
        }
        if Some(trial.mv) == table_move
            && node.excluded.is_none()
            && node.depth >= singular_depth()
            && let Some(entry) = node.entry
            && entry.depth >= node.depth - 3
            && entry.bound != Bound::Upper
            && !is_mate(entry.score)
        {
            return self.singular_extension::<K>(node, trial.mv, entry.score);
        }
        Ok(i32::from(trial.check))
    }

    /// If all other moves fall well short of the table move, the line hangs on it: search it deeper. If
    /// another one reaches beta as well, the node will fail high in any case.
    fn singular_extension<K: NodeType>(&mut self, node: &Node, mv: Move, score: Value) -> Result<i32, Value> {
        let ply = node.ply;
        let target = score - singular_margin() * node.depth;
        self.stack[ply].excluded = Some(mv);
        let value = self.search::<NonPvNode>(target - 1, target, (node.depth - 1) / 2, ply, node.cut);
        self.stack[ply].excluded = None;
        if value < target {
            let double = !K::PV && value < target - double_margin() && self.stack[ply].doubled < 6;
            self.stack[ply].doubled += u32::from(double);
            return Ok(1 + i32::from(double));
        }
        if target >= node.beta && !K::PV {
            return Err(target);
        }
        Ok(if score >= node.beta { -1 } else { 0 })
    }
}
