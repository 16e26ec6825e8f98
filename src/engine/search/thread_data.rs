//! One thread of a search: its position, its memory, its place in the tree.

use super::context::SearchContext;
use super::handicap::Attention;
use super::history::{History, NO_PIECE_TO, PieceTo, piece_to};
use super::params::{lmr_base, smp_reduction};
use super::root::{RootMove, root_moves};
use super::stats::SearchStats;
use super::tiered_table::TieredTable;
use super::tt::{TranspositionTable, TtEntry};
use crate::endgame::{EndgameTables, ExactResult};
use crate::eval::{self, EvalCache, Evaluator, guess};
use crate::score::{DRAW, MAX_PLY, RULED, Value};
use xiangqi::board::Position;
use xiangqi::rules::{self, NodeRuling, Referee};
use xiangqi::types::{Bitboard, Kind, Move, Outcome};

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
pub(super) struct ThreadMemory {
    history: History,
    values: EvalCache,
    leaves: TranspositionTable,
    stack: Vec<StackEntry>,
    pvs: Vec<Vec<Move>>,
}

impl Default for ThreadMemory {
    fn default() -> ThreadMemory {
        ThreadMemory {
            history: History::new(),
            values: EvalCache::new(),
            leaves: TranspositionTable::for_leaves(),
            stack: vec![StackEntry::new(); MAX_PLY + 2],
            pvs: vec![Vec::new(); MAX_PLY + 2],
        }
    }
}

impl ThreadMemory {
    /// Forgets what it has learnt, as at the beginning of a game; evaluations stay, for they are always the same.
    pub(super) fn clear(&mut self) {
        self.history.clear();
        self.leaves.clear();
    }

    /// Forgets the evaluations too, because another network or other tables of endings will give them.
    pub(super) fn forget_evaluations(&mut self) {
        self.values = EvalCache::new();
    }
}

/// The root of the tree that a thread searches.
pub(super) struct RootSearch {
    pub moves: Vec<RootMove>,
    /// Which line is being searched: the moves before it are settled in this iteration.
    pub line: usize,
    /// The iteration.
    pub depth: i32,
    /// The last iteration completed.
    pub completed: i32,
    /// The deepest ply of the present line.
    pub seldepth: usize,
}

/// A thread of the search.
pub(super) struct ThreadData<'a> {
    pub context: &'a SearchContext,
    /// Its number; the first, 0, reports its lines and ends the search when it has had enough.
    pub id: usize,
    pub position: Position,
    pub evaluator: Evaluator<'a>,
    values: &'a mut EvalCache,
    endgames: Option<&'a EndgameTables>,
    tables: TieredTable<'a>,
    pub history: &'a mut History,
    pub stack: &'a mut [StackEntry],
    /// The best line from each ply.
    pub pvs: &'a mut [Vec<Move>],
    pub root: RootSearch,
    pub nodes: u64,
    /// The node at which the limits are next looked at.
    next_poll: u64,
    /// Null moves are not tried above this ply while one is being verified.
    pub null_from: usize,
    /// Whether a limit was met or the search was stopped.
    pub stopped: bool,
    /// The base of the reduction of late moves, in 1024ths of a ply; it differs from thread to thread.
    pub lmr_base: i32,
    pub stats: SearchStats,
    /// The attention of a weak player; `None` if every move is seen.
    pub attention: Option<Attention>,
    referee: Referee,
    no_capture_limit: Option<u32>,
}

/// What the rules other than mate say about a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NodeEnd {
    /// The game is over with this value.
    Over(Value),
    /// A ruling is pending: the side to move has this value if it stays in the loop, and may leave it.
    AtLeast(Value),
}

impl<'a> ThreadData<'a> {
    pub(super) fn new(context: &'a SearchContext, id: usize, memory: &'a mut ThreadMemory) -> ThreadData<'a> {
        let ThreadMemory { history, values, leaves, stack, pvs } = memory;
        leaves.next_age();
        stack.fill(StackEntry::new());
        pvs.iter_mut().for_each(Vec::clear);
        let (position, options) = (&context.position, &context.options);
        ThreadData {
            context,
            id,
            position: position.clone(),
            evaluator: Evaluator::new(&context.network, position),
            values,
            endgames: context.endgames.as_deref(),
            tables: TieredTable::new(&context.table, leaves, context.threads()),
            history,
            stack,
            pvs,
            root: RootSearch {
                moves: root_moves(position, &context.limits),
                line: 0,
                depth: 0,
                completed: 0,
                seldepth: 0,
            },
            nodes: 0,
            next_poll: 0,
            null_from: 0,
            stopped: false,
            lmr_base: lmr_base() + smp_reduction() * (id % 2) as i32,
            stats: SearchStats::default(),
            attention: context.handicap.map(|handicap| Attention::new(handicap, options.seed, position)),
            referee: Referee::new(options.rules),
            no_capture_limit: options.no_capture_limit,
        }
    }

    /// Prefetches the table entry of the position after a move, well before it is probed. `depth` is that of the
    /// position before it.
    #[inline]
    pub(super) fn prefetch(&self, mv: Move, depth: i32) {
        self.tables.prefetch(self.position.key_after(mv), depth - 1);
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
        self.tables.prefetch(self.position.key(), depth);
        self.count_node();
    }

    #[inline]
    pub(super) fn unmake(&mut self) {
        self.position.unmake_observed(&mut self.evaluator);
    }

    /// The static value of the position for the side to move: the known value if there is one, otherwise that of the
    /// network.
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
            self.endgames.map_or(value, |tables| guess(tables, &self.position, value))
        })
    }

    /// The result that the tables of endings give, unless the no-capture limit comes before the mate.
    #[inline]
    fn known(&self) -> Option<ExactResult> {
        let exact = self.endgames?.probe(&self.position)?;
        let (ExactResult::Win(plies) | ExactResult::Loss(plies)) = exact else { return Some(exact) };
        let last = self.position.quiet_plies() + u32::from(plies);
        self.no_capture_limit.is_none_or(|limit| last <= limit).then_some(exact)
    }

    /// The value of a position whose end is known and too far for a search to this depth to see. The search would find
    /// nothing better, and might mistake a win that merely passes through a position already on its path for a
    /// repetition. Draws are searched: the rules may forbid one side the moves that hold them.
    #[inline]
    pub(super) fn known_end(&self, depth: i32) -> Option<Value> {
        let exact = self.known()?;
        let (ExactResult::Win(plies) | ExactResult::Loss(plies)) = exact else { return None };
        (i32::from(plies) > depth).then(|| eval::value(exact))
    }

    /// What is known of the position, which is to be searched to `depth`.
    #[inline]
    pub(super) fn probe(&mut self, ply: usize, depth: i32) -> Option<TtEntry> {
        let entry = self.tables.probe(self.table_key(), ply, depth);
        self.stats.probe(entry.is_some());
        entry
    }

    /// Remembers what was found of the position.
    #[inline]
    pub(super) fn keep(&self, ply: usize, entry: TtEntry) {
        self.tables.store(self.table_key(), ply, entry);
    }

    /// Counts a node, and now and then looks at the limits.
    #[inline]
    fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.next_poll {
            self.poll();
        }
    }

    /// Looks at the limits and the stop signal, and claims the nodes until the next time. Every thread reads the clock,
    /// so that it is read no matter which threads the system lets run.
    #[cold]
    #[inline(never)]
    pub(super) fn poll(&mut self) {
        let SearchContext { signal, plan, nodes, .. } = self.context;
        nodes.publish(self.id, self.nodes);
        let claim = nodes.claim();
        if claim == 0 || plan.is_over(signal) {
            signal.halt();
        }
        self.next_poll = self.nodes + claim;
        self.stopped |= claim == 0 || signal.is_stopped();
    }

    /// Nodes of all threads.
    pub(super) fn all_nodes(&self) -> u64 {
        self.context.nodes.total_with(self.id, self.nodes)
    }

    /// The plays one, two and four plies before `ply`.
    #[inline]
    pub(super) fn earlier(&self, ply: usize) -> [PieceTo; 3] {
        [1, 2, 4].map(|back| ply.checked_sub(back).map_or(NO_PIECE_TO, |at| self.stack[at].piece_to))
    }

    /// What repetition, the no-capture limit and bare boards say about this node; `None` if they do not apply. Mate
    /// takes precedence over the limit.
    #[inline]
    pub(super) fn game_end(&mut self, ply: usize) -> Option<NodeEnd> {
        let position = &self.position;
        match self.referee.at_node(position, ply) {
            Some(NodeRuling::Over(outcome)) => return Some(NodeEnd::Over(self.worth(outcome, ply))),
            Some(NodeRuling::Pending { outcome, .. }) => {
                return Some(NodeEnd::AtLeast(self.worth(outcome, ply)));
            }
            None => {}
        }
        let over = |limit| position.quiet_plies() >= limit;
        if self.no_capture_limit.is_some_and(over) && position.has_legal_move() {
            return Some(NodeEnd::Over(DRAW));
        }
        rules::is_bare(position).then_some(NodeEnd::Over(DRAW))
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
        match self.no_capture_limit {
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

    /// Whether the tables of endings know the position.
    #[inline]
    pub(super) fn is_known(&self) -> bool {
        self.endgames.is_some_and(|tables| tables.knows(&self.position))
    }
}
