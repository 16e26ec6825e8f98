//! The words of UCCI and UCI: what is sent to an engine, and what its lines mean.

use std::fmt::Write as _;
use std::time::Duration;

use super::spec::{ClockUnit, Protocol, RankNumbering};
use xiangqi::types::{Move, Side, Square};

/// How one engine is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EngineDialect {
    /// The protocol of the engine.
    pub protocol: Protocol,
    /// How the engine numbers the ranks.
    pub ranks: RankNumbering,
    /// The unit in which the engine takes times in UCCI.
    pub unit: ClockUnit,
}

/// A player's clock as it is sent to an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockView {
    /// Time left.
    pub left: Duration,
    /// Increment a move.
    pub increment: Duration,
    /// Moves to the next period, if there is one.
    pub moves_left: Option<u32>,
}

/// What an engine is asked to think about a position.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Go {
    /// Clock of the side to move.
    pub own: Option<ClockView>,
    /// Clock of the other side.
    pub other: Option<ClockView>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// Node limit.
    pub nodes: Option<u64>,
    /// Depth limit in plies.
    pub depth: Option<u32>,
    /// Whether the opponent offers a draw.
    pub draw_offered: bool,
    /// Whether to think on the opponent's time.
    pub ponder: bool,
}

/// A score from the view of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportedScore {
    /// Hundredths of a unit.
    Points(i32),
    /// Moves to mate, negative when the side to move is mated.
    Mate(i32),
}

impl ReportedScore {
    /// The score as one number: a mate counts as a very large score.
    pub const fn points(self) -> i32 {
        match self {
            ReportedScore::Points(v) => v,
            ReportedScore::Mate(n) if n > 0 => 30_000 - n,
            ReportedScore::Mate(n) => -30_000 - n,
        }
    }
}

/// The last report of an engine on its search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SearchInfo {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Score of the best line.
    pub score: Option<ReportedScore>,
    /// Nodes searched.
    pub nodes: Option<u64>,
}

impl SearchInfo {
    /// Records what an `info` line reports on the best line; other lines of a multi-line search are ignored.
    pub fn hear(&mut self, line: &str) {
        let mut words = line.split_ascii_whitespace().peekable();
        let mut heard = *self;
        while let Some(word) = words.next() {
            match word {
                "depth" => heard.depth = words.next().and_then(|w| w.parse().ok()).or(heard.depth),
                "nodes" => heard.nodes = words.next().and_then(|w| w.parse().ok()).or(heard.nodes),
                "score" => {
                    let kind = words.next_if(|w| matches!(*w, "cp" | "mate"));
                    let value = words.next().and_then(|w| w.parse().ok());
                    let score = value.map(if kind == Some("mate") {
                        ReportedScore::Mate
                    } else {
                        ReportedScore::Points
                    });
                    heard.score = score.or(heard.score);
                }
                "multipv" if words.next() != Some("1") => return,
                "pv" | "string" | "message" => break,
                _ => {}
            }
        }
        *self = heard;
    }
}

/// What a line of an engine means, apart from `info`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The chosen move and the words after it; `mv` and `ponder` are as the engine writes them.
    Best {
        /// The move.
        mv: String,
        /// The reply expected.
        ponder: Option<String>,
        /// Whether a draw is offered or accepted.
        draw: bool,
        /// Whether the game is resigned.
        resign: bool,
    },
    /// No move.
    NoBest,
    /// `readyok`.
    Ready,
    /// `ucciok` or `uciok`.
    Greeted,
    /// `id name …`.
    Name(String),
    /// An option line.
    Option,
    /// Anything else.
    Other,
}

impl Answer {
    /// Reads a line; keywords may be in capitals.
    pub fn read(line: &str) -> Answer {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let Some((first, rest)) = words.split_first() else { return Answer::Other };
        match first.to_ascii_lowercase().as_str() {
            "bestmove" => Answer::best(rest),
            "nobestmove" => Answer::NoBest,
            "readyok" => Answer::Ready,
            "ucciok" | "uciok" => Answer::Greeted,
            "id" if rest.first() == Some(&"name") => Answer::Name(rest[1..].join(" ")),
            "option" => Answer::Option,
            _ => Answer::Other,
        }
    }

    fn best(rest: &[&str]) -> Answer {
        let lower: Vec<String> = rest.iter().map(|w| w.to_ascii_lowercase()).collect();
        let has = |word: &str| lower.iter().skip(1).any(|w| w == word);
        match lower.first().map(String::as_str) {
            None | Some("(none)" | "none" | "null" | "0000" | "nomove") => Answer::NoBest,
            Some("resign") => Answer::Best { mv: String::new(), ponder: None, draw: false, resign: true },
            Some(mv) => {
                let ponder = lower.iter().position(|w| w == "ponder").and_then(|i| lower.get(i + 1));
                Answer::Best {
                    mv: mv.to_owned(),
                    ponder: ponder.cloned(),
                    draw: has("draw"),
                    resign: has("resign"),
                }
            }
        }
    }
}

impl EngineDialect {
    /// A move in the engine's coordinates.
    pub fn move_text(&self, mv: Move) -> String {
        let mut text = String::with_capacity(6);
        self.push_move(&mut text, mv);
        text
    }

    /// Writes a move in the engine's coordinates. Every ply sends the whole game again, so this is done by hand.
    fn push_move(&self, text: &mut String, mv: Move) {
        let digit = |n: u8| char::from(b'0' + n);
        for square in [mv.from(), mv.to()] {
            text.push(char::from(b'a' + square.file()));
            match (self.ranks, square.rank()) {
                (RankNumbering::FromZero, rank) => text.push(digit(rank)),
                (RankNumbering::FromOne, 9) => text.push_str("10"),
                (RankNumbering::FromOne, rank) => text.push(digit(rank + 1)),
            }
        }
    }

    /// Reads a move in the engine's coordinates.
    pub fn read_move(&self, text: &str) -> Option<Move> {
        match self.ranks {
            RankNumbering::FromZero => text.parse().ok(),
            RankNumbering::FromOne => {
                let split = 1 + text.get(1..)?.find(|c: char| c.is_ascii_alphabetic())?;
                let square = |part: &str| {
                    let rank: usize = part.get(1..)?.parse().ok()?;
                    format!("{}{}", part.get(..1)?, rank.checked_sub(1)?).parse::<Square>().ok()
                };
                Move::new(square(text.get(..split)?)?, square(text.get(split..)?)?)
            }
        }
    }

    /// The `position` line, without its end.
    pub fn position(&self, start: &str, moves: &[Move]) -> String {
        let mut line = String::with_capacity(90 + 6 * moves.len());
        line.push_str("position ");
        if start != "startpos" {
            line.push_str("fen ");
        }
        line.push_str(start);
        if !moves.is_empty() {
            line.push_str(" moves");
            for &mv in moves {
                line.push(' ');
                self.push_move(&mut line, mv);
            }
        }
        line
    }

    /// A `setoption` line, without its end.
    pub fn set_option(&self, name: &str, value: &str) -> String {
        match (self.protocol, value) {
            (Protocol::Ucci, "") => format!("setoption {name}"),
            (Protocol::Ucci, value) => format!("setoption {name} {value}"),
            (Protocol::Uci, "") => format!("setoption name {name}"),
            (Protocol::Uci, value) => format!("setoption name {name} value {value}"),
        }
    }

    /// The `go` line for `mover`, without its end.
    pub fn go(&self, go: &Go, mover: Side) -> String {
        let mut line = String::from("go");
        if go.ponder {
            line.push_str(" ponder");
        } else if go.draw_offered && self.protocol == Protocol::Ucci {
            line.push_str(" draw");
        }
        match self.protocol {
            Protocol::Ucci => self.ucci_time(&mut line, go),
            Protocol::Uci => uci_time(&mut line, go, mover),
        }
        // Writing to a string cannot fail.
        if let Some(nodes) = go.nodes {
            let _ = write!(line, " nodes {nodes}");
        }
        if let Some(depth) = go.depth {
            let _ = write!(line, " depth {depth}");
        }
        line
    }

    fn ucci_time(&self, line: &mut String, go: &Go) {
        let units = |d: Duration| match self.unit {
            ClockUnit::Milliseconds => d.as_millis(),
            ClockUnit::Seconds => u128::from(d.as_secs()),
        };
        let mut clock = |prefix: &str, view: ClockView| {
            let _ = write!(line, " {prefix}time {}", units(view.left));
            match view.moves_left {
                Some(moves) => write!(line, " {prefix}movestogo {moves}"),
                None => write!(line, " {prefix}increment {}", units(view.increment)),
            }
        };
        if let Some(own) = go.own {
            let _ = clock("", own);
            if let Some(other) = go.other {
                let _ = clock("opp", other);
            }
        } else if let Some(time) = go.movetime {
            let view = ClockView { left: time, increment: Duration::ZERO, moves_left: Some(1) };
            let _ = clock("", view);
        }
    }
}

fn uci_time(line: &mut String, go: &Go, mover: Side) {
    let (red, black) = match mover {
        Side::Red => (go.own, go.other),
        Side::Black => (go.other, go.own),
    };
    for (view, letter) in [(red, 'w'), (black, 'b')] {
        if let Some(view) = view {
            let _ = write!(line, " {letter}time {}", view.left.as_millis());
        }
    }
    for (view, letter) in [(red, 'w'), (black, 'b')] {
        if let Some(view) = view {
            let _ = write!(line, " {letter}inc {}", view.increment.as_millis());
        }
    }
    if let Some(moves) = go.own.and_then(|view| view.moves_left) {
        let _ = write!(line, " movestogo {moves}");
    }
    if let Some(time) = go.movetime {
        let _ = write!(line, " movetime {}", time.as_millis());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dialect(protocol: Protocol, ranks: RankNumbering) -> EngineDialect {
        EngineDialect { protocol, ranks, unit: ClockUnit::Milliseconds }
    }

    fn view(left: u64, increment: u64, moves_left: Option<u32>) -> Option<ClockView> {
        Some(ClockView {
            left: Duration::from_millis(left),
            increment: Duration::from_millis(increment),
            moves_left,
        })
    }

    #[test]
    fn moves_in_both_numberings() {
        let zero = dialect(Protocol::Ucci, RankNumbering::FromZero);
        let one = dialect(Protocol::Uci, RankNumbering::FromOne);
        for text in ["a0a9", "h2e2", "i9h7", "e0e1"] {
            let mv: Move = text.parse().unwrap();
            assert_eq!(zero.read_move(&zero.move_text(mv)), Some(mv));
            assert_eq!(one.read_move(&one.move_text(mv)), Some(mv));
        }
        assert_eq!(one.move_text("i9h7".parse().unwrap()), "i10h8");
        for text in ["", "a", "a1", "a0a1", "a11a1", "h1h1", "1a2b", "é1a2", "a1é", "j1a1", "a1a1a"] {
            assert_eq!(one.read_move(text), None, "{text}");
        }
    }

    #[test]
    fn go_lines() {
        let ucci = dialect(Protocol::Ucci, RankNumbering::FromZero);
        let uci = dialect(Protocol::Uci, RankNumbering::FromZero);
        let go = Go { own: view(2000, 20, None), other: view(1500, 30, None), ..Go::default() };
        assert_eq!(ucci.go(&go, Side::Black), "go time 2000 increment 20 opptime 1500 oppincrement 30");
        assert_eq!(uci.go(&go, Side::Black), "go wtime 1500 btime 2000 winc 30 binc 20");
        let go = Go { own: view(9000, 0, Some(7)), other: view(100, 0, Some(8)), ..Go::default() };
        assert_eq!(ucci.go(&go, Side::Red), "go time 9000 movestogo 7 opptime 100 oppmovestogo 8");
        assert_eq!(uci.go(&go, Side::Red), "go wtime 9000 btime 100 winc 0 binc 0 movestogo 7");
        let go = Go { movetime: Some(Duration::from_millis(50)), draw_offered: true, ..Go::default() };
        assert_eq!(ucci.go(&go, Side::Red), "go draw time 50 movestogo 1");
        assert_eq!(uci.go(&go, Side::Red), "go movetime 50");
        let go = Go { nodes: Some(5), depth: Some(3), ..Go::default() };
        assert_eq!(ucci.go(&go, Side::Red), "go nodes 5 depth 3");
        let seconds = EngineDialect { unit: ClockUnit::Seconds, ..ucci };
        let go = Go { own: view(2900, 0, None), ..Go::default() };
        assert_eq!(seconds.go(&go, Side::Red), "go time 2 increment 0");
    }

    #[test]
    fn reports() {
        let mut report = SearchInfo::default();
        report
            .hear("info depth 8 seldepth 11 multipv 1 score cp -35 nodes 12345 nps 1 time 3 pv h2e2 depth 9");
        assert_eq!(
            (report.depth, report.score, report.nodes),
            (Some(8), Some(ReportedScore::Points(-35)), Some(12345))
        );
        report.hear("info depth 9 multipv 2 score cp 400");
        assert_eq!(report.depth, Some(8));
        report.hear("info depth 10 score 120 pv h2e2");
        assert_eq!((report.depth, report.score), (Some(10), Some(ReportedScore::Points(120))));
        report.hear("info depth 11 score mate -3");
        assert_eq!(report.score, Some(ReportedScore::Mate(-3)));
        report.hear("info string score cp 7");
        report.hear("info score");
        report.hear("info depth x nodes");
        assert_eq!((report.depth, report.score), (Some(11), Some(ReportedScore::Mate(-3))));
    }

    #[test]
    fn answers() {
        let best = |mv: &str, ponder: Option<&str>, draw, resign| Answer::Best {
            mv: mv.to_owned(),
            ponder: ponder.map(str::to_owned),
            draw,
            resign,
        };
        assert_eq!(Answer::read("bestmove h2e2 ponder h9g7 draw"), best("h2e2", Some("h9g7"), true, false));
        assert_eq!(Answer::read("BESTMOVE  H2E2"), best("h2e2", None, false, false));
        assert_eq!(Answer::read("bestmove h2e2 resign"), best("h2e2", None, false, true));
        assert_eq!(Answer::read("bestmove resign"), best("", None, false, true));
        for line in ["nobestmove", "bestmove (none)", "bestmove"] {
            assert_eq!(Answer::read(line), Answer::NoBest);
        }
        assert_eq!(Answer::read("id name A B"), Answer::Name("A B".to_owned()));
        assert_eq!(Answer::read("bestmoves h2e2"), Answer::Other);
    }
}
