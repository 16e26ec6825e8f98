//! The lines that a program prints, read by a thread or by whoever waits for them.

use std::io::Read;
use std::process::ChildStdout;
use std::thread;
use std::time::Instant;

use super::log::LogWriter;
use super::stop::StopSignal;

/// Longest line taken from a program, in bytes; what exceeds it is dropped.
const LONGEST_LINE: usize = 1 << 16;

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
    pipe: ChildStdout,
    log: Option<LogWriter>,
    splitter: LineSplitter,
    read: Instant,
}

/// What waiting for a line came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutputWait {
    /// A line or the end, and when it arrived.
    Event(Instant, OutputEvent),
    /// Nothing in time.
    Timeout,
    /// the stop signal was raised.
    Stopped,
}

impl OutputReader {
    pub(super) fn new(pipe: ChildStdout, log: Option<LogWriter>) -> OutputReader {
        OutputReader { pipe, log, splitter: LineSplitter::default(), read: Instant::now() }
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

    /// Waits for the next line. It costs no thread, but the program must be content to wait with its output while
    /// nobody waits for it.
    #[cfg(unix)]
    pub fn next(&mut self, until: Instant, stop: &StopSignal) -> OutputWait {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
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

/// Calls `hear` with each complete line of a stream, until it ends or breaks.
pub(super) fn each_line(mut stream: impl Read, mut hear: impl FnMut(Instant, String)) {
    let mut splitter = LineSplitter::default();
    while splitter.fill(&mut stream) {
        let at = Instant::now();
        while let Some(line) = splitter.next() {
            hear(at, line);
        }
    }
}

/// Cuts a stream of bytes into lines. Bytes that are not UTF-8 are replaced; an overlong line is cut; what stands
/// behind the last line end is kept back.
#[derive(Debug, Default)]
struct LineSplitter {
    bytes: Vec<u8>,
    /// How much of `bytes` has been given out.
    start: usize,
    /// Whether the rest of an overlong line is still to come.
    skipping: bool,
}

impl LineSplitter {
    /// Takes up what a stream has ready, waiting for something; `false` at its end.
    fn fill(&mut self, stream: &mut impl Read) -> bool {
        let mut chunk = [0; 8192];
        loop {
            match stream.read(&mut chunk) {
                Ok(0) => return false,
                Ok(n) => {
                    self.bytes.drain(..self.start);
                    self.start = 0;
                    self.bytes.extend_from_slice(&chunk[..n]);
                    return true;
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => return false,
            }
        }
    }

    /// The next complete line without its end.
    fn next(&mut self) -> Option<String> {
        loop {
            let rest = &self.bytes[self.start..];
            let Some(length) = rest.iter().position(|&b| b == b'\n') else {
                if rest.len() < LONGEST_LINE {
                    return None;
                }
                let line = text(&rest[..LONGEST_LINE]);
                self.start = self.bytes.len();
                if !std::mem::replace(&mut self.skipping, true) {
                    return Some(line);
                }
                continue;
            };
            let line = text(&rest[..length.min(LONGEST_LINE)]);
            self.start += length + 1;
            if !std::mem::take(&mut self.skipping) {
                return Some(line);
            }
        }
    }
}

fn text(line: &[u8]) -> String {
    String::from_utf8_lossy(line).trim_end_matches('\r').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<String> {
        let mut heard = Vec::new();
        each_line(bytes, |_, line| heard.push(line));
        heard
    }

    #[test]
    fn lines_end_in_either_way_and_a_torn_one_is_not_heard() {
        assert_eq!(lines(b"id name A\r\n\nucciok\nbestmove h2"), ["id name A", "", "ucciok"]);
        assert_eq!(lines(b"caf\xe9\n"), ["caf\u{fffd}"]);
    }

    #[test]
    fn overlong_lines_are_cut() {
        let mut bytes = vec![b'x'; 3 * LONGEST_LINE + 7];
        bytes.extend(b"\nreadyok\n");
        let heard = lines(&bytes);
        assert_eq!(heard.len(), 2);
        assert_eq!((heard[0].len(), heard[1].as_str()), (LONGEST_LINE, "readyok"));
    }
}
