//! How a running search is stopped, and how the answering thread waits for the searching ones.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The stop signal of one search, and whether its answer may be given.
#[derive(Debug)]
pub(super) struct Signal {
    /// The outside wants the answer.
    stop: AtomicBool,
    /// The search has met a limit or is done.
    halt: AtomicBool,
    pondering: AtomicBool,
    /// When the pondered move was played.
    hit: OnceLock<Instant>,
    state: Mutex<SignalState>,
    changed: Condvar,
    started: Instant,
}

#[derive(Debug)]
struct SignalState {
    /// Whether the answer must wait for `stop`, because the search is infinite.
    until_stop: bool,
    /// Whether the answer must wait for the ponder hit or `stop`.
    until_hit: bool,
    /// Threads that have not finished their search.
    searching: usize,
}

/// The interval at which a waiting thread checks whether it has waited long enough.
const RECHECK: Duration = Duration::from_millis(1);

impl Signal {
    pub(super) fn new(infinite: bool, ponder: bool, threads: usize) -> Signal {
        Signal {
            stop: AtomicBool::new(false),
            halt: AtomicBool::new(false),
            pondering: AtomicBool::new(ponder),
            hit: OnceLock::new(),
            state: Mutex::new(SignalState { until_stop: infinite, until_hit: ponder, searching: threads }),
            changed: Condvar::new(),
            started: Instant::now(),
        }
    }

    /// When the search was ordered.
    pub(super) fn started(&self) -> Instant {
        self.started
    }

    /// Whether the threads must end their search.
    #[inline]
    pub(super) fn is_stopped(&self) -> bool {
        self.halt.load(Ordering::Relaxed) || self.is_called_off()
    }

    /// Whether the outside has stopped the search.
    pub(super) fn is_called_off(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Ends the search because of a limit; an answer that is withheld stays withheld.
    pub(super) fn halt(&self) {
        if !self.halt.swap(true, Ordering::Relaxed) {
            // The lock makes sure that the waiting thread is either asleep or has yet to look at the flag.
            drop(self.lock());
            self.changed.notify_all();
        }
    }

    /// Ends the search and lets the answer out.
    pub(super) fn stop(&self) {
        let mut state = self.lock();
        (state.until_stop, state.until_hit) = (false, false);
        self.stop.store(true, Ordering::Relaxed);
        drop(state);
        self.changed.notify_all();
    }

    /// Starts the clock, because the move pondered on was played.
    pub(super) fn ponderhit(&self) {
        let mut state = self.lock();
        if state.until_hit {
            state.until_hit = false;
            self.hit.get_or_init(Instant::now);
            self.pondering.store(false, Ordering::Release);
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Whether the clock stands still.
    #[inline]
    pub(super) fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }

    /// When our clock began to run; `None` while it stands still.
    pub(super) fn clock_start(&self) -> Option<Instant> {
        (!self.is_pondering()).then(|| self.hit.get().copied().unwrap_or(self.started))
    }

    /// Counts a thread as finished when the returned guard is dropped, even by a panic.
    pub(super) fn finish_at_end(&self) -> impl Drop + '_ {
        struct Finish<'a>(&'a Signal);
        impl Drop for Finish<'_> {
            fn drop(&mut self) {
                let mut state = self.0.lock();
                state.searching = state.searching.saturating_sub(1);
                drop(state);
                self.0.changed.notify_all();
            }
        }
        Finish(self)
    }

    /// Waits until the search is stopped or every thread has finished, and halts it when `time_up` says so. `time_up`
    /// returns how long the threads may still search, or `None` for as long as they like.
    pub(super) fn wait_for_end(&self, time_left: impl Fn() -> Option<Duration>) {
        let mut state = self.lock();
        while state.searching > 0 && !self.is_stopped() {
            state = match time_left() {
                Some(Duration::ZERO) => break,
                Some(left) => self.wait_at_most(state, left),
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
        self.halt.store(true, Ordering::Relaxed);
    }

    /// Waits until every thread has finished, or until `grace` is over and `is_enough` holds.
    pub(super) fn wait_for_threads(&self, grace: Duration, is_enough: impl Fn() -> bool) {
        let waiting = Instant::now();
        let mut state = self.lock();
        while state.searching > 0 && !(waiting.elapsed() >= grace && is_enough()) {
            state = self.wait_at_most(state, RECHECK);
        }
    }

    /// Waits until the answer may be given.
    pub(super) fn wait_for_leave(&self) {
        let mut state = self.lock();
        while state.until_stop || state.until_hit {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn wait_at_most<'a>(
        &self,
        state: MutexGuard<'a, SignalState>,
        time: Duration,
    ) -> MutexGuard<'a, SignalState> {
        self.changed.wait_timeout(state, time).unwrap_or_else(PoisonError::into_inner).0
    }

    /// The state is made of plain values, which are sound even if a thread panicked while it held the lock.
    fn lock(&self) -> MutexGuard<'_, SignalState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
