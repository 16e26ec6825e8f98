//! Reading lines on a thread of its own, so that `stop` is heard during a search.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc::Sender;
use std::thread;

use super::message::Message;

/// The longest line taken, in bytes: thousands of games long. What goes beyond is cut off.
const LONGEST: u64 = 1 << 20;

/// Starts a thread that sends each line of `input` to the session, and at last [`Message::End`].
pub fn spawn(input: impl Read + Send + 'static, inbox: Sender<Message>) -> io::Result<()> {
    let read = move || {
        let mut input = BufReader::new(input);
        // A read error is the end of the conversation, like the end of the input.
        while let Ok(Some(line)) = next_line(&mut input) {
            if inbox.send(Message::Line(line)).is_err() {
                return;
            }
        }
        // Nobody listens any more if this fails.
        inbox.send(Message::End).ok();
    };
    thread::Builder::new().name("reader".into()).spawn(read).map(|_| ())
}

/// The next line without its end, or `None` at the end of the input. Bytes that are no UTF-8 are replaced.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if input.take(LONGEST).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.last() != Some(&b'\n') && bytes.len() as u64 == LONGEST {
        input.skip_until(b'\n')?;
    }
    Ok(Some(String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(mut bytes: &[u8]) -> Vec<String> {
        std::iter::from_fn(|| next_line(&mut bytes).unwrap()).collect()
    }

    #[test]
    fn lines_end_with_lf_or_crlf_or_the_input() {
        assert_eq!(lines(b"uci\r\n\nisready\nquit"), ["uci", "", "isready", "quit"]);
        assert_eq!(lines(b"a\xff\xfe\nb\n"), ["a\u{fffd}\u{fffd}", "b"]);
        assert!(lines(b"").is_empty());
    }

    #[test]
    fn an_endless_line_is_cut() {
        let mut text = vec![b'x'; LONGEST as usize * 2];
        text.extend(b"\nisready\n");
        let lines = lines(&text);
        assert_eq!((lines[0].len() as u64, lines[1].as_str()), (LONGEST, "isready"));
    }
}
