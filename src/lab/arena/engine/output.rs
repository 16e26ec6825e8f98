//! The lines that a program prints, read by a thread of their own.

use std::process::ChildStdout;
use std::thread;
use std::time::Instant;

use super::lines::each_line;
use super::log::LogWriter;

/// What comes out of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutputEvent {
    /// A complete line of the standard output without its end.
    Line(String),
    /// A complete line of the standard error without its end, where it is listened to.
    Error(String),
    /// The output is closed. A last line that never ended is in the log, but is not heard.
    End,
}

/// The standard output of a program.
#[derive(Debug)]
pub struct OutputReader {
    pub(super) pipe: ChildStdout,
    pub(super) log: Option<LogWriter>,
}

impl OutputReader {
    pub(super) fn new(pipe: ChildStdout, log: Option<LogWriter>) -> OutputReader {
        OutputReader { pipe, log }
    }

    /// Calls `ear`, on another thread, with each line as it arrives and the moment it did, and with the end.
    pub fn listen(self, mut ear: impl FnMut(Instant, OutputEvent) + Send + 'static) {
        thread::spawn(move || {
            each_line(self.pipe, |at, line| {
                if let Some(log) = &self.log {
                    log.note(at, '>', &line);
                }
                ear(at, OutputEvent::Line(line));
            });
            ear(Instant::now(), OutputEvent::End);
        });
    }
}
