//! The lines that the driver reads from an engine, with the search reports folded into them.
//!
//! An engine is read by the thread that waits for its answer, which saves a change of threads with every line. One
//! that thinks on the opponent's time prints while nobody waits for it, and has a thread of its own for its output;
//! so has every engine where a pipe cannot be waited for.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Instant;

use super::dialect::{Answer, SearchInfo};
use super::message::EngineMessage;
use super::output::{OutputEvent, OutputReader};
#[cfg(unix)]
use super::polled::{OutputWait, PolledOutput};
use super::stop::StopSignal;

/// Lines that may wait to be read. A program that prints more while nobody asks it anything is made to wait by
/// its own pipe, instead of filling our memory.
const WAITING_LINES: usize = 1024;

/// Folds `info` lines into the report that goes with the answer.
#[derive(Debug, Default)]
pub(super) struct InfoFilter(SearchInfo);

impl InfoFilter {
    fn fold(&mut self, at: Instant, heard: OutputEvent) -> Option<EngineMessage> {
        match heard {
            OutputEvent::Line(text) if text.trim_start().starts_with("info") => {
                self.0.hear(&text);
                None
            }
            OutputEvent::Line(text) => {
                // The report belongs to the answer that ends the search, whatever else is printed between.
                let ends = matches!(Answer::read(&text), Answer::Best { .. } | Answer::NoBest);
                let report = if ends { std::mem::take(&mut self.0) } else { self.0 };
                Some(EngineMessage::Line { at, text, report })
            }
            OutputEvent::Error(_) => None,
            OutputEvent::End => Some(EngineMessage::End),
        }
    }
}

/// The lines of one engine.
#[derive(Debug)]
pub(super) enum EngineMessages {
    /// Read by a thread of their own.
    Thread { messages: Receiver<EngineMessage>, stop: Arc<StopSignal>, listener: u64 },
    /// Read by the thread that waits for them.
    #[cfg(unix)]
    Direct { output: PolledOutput, folder: InfoFilter, stop: Arc<StopSignal> },
}

impl EngineMessages {
    /// The lines of `output`; `unattended` if the engine prints while nobody waits for it.
    pub fn new(output: OutputReader, unattended: bool, stop: &Arc<StopSignal>) -> EngineMessages {
        if unattended {
            EngineMessages::threaded(output, stop)
        } else {
            EngineMessages::attended(output, stop)
        }
    }

    #[cfg(unix)]
    fn attended(output: OutputReader, stop: &Arc<StopSignal>) -> EngineMessages {
        EngineMessages::Direct { output: output.into(), folder: InfoFilter::default(), stop: stop.clone() }
    }

    /// A pipe cannot be waited for here.
    #[cfg(not(unix))]
    fn attended(output: OutputReader, stop: &Arc<StopSignal>) -> EngineMessages {
        EngineMessages::threaded(output, stop)
    }

    fn threaded(output: OutputReader, stop: &Arc<StopSignal>) -> EngineMessages {
        let (sender, messages) = sync_channel(WAITING_LINES);
        let listener = stop.add(sender.clone());
        let mut folder = InfoFilter::default();
        output.listen(move |at, heard| {
            if let Some(message) = folder.fold(at, heard) {
                // Nobody listens any more once the engine is being dropped.
                let _ = sender.send(message);
            }
        });
        EngineMessages::Thread { messages, stop: stop.clone(), listener }
    }

    /// The next message.
    pub fn next(&mut self, until: Instant) -> EngineMessage {
        match self {
            EngineMessages::Thread { messages, stop, .. } => {
                if stop.is_raised() {
                    return EngineMessage::Wake;
                }
                match messages.recv_timeout(until.saturating_duration_since(Instant::now())) {
                    Ok(message) => message,
                    Err(RecvTimeoutError::Timeout) => EngineMessage::Timeout,
                    Err(RecvTimeoutError::Disconnected) => EngineMessage::End,
                }
            }
            #[cfg(unix)]
            EngineMessages::Direct { output, folder, stop } => loop {
                match output.next(until, stop) {
                    OutputWait::Event(at, heard) => {
                        if let Some(message) = folder.fold(at, heard) {
                            return message;
                        }
                    }
                    OutputWait::Timeout => return EngineMessage::Timeout,
                    OutputWait::Stopped => return EngineMessage::Wake,
                }
                // Reports without end must not hold us beyond the time.
                if Instant::now() >= until {
                    return EngineMessage::Timeout;
                }
            },
        }
    }
}

impl Drop for EngineMessages {
    fn drop(&mut self) {
        match self {
            EngineMessages::Thread { stop, listener, .. } => stop.remove(*listener),
            #[cfg(unix)]
            EngineMessages::Direct { .. } => {}
        }
    }
}
