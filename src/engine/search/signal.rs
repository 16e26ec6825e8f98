//! How the outside steers a running search.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The stop flag, the ponder state and the node count, shared by all threads of a search.
#[derive(Debug)]
pub(super) struct Signal {
    /// The outside wants the answer.
    stop: AtomicBool,
    /// The search has met a limit or is done.
    halt: AtomicBool,
    nodes: AtomicU64,
    /// Whether the answer must wait: the search ponders or is infinite.
    withheld: Mutex<Withheld>,
    changed: Condvar,
    pondering: AtomicBool,
    started: Instant,
}

#[derive(Debug)]
struct Withheld {
    until_stop: bool,
    until_hit: bool,
    hit: Option<Instant>,
}

impl Signal {
    pub(super) fn new(infinite: bool, ponder: bool) -> Signal {
        Signal {
            stop: AtomicBool::new(false),
            halt: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            withheld: Mutex::new(Withheld { until_stop: infinite, until_hit: ponder, hit: None }),
            changed: Condvar::new(),
            pondering: AtomicBool::new(ponder),
            started: Instant::now(),
        }
    }

    /// When the search was ordered.
    pub(super) fn started(&self) -> Instant {
        self.started
    }

    #[inline]
    pub(super) fn is_stopped(&self) -> bool {
        self.halt.load(Ordering::Relaxed) || self.is_called_off()
    }

    /// Whether the outside has stopped the search.
    pub(super) fn is_called_off(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Ends the search itself; an answer that is withheld stays so.
    pub(super) fn halt(&self) {
        self.halt.store(true, Ordering::Relaxed);
    }

    /// Ends the search when what is returned is dropped, be it by a panic: nobody waits for a thread that is no more.
    pub(super) fn halt_at_end(&self) -> impl Drop + '_ {
        struct Halting<'a>(&'a Signal);
        impl Drop for Halting<'_> {
            fn drop(&mut self) {
                self.0.halt();
            }
        }
        Halting(self)
    }

    /// Ends the search and lets the answer out.
    pub(super) fn stop(&self) {
        let mut withheld = self.lock();
        (withheld.until_stop, withheld.until_hit) = (false, false);
        drop(withheld);
        self.stop.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// The move pondered on was played: from now on the clock runs.
    pub(super) fn ponderhit(&self) {
        let mut withheld = self.lock();
        if withheld.until_hit {
            (withheld.until_hit, withheld.hit) = (false, Some(Instant::now()));
            self.pondering.store(false, Ordering::Release);
        }
        drop(withheld);
        self.changed.notify_all();
    }

    /// Whether the clock stands still.
    #[inline]
    pub(super) fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }

    /// When the pondered move was played, if the search began by pondering.
    pub(super) fn hit(&self) -> Option<Instant> {
        self.lock().hit
    }

    /// Waits until the answer may be given.
    pub(super) fn wait_for_leave(&self) {
        let mut withheld = self.lock();
        while withheld.until_stop || withheld.until_hit {
            withheld = self.changed.wait(withheld).unwrap_or_else(PoisonError::into_inner);
        }
    }

    #[inline]
    pub(super) fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Both flags are plain values, sound even if a thread panicked while it held the lock.
    fn lock(&self) -> MutexGuard<'_, Withheld> {
        self.withheld.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
