//! One thread of a search: its position, its memory, its place in the tree.

use std::sync::Arc;

use super::handicap::{Attention, Handicap, Randomness};
use super::history::{History, NO_PIECE_TO, PieceTo, piece_to};
use super::limits::{SearchLimits, SearchOptions};
use super::params::leaf_depth;
use super::report::Event;
use super::root::{RootMove, root_moves};
use super::signal::Signal;
use super::split::{Board, Split};
use super::stats::SearchStats;
use super::time::TimePlan;
use super::tt::{TranspositionTable, TtEntry};
use crate::endgame::{EndgameTables, ExactResult};
use crate::eval::{self, EvalCache, Evaluator, Network, guess};
use crate::score::{DRAW, MAX_PLY, RULED, Value};
use xiangqi::board::Position;
use xiangqi::rules::{self, Referee};
use xiangqi::types::{Bitboard, Kind, Move, Outcome};

/// What all threads of a search see.
pub(super) struct Shared<'a> {
    pub table: &'a TranspositionTable,
    pub network: &'a Network,
    /// The tables of endings; a weak player knows none.
    pub endgames: Option<&'a EndgameTables>,
    pub signal: &'a Signal,
    pub board: Board,
    pub limits: &'a SearchLimits,
    pub options: &'a SearchOptions,
    pub plan: TimePlan,
    /// The level to play at, if it is not full strength.
    pub handicap: Option<Handicap>,
    /// How the choice of a move varies, if it does.
    pub randomness: Option<Randomness>,
    /// Nodes of all threads together after which the search ends.
    pub node_limit: Option<u64>,
    /// Whether one thread does it all, so that limits on nodes can be kept exactly.
    pub alone: bool,
}

/// What the search knows of one ply of its present line.
#[derive(Clone, Copy)]
pub(super) struct StackEntry {
    /// The static evaluation, or `None` in check.
    pub eval: Option<Value>,
    /// The move being tried here.
    pub mv: Option<Move>,
    /// The same as a row of the history tables.
    pub piece_to: PieceTo,
    /// Quiet moves that refuted siblings.
    pub killers: [Option<Move>; 2],
    /// The move left out while its singularity is tested.
    pub excluded: Option<Move>,
    /// Double extensions on the way here.
    pub doubled: u32,
}

impl StackEntry {
    fn new() -> StackEntry {
        StackEntry {
            eval: None,
            mv: None,
            piece_to: NO_PIECE_TO,
            killers: [None; 2],
            excluded: None,
            doubled: 0,
        }
    }
}

/// What a thread keeps from one search to the next.
pub(super) struct Memory {
    pub history: History,
    values: EvalCache,
    leaves: TranspositionTable,
    stack: Vec<StackEntry>,
    pvs: Vec<Vec<Move>>,
}

impl Memory {
    pub(super) fn new() -> Memory {
        Memory {
            history: History::new(),
            values: EvalCache::new(),
            leaves: TranspositionTable::for_leaves(),
            stack: vec![StackEntry::new(); MAX_PLY + 2],
            pvs: vec![Vec::new(); MAX_PLY + 2],
        }
    }

    /// Forgets what it has learnt, as at the beginning of a game; values stay, for they are always the same.
    pub(super) fn clear(&mut self) {
        self.history.clear();
        self.leaves.clear();
    }
}

/// How often the clock and the stop flag are looked at: every so many nodes, a power of two.
const POLL_NODES: u64 = 1024;

/// A thread of the search.
pub(super) struct ThreadData<'a> {
    pub shared: &'a Shared<'a>,
    /// 0 for the one that watches the clock and reports.
    pub id: usize,
    pub position: Position,
    pub evaluator: Evaluator<'a>,
    values: &'a mut EvalCache,
    leaves: &'a TranspositionTable,
    pub history: &'a mut History,
    pub stack: &'a mut [StackEntry],
    /// The best line from each ply.
    pub pvs: &'a mut [Vec<Move>],
    pub root: Vec<RootMove>,
    /// Which line is being searched: the moves before it are settled in this iteration.
    pub line: usize,
    pub nodes: u64,
    pub seldepth: usize,
    /// The iteration.
    pub depth: i32,
    /// The last iteration completed.
    pub completed: i32,
    /// Null moves are not tried above this ply while one is being verified.
    pub null_from: usize,
    /// Whether what it is at has come to its end: a limit is met, or others have made it needless.
    pub stopped: bool,
    /// The shared nodes within which it searches, from the root.
    pub splits: Vec<Arc<Split>>,
    pub stats: SearchStats,
    /// What a weak player pays attention to; `None` sees all.
    pub attention: Option<Attention>,
    referee: Referee,
    /// Who listens; only the first thread has a listener.
    sink: Option<&'a mut dyn FnMut(Event)>,
}

impl<'a> ThreadData<'a> {
    pub(super) fn new(
        shared: &'a Shared<'a>,
        id: usize,
        position: &Position,
        memory: &'a mut Memory,
        sink: Option<&'a mut dyn FnMut(Event)>,
    ) -> ThreadData<'a> {
        let Memory { history, values, leaves, stack, pvs } = memory;
        leaves.next_age();
        stack.fill(StackEntry::new());
        pvs.iter_mut().for_each(Vec::clear);
        ThreadData {
            shared,
            id,
            position: position.clone(),
            evaluator: Evaluator::new(shared.network, position),
            values,
            leaves,
            history,
            stack,
            pvs,
            root: root_moves(position, shared.limits),
            line: 0,
            nodes: 0,
            seldepth: 0,
            depth: 0,
            completed: 0,
            null_from: 0,
            stopped: false,
            splits: Vec::new(),
            stats: SearchStats::default(),
            attention: shared.handicap.map(|level| Attention::new(level, shared.options.seed, position)),
            referee: Referee::new(shared.options.rules),
            sink,
        }
    }

    /// Has the table's entry of the position after a move fetched, well before it is asked for. `depth` is that of the
    /// position before it.
    #[inline]
    pub(super) fn prefetch(&self, mv: Move, depth: i32) {
        self.prefetch_key(self.position.key_after(mv), depth - 1);
    }

    /// Has the entry of the position with this key fetched, which will be searched to about this depth.
    #[inline]
    fn prefetch_key(&self, key: u64, depth: i32) {
        self.leaves.prefetch(key);
        if depth >= leaf_depth() {
            self.shared.table.prefetch(key);
        }
    }

    /// Makes a move and notes it in the frame of `ply`.
    #[inline]
    pub(super) fn make(&mut self, mv: Move, ply: usize) {
        let frame = &mut self.stack[ply];
        frame.mv = Some(mv);
        frame.piece_to =
            self.position.piece_on(mv.from()).map_or(NO_PIECE_TO, |piece| piece_to(piece, mv.to()));
        self.position.make_observed(mv, &mut self.evaluator);
        self.count_node();
    }

    /// Passes the turn; the position is to be searched to `depth`.
    pub(super) fn make_null(&mut self, ply: usize, depth: i32) {
        (self.stack[ply].mv, self.stack[ply].piece_to) = (None, NO_PIECE_TO);
        self.position.make_null();
        self.prefetch_key(self.position.key(), depth);
        self.count_node();
    }

    #[inline]
    pub(super) fn unmake(&mut self) {
        self.position.unmake_observed(&mut self.evaluator);
    }

    /// The static value of the position for the side to move: what is known of it, else what the network says.
    #[inline]
    pub(super) fn evaluate(&mut self) -> Value {
        self.stats.value();
        // Not remembered, for it depends on the no-capture count.
        if let Some(exact) = self.known() {
            return eval::value(exact);
        }
        self.values.get_or(self.position.key(), || {
            self.stats.computed(|| self.evaluator.pending());
            let value = self.evaluator.evaluate(&self.position);
            self.shared.endgames.map_or(value, |tables| guess(tables, &self.position, value))
        })
    }

    /// The result that the tables of endings give, unless the no-capture limit comes before the mate.
    #[inline]
    fn known(&self) -> Option<ExactResult> {
        let exact = self.shared.endgames?.probe(&self.position)?;
        let (ExactResult::Win(plies) | ExactResult::Loss(plies)) = exact else { return Some(exact) };
        let last = self.position.quiet_plies() + u32::from(plies);
        self.shared.options.no_capture_limit.is_none_or(|limit| last <= limit).then_some(exact)
    }

    /// The value of a position whose end is known and too far for a search to this depth to see. The search would find
    /// nothing better, and might take a win that only goes by a position already on its path for a repetition. Draws
    /// are searched: the rules may forbid one side the moves that hold them.
    #[inline]
    pub(super) fn known_end(&self, depth: i32) -> Option<Value> {
        let exact = self.known()?;
        let (ExactResult::Win(plies) | ExactResult::Loss(plies)) = exact else { return None };
        (i32::from(plies) > depth).then(|| eval::value(exact))
    }

    /// What is known of the position, which is to be searched to `depth`.
    #[inline]
    pub(super) fn probe(&mut self, ply: usize, depth: i32) -> Option<TtEntry> {
        let key = self.table_key();
        let deep = if depth >= leaf_depth() { self.shared.table.probe(key, ply) } else { None };
        let entry = deep.or_else(|| self.leaves.probe(key, ply));
        self.stats.probe(entry.is_some());
        entry
    }

    /// Remembers what was found of the position.
    #[inline]
    pub(super) fn keep(&self, ply: usize, entry: TtEntry) {
        let table = if entry.depth >= leaf_depth() { self.shared.table } else { self.leaves };
        table.store(self.table_key(), ply, entry);
    }

    /// SearchCounts a node, and now and then looks at the limits.
    #[inline]
    fn count_node(&mut self) {
        self.nodes += 1;
        if self.shared.alone
            && let Some(limit) = self.shared.node_limit
            && self.nodes >= limit
        {
            self.stopped = true;
        }
        if self.nodes.is_multiple_of(POLL_NODES) {
            self.poll();
        }
    }

    fn poll(&mut self) {
        self.shared.signal.add_nodes(POLL_NODES);
        self.look_up();
    }

    /// Looks at the limits and the stop flag.
    pub(super) fn look_up(&mut self) {
        let signal = self.shared.signal;
        if self.id == 0 {
            let spent = self.shared.node_limit.is_some_and(|limit| signal.nodes() >= limit);
            if spent || self.shared.plan.is_over(signal) {
                signal.halt();
            }
        }
        self.stopped |= signal.is_stopped();
    }

    /// Nodes of all threads.
    pub(super) fn all_nodes(&self) -> u64 {
        if self.shared.alone { self.nodes } else { self.shared.signal.nodes() }
    }

    /// Nodes not yet counted among those of all threads.
    pub(super) fn uncounted_nodes(&self) -> u64 {
        self.nodes % POLL_NODES
    }

    /// The plays one, two and four plies before `ply`.
    #[inline]
    pub(super) fn earlier(&self, ply: usize) -> [PieceTo; 3] {
        [1, 2, 4].map(|back| ply.checked_sub(back).map_or(NO_PIECE_TO, |at| self.stack[at].piece_to))
    }

    /// Whether the game is over here by repetition, by the no-capture limit or for want of attackers, and
    /// what that is worth. Mate goes before the limit.
    #[inline]
    pub(super) fn game_end(&mut self, ply: usize) -> Option<Value> {
        let position = &self.position;
        if let Some(outcome) = self.referee.at_node(position, ply) {
            return Some(self.worth(outcome, ply));
        }
        let over = |limit| position.quiet_plies() >= limit;
        if self.shared.options.no_capture_limit.is_some_and(over) && position.has_legal_move() {
            return Some(DRAW);
        }
        rules::is_bare(position).then_some(DRAW)
    }

    fn worth(&self, outcome: Outcome, ply: usize) -> Value {
        match outcome {
            Outcome::Draw => DRAW,
            Outcome::Win(side) if side == self.position.side() => RULED - ply as Value,
            Outcome::Win(_) => ply as Value - RULED,
        }
    }

    /// The key under which the position is stored. Close to the no-capture limit the same board is another
    /// position at each count, since what was a win may become a draw.
    #[inline]
    pub(super) fn table_key(&self) -> u64 {
        const NEAR: u32 = 20;
        let quiet = self.position.quiet_plies();
        match self.shared.options.no_capture_limit {
            Some(limit) if quiet + NEAR >= limit => {
                self.position.key() ^ u64::from(quiet + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            }
            _ => self.position.key(),
        }
    }

    /// Whether the side to move has pieces that make it unlikely that passing is better than any move.
    #[inline]
    pub(super) fn has_attackers(&self) -> bool {
        let own = |kind| self.position.pieces(self.position.side(), kind);
        let strong = own(Kind::Rook) | own(Kind::Cannon) | own(Kind::Horse);
        strong != Bitboard::EMPTY
    }

    /// Whether a weak player does not see this move of the present position.
    #[inline]
    pub(super) fn overlooks(&self, mv: Move, ply: usize) -> bool {
        self.attention.is_some_and(|attention| attention.overlooks(&self.position, mv, ply))
    }

    /// The best line from `ply` becomes `mv` and the best line of the next ply.
    pub(super) fn extend_pv(&mut self, ply: usize, mv: Move) {
        let (here, below) = self.pvs.split_at_mut(ply + 1);
        here[ply].clear();
        here[ply].push(mv);
        here[ply].extend_from_slice(&below[0]);
    }

    /// Hands an event to the listener, if there is one.
    pub(super) fn tell(&mut self, event: Event) {
        if let Some(sink) = &mut self.sink {
            sink(event);
        }
    }
}
