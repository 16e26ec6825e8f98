//! Engines that misbehave. A test program started again with the word `dummy-engine` is one of them, on any system.

#![allow(dead_code)] // each suite uses its own part

use std::io::{self, Write};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// The first argument that makes a test program a dummy engine.
const WORD: &str = "dummy-engine";

/// How many times longer everything may take here than on Unix: wine needs a while to end a process.
pub const PACE: u32 = if cfg!(windows) { 10 } else { 1 };

/// The command line of a dummy that misbehaves at its second move as `mode` says; a mark may follow.
pub fn command_line(mode: &str) -> String {
    format!("'{}' {WORD} {mode}", program())
}

/// The words of such a command line.
pub fn arguments(mode: &str) -> [String; 3] {
    [program(), WORD.to_owned(), mode.to_owned()]
}

fn program() -> String {
    std::env::current_exe().unwrap().into_os_string().into_string().unwrap()
}

/// Runs before `main`, which would look for tests.
#[ctor::ctor(unsafe)]
fn become_a_dummy() {
    let mut words = std::env::args().skip(1);
    if words.next().as_deref() == Some(WORD) {
        let mode = words.next().unwrap_or_default();
        match mode.as_str() {
            "mute" => sleep(Duration::from_secs(1000)),
            "parent" => be_a_parent(),
            "where" => say(&format!("{}\n", std::env::current_dir().unwrap().display())),
            _ => Dummy { mode, played: 0, pondering: false, boldness: 50 }.converse(),
        }
        // A client that has left is no reason to stay.
        let _ = io::stdin().read_line(&mut String::new());
        std::process::exit(0);
    }
}

/// Writes a text at once. Whether anybody reads it is the client's business.
fn say(text: &str) {
    let mut output = io::stdout();
    let _ = output.write_all(text.as_bytes()).and_then(|()| output.flush());
}

/// Starts a child that holds the output open, tells its number and waits for it.
fn be_a_parent() {
    let [program, word, mode] = arguments("mute");
    let mut child = Command::new(program).args([word, mode]).stdin(Stdio::null()).spawn().unwrap();
    say(&format!("{}\n", child.id()));
    child.wait().unwrap();
}

/// Ends without a word, as after a fault of the program.
fn crash() -> ! {
    if cfg!(windows) {
        // What the system reports for an access violation. A real one would call up a debugger.
        std::process::exit(0xC000_0005_u32 as i32);
    }
    std::process::abort();
}

/// A UCCI engine that moves its left rook to and fro.
struct Dummy {
    mode: String,
    /// Plies of the position.
    played: usize,
    pondering: bool,
    /// A knob.
    boldness: i64,
}

impl Dummy {
    fn converse(mut self) {
        let mut line = String::new();
        while io::stdin().read_line(&mut line).is_ok_and(|bytes| bytes > 0) {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["ucci"] => self.greet(),
                ["setoption", "bold_ness", value] => self.boldness = value.parse().unwrap(),
                ["isready"] => say("readyok\n"),
                ["position", ..] => {
                    self.played = words.iter().skip_while(|&&word| word != "moves").skip(1).count()
                }
                ["go", "ponder", ..] => self.pondering = true,
                ["ponderhit", ..] | ["stop"] if std::mem::take(&mut self.pondering) => {
                    self.answer("bestmove ", "")
                }
                ["go", ..] => self.think(),
                ["quit"] if self.mode != "stay" => return say("bye\n"),
                _ => {}
            }
            line.clear();
        }
        if self.mode == "stay" {
            sleep(Duration::from_secs(1000));
        }
    }

    fn greet(&self) {
        say(&format!("id name dummy {}\noption usemillisec type check default true\n", self.mode));
        if self.mode.ends_with("-if-bold") || self.mode.ends_with("-with-knobs") {
            say("option bold_ness type spin min 0 max 100 default 50\n");
            say("option other_knob type spin min 0 max 10 default 7\n");
        }
        say("ucciok\n");
    }

    fn think(&self) {
        say("info depth 3 score 5 nodes 100 pv\n");
        if self.played >= 2 {
            self.misbehave();
        } else {
            self.answer("bestmove ", "");
        }
    }

    fn misbehave(&self) {
        match self.mode.as_str() {
            "crash" | "crash-with-knobs" => crash(),
            "fail" => std::process::exit(3),
            "leave" => std::process::exit(0),
            "hang" => sleep(Duration::from_secs(1000)),
            "hang-with-child" => be_a_parent(),
            "illegal" => say("bestmove a0a9\n"),
            "unreadable" => say("bestmove rook\n"),
            "none" => say("nobestmove\n"),
            "late" => {
                sleep(Duration::from_millis(400) * PACE);
                self.answer("bestmove ", "");
            }
            "very-late" => {
                sleep(Duration::from_millis(900) * PACE);
                self.answer("bestmove ", "");
            }
            "torn" => {
                say("bestmove a0");
                crash();
            }
            "resign-if-bold" if self.boldness > 50 => self.answer("bestmove ", " resign"),
            "resign" => self.answer("bestmove ", " resign"),
            "garbage" => {
                let _ = io::stdout()
                    .write_all(b"h\xe9llo\n\n\x01\x02 bestmove\ninfo depth x score y\nbestmov a0a1\n");
                self.answer("bestmove ", "");
            }
            "flood" => {
                say(&"info string nothing to say\n".repeat(50_000));
                say(&"rubbish\n".repeat(50_000));
                self.answer("bestmove ", "");
            }
            "draws" => self.answer("bestmove ", " draw"),
            _ => self.answer("bestmove ", ""),
        }
    }

    fn answer(&self, before: &str, behind: &str) {
        let mv = word(self.played);
        let expected = match self.mode.as_str() {
            "ponder-hit" => format!(" ponder {}", word(self.played + 1)),
            "ponder-miss" => {
                format!(" ponder {}", if self.played.is_multiple_of(2) { "i9i8" } else { "i0i1" })
            }
            _ => String::new(),
        };
        let line = format!("{before}{mv}{expected}{behind}\n");
        say(&if self.mode == "capitals" && self.played >= 2 { line.to_uppercase() } else { line });
    }
}

/// The move of the ply with this number.
fn word(ply: usize) -> &'static str {
    ["a0a1", "a9a8", "a1a0", "a8a9"][ply % 4]
}
