//! Where the driver gets an engine's lines from, reports of the search folded into them.
//!
//! An engine is read by the thread that waits for its answer, which saves a change of threads with every line. One
//! that thinks on the opponent's time prints while nobody waits for it, and has a thread of its own for its output;
//! so has every engine where a pipe cannot be waited for.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Instant;

use super::brake::Brake;
use super::dialect::{Answer, Report};
use super::output::{Heard, Next, Output};

/// Lines that may wait to be read. A program that prints more while nobody asks it anything is made to wait by
/// its own pipe, instead of filling our memory.
const WAITING_LINES: usize = 1024;

/// What passes from an engine to its driver.
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
    /// The brake was pulled.
    Wake,
    /// Nothing in time.
    Timeout,
}

/// Folds `info` lines into the report that goes with the answer.
#[derive(Debug, Default)]
pub(super) struct Folder(Report);

impl Folder {
    fn fold(&mut self, at: Instant, heard: Heard) -> Option<Message> {
        match heard {
            Heard::Line(text) if text.trim_start().starts_with("info") => {
                self.0.hear(&text);
                None
            }
            Heard::Line(text) => {
                // The report belongs to the answer that ends the search, whatever else is printed between.
                let ends = matches!(Answer::read(&text), Answer::Best { .. } | Answer::NoBest);
                let report = if ends { std::mem::take(&mut self.0) } else { self.0 };
                Some(Message::Line { at, text, report })
            }
            Heard::Error(_) => None,
            Heard::End => Some(Message::End),
        }
    }
}

/// The lines of one engine.
#[derive(Debug)]
pub(super) enum Source {
    /// Read by a thread of their own.
    Thread { messages: Receiver<Message>, brake: Arc<Brake>, listener: u64 },
    /// Read by whoever waits.
    #[cfg(unix)]
    Direct { output: Output, folder: Folder, brake: Arc<Brake> },
}

impl Source {
    /// The lines of `output`; `unattended` if the engine prints while nobody waits for it.
    pub fn new(output: Output, unattended: bool, brake: &Arc<Brake>) -> Source {
        #[cfg(unix)]
        if !unattended {
            return Source::Direct { output, folder: Folder::default(), brake: brake.clone() };
        }
        let (sender, messages) = sync_channel(WAITING_LINES);
        let listener = brake.add(sender.clone());
        let mut folder = Folder::default();
        output.listen(move |at, heard| {
            if let Some(message) = folder.fold(at, heard) {
                // Nobody listens any more once the engine is being dropped.
                let _ = sender.send(message);
            }
        });
        Source::Thread { messages, brake: brake.clone(), listener }
    }

    /// The next message.
    pub fn next(&mut self, until: Instant) -> Message {
        match self {
            Source::Thread { messages, brake, .. } => {
                if brake.is_pulled() {
                    return Message::Wake;
                }
                match messages.recv_timeout(until.saturating_duration_since(Instant::now())) {
                    Ok(message) => message,
                    Err(RecvTimeoutError::Timeout) => Message::Timeout,
                    Err(RecvTimeoutError::Disconnected) => Message::End,
                }
            }
            #[cfg(unix)]
            Source::Direct { output, folder, brake } => loop {
                match output.next(until, brake) {
                    Next::Heard(at, heard) => {
                        if let Some(message) = folder.fold(at, heard) {
                            return message;
                        }
                    }
                    Next::Timeout => return Message::Timeout,
                    Next::Braked => return Message::Wake,
                }
                // Reports without end must not hold us beyond the time.
                if Instant::now() >= until {
                    return Message::Timeout;
                }
            },
        }
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        match self {
            Source::Thread { brake, listener, .. } => brake.remove(*listener),
            #[cfg(unix)]
            Source::Direct { .. } => {}
        }
    }
}
