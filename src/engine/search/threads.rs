//! The threads of the search, and what they keep from one search to the next.
//!
//! Every thread searches the whole tree by itself (lazy SMP): the threads help each other by what they leave in the
//! transposition table, and in the end they vote.

use std::sync::mpsc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use crossbeam::utils::CachePadded;

use super::context::{SearchContext, Sink};
use super::coordinate::coordinate;
use super::iterate::iterate;
use super::limits::{SearchLimits, SearchOptions};
use super::report::{Event, SearchReport};
use super::signal::Signal;
use super::thread_data::{ThreadData, ThreadMemory};
use super::thread_group::ThreadGroup;
use super::tt::{HashError, TranspositionTable, TtEntry};
use crate::endgame::EndgameTables;
use crate::eval::Network;
use xiangqi::board::Position;

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
    /// The table, allocated by [`ThreadPool::prepare`] or the first search so that a program starts at once.
    table: Option<Arc<TranspositionTable>>,
    /// The threads that search, and after them the one that gives the answer.
    group: ThreadGroup,
    /// What each of the threads that search has learnt.
    memories: Arc<[Mutex<ThreadMemory>]>,
    network: Arc<Network>,
    endgames: Arc<EndgameTables>,
    options: SearchOptions,
    running: Option<Arc<Signal>>,
}

impl ThreadPool {
    /// A pool of `threads` threads (0: one per processor) with a table of `hash_mb` MB.
    pub fn new(threads: usize, hash_mb: usize) -> ThreadPool {
        let mut pool = ThreadPool {
            threads: 1,
            hash_mb: hash_mb.max(1),
            table: None,
            group: ThreadGroup::default(),
            memories: Arc::default(),
            network: Network::embedded(),
            endgames: EndgameTables::embedded(),
            options: SearchOptions::default(),
            running: None,
        };
        pool.set_threads(threads);
        pool
    }

    /// Sets the number of threads; 0 stands for one per processor.
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

    /// Replaces the table by an empty one of this size; if there is no memory for it the old one stays. A search that
    /// runs is stopped.
    pub fn resize_hash(&mut self, mb: usize) -> Result<(), HashError> {
        self.stop();
        self.wait();
        self.table = Some(Arc::new(TranspositionTable::new(mb, self.hash_mb)?));
        self.hash_mb = mb.max(1);
        Ok(())
    }

    /// Makes whatever a search needs and does not have yet: the table, the threads and their memories. A search that
    /// runs is stopped first if the number of threads has changed.
    pub fn prepare(&mut self) -> Result<(), HashError> {
        self.gather();
        self.table().map(drop)
    }

    /// Makes the threads and their memories, unless there are as many as wanted.
    fn gather(&mut self) {
        if self.group.len() != self.threads + 1 {
            self.stop();
            self.wait();
            self.group.resize(self.threads + 1);
        }
        let searching = self.group.len().saturating_sub(1);
        if self.memories.len() != searching {
            self.stop();
            self.wait();
            self.memories = (0..searching).map(|_| Mutex::default()).collect();
        }
    }

    /// The table; if the set size cannot be allocated, this call returns the error and later calls the smallest table.
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

    /// Sets the network that evaluates positions. What was learnt with another one is forgotten, and a search that uses
    /// it is stopped.
    pub fn set_network(&mut self, network: Arc<Network>) {
        if !Arc::ptr_eq(&network, &self.network) {
            self.clear();
            self.memories.iter().for_each(|memory| lock(memory).forget_evaluations());
            self.network = network;
        }
    }

    /// Sets the tables that give the results of endings. What was learnt with others is forgotten, and a search that
    /// uses them is stopped.
    pub fn set_endgames(&mut self, endgames: Arc<EndgameTables>) {
        if !Arc::ptr_eq(&endgames, &self.endgames) {
            self.clear();
            self.memories.iter().for_each(|memory| lock(memory).forget_evaluations());
            self.endgames = endgames;
        }
    }

    /// How to search from now on.
    pub fn options(&mut self) -> &mut SearchOptions {
        &mut self.options
    }

    /// Forgets everything, as for a new game. A search that runs is stopped.
    pub fn clear(&mut self) {
        self.stop();
        self.wait();
        if let Some(table) = &self.table {
            table.clear();
        }
        self.memories.iter().for_each(|memory| lock(memory).clear());
    }

    /// Begins to search and returns at once; a search still running is stopped first.
    ///
    /// The sink is called from another thread, and its last event is the only [`Event::Done`]. That event waits for
    /// [`ThreadPool::stop`] if the search is infinite, and for [`ThreadPool::stop`] or [`ThreadPool::ponderhit`] if it
    /// ponders.
    pub fn start(
        &mut self,
        position: &Position,
        limits: SearchLimits,
        sink: impl FnMut(Event) + Send + 'static,
    ) {
        self.begin(position, limits, Box::new(sink));
    }

    fn begin(&mut self, position: &Position, limits: SearchLimits, sink: Sink) {
        self.stop();
        self.wait();
        let Some(table) = self.table().ok().or_else(|| self.table.clone()) else { return };
        self.gather();
        // A weak player thinks on one thread and begins each move afresh, so that his strength depends on nothing else,
        // and the same seed plays the same move.
        let weak = self.options.handicap.is_some() && !limits.infinite;
        let small = if weak { TranspositionTable::new(1, 0).ok() } else { None };
        let afresh = small.is_some();
        let table = small.map_or(table, Arc::new);
        let threads = if weak { 1 } else { self.memories.len() };
        table.next_age();
        let signal = Arc::new(Signal::new(limits.infinite, limits.ponder, threads));
        let context = CachePadded::new(SearchContext::new(
            position,
            (limits.before_proof(), self.options.clone()),
            (table, Arc::clone(&self.network), Arc::clone(&self.endgames)),
            Arc::clone(&signal),
            threads,
            sink,
        ));
        let (memories, coordinator) = (Arc::clone(&self.memories), self.memories.len());
        self.running = Some(signal);
        self.group.run(Arc::new(move |id| {
            if id == coordinator {
                coordinate(&context, &limits);
            } else if id < context.threads() {
                let _finish = context.signal.finish_at_end();
                if afresh {
                    iterate(ThreadData::new(&context, id, &mut ThreadMemory::default()));
                } else {
                    iterate(ThreadData::new(&context, id, &mut lock(&memories[id])));
                }
            }
        }));
    }

    /// Searches, and returns what was found. The limits must end the search by themselves. `None` if there is no memory
    /// for a table.
    pub fn think(&mut self, position: &Position, limits: &SearchLimits) -> Option<SearchReport> {
        let (sender, receiver) = mpsc::channel();
        let limits = SearchLimits { infinite: false, ponder: false, ..limits.clone() };
        let sink = move |event| {
            if let Event::Done(report) = event {
                // The receiver is there until the report comes.
                let _ = sender.send(report);
            }
        };
        self.begin(position, limits, Box::new(sink));
        receiver.recv().ok()
    }

    /// Ends the search; its answer is given at once. Nothing happens if none is running.
    pub fn stop(&self) {
        if let Some(signal) = &self.running {
            signal.stop();
        }
    }

    /// Tells the search that the move pondered on was played. Nothing happens if no search ponders.
    pub fn ponderhit(&self) {
        if let Some(signal) = &self.running {
            signal.ponderhit();
        }
    }

    /// Waits until the search has given its answer, and its threads rest.
    pub fn wait(&mut self) {
        self.group.wait();
        self.running = None;
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

/// Locks a memory even if a thread panicked with it: its hints may then be odd, but never cause wrong answers.
fn lock(memory: &Mutex<ThreadMemory>) -> MutexGuard<'_, ThreadMemory> {
    memory.lock().unwrap_or_else(PoisonError::into_inner)
}
