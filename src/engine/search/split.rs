//! Nodes whose moves several threads search at once.
//!
//! A thread that has searched the first move of a node without a cut-off, and sees another thread idle, offers it the
//! moves that are left. Whoever joins goes to the node by the moves that lead there, and takes one move after the other
//! as the owner does; once a move fails high all leave. While the owner waits for the last to come back, it helps them
//! with nodes that they share in their turn. (Young brothers wait: R. Feldmann, "Game Tree Search on Massively Parallel
//! Systems", 1993; what the owner does meanwhile is known as the helpful master.)
//!
//! Two threads that each search the whole tree and share the table only (lazy SMP) gained much less here: see
//! `docs/EXPERIMENTS.md`.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crossbeam::utils::{Backoff, CachePadded};

use super::moves::MoveLoop;
use super::node::{Node, NodeType, NonPvNode, PvNode};
use super::params::split_depth;
use super::thread_data::{StackEntry, ThreadData};
use xiangqi::types::Move;

/// Where idle threads find nodes to help with.
///
/// What one thread writes often while another reads it stands in a cache line of its own, here and in [`Split`].
#[derive(Default)]
pub(super) struct Board {
    /// Threads that wait for something to do; owners who wait for their helpers come only to splits within their own.
    idle: CachePadded<AtomicUsize>,
    /// How many splits are offered.
    offered: CachePadded<AtomicUsize>,
    splits: CachePadded<Mutex<Vec<Arc<Split>>>>,
}

impl Board {
    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Split>>> {
        self.splits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn offer(&self, split: &Arc<Split>) {
        self.lock().push(Arc::clone(split));
        self.offered.fetch_add(1, Ordering::Release);
    }

    fn withdraw(&self, split: &Arc<Split>) {
        self.offered.fetch_sub(1, Ordering::Release);
        self.lock().retain(|other| !Arc::ptr_eq(other, split));
    }

    /// Joins the split of the deepest search, of those within `outer` if one is given.
    fn join(&self, outer: Option<&Arc<Split>>) -> Option<Visit> {
        if self.offered.load(Ordering::Acquire) == 0 {
            return None;
        }
        let splits = self.lock();
        let fit = splits.iter().filter(|split| {
            let within = |outer| split.around.iter().any(|other| Arc::ptr_eq(other, outer));
            !split.is_over() && outer.is_none_or(within)
        });
        fit.max_by_key(|split| split.node.depth).map(Visit::new)
    }
}

/// A helper's stay at a split: its owner waits until it is over, however it ends.
struct Visit(Arc<Split>);

impl Visit {
    fn new(split: &Arc<Split>) -> Visit {
        split.helpers.fetch_add(1, Ordering::Relaxed);
        Visit(Arc::clone(split))
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.0.helpers.fetch_sub(1, Ordering::Release);
    }
}

/// A node whose moves are shared.
pub(super) struct Split {
    node: Node,
    pv: bool,
    /// The owner's iteration, and the ply above which it tries no null moves.
    iteration: i32,
    null_from: usize,
    /// The stack from the root to the ply after the node.
    stack: Vec<StackEntry>,
    /// The splits within which this one is, from the root.
    around: Vec<Arc<Split>>,
    /// Whether a move failed high.
    cut: CachePadded<AtomicBool>,
    /// Whether no move is left.
    empty: AtomicBool,
    helpers: CachePadded<AtomicUsize>,
    state: CachePadded<Mutex<State>>,
}

/// What those at a split have come to.
struct State {
    moves: MoveLoop,
    /// The best line from the node.
    pv: Vec<Move>,
}

impl Split {
    /// The node at which `owner` is.
    fn new(owner: &ThreadData<'_>, node: &Node, pv: bool, moves: &MoveLoop) -> Split {
        let state = State { moves: moves.clone(), pv: owner.pvs[node.ply].clone() };
        Split {
            node: *node,
            pv,
            iteration: owner.depth,
            null_from: owner.null_from,
            stack: owner.stack[..=node.ply + 1].to_vec(),
            around: owner.splits.clone(),
            cut: CachePadded::default(),
            empty: AtomicBool::default(),
            helpers: CachePadded::default(),
            state: CachePadded::new(Mutex::new(state)),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline]
    fn is_cut(&self) -> bool {
        self.cut.load(Ordering::Relaxed)
    }

    /// Whether there is nothing left to join for.
    fn is_over(&self) -> bool {
        self.empty.load(Ordering::Relaxed) || self.is_cut() || self.around.iter().any(|outer| outer.is_cut())
    }
}

impl ThreadData<'_> {
    /// Whether the moves left of a node are to be shared: they are worth it, and somebody is idle.
    #[inline]
    pub(super) fn wants_help<K: NodeType>(&self, node: &Node) -> bool {
        !self.shared.alone
            && !K::ROOT
            && node.depth >= split_depth()
            && self.shared.board.idle.load(Ordering::Relaxed) > 0
    }

    /// Whether nobody will ask for the value of the present node any more, for a move failed high above it.
    #[inline]
    pub(super) fn is_needless(&self) -> bool {
        self.splits.iter().any(|split| split.is_cut())
    }

    /// Searches the moves left together with whoever joins. Afterwards none is left, or one failed high, or this thread
    /// is stopped.
    #[cold]
    #[inline(never)]
    pub(super) fn share<K: NodeType>(&mut self, node: &Node, moves: &mut MoveLoop) {
        let (ply, board) = (node.ply, &self.shared.board);
        let split = Arc::new(Split::new(self, node, K::PV, moves));
        self.splits.push(Arc::clone(&split));
        board.offer(&split);
        self.work_at::<K>(&split);
        board.withdraw(&split);
        self.await_helpers(&split);
        self.splits.pop();
        // If it was only this node that was cut, the search goes on above it.
        self.stopped = self.shared.signal.is_stopped() || self.is_needless();
        let state = split.lock();
        moves.clone_from(&state.moves);
        self.pvs[ply].clone_from(&state.pv);
    }

    /// Takes move after move until none is left, one fails high, or this thread is stopped.
    #[inline(never)]
    fn work_at<K: NodeType>(&mut self, split: &Split) {
        let node = &split.node;
        loop {
            let Some(trial) = self.next_trial::<K>(node, &mut split.lock().moves) else {
                split.empty.store(true, Ordering::Relaxed);
                return;
            };
            // The move of the table was the first: no value for the whole node can come of this.
            let extension = self.extension::<K>(node, &trial, None).unwrap_or_default();
            let Some(value) = self.try_move::<K>(node, &trial, extension) else { return };
            let State { moves, pv } = &mut *split.lock();
            if moves.is_cut(node) {
                return;
            }
            let better = value > moves.alpha;
            self.weigh::<K>(node, moves, &trial, value);
            if K::PV && better {
                pv.clone_from(&self.pvs[node.ply]);
            }
            if moves.is_cut(node) {
                split.cut.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Waits until nobody is at a move of this split any more, and helps those who are.
    fn await_helpers(&mut self, split: &Arc<Split>) {
        self.help_until(Some(split), || split.helpers.load(Ordering::Acquire) == 0);
    }

    /// Helps with any node that is offered, until the search ends.
    pub(super) fn assist(&mut self) {
        let signal = self.shared.signal;
        self.help_until(None, || signal.is_stopped());
    }

    /// Helps with nodes that are offered, only those within `outer` if this thread is there.
    fn help_until(&mut self, outer: Option<&Arc<Split>>, done: impl Fn() -> bool) {
        let board = &self.shared.board;
        let ply = outer.map_or(0, |outer| outer.node.ply);
        let backoff = Backoff::new();
        board.idle.fetch_add(1, Ordering::Relaxed);
        while !done() {
            self.look_up();
            let offered = if self.stopped { None } else { board.join(outer) };
            match offered {
                Some(visit) => {
                    board.idle.fetch_sub(1, Ordering::Relaxed);
                    self.help(visit, ply);
                    board.idle.fetch_add(1, Ordering::Relaxed);
                    backoff.reset();
                }
                None => backoff.snooze(),
            }
        }
        board.idle.fetch_sub(1, Ordering::Relaxed);
    }

    /// Goes from the ply at which this thread is to a split it has joined, searches moves there, and comes back.
    fn help(&mut self, visit: Visit, from: usize) {
        let Visit(split) = &visit;
        let ply = split.node.ply;
        let (own, frame) = ((self.depth, self.null_from, self.stopped), self.stack[from]);
        let splits = split.around.iter().chain([split]).cloned().collect();
        let splits = std::mem::replace(&mut self.splits, splits);
        (self.depth, self.null_from, self.stopped) = (split.iteration, split.null_from, false);
        self.stack[from..=ply + 1].copy_from_slice(&split.stack[from..]);
        for frame in &split.stack[from..ply] {
            match frame.mv {
                Some(mv) => self.position.make_observed(mv, &mut self.evaluator),
                None => self.position.make_null(),
            }
        }
        if split.pv {
            self.work_at::<PvNode>(split);
        } else {
            self.work_at::<NonPvNode>(split);
        }
        (from..ply).for_each(|_| self.unmake());
        self.stack[from] = frame;
        // The owner's tests of singular moves on the way are no affair of what this thread searches next.
        self.stack[from + 1..=ply + 1].iter_mut().for_each(|frame| frame.excluded = None);
        self.splits = splits;
        (self.depth, self.null_from, self.stopped) = own;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endgame::EndgameTables;
    use crate::eval::Network;
    use crate::score::{INFINITE, MATE_BOUND};
    use crate::search::history::NO_PIECE_TO;
    use crate::search::limits::{SearchLimits, SearchOptions};
    use crate::search::picker::Hints;
    use crate::search::signal::Signal;
    use crate::search::thread_data::{Memory, Shared};
    use crate::search::time::TimePlan;
    use crate::search::tt::TranspositionTable;
    use crate::search::{Event, ThreadPool};
    use xiangqi::board::Position;

    /// A thread that has come back from a node in the midst of another's tests, of singular moves and of a passed turn,
    /// is as it was before; and all moves of the node have been searched.
    #[test]
    fn helping_leaves_no_trace() {
        let (limits, options) = (SearchLimits::default(), SearchOptions::default());
        let (table, signal) = (TranspositionTable::new(1, 0).unwrap(), Signal::new(false, false));
        let shared = Shared {
            table: &table,
            network: &Network::embedded(),
            endgames: Some(&EndgameTables::embedded()),
            signal: &signal,
            board: Board::default(),
            limits: &limits,
            options: &options,
            plan: TimePlan::new(&limits, &options),
            handicap: None,
            randomness: None,
            node_limit: None,
            alone: false,
        };
        let root = Position::startpos();
        let (mut memories, mut ply) = ([Memory::new(), Memory::new()], 0);
        let [first, second] = &mut memories;
        let mut owner = ThreadData::new(&shared, 0, &root, first, None);
        let mut helper = ThreadData::new(&shared, 1, &root, second, None);
        owner.depth = 6;
        for mv in [Some("h2e2"), None, Some("h0g2"), Some("b9c7")] {
            match mv {
                Some(mv) => owner.make(mv.parse().unwrap(), ply),
                None => owner.make_null(ply, 3),
            }
            owner.stack[ply].excluded = "c3c4".parse().ok();
            ply += 1;
        }
        let hints = Hints { table: None, killers: [None; 2], before: [NO_PIECE_TO; 3] };
        let moves = MoveLoop::new(&owner.position, hints, -INFINITE);
        let node = Node {
            alpha: -INFINITE,
            beta: INFINITE,
            depth: 3,
            ply,
            cut: false,
            in_check: false,
            entry: None,
            eval: 0,
            improving: false,
            known: false,
            excluded: None,
        };
        let split = Arc::new(Split::new(&owner, &node, true, &moves));
        helper.help(Visit::new(&split), 0);

        assert_eq!((helper.position.key(), helper.position.last_played()), (root.key(), root.last_played()));
        assert!(helper.stack.iter().all(|frame| frame.excluded.is_none()));
        assert!(helper.splits.is_empty() && !helper.stopped && helper.depth == 0 && helper.null_from == 0);
        assert_eq!(split.helpers.load(Ordering::Relaxed), 0);
        assert!(split.is_over() && !split.is_cut());
        let state = split.lock();
        let best: Option<Move> = state.pv.first().copied();
        assert!(best.is_some() && best == state.moves.best_move && state.moves.best.abs() < MATE_BOUND);
    }

    /// Many threads, each often in another's subtree, and stopped early.
    #[test]
    fn many_threads_search_as_well_as_one() {
        let mut pool = ThreadPool::new(7, 4);
        for (number, line) in
            include_str!("../../../engine-tests/data/mates-sample.jsonl").lines().enumerate()
        {
            let case: serde_json::Value = serde_json::from_str(line).unwrap();
            let position = Position::from_fen(case["fen"].as_str().unwrap()).unwrap();
            let mate = case["mate"].as_i64().unwrap();
            if number % 12 == 0 && mate <= 3 {
                let limits = SearchLimits { depth: Some(2 * mate as u32 + 3), ..SearchLimits::default() };
                let report = pool.think(&position, &limits).unwrap();
                assert!(report.score >= MATE_BOUND, "{line}: {report:?}");
            }
            if number % 12 == 1 {
                let (sender, receiver) = std::sync::mpsc::channel();
                pool.start(
                    &position,
                    SearchLimits { infinite: true, ..SearchLimits::default() },
                    move |event| {
                        if let Event::Done(report) = event {
                            sender.send(report.best).unwrap();
                        }
                    },
                );
                std::thread::sleep(std::time::Duration::from_millis(number as u64 % 20));
                pool.stop();
                assert!(position.is_legal(receiver.recv().unwrap().unwrap()));
            }
        }
    }
}
