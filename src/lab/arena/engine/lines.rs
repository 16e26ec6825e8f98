//! Lines out of a stream of bytes.

use std::io::Read;
use std::time::Instant;

/// Longest line taken from a program, in bytes; what exceeds it is dropped.
const LONGEST_LINE: usize = 1 << 16;

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
pub(super) struct LineSplitter {
    bytes: Vec<u8>,
    /// How much of `bytes` has been given out.
    start: usize,
    /// Whether the rest of an overlong line is still to come.
    skipping: bool,
}

impl LineSplitter {
    /// Reads what a stream has ready, waiting until there is something; `false` at its end.
    pub fn fill(&mut self, stream: &mut impl Read) -> bool {
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
    pub fn next(&mut self) -> Option<String> {
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
