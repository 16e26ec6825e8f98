//! A way to end all conversations with engines at once.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::dialect::Report;

/// What passes from the thread that reads the engine to the one that drives it.
#[derive(Debug)]
pub(super) enum Message {
    /// A line, when it arrived, and what was said of the search before it.
    Line {
        /// When it arrived.
        at: Instant,
        /// The line.
        text: String,
        /// What was said of the search.
        report: Report,
    },
    /// The output is closed.
    End,
    /// Look at the brake.
    Wake,
}

/// Ends all conversations at once: pulled when a match must stop.
#[derive(Debug, Default)]
pub struct Brake {
    pulled: AtomicBool,
    next: AtomicU64,
    listeners: Mutex<Vec<(u64, SyncSender<Message>)>>,
}

impl Brake {
    /// Makes every waiting engine answer [`Fault::Aborted`](super::Fault::Aborted), now and later.
    pub fn pull(&self) {
        self.pulled.store(true, Ordering::SeqCst);
        for (_, listener) in self.listeners.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            // A full queue wakes its reader anyway.
            let _ = listener.try_send(Message::Wake);
        }
    }

    /// Whether it was pulled.
    pub fn is_pulled(&self) -> bool {
        self.pulled.load(Ordering::SeqCst)
    }

    pub(super) fn add(&self, listener: SyncSender<Message>) -> u64 {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner).push((number, listener));
        number
    }

    pub(super) fn remove(&self, number: u64) {
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner).retain(|(n, _)| *n != number);
    }
}
