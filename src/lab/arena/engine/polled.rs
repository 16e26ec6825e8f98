//! The lines that a program prints, read by the thread that waits for them.
//!
//! It costs no thread, but the program must be content to wait with its output while nobody waits for it.

use std::process::ChildStdout;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::lines::LineSplitter;
use super::log::LogWriter;
use super::output::{OutputEvent, OutputReader};
use super::stop::StopSignal;

/// The standard output of a program, and what was read of it.
#[derive(Debug)]
pub(super) struct PolledOutput {
    pipe: ChildStdout,
    log: Option<LogWriter>,
    splitter: LineSplitter,
    read: Instant,
}

/// The result of waiting for a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum OutputWait {
    /// A line or the end, and when it arrived.
    Event(Instant, OutputEvent),
    /// Nothing in time.
    Timeout,
    /// The stop signal was raised.
    Stopped,
}

impl From<OutputReader> for PolledOutput {
    fn from(output: OutputReader) -> PolledOutput {
        let OutputReader { pipe, log } = output;
        PolledOutput { pipe, log, splitter: LineSplitter::default(), read: Instant::now() }
    }
}

impl PolledOutput {
    /// Waits for the next line.
    pub fn next(&mut self, until: Instant, stop: &StopSignal) -> OutputWait {
        loop {
            if stop.is_raised() {
                return OutputWait::Stopped;
            }
            if let Some(line) = self.splitter.next() {
                if let Some(log) = &self.log {
                    log.note(self.read, '>', &line);
                }
                return OutputWait::Event(self.read, OutputEvent::Line(line));
            }
            let left = until.saturating_duration_since(Instant::now());
            let left = Timespec::try_from(left).ok();
            let mut wanted = vec![PollFd::new(&self.pipe, PollFlags::IN)];
            wanted.extend(stop.signal().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
            match poll(&mut wanted, left.as_ref()) {
                Ok(0) => return OutputWait::Timeout,
                Ok(_) if wanted[0].revents().is_empty() => continue,
                Ok(_) => {}
                Err(rustix::io::Errno::INTR) => continue,
                Err(_) => return OutputWait::Event(Instant::now(), OutputEvent::End),
            }
            let ended = !self.splitter.fill(&mut self.pipe);
            self.read = Instant::now();
            if ended {
                return OutputWait::Event(self.read, OutputEvent::End);
            }
        }
    }
}
