//! What real clients sent, replayed: every `go` gets exactly one legal move, and nothing is complained about.
//!
//! The clocks of the recorded games are not waited for: a search that would take long is stopped.

mod client;

use std::time::{Duration, Instant};

use client::*;
use xiangqi::board::Position;
use xiangqi::types::Move;

/// What the client's lines have set up so far.
struct Replay {
    name: String,
    client: Client,
    position: Position,
    banned: Vec<String>,
    /// Ranks are counted from 1, as clients of Fairy-Stockfish do after setting the variant.
    from_one: bool,
    /// A search on the opponent's time is going on.
    pondering: bool,
    left: bool,
    answers: usize,
}

impl Replay {
    fn new(name: &str) -> Replay {
        Replay {
            name: name.to_owned(),
            client: Client::start(),
            position: Position::startpos(),
            banned: Vec::new(),
            from_one: false,
            pondering: false,
            left: false,
            answers: 0,
        }
    }

    fn play(&mut self, line: &str) {
        let sent = line.replace("<CR>", "\r");
        let words: Vec<&str> = sent.split_whitespace().collect();
        if self.left {
            return; // uci2wb goes on writing for a moment after `quit`
        }
        match words[0] {
            "quit" => return self.quit(),
            "go" => return self.go(&sent),
            _ => self.client.send(&sent),
        }
        match words[0] {
            "position" | "fen" => self.set_position(&sent),
            "banmoves" => self.banned = words[1..].iter().map(|word| word.to_string()).collect(),
            "setoption" if sent.contains("UCI_Variant") => self.from_one = true,
            "ponderhit" | "stop" if self.pondering => {
                self.pondering = false;
                if words[0] == "ponderhit" {
                    self.client.send("stop");
                }
                self.take_answer(&sent);
            }
            "ucci" => drop(self.client.until("ucciok")),
            "uci" => drop(self.client.until("uciok")),
            "isready" => drop(self.client.until("readyok")),
            _ => {}
        }
        self.settle(&sent);
    }

    /// Insists that nothing unasked for was said; an answer to a `stop` while idle may be.
    fn settle(&mut self, line: &str) {
        let searching = self.pondering;
        for said in self.client.settle() {
            let thinking = searching && said.starts_with("info depth");
            // xboard names the books of the engine it was recorded with; a user should learn that they are not here.
            let no_book = line.contains(" bookfiles ") && said.starts_with("info message PATH: ");
            assert!(
                said == "nobestmove" || thinking || no_book,
                "{}: `{line}` is answered with `{said}`",
                self.name
            );
        }
    }

    fn quit(&mut self) {
        let start = Instant::now();
        self.client.send("quit");
        let (lines, used) = self.client.farewell(start);
        assert!(used < Duration::from_secs(2), "{}: {used:?}", self.name);
        assert_eq!(lines.iter().filter(|line| is_answer(line)).count(), usize::from(self.pondering));
        self.left = true;
    }

    fn set_position(&mut self, line: &str) {
        let (setup, moves) = line.split_once(" moves").unwrap_or((line, ""));
        let fen = setup.trim_start_matches("position ").trim_start_matches("fen ");
        self.position = if fen.trim() == "startpos" { Position::startpos() } else { position(fen, &[]) };
        for text in moves.split_whitespace() {
            let mv = self.read(text);
            self.position.play(mv).unwrap_or_else(|error| panic!("{}: {line}: {error}", self.name));
        }
        self.banned.clear();
    }

    fn read(&self, text: &str) -> Move {
        let plain: String = if self.from_one {
            // `h10g8`: each square's number less one.
            let second = 1 + text[1..].find(|c: char| c.is_alphabetic()).unwrap();
            let square = |text: &str| format!("{}{}", &text[..1], text[1..].parse::<u8>().unwrap() - 1);
            square(&text[..second]) + &square(&text[second..])
        } else {
            text.to_owned()
        };
        plain.parse().unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    fn go(&mut self, line: &str) {
        self.client.send(line);
        if line.contains("ponder") {
            self.pondering = true;
            return self.settle(line);
        }
        if !line.contains("depth") {
            self.client.send("stop");
        }
        self.take_answer(line);
        self.settle(line);
    }

    fn take_answer(&mut self, line: &str) {
        let answer = self.client.answer().pop().unwrap();
        let legal = self.position.legal_moves();
        let said = answer.strip_prefix("bestmove ").and_then(|rest| rest.split(' ').next());
        match said.filter(|word| *word != "(none)") {
            Some(word) => {
                let mv = self.read(word);
                assert!(legal.contains(&mv), "{}: {answer} to {line} in {:?}", self.name, self.position);
                assert!(!self.banned.contains(&word.to_owned()), "{}: {word} is banned", self.name);
            }
            None => assert!(legal.is_empty(), "{}: {answer} to {line}", self.name),
        }
        self.answers += 1;
    }
}

/// Replays one recorded session and says how many searches it had.
fn replay(name: &str, text: &str) -> usize {
    let (mut answers, mut session) = (0, None);
    for line in text.lines().filter(|line| !line.trim().is_empty() && *line != "# lines left out") {
        if line == "# start" {
            answers += session.replace(Replay::new(name)).map_or(0, |ended: Replay| ended.answers);
        } else {
            session.as_mut().expect("a start before the first line").play(line);
        }
    }
    answers + session.map_or(0, |ended| ended.answers)
}

/// What no client would send on purpose: each `go` is answered once, and with a legal move for the position that
/// is in force by then, or with none after a position that was refused. Lines that are in error get one message.
#[test]
fn malformed() {
    let mut client = Client::start();
    let start = format!("{START} w");
    let mut current = Position::startpos();
    let (mut searches, mut refused) = (0, false);
    let mut lines = include_str!("data/transcripts/malformed.txt").lines().peekable();
    while let Some(line) = lines.next() {
        let line = line.replace("<CR>", "\r");
        client.send(&line);
        let low = line.trim().to_ascii_lowercase();
        if low.starts_with("position ") {
            refused = low.contains(" 9/9/9/9/9/9/9/9/9/9 ");
        }
        if let Some(moves) = low.strip_prefix("position startpos") {
            // The second list is in capitals: the same moves.
            current = position(&start, &moves.split_whitespace().skip(1).collect::<Vec<_>>());
        } else if low.starts_with(&format!("position fen {START} ").to_ascii_lowercase()) {
            current = Position::startpos();
        }
        if low == "stop" {
            client.until("nobestmove");
        } else if low.starts_with("go") {
            if low == "go" {
                client.send("stop");
            } else if lines.peek() == Some(&"stop") {
                client.send(lines.next().unwrap());
            }
            let answer = client.answer().pop().unwrap();
            searches += 1;
            match moved(&answer) {
                Some(mv) => assert!(!refused && current.legal_moves().contains(&mv), "{line}: {answer}"),
                None => {
                    assert!(answer == "nobestmove" && (refused || low == "go depth 0"), "{line}: {answer}")
                }
            }
        }
    }
    assert_eq!(searches, 15);
    let (rest, _) = client.farewell(Instant::now());
    assert_eq!(rest, ["bye"]);
}

/// One test for each recorded session.
macro_rules! sessions {
    ($($test:ident: $file:literal, $searches:literal;)+) => {$(
        #[test]
        fn $test() {
            let text = include_str!(concat!("data/transcripts/", $file, ".txt"));
            assert_eq!(replay($file, text), $searches);
        }
    )+};
}

sessions! {
    cchess_ucci_ele: "cchess-ucci-ele", 4;
    cchess_ucci_fsf: "cchess-ucci-fsf", 4;
    cchess_uci_fsf: "cchess-uci-fsf", 1;
    cutechess_uci_1: "cutechess-uci-1", 42;
    cutechess_uci_pikafish_dialect: "cutechess-uci-pikafish-dialect", 0;
    cutechess_uci_ranks0to9: "cutechess-uci-ranks0to9", 1;
    uccileag_die_a: "uccileag-die-a", 2;
    uccileag_die_b: "uccileag-die-b", 1;
    uccileag_draw_a: "uccileag-draw-a", 2;
    uccileag_draw_b: "uccileag-draw-b", 2;
    uccileag_eleeye_vs_fsf2026: "uccileag-eleeye-vs-fsf2026", 60;
    uccileag_eleeye: "uccileag-eleeye", 74;
    uccileag_fsf: "uccileag-fsf", 73;
    uccileag_fsf2026: "uccileag-fsf2026", 60;
    uccileag_hang_a: "uccileag-hang-a", 4;
    uccileag_hang_b: "uccileag-hang-b", 3;
    uccileag_upper_a: "uccileag-upper-a", 2;
    uccileag_upper_b: "uccileag-upper-b", 1;
    uccitest_ele: "uccitest-ele", 3;
    uci2wb_ucci_ele: "uci2wb-ucci-ele", 1;
    uci2wb_ucci_ponder: "uci2wb-ucci-ponder", 6;
    variantfishtest_uci_1: "variantfishtest-uci-1", 61;
    xboard_ucci_ele_second: "xboard-ucci-ele-second", 29;
    xboard_ucci_ele: "xboard-ucci-ele", 30;
    xboard_ucci_fsf: "xboard-ucci-fsf", 0;
    xboard_ucci_ponder_1: "xboard-ucci-ponder-1", 24;
    xboard_ucci_ponder_2: "xboard-ucci-ponder-2", 34;
    xboard_ucci_vs_sjaakii: "xboard-ucci-vs-sjaakii", 67;
    xboard_uci_cyclone_1: "xboard-uci-cyclone-1", 1;
}
