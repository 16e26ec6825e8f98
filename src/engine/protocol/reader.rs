//! Reading lines on a thread of its own, so that `stop` is heard during a search.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc::Sender;
use std::thread;

use encoding_rs::GB18030;

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

/// The next line without its end, or `None` at the end of the input.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if input.take(LONGEST).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.last() != Some(&b'\n') && bytes.len() as u64 == LONGEST {
        input.skip_until(b'\n')?;
    }
    while matches!(bytes.last(), Some(b'\n' | b'\r')) {
        bytes.pop();
    }
    Ok(Some(decoded(bytes)))
}

/// The text of a line. UCCI programs for Windows send the names of files in GBK, of which GB18030 is the full form: so is
/// read what is not UTF-8, on all systems.
fn decoded(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| GB18030.decode_without_bom_handling(error.as_bytes()).0.into_owned())
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
    fn what_is_not_utf_8_is_gbk() {
        let path = "setoption bookfiles D:\\象棋\\开局库.obk";
        assert_eq!(lines(path.as_bytes()), [path]);
        let gbk = GB18030.encode(path).0;
        assert_eq!(lines(&[&gbk[..], b"\r\n"].concat()), [path]);
        // The second byte of a letter in GBK may be a backslash.
        assert_eq!(lines(b"setoption evalfile C:\\\x81\x5c.net"), ["setoption evalfile C:\\乗.net"]);
    }

    #[test]
    fn an_endless_line_is_cut() {
        let mut text = vec![b'x'; LONGEST as usize * 2];
        text.extend(b"\nisready\n");
        let lines = lines(&text);
        assert_eq!((lines[0].len() as u64, lines[1].as_str()), (LONGEST, "isready"));
    }
}
