//! A way to end all conversations with engines at once.

use std::io::{PipeReader, PipeWriter, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Mutex, PoisonError};

use super::source::Message;

/// Ends all conversations at once: pulled when a match must stop.
#[derive(Debug)]
pub struct Brake {
    pulled: AtomicBool,
    next: AtomicU64,
    listeners: Mutex<Vec<(u64, SyncSender<Message>)>>,
    /// Becomes readable when the brake is pulled, and stays so.
    signal: Option<(PipeReader, PipeWriter)>,
}

impl Default for Brake {
    fn default() -> Brake {
        Brake {
            pulled: AtomicBool::new(false),
            next: AtomicU64::new(0),
            listeners: Mutex::new(Vec::new()),
            // Without a pipe whoever waits notices the brake only when his time is up.
            signal: std::io::pipe().ok(),
        }
    }
}

impl Brake {
    /// Makes every waiting engine answer [`Fault::Aborted`](super::Fault::Aborted), now and later.
    pub fn pull(&self) {
        if self.pulled.swap(true, Ordering::SeqCst) {
            return;
        }
        if let Some((_, writer)) = &self.signal {
            // The pipe is empty and its reader is ours: one byte goes in.
            let _ = (&*writer).write(&[0]);
        }
        for (_, listener) in self.listeners.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            // A full queue wakes its reader anyway.
            let _ = listener.try_send(Message::Wake);
        }
    }

    /// Whether it was pulled.
    pub fn is_pulled(&self) -> bool {
        self.pulled.load(Ordering::SeqCst)
    }

    /// What becomes readable when the brake is pulled.
    pub(super) fn signal(&self) -> Option<&PipeReader> {
        self.signal.as_ref().map(|(reader, _)| reader)
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
