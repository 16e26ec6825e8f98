//! `go`: the words of both protocols, in any order, and the limits they stand for.

use std::time::Duration;

use thiserror::Error;

use super::tokens::{Tokens, excerpt};
use crate::score::MAX_PLY;
use crate::search::{Clock, SearchLimits};
use xiangqi::types::Side;

/// The longest time a command can name: beyond it (about 31 years) numbers mean "for ever".
const LONGEST: Duration = Duration::from_millis(1_000_000_000_000);

/// How long a search lasts that was asked for with no limit that could be understood (`go draw` alone, as
/// gmchess sends it, or a limit whose number is no number): the client waits for one move.
const COURTESY: Duration = Duration::from_millis(1000);

/// What a `go` line asks for. Numbers are as sent; [`GoCommand::limits`] gives them their units.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GoCommand<'a> {
    /// Think on the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// The opponent offers a draw (UCCI).
    pub draw: bool,
    /// No end before `stop`.
    pub infinite: bool,
    /// Plies.
    pub depth: Option<u64>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Moves to mate (UCI).
    pub mate: Option<u64>,
    /// Count the positions this many plies ahead instead of searching.
    pub perft: Option<u64>,
    /// Time for this move in milliseconds (UCI).
    pub movetime: Option<u64>,
    /// Our clock in the protocol's unit (UCCI).
    pub time: Option<u64>,
    /// What each move adds to our clock (UCCI).
    pub increment: Option<u64>,
    /// The clocks of Red and Black in milliseconds (UCI).
    pub clocks: [Option<u64>; 2],
    /// What each move adds to the clocks of Red and Black, in milliseconds (UCI).
    pub increments: [Option<u64>; 2],
    /// Moves until the next time control (both).
    pub moves_to_go: Option<u64>,
    /// The only root moves to look at (UCI), as sent.
    pub only: Vec<&'a str>,
}

/// A limit that is no number. It is left out, and the rest of the line is obeyed: a client that sent `go`
/// waits for a move.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`go {word}` wants a number, not `{value}`: this limit is left out")]
pub struct BadLimit {
    /// The limit's name.
    pub word: String,
    /// What stood in place of the number.
    pub value: String,
}

/// The unit of UCCI's clock words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeUnit {
    /// Thousandths of a second: `usemillisec true`.
    Milliseconds,
    /// Whole seconds: `usemillisec false`.
    Seconds,
}

impl<'a> GoCommand<'a> {
    /// Reads the words behind `go`. Unknown words are skipped; of bad limits, the first is reported.
    pub fn parse(mut words: Tokens<'a>) -> (GoCommand<'a>, Option<BadLimit>) {
        let (mut go, mut fault) = (GoCommand::default(), None);
        while let Some(word) = words.next() {
            let name = word.to_ascii_lowercase();
            match name.as_str() {
                "ponder" => go.ponder = true,
                "draw" => go.draw = true,
                "infinite" => go.infinite = true,
                "searchmoves" => go.read_moves(&mut words),
                _ => {
                    // The opponent's clock is for information only: read, so that a bad one is noticed.
                    let mut unused = None;
                    let Some(place) = go.number(&name).or_else(|| is_opponents(&name).then_some(&mut unused))
                    else {
                        continue;
                    };
                    let value = words.clone().next().unwrap_or("");
                    match read_number(value) {
                        Some(number) => {
                            *place = Some(number);
                            words.next();
                        }
                        None => {
                            fault.get_or_insert(BadLimit { word: name, value: excerpt(value) });
                        }
                    }
                }
            }
        }
        go.settle(fault.is_some());
        (go, fault)
    }

    /// The field a limit's name stands for.
    fn number(&mut self, name: &str) -> Option<&mut Option<u64>> {
        Some(match name {
            "depth" => &mut self.depth,
            "nodes" => &mut self.nodes,
            "mate" => &mut self.mate,
            "perft" => &mut self.perft,
            "movetime" => &mut self.movetime,
            "time" => &mut self.time,
            "increment" => &mut self.increment,
            "wtime" => &mut self.clocks[Side::Red.index()],
            "btime" => &mut self.clocks[Side::Black.index()],
            "winc" => &mut self.increments[Side::Red.index()],
            "binc" => &mut self.increments[Side::Black.index()],
            "movestogo" => &mut self.moves_to_go,
            _ => return None,
        })
    }

    /// Reads moves as long as the words look like moves.
    fn read_moves(&mut self, words: &mut Tokens<'a>) {
        while let Some(word) = words.clone().next().filter(|word| looks_like_a_move(word)) {
            self.only.push(word);
            words.next();
        }
    }

    /// Gives a search without any understood limit the courtesy time where the client expects a quick answer.
    fn settle(&mut self, faulty: bool) {
        if (faulty || self.draw) && !self.ponder && !self.infinite && self.is_unlimited() {
            self.movetime = Some(COURTESY.as_millis() as u64);
        }
    }

    /// Whether nothing but `stop` can end the search.
    pub fn is_unlimited(&self) -> bool {
        let numbers = [self.depth, self.nodes, self.mate, self.movetime, self.time];
        self.infinite || numbers.iter().chain(&self.clocks).all(Option::is_none)
    }

    /// The limits for the side to move. Root moves are not among them: they need a position to be judged by.
    pub fn limits(&self, side: Side, unit: TimeUnit) -> SearchLimits {
        let budget = |time: u64| match unit {
            TimeUnit::Milliseconds => Duration::from_millis(time).min(LONGEST),
            TimeUnit::Seconds => Duration::from_secs(time).min(LONGEST),
        };
        let millis = |time: u64| Duration::from_millis(time).min(LONGEST);
        let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let moves_to_go = self.moves_to_go.filter(|&moves| moves > 0).map(small);
        let mut limits = SearchLimits {
            depth: self.depth.map(|depth| small(depth).clamp(1, MAX_PLY as u32)),
            nodes: self.nodes,
            mate: self.mate.map(small),
            movetime: self.movetime.map(millis),
            infinite: self.is_unlimited(),
            ponder: self.ponder,
            ..SearchLimits::default()
        };
        if let Some(time) = self.time {
            if self.increment.is_none() && moves_to_go.is_none() {
                // With neither word the time is for this one move.
                let budget = budget(time);
                limits.movetime = Some(limits.movetime.map_or(budget, |other| other.min(budget)));
            } else {
                let increment = budget(self.increment.unwrap_or(0));
                limits.clock = Some(Clock { remaining: budget(time), increment, moves_to_go });
            }
        } else if let Some(time) = self.clocks[side.index()] {
            let increment = millis(self.increments[side.index()].unwrap_or(0));
            limits.clock = Some(Clock { remaining: millis(time), increment, moves_to_go });
        } else if [self.depth, self.nodes, self.mate, self.movetime].iter().all(Option::is_none)
            && !limits.infinite
        {
            // Only the opponent's clock was named: nothing to go by, and still a move is awaited.
            limits.movetime = Some(COURTESY);
        }
        limits
    }
}

fn is_opponents(name: &str) -> bool {
    matches!(name, "opptime" | "oppincrement" | "oppmovestogo")
}

/// A whole number; negative ones (a clock that has run over) are 0, and those beyond all bounds the largest.
fn read_number(text: &str) -> Option<u64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        None
    } else if text.starts_with('-') {
        Some(0)
    } else {
        Some(digits.parse().unwrap_or(u64::MAX))
    }
}

fn looks_like_a_move(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic()) && word.bytes().any(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    fn limits(line: &str, side: Side, unit: TimeUnit) -> SearchLimits {
        let (go, fault) = GoCommand::parse(Tokens::new(line));
        assert_eq!(fault, None, "{line}");
        go.limits(side, unit)
    }

    fn red(line: &str) -> SearchLimits {
        limits(line, Side::Red, TimeUnit::Milliseconds)
    }

    #[test]
    fn the_words_of_a_clock_come_in_any_order() {
        let clock = Clock { remaining: MS(20000), increment: MS(30), moves_to_go: None };
        for line in [
            "time 20000 increment 30 opptime 100 oppincrement 10",
            "time 20000 opptime 100 oppincrement 10 increment 30",
            "TIME  20000 increment 30 nonsense",
            "oppmovestogo 3 increment 30 time 20000",
            "wtime 20000 btime 5 winc 30 binc 4",
            "binc 4 btime 5 winc 30 wtime 20000",
        ] {
            assert_eq!(red(line), SearchLimits { clock: Some(clock), ..SearchLimits::default() }, "{line}");
        }
        let black = limits("wtime 1 btime 20000 binc 30", Side::Black, TimeUnit::Milliseconds);
        assert_eq!(black.clock, Some(clock));
    }

    #[test]
    fn a_time_alone_is_for_this_move() {
        assert_eq!(red("time 500"), SearchLimits { movetime: Some(MS(500)), ..SearchLimits::default() });
        assert_eq!(red("time 500 opptime 7").movetime, Some(MS(500)));
        assert_eq!(red("time 500 movetime 100").movetime, Some(MS(100)));
        assert_eq!(red("time 500 movestogo 0").movetime, Some(MS(500)));
        let sudden_death = red("time 500 increment 0").clock.unwrap();
        assert_eq!((sudden_death.remaining, sudden_death.increment), (MS(500), MS(0)));
        assert_eq!(red("time 500 movestogo 9").clock.unwrap().moves_to_go, Some(9));
    }

    #[test]
    fn seconds_are_for_ucci_words_only() {
        let seconds = |line| limits(line, Side::Red, TimeUnit::Seconds);
        assert_eq!(seconds("time 2 increment 1").clock.unwrap().remaining, MS(2000));
        assert_eq!(seconds("time 2 increment 1").clock.unwrap().increment, MS(1000));
        assert_eq!(seconds("movetime 100").movetime, Some(MS(100)));
        assert_eq!(seconds("wtime 60000").clock.unwrap().remaining, MS(60000));
    }

    #[test]
    fn limits_are_combined() {
        let all = red("time 900 increment 0 depth 5 nodes 77 mate 3 movetime 100");
        assert_eq!(
            (all.depth, all.nodes, all.mate, all.movetime),
            (Some(5), Some(77), Some(3), Some(MS(100)))
        );
        assert!(all.clock.is_some() && !all.infinite && !all.ponder);
        assert_eq!(red("depth 99999999999").depth, Some(MAX_PLY as u32));
    }

    #[test]
    fn a_search_without_limits_is_endless_unless_a_quick_answer_is_expected() {
        assert!(red("").infinite);
        assert!(red("infinite depth 3").infinite);
        assert!(red("ponder").ponder && red("ponder").infinite);
        assert_eq!(red("draw"), SearchLimits { movetime: Some(COURTESY), ..SearchLimits::default() });
        assert_eq!(red("draw depth 3").movetime, None);
        let other = limits("btime 5", Side::Red, TimeUnit::Milliseconds);
        assert_eq!(other, SearchLimits { movetime: Some(COURTESY), ..SearchLimits::default() });
    }

    #[test]
    fn bad_numbers_are_reported_and_left_out() {
        let (go, fault) = GoCommand::parse(Tokens::new("depth x nodes 5"));
        assert_eq!(fault, Some(BadLimit { word: "depth".into(), value: "x".into() }));
        assert_eq!((go.depth, go.nodes, go.movetime), (None, Some(5), None));
        let (go, fault) = GoCommand::parse(Tokens::new("depth"));
        assert_eq!((fault.is_some(), go.movetime), (true, Some(1000)));
        let (go, _) = GoCommand::parse(Tokens::new("wtime -20 btime 99999999999999999999999 movestogo 1.5"));
        assert_eq!(go.clocks, [Some(0), Some(u64::MAX)]);
        assert_eq!(go.limits(Side::Black, TimeUnit::Seconds).clock.unwrap().remaining, LONGEST);
    }

    #[test]
    fn searchmoves_end_where_the_moves_end() {
        let (go, _) = GoCommand::parse(Tokens::new("searchmoves h2e2 H0G2 h10g8 depth 4"));
        assert_eq!(go.only, ["h2e2", "H0G2", "h10g8"]);
        assert_eq!(go.depth, Some(4));
        assert_eq!(GoCommand::parse(Tokens::new("perft 3")).0.perft, Some(3));
    }
}
