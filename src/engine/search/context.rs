//! What all threads of a search see.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crossbeam::utils::CachePadded;

use super::handicap::{Handicap, Randomness};
use super::limits::{SearchLimits, SearchOptions};
use super::nodes::NodeCounts;
use super::report::Event;
use super::signal::Signal;
use super::stats::SearchStats;
use super::time::TimePlan;
use super::tt::TranspositionTable;
use super::vote::ThreadResult;
use crate::endgame::EndgameTables;
use crate::eval::Network;
use xiangqi::board::Position;

/// The listener to the events of a search.
pub(super) type Sink = Box<dyn FnMut(Event) + Send>;

/// What all threads of a search see. Beside the table, only the stop signal, the node counts and the results change
/// while it runs, and these lie on cache lines of their own, for all threads read the rest at every node.
pub(super) struct SearchContext {
    pub position: Position,
    pub table: Arc<TranspositionTable>,
    pub network: Arc<Network>,
    /// The tables of endings; a weak player knows none.
    pub endgames: Option<Arc<EndgameTables>>,
    pub signal: Arc<Signal>,
    pub limits: SearchLimits,
    pub options: SearchOptions,
    pub plan: TimePlan,
    /// How weakly to play, if not at full strength.
    pub handicap: Option<Handicap>,
    /// How the choice of a move varies, if it does.
    pub randomness: Option<Randomness>,
    pub nodes: NodeCounts,
    /// What each thread has found so far.
    results: Box<[CachePadded<Mutex<Progress>>]>,
    sink: CachePadded<Mutex<Option<Sink>>>,
}

/// What a thread has found so far.
#[derive(Default)]
struct Progress {
    result: Option<ThreadResult>,
    stats: SearchStats,
}

impl SearchContext {
    /// The context of a search at the strength and with the variety that the options ask for.
    pub(super) fn new(
        position: &Position,
        (limits, options): (SearchLimits, SearchOptions),
        (table, network, endgames): (Arc<TranspositionTable>, Arc<Network>, Arc<EndgameTables>),
        signal: Arc<Signal>,
        threads: usize,
        sink: Sink,
    ) -> SearchContext {
        let handicap = options.handicap.filter(|_| !limits.infinite);
        let node_limit = [limits.nodes, handicap.map(|handicap| handicap.nodes)].into_iter().flatten().min();
        SearchContext {
            position: position.clone(),
            table,
            network,
            endgames: handicap.is_none().then_some(endgames),
            signal,
            plan: TimePlan::new(&limits, &options),
            handicap,
            randomness: Randomness::new(options.noise).filter(|_| !limits.infinite),
            nodes: NodeCounts::new(threads, node_limit),
            results: (0..threads).map(|_| CachePadded::default()).collect(),
            sink: CachePadded::new(Mutex::new(Some(sink))),
            limits,
            options,
        }
    }

    /// How many threads search.
    pub(super) fn threads(&self) -> usize {
        self.results.len()
    }

    /// Hands an event to the listener, unless the answer has been given.
    pub(super) fn tell(&self, event: Event) {
        if let Some(sink) = &mut *lock(&self.sink) {
            sink(event);
        }
    }

    /// Hands the last event to the listener.
    pub(super) fn close(&self, event: Event) {
        if let Some(mut sink) = lock(&self.sink).take() {
            sink(event);
        }
    }

    /// Notes what a thread holds best.
    pub(super) fn publish(&self, id: usize, result: ThreadResult) {
        lock(&self.results[id]).result = Some(result);
    }

    /// Notes what a thread did, once it has finished.
    pub(super) fn publish_stats(&self, id: usize, stats: SearchStats) {
        lock(&self.results[id]).stats = stats;
    }

    /// What the threads hold best, with their numbers; threads that have found nothing yet are left out.
    pub(super) fn results(&self) -> Vec<(usize, ThreadResult)> {
        let progress = self.results.iter().enumerate();
        progress.filter_map(|(id, progress)| Some((id, lock(progress).result.clone()?))).collect()
    }

    /// What all threads did together.
    pub(super) fn stats(&self) -> SearchStats {
        let all: Vec<SearchStats> =
            self.results.iter().map(|progress| lock(progress).stats.clone()).collect();
        SearchStats::of(all.iter())
    }
}

/// Locks a value even after a panic: it is always replaced as a whole, so it is sound.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
