//! A client of the engine: drives the real program through its pipes, line by line, with deadlines.

#![allow(dead_code)] // each suite uses its own part

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use xiangqi::board::Position;
use xiangqi::types::Move;

/// Longer than any answer may take, even on a busy machine: a test that waits so long has failed.
pub const PATIENCE: Duration = Duration::from_secs(20);

pub const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
/// Red mates, by b7b9 for one.
pub const MATE_IN_ONE: &str = "3k5/R8/1R7/9/9/9/9/9/9/4K4 w";
/// Black is mated.
pub const MATED: &str = "3k5/3P5/3R5/9/9/9/9/9/9/4K4 b";
/// Black has no move and is not in check: lost just the same.
pub const STALEMATED: &str = "3k5/4P4/9/9/9/9/9/9/9/4K4 b";
/// Black's general has one square to go to.
pub const ONE_REPLY: &str = "4k4/9/9/9/9/9/9/9/4R4/3K5 b";

pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
    errors: Option<JoinHandle<String>>,
}

impl Client {
    /// Starts the program without a command.
    pub fn start() -> Client {
        let mut child = Command::new(env!("CARGO_BIN_EXE_juzhong"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let (sender, lines) = mpsc::channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || {
            for line in output.lines() {
                let line = line.expect("the engine writes UTF-8");
                assert!(line.len() < 1000, "{} characters: {line}", line.len());
                if sender.send((Instant::now(), line)).is_err() {
                    return;
                }
            }
        });
        let mut stderr = child.stderr.take().unwrap();
        let errors = Some(thread::spawn(move || {
            let mut text = String::new();
            stderr.read_to_string(&mut text).unwrap();
            text
        }));
        Client { input: child.stdin.take(), child, lines, errors }
    }

    /// Starts the program and greets it in UCCI.
    pub fn ucci() -> Client {
        Client::greeted("ucci", "ucciok")
    }

    /// Starts the program and greets it in UCI.
    pub fn uci() -> Client {
        Client::greeted("uci", "uciok")
    }

    fn greeted(word: &str, answer: &str) -> Client {
        let mut client = Client::start();
        client.send(word);
        client.until(answer);
        client
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the engine reads");
    }

    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    pub fn send_all(&mut self, lines: &[&str]) {
        self.send_bytes((lines.join("\n") + "\n").as_bytes());
    }

    /// The next line, or `None` if the output ends.
    pub fn line_within(&mut self, limit: Duration) -> Result<Option<(Instant, String)>, RecvTimeoutError> {
        match self.lines.recv_timeout(limit) {
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Disconnected) => Ok(None),
            Err(timeout) => Err(timeout),
        }
    }

    pub fn line(&mut self) -> String {
        self.line_within(PATIENCE).expect("an answer in time").expect("an answer before the end").1
    }

    /// All lines up to and with the one that begins with `prefix`.
    pub fn until(&mut self, prefix: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.line());
            if lines.last().unwrap().starts_with(prefix) {
                return lines;
            }
        }
    }

    /// All lines up to and with the answer to `go`.
    pub fn answer(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.line());
            if is_answer(lines.last().unwrap()) {
                return lines;
            }
        }
    }

    /// The move the engine answers a `go` with.
    pub fn best_move(&mut self) -> Move {
        let answer = self.answer().pop().unwrap();
        moved(&answer).unwrap_or_else(|| panic!("a move instead of `{answer}`"))
    }

    /// Everything the engine has to say before it answers `isready`: nothing else may follow later.
    pub fn settle(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Asserts that no answer to `go` comes for a while.
    pub fn no_answer_for(&mut self, while_: Duration) {
        let end = Instant::now() + while_;
        while let Some(left) = end.checked_duration_since(Instant::now()) {
            match self.line_within(left) {
                Ok(Some((_, line))) => assert!(!is_answer(&line), "too early: {line}"),
                Ok(None) => panic!("the engine has left"),
                Err(_) => return,
            }
        }
    }

    /// The FEN on the engine's board.
    pub fn fen(&mut self) -> String {
        self.send("d");
        let drawing = self.until("Checkers:");
        let fen = drawing.iter().find_map(|line| line.strip_prefix("Fen: "));
        fen.expect("a line with the FEN").to_owned()
    }

    /// Closes the engine's input.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// The remaining lines of a program that ends by itself, and how long after `since` it ended.
    pub fn farewell(&mut self, since: Instant) -> (Vec<String>, Duration) {
        let mut lines = Vec::new();
        while let Some((_, line)) = self.line_within(PATIENCE).expect("the engine leaves in time") {
            lines.push(line);
        }
        let status = self.child.wait().unwrap();
        assert!(status.success(), "{status}");
        (lines, since.elapsed())
    }

    pub fn process_id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Client {
    /// Leaves politely, and insists that nothing was written to standard error.
    fn drop(&mut self) {
        self.input = None;
        if thread::panicking() {
            self.child.kill().ok();
            return;
        }
        let start = Instant::now();
        while self.child.try_wait().unwrap().is_none() {
            if start.elapsed() > PATIENCE {
                self.child.kill().ok();
                panic!("the engine stays after the end of its input");
            }
            thread::sleep(Duration::from_millis(1));
        }
        let errors = self.errors.take().unwrap().join().unwrap();
        assert_eq!(errors, "", "standard error must stay empty");
    }
}

pub fn is_answer(line: &str) -> bool {
    line.starts_with("bestmove ") || line == "nobestmove"
}

/// The move of a `bestmove` line, with ranks 0-9.
pub fn moved(answer: &str) -> Option<Move> {
    answer.strip_prefix("bestmove ")?.split(' ').next()?.parse().ok()
}

/// The position of a FEN after some moves.
pub fn position(fen: &str, moves: &[&str]) -> Position {
    let mut position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    for text in moves {
        position.play(text.parse().unwrap()).unwrap_or_else(|error| panic!("{fen}: {error}"));
    }
    position
}

/// Asserts that what is measured can be done within `limit`: of several tries the shortest counts, since a busy
/// machine adds delays of its own, and the first that is short enough ends the test.
pub fn assert_takes(limit: Duration, mut measure: impl FnMut() -> Duration) {
    const TRIES: usize = 20;
    let used: Vec<Duration> = (0..TRIES).map(|_| measure()).take_while(|used| *used >= limit).collect();
    assert!(used.len() < TRIES, "{used:?} instead of {limit:?}");
}
