//! A signal that ends all conversations with engines at once.

use std::io::{PipeReader, PipeWriter, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};

use super::message::EngineMessage;

/// Ends all conversations at once: raised when a match must stop.
#[derive(Debug)]
pub struct StopSignal {
    raised: AtomicBool,
    next: AtomicU64,
    listeners: Mutex<Vec<(u64, SyncSender<EngineMessage>)>>,
    /// Becomes readable when the stop signal is raised, and stays so.
    signal: Option<(PipeReader, PipeWriter)>,
}

impl Default for StopSignal {
    fn default() -> StopSignal {
        StopSignal {
            raised: AtomicBool::new(false),
            next: AtomicU64::new(0),
            listeners: Mutex::new(Vec::new()),
            // Without a pipe a waiting thread notices the signal only when its time is up.
            signal: std::io::pipe().ok(),
        }
    }
}

impl StopSignal {
    /// A signal that is raised when the user or the system interrupts the program.
    pub fn on_interrupt() -> Arc<StopSignal> {
        let stop = Arc::new(StopSignal::default());
        let raised = stop.clone();
        // A second handler in one process is refused; the first then still stands.
        let _ = ctrlc::set_handler(move || raised.raise());
        stop
    }

    /// Makes every waiting engine answer `EngineFault::Aborted`, now and later.
    pub fn raise(&self) {
        if self.raised.swap(true, Ordering::SeqCst) {
            return;
        }
        if let Some((_, writer)) = &self.signal {
            // The pipe is empty and its reader is ours: one byte goes in.
            let _ = (&*writer).write(&[0]);
        }
        for (_, listener) in self.listeners.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            // A full queue wakes its reader anyway.
            let _ = listener.try_send(EngineMessage::Wake);
        }
    }

    /// Whether it was raised.
    pub fn is_raised(&self) -> bool {
        self.raised.load(Ordering::SeqCst)
    }

    /// What becomes readable when the stop signal is raised.
    #[cfg(unix)]
    pub(super) fn signal(&self) -> Option<&PipeReader> {
        self.signal.as_ref().map(|(reader, _)| reader)
    }

    pub(super) fn add(&self, listener: SyncSender<EngineMessage>) -> u64 {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner).push((number, listener));
        number
    }

    pub(super) fn remove(&self, number: u64) {
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner).retain(|(n, _)| *n != number);
    }
}
