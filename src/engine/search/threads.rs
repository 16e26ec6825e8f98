//! The threads of the search, and what they keep from one search to the next.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use crossbeam::utils::CachePadded;

use super::crew::Crew;
use super::handicap::Randomness;
use super::iterate::MAX_DEPTH;
use super::limits::{SearchLimits, SearchOptions};
use super::mate;
use super::report::{Event, Info, NoMate, Refuted, SearchReport};
use super::root::{RootMove, root_moves};
use super::signal::Signal;
use super::split::Board;
use super::stats::SearchStats;
use super::thread_data::{Shared, ThreadData};
use super::time::TimePlan;
use super::tt::{HashError, TranspositionTable, TtEntry};
use crate::endgame::EndgameTables;
use crate::eval::Network;
use crate::score::mated_in;
use xiangqi::board::Position;
use xiangqi::types::Move;

/// A search at rest or at work: threads, transposition table, histories.
///
/// ```
/// use juzhong_engine::search::{Event, SearchLimits, ThreadPool};
/// use xiangqi::board::Position;
/// let mut pool = ThreadPool::new(1, 16);
/// let (sender, receiver) = std::sync::mpsc::channel();
/// let limits = SearchLimits { depth: Some(4), ..SearchLimits::default() };
/// pool.start(&Position::startpos(), limits, move |event| {
///     if let Event::Done(report) = event {
///         sender.send(report.best).unwrap();
///     }
/// });
/// assert!(receiver.recv().unwrap().is_some());
/// ```
pub struct ThreadPool {
    threads: usize,
    hash_mb: usize,
    /// Made at [`ThreadPool::prepare`] or the first search, so that a program starts at once.
    table: Option<Arc<TranspositionTable>>,
    crew: Arc<Mutex<Crew>>,
    network: Arc<Network>,
    endgames: Arc<EndgameTables>,
    options: SearchOptions,
    running: Option<(Arc<Signal>, JoinHandle<()>)>,
}

/// The most memory that proofs of mates take, in MB.
const MOST_PROOFS: usize = 256;

/// What the first thread found.
struct Finding {
    best: RootMove,
    completed: i32,
}

impl ThreadPool {
    /// A pool of so many threads (0: as many as there are processors) with a table of so many MB.
    pub fn new(threads: usize, hash_mb: usize) -> ThreadPool {
        let mut pool = ThreadPool {
            threads: 1,
            hash_mb: hash_mb.max(1),
            table: None,
            crew: Arc::default(),
            network: Network::embedded(),
            endgames: EndgameTables::embedded(),
            options: SearchOptions::default(),
            running: None,
        };
        pool.set_threads(threads);
        pool
    }

    /// Sets the number of threads; 0 stands for as many as there are processors.
    pub fn set_threads(&mut self, threads: usize) {
        let all = || thread::available_parallelism().map_or(1, usize::from);
        self.threads = if threads == 0 { all() } else { threads };
    }

    /// How many threads the next search uses.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// The size of the table, in MB.
    pub fn hash_mb(&self) -> usize {
        self.hash_mb
    }

    /// Replaces the table by an empty one of this size; if there is no memory for it the old one stays.
    pub fn resize_hash(&mut self, mb: usize) -> Result<(), HashError> {
        self.wait();
        self.table = Some(Arc::new(TranspositionTable::new(mb, self.hash_mb)?));
        self.hash_mb = mb.max(1);
        Ok(())
    }

    /// Allocates what a search needs, as far as it is not there yet.
    pub fn prepare(&mut self) -> Result<(), HashError> {
        self.table().map(drop)
    }

    /// The table; if the size set cannot be had, the smallest one, with the error for once.
    fn table(&mut self) -> Result<Arc<TranspositionTable>, HashError> {
        if let Some(table) = &self.table {
            return Ok(Arc::clone(table));
        }
        let wanted = self.hash_mb;
        let table = TranspositionTable::new(wanted, 1).or_else(|_| {
            self.hash_mb = 1;
            TranspositionTable::new(1, 0)
        })?;
        self.table = Some(Arc::new(table));
        if self.hash_mb == wanted { self.table() } else { Err(HashError { wanted, kept: self.hash_mb }) }
    }

    /// Has positions valued by this network. What was learnt with another is forgotten.
    pub fn set_network(&mut self, network: Arc<Network>) {
        if !Arc::ptr_eq(&network, &self.network) {
            self.clear();
            self.lock_crew().forget();
            self.network = network;
        }
    }

    /// Has these tables tell the results of endings. What was learnt with others is forgotten.
    pub fn set_endgames(&mut self, endgames: Arc<EndgameTables>) {
        if !Arc::ptr_eq(&endgames, &self.endgames) {
            self.clear();
            self.lock_crew().forget();
            self.endgames = endgames;
        }
    }

    fn lock_crew(&self) -> MutexGuard<'_, Crew> {
        self.crew.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How to search from now on.
    pub fn options(&mut self) -> &mut SearchOptions {
        &mut self.options
    }

    /// Forgets everything, as for a new game.
    pub fn clear(&mut self) {
        self.wait();
        if let Some(table) = &self.table {
            table.clear();
        }
        self.lock_crew().clear();
    }

    /// Begins to search and returns at once; a search still running is stopped first.
    ///
    /// The sink is called from another thread, last with exactly one [`Event::Done`]. That one waits for
    /// [`ThreadPool::stop`] if the search is infinite, for it or [`ThreadPool::ponderhit`] if it ponders.
    pub fn start(
        &mut self,
        position: &Position,
        limits: SearchLimits,
        sink: impl FnMut(Event) + Send + 'static,
    ) {
        self.stop();
        self.wait();
        let signal = Arc::new(Signal::new(limits.infinite, limits.ponder));
        let Some(table) = self.table().ok().or_else(|| self.table.clone()) else { return };
        let (threads, crew) = (self.threads, Arc::clone(&self.crew));
        let (network, endgames) = (Arc::clone(&self.network), Arc::clone(&self.endgames));
        let (position, options, shared) = (position.clone(), self.options.clone(), Arc::clone(&signal));
        let body = move || {
            let means = Means {
                threads,
                table: &table,
                crew: &crew,
                network: &network,
                endgames: &endgames,
                options: &options,
            };
            means.coordinate(&shared, &position, &limits, sink);
        };
        self.running = Some((signal, thread::spawn(body)));
    }

    /// Searches on the calling thread and returns what it found: for those who have nothing else to do meanwhile.
    /// The limits must end the search by themselves. `None` if there is no memory for a table.
    pub fn think(&mut self, position: &Position, limits: &SearchLimits) -> Option<SearchReport> {
        self.stop();
        self.wait();
        let signal = Signal::new(false, false);
        let table = self.table().ok().or_else(|| self.table.clone())?;
        let mut report = None;
        let means = Means {
            threads: self.threads,
            table: &table,
            crew: &self.crew,
            network: &self.network,
            endgames: &self.endgames,
            options: &self.options,
        };
        means.coordinate(&signal, position, limits, |event| {
            if let Event::Done(done) = event {
                report = Some(done);
            }
        });
        report
    }

    /// Ends the search; its answer is given at once. Nothing happens if none is running.
    pub fn stop(&self) {
        if let Some((signal, _)) = &self.running {
            signal.stop();
        }
    }

    /// The move pondered on was played. Nothing happens if no search ponders.
    pub fn ponderhit(&self) {
        if let Some((signal, _)) = &self.running {
            signal.ponderhit();
        }
    }

    /// Waits until the search has given its answer.
    pub fn wait(&mut self) {
        if let Some((_, handle)) = self.running.take() {
            // A panic of the thread has been reported by itself; there is no answer to wait for.
            let _ = handle.join();
        }
    }

    /// Whether a search is running or its answer is withheld.
    pub fn is_searching(&self) -> bool {
        self.running.as_ref().is_some_and(|(_, handle)| !handle.is_finished())
    }

    /// What the table knows of a position.
    pub fn probe(&self, position: &Position) -> Option<TtEntry> {
        self.table.as_ref()?.probe(position.key(), 0)
    }
}

impl Drop for ThreadPool {
    fn drop(&mut self) {
        self.stop();
        self.wait();
    }
}

/// What a search works with.
struct Means<'a> {
    threads: usize,
    table: &'a TranspositionTable,
    crew: &'a Mutex<Crew>,
    network: &'a Network,
    endgames: &'a EndgameTables,
    options: &'a SearchOptions,
}

impl Means<'_> {
    /// Does what the limits ask for at the level asked for, and gives the answer when it may be given. A weak player
    /// thinks on one thread and begins each move afresh, so that his strength depends on nothing else, and the same
    /// seed plays the same move.
    fn coordinate(
        &self,
        signal: &Signal,
        position: &Position,
        limits: &SearchLimits,
        mut sink: impl FnMut(Event),
    ) {
        let before = limits.before_proof();
        let weak = self.options.handicap.is_some() && !limits.infinite;
        let mut report = match weak.then(|| TranspositionTable::new(1, 0)) {
            Some(Ok(table)) => {
                let afresh = Means { threads: 1, table: &table, crew: &Mutex::default(), ..*self };
                afresh.search(signal, position, &before, &mut sink)
            }
            Some(Err(_)) | None => self.search(signal, position, &before, &mut sink),
        };
        if let (Some(moves), Some(_)) = (limits.mate, report.best) {
            self.prove(moves, signal, position, limits, &mut report, &mut sink);
        }
        signal.wait_for_leave();
        report.time = signal.started().elapsed();
        sink(Event::Done(report));
    }

    /// Settles whether there is a mate in so many moves; if so it is what the report then gives. Until then the
    /// report has the move that an ordinary search likes best.
    fn prove(
        &self,
        moves: u32,
        signal: &Signal,
        position: &Position,
        limits: &SearchLimits,
        report: &mut SearchReport,
        sink: &mut dyn FnMut(Event),
    ) {
        let plan = TimePlan::new(limits, self.options);
        let mut halt = || signal.is_called_off() || plan.is_over(signal);
        let root: Vec<Move> = root_moves(position, limits).into_iter().map(|root| root.mv).collect();
        let within = limits.depth.map_or(moves, |depth| moves.min(depth.div_ceil(2)));
        let task = mate::Problem {
            position,
            root: &root,
            moves: within,
            no_capture_limit: self.options.no_capture_limit,
            hash_mb: self.table.megabytes().min(MOST_PROOFS),
            nodes: limits.nodes.map_or(u64::MAX, |limit| limit.saturating_sub(report.nodes)),
        };
        let (answer, nodes) = mate::search(&task, &mut halt);
        report.nodes += nodes;
        match answer {
            mate::Solution::Mate { plies, line } => {
                let info = Info::of_mate(plies, line, report.nodes, signal.started().elapsed());
                (report.best, report.ponder) = (info.pv.first().copied(), info.pv.get(1).copied());
                (report.score, report.depth) = (info.score, info.depth);
                sink(Event::Info(info));
            }
            mate::Solution::None(certainty) => {
                let certainty = if within < moves { Refuted::Nothing } else { certainty };
                sink(Event::NoMate(NoMate { moves, certainty }));
            }
        }
    }

    /// The first thread: starts the others, and searches itself.
    fn search(
        &self,
        signal: &Signal,
        position: &Position,
        limits: &SearchLimits,
        sink: &mut dyn FnMut(Event),
    ) -> SearchReport {
        let Means { threads, table, crew, network, endgames, options } = *self;
        let mut crew = crew.lock().unwrap_or_else(PoisonError::into_inner);
        table.next_age();
        let plan = TimePlan::new(limits, options);
        let handicap = options.handicap.filter(|_| !limits.infinite);
        let randomness = Randomness::new(options.noise).filter(|_| !limits.infinite);
        let node_limit = [limits.nodes, handicap.map(|handicap| handicap.nodes)].into_iter().flatten().min();
        let alone = threads == 1;
        let endgames = handicap.is_none().then_some(endgames);
        // In cache lines of its own, for all threads read it at every node.
        let shared = CachePadded::new(Shared {
            table,
            network,
            endgames,
            signal,
            board: Board::default(),
            limits,
            options,
            plan,
            handicap,
            randomness,
            node_limit,
            alone,
        });
        let outcomes = crew.work(
            threads,
            |memory| {
                let _halting = signal.halt_at_end();
                run(ThreadData::new(&shared, 0, position, memory, Some(sink)))
            },
            |id, memory| {
                let _halting = signal.halt_at_end();
                assist(ThreadData::new(&shared, id, position, memory, None))
            },
        );
        let uncounted: u64 = outcomes.iter().map(|outcome| outcome.uncounted).sum();
        let stats = SearchStats::of(outcomes.iter().map(|outcome| &outcome.stats));
        let total = if shared.alone { uncounted } else { signal.nodes() + uncounted };
        let finding = outcomes.into_iter().find_map(|outcome| outcome.finding);
        let best = finding.as_ref().map(|finding| finding.best.mv);
        SearchReport {
            best,
            ponder: finding.as_ref().and_then(|finding| ponder_move(position, &finding.best, table)),
            score: finding.as_ref().map_or(mated_in(0), |finding| finding.best.score),
            depth: finding.map_or(0, |finding| finding.completed.clamp(0, MAX_DEPTH) as u32),
            nodes: total,
            time: signal.started().elapsed(),
            stats,
        }
    }
}

/// What comes of the search of one thread.
#[derive(Default)]
struct Outcome {
    /// What it found, if it is the first thread and there is a move at all.
    finding: Option<Finding>,
    /// Nodes not yet summed up.
    uncounted: u64,
    stats: SearchStats,
}

/// The search of a thread beside the first.
fn assist(mut worker: ThreadData<'_>) -> Outcome {
    worker.assist();
    worker.stats.finish(worker.nodes);
    Outcome { finding: None, uncounted: worker.uncounted_nodes(), stats: worker.stats }
}

/// The search of the first thread.
fn run(mut worker: ThreadData<'_>) -> Outcome {
    if worker.root.is_empty() {
        return Outcome::default();
    }
    worker.narrow_root();
    worker.iterate();
    worker.stats.finish(worker.nodes);
    let uncounted = if worker.shared.alone { worker.nodes } else { worker.uncounted_nodes() };
    let finding = Finding { best: worker.root.swap_remove(0), completed: worker.completed };
    Outcome { finding: Some(finding), uncounted, stats: worker.stats }
}

/// The answer expected to the best move: from the line, else from the table.
fn ponder_move(position: &Position, best: &RootMove, table: &TranspositionTable) -> Option<Move> {
    let mut after = position.clone();
    after.make(best.mv);
    let guess = best.pv.get(1).copied().or_else(|| table.probe(after.key(), 0).and_then(|entry| entry.mv))?;
    (after.is_pseudo_legal(guess) && after.is_legal(guess)).then_some(guess)
}
