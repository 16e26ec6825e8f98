//! Time controls and the clock of one player.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// One period of a clock: `moves` moves in `base`, with `increment` after each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// Moves that must be made in this period; `None`: the rest of the game.
    pub moves: Option<u32>,
    /// Time given when the period begins, on top of what is left.
    pub base: Duration,
    /// Time given after each move.
    pub increment: Duration,
}

/// A clock's periods in order. The last repeats if it has a number of moves, as in "40 moves in 90 minutes, then
/// every 10 moves in 15 minutes" (rule book of 1999, clause 6.1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeControl(Vec<Period>);

/// Why a text is not a time control.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "`{0}` is not a time control: `minutes:seconds[+increment]` is wanted, or periods `[moves/]seconds[+increment]` with `:` between"
)]
pub struct TimeControlError(pub String);

/// Longest time that a control may hold: a day.
const LONGEST: f64 = 86_400.0;

impl TimeControl {
    /// The periods, at least one.
    pub fn periods(&self) -> &[Period] {
        &self.0
    }
}

impl FromStr for Period {
    type Err = ();

    fn from_str(text: &str) -> Result<Period, ()> {
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => (Some(moves.parse().ok().filter(|&n| n > 0).ok_or(())?), rest),
            None => (None, text),
        };
        let (base, increment) = match rest.split_once('+') {
            Some((base, increment)) => (seconds(base).ok_or(())?, seconds(increment).ok_or(())?),
            None => (seconds(rest).ok_or(())?, Duration::ZERO),
        };
        Ok(Period { moves, base, increment })
    }
}

/// A number of seconds, decimals allowed.
pub fn seconds(text: &str) -> Option<Duration> {
    let value: f64 = text.parse().ok()?;
    (0.0..=LONGEST).contains(&value).then(|| Duration::from_micros((value * 1e6).round() as u64))
}

/// A single period as a clock shows it, `minutes:seconds` or `hours:minutes:seconds` with an increment in seconds:
/// `1:30+1`. Periods without a number of moves cannot follow each other, so that no other control looks like this.
fn clock_face(text: &str) -> Option<Period> {
    let (face, increment) = text.split_once('+').map_or((text, "0"), |(face, increment)| (face, increment));
    let fields: Vec<&str> = face.split(':').collect();
    let digits = |field: &&str| !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit());
    let (first, rest) = fields.split_first().filter(|(_, rest)| matches!(rest.len(), 1 | 2))?;
    let mut total: f64 = Some(first).filter(|field| digits(field))?.parse().ok()?;
    for field in rest {
        let number: f64 = Some(field).filter(|field| digits(field) && field.len() == 2)?.parse().ok()?;
        total = 60.0 * total + Some(number).filter(|&number| number < 60.0)?;
    }
    let base = seconds(&total.to_string()).filter(|base| !base.is_zero())?;
    Some(Period { moves: None, base, increment: seconds(increment)? })
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let error = || TimeControlError(text.to_owned());
        if let Some(period) = clock_face(text) {
            return Ok(TimeControl(vec![period]));
        }
        let periods: Result<Vec<Period>, ()> = text.split(':').map(str::parse).collect();
        let periods = periods.map_err(|()| error())?;
        // A period without a number of moves never ends: only the last may be one. No time at all is no clock.
        let endless = periods.iter().position(|p| p.moves.is_none());
        let ordered = endless.is_none_or(|i| i + 1 == periods.len());
        let empty = periods.iter().any(|p| p.base + p.increment == Duration::ZERO);
        // Nobody can make a first move in no time.
        let empty = empty || periods[0].base == Duration::ZERO;
        if ordered && !empty { Ok(TimeControl(periods)) } else { Err(error()) }
    }
}

impl TryFrom<String> for TimeControl {
    type Error = TimeControlError;

    fn try_from(text: String) -> Result<TimeControl, TimeControlError> {
        text.parse()
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> String {
        control.to_string()
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, period) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(":")?;
            }
            if let Some(moves) = period.moves {
                write!(f, "{moves}/")?;
            }
            write!(f, "{}", period.base.as_secs_f64())?;
            if period.increment > Duration::ZERO {
                write!(f, "+{}", period.increment.as_secs_f64())?;
            }
        }
        Ok(())
    }
}

/// What bounds an engine's thinking about one move. At least one bound is set.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// A clock for the game.
    pub tc: Option<TimeControl>,
    /// Fixed time for each move, in milliseconds.
    pub movetime: Option<u64>,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Depth of search in plies.
    pub depth: Option<u32>,
}

impl Limits {
    /// Whether nothing bounds the search.
    pub const fn is_empty(&self) -> bool {
        self.tc.is_none() && self.movetime.is_none() && self.nodes.is_none() && self.depth.is_none()
    }

    /// The name of a limit of zero, which no search can keep.
    pub fn zero(&self) -> Option<&'static str> {
        let numbers =
            [("movetime", self.movetime), ("nodes", self.nodes), ("depth", self.depth.map(u64::from))];
        numbers.into_iter().find(|(_, number)| *number == Some(0)).map(|(name, _)| name)
    }

    /// These limits, or `other` where none is set.
    pub fn or(&self, other: &Limits) -> Limits {
        if self.is_empty() { other.clone() } else { self.clone() }
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.tc.as_ref().map(ToString::to_string),
            self.movetime.map(|ms| format!("{}/move", Duration::from_millis(ms).as_secs_f64())),
            self.nodes.map(|n| format!("nodes {n}")),
            self.depth.map(|d| format!("depth {d}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(if parts.is_empty() { "-".to_owned() } else { parts.join(" ") }.as_str())
    }
}

/// The running clock of one player.
#[derive(Debug, Clone)]
pub struct GameClock {
    control: TimeControl,
    period: usize,
    left: Duration,
    moves_left: Option<u32>,
}

/// The report that a player has used up its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlagFallen {
    /// The time used beyond the limit.
    pub over: Duration,
}

impl GameClock {
    /// A clock at the start of the game.
    pub fn new(control: &TimeControl) -> GameClock {
        let first = control.0[0];
        GameClock { control: control.clone(), period: 0, left: first.base, moves_left: first.moves }
    }

    /// Time left for the current period.
    pub const fn left(&self) -> Duration {
        self.left
    }

    /// Time given after each move of the current period.
    pub fn increment(&self) -> Duration {
        self.control.0[self.period].increment
    }

    /// Moves still to be made in the current period; `None`: the rest of the game.
    pub const fn moves_left(&self) -> Option<u32> {
        self.moves_left
    }

    /// Subtracts the time used for one move, and starts the next period if this one is complete. Time over the limit by
    /// at most `margin` is forgiven.
    pub fn spend(&mut self, used: Duration, margin: Duration) -> Result<(), FlagFallen> {
        if used > self.left + margin {
            return Err(FlagFallen { over: used - self.left });
        }
        self.left = self.left.saturating_sub(used) + self.increment();
        if let Some(moves) = self.moves_left {
            self.moves_left = Some(moves - 1);
            if moves == 1 {
                self.period = (self.period + 1).min(self.control.0.len() - 1);
                let next = self.control.0[self.period];
                self.left += next.base;
                self.moves_left = next.moves;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn controls_read_and_write() {
        for text in ["2+0.02", "40/5400:10/900", "30/60+0.5:20+1", "300", "0.1+1"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        for text in [
            "", "0", "0+1", "0/40", "x", "-1", "40/", "0/5", "1e9", "nan", "inf", "5:40/60", "1+", "40/5:",
            "1+-1",
        ] {
            assert_eq!(text.parse::<TimeControl>(), Err(TimeControlError(text.to_owned())), "{text}");
        }
    }

    #[test]
    fn a_clock_face_is_minutes_and_seconds() {
        for (face, control) in
            [("1:30+1", "90+1"), ("5:00", "300"), ("0:10+0.1", "10+0.1"), ("1:00:05", "3605")]
        {
            assert_eq!(face.parse::<TimeControl>().unwrap().to_string(), control, "{face}");
        }
        for face in ["1:60", "1:3", "0:00+1", ":30", "1:-5", "1:30+", "1.5:30", "1:2:3:4"] {
            assert!(face.parse::<TimeControl>().is_err(), "{face}");
        }
    }

    #[test]
    fn increment_comes_after_the_move() {
        let mut clock = GameClock::new(&"1+0.1".parse().unwrap());
        clock.spend(ms(400), ms(0)).unwrap();
        assert_eq!(clock.left(), ms(700));
        assert_eq!(clock.spend(ms(701), ms(0)), Err(FlagFallen { over: ms(1) }));
    }

    #[test]
    fn margin_forgives_but_gives_no_credit() {
        let mut clock = GameClock::new(&"1+0.1".parse().unwrap());
        clock.spend(ms(1010), ms(20)).unwrap();
        assert_eq!(clock.left(), ms(100));
    }

    #[test]
    fn periods_follow_and_the_last_repeats() {
        let mut clock = GameClock::new(&"2/10:1/5".parse().unwrap());
        clock.spend(ms(4000), ms(0)).unwrap();
        assert_eq!((clock.left(), clock.moves_left()), (ms(6000), Some(1)));
        clock.spend(ms(4000), ms(0)).unwrap();
        assert_eq!((clock.left(), clock.moves_left()), (ms(7000), Some(1)));
        clock.spend(ms(7000), ms(0)).unwrap();
        assert_eq!((clock.left(), clock.moves_left()), (ms(5000), Some(1)));
        assert!(clock.spend(ms(5001), ms(0)).is_err());
    }
}
