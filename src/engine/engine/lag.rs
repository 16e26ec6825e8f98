//! What is lost on the way between the engine and its client, learnt from the clocks.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crate::search::SearchLimits;
use xiangqi::board::Position;

/// The divisor that gives the weight of a new measurement in the average.
const WEIGHT: u32 = 4;

/// The time that the clock of a client loses each move beyond what the engine itself spends.
///
/// What may be lost must be kept back on every single move; but planning a whole game as if that much were lost each
/// time would leave much of a short clock unused. The real loss is the clock at one move, less the time spent on that
/// move and less the clock at the next move.
#[derive(Debug, Default)]
pub(super) struct Lag {
    average: Option<Duration>,
    last: Option<Turn>,
}

/// A request for a move.
#[derive(Debug)]
struct Turn {
    /// The key of the position that it was asked for in.
    key: u64,
    asked: Instant,
    /// The clock when the move was asked for, with the increment that the move earns.
    clock: Duration,
    /// When the move was given, once it is.
    answered: Answered,
}

/// When a move was given; set by the code that sends it.
pub(super) type Answered = Arc<OnceLock<Instant>>;

impl Lag {
    /// Begins a move: compares the clock with that of the previous move, if this is the same game. Returns the cell in
    /// which to record when the move is answered.
    pub fn begin(&mut self, position: &Position, limits: &SearchLimits, asked: Instant) -> Answered {
        let last = self.last.take();
        let answered = Answered::default();
        // Who ponders does not think on his own clock from the beginning.
        let Some(clock) = limits.clock.filter(|_| !limits.ponder && !limits.infinite) else {
            return answered;
        };
        if let Some(turn) = last
            && position.key_before(2) == Some(turn.key)
            && let Some(lost) = turn.lost(clock.remaining)
        {
            let average = self.average.unwrap_or(lost);
            self.average = Some((average * (WEIGHT - 1) + lost) / WEIGHT);
        }
        let (key, clock) = (position.key(), clock.remaining + clock.increment);
        self.last = Some(Turn { key, asked, clock, answered: Arc::clone(&answered) });
        answered
    }

    /// The average loss per move, or `most` if that is less or nothing is known.
    pub fn average(&self, most: Duration) -> Duration {
        self.average.map_or(most, |average| average.min(most))
    }
}

impl Turn {
    /// The time lost on this move besides thinking, given the clock at the next move; `None` if the clock has grown, as
    /// after a time control, or if no answer was given.
    fn lost(&self, remaining: Duration) -> Option<Duration> {
        let answered = *self.answered.get()?;
        // Clients that count in milliseconds may round in our favour.
        const ROUNDING: Duration = Duration::from_millis(1);
        let expected = self.clock.saturating_sub(answered.duration_since(self.asked));
        (remaining <= expected + ROUNDING).then(|| expected.saturating_sub(remaining))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Clock;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn on_clock(remaining: u64) -> SearchLimits {
        let clock = Clock { remaining: ms(remaining), increment: ms(10), moves_to_go: None };
        SearchLimits { clock: Some(clock), ..SearchLimits::default() }
    }

    /// A game in which each move takes 100 ms by the engine's own clock; `clocks` are the clocks that the client sends.
    fn learn(clocks: &[u64]) -> Lag {
        let (mut lag, mut position, mut now) = (Lag::default(), Position::startpos(), Instant::now());
        for (&clock, round) in clocks.iter().zip(0..) {
            let answered = lag.begin(&position, &on_clock(clock), now);
            now += ms(100);
            answered.set(now).unwrap();
            let moves: [&str; 2] = if round % 2 == 0 { ["h0g2", "h9g7"] } else { ["g2h0", "g7h9"] };
            moves.iter().for_each(|mv| position.make(mv.parse().unwrap()));
        }
        lag
    }

    fn after_a_round() -> Position {
        let mut position = Position::startpos();
        ["h0g2", "h9g7"].iter().for_each(|mv| position.make(mv.parse().unwrap()));
        position
    }

    #[test]
    fn what_is_lost_is_learnt_from_the_clocks() {
        assert_eq!(learn(&[1000]).average(ms(10)), ms(10), "nothing is known yet");
        assert_eq!(learn(&[1000, 910]).average(ms(10)), ms(0));
        assert_eq!(learn(&[1000, 911]).average(ms(10)), ms(0), "rounding");
        assert_eq!(learn(&[1000, 906]).average(ms(10)), ms(4));
        assert_eq!(learn(&[1000, 906, 816]).average(ms(10)), ms(3));
        assert_eq!(learn(&[1000, 850]).average(ms(10)), ms(10), "no more than is kept back anyhow");
    }

    #[test]
    fn only_the_moves_of_one_game_are_compared() {
        assert_eq!(learn(&[1000, 6000]).average(ms(10)), ms(10), "more time was given");
        let mut lag = learn(&[1000]);
        let _ = lag.begin(&Position::startpos(), &on_clock(905), Instant::now());
        assert_eq!(lag.average(ms(10)), ms(10), "another game");
        let position = after_a_round();
        let _ = lag.begin(&position, &on_clock(905), Instant::now());
        assert_eq!(lag.average(ms(10)), ms(10), "the move before was not answered");
    }

    #[test]
    fn pondering_tells_nothing() {
        let mut lag = learn(&[1000]);
        let position = after_a_round();
        let limits = SearchLimits { ponder: true, ..on_clock(905) };
        let _ = lag.begin(&position, &limits, Instant::now());
        assert_eq!(lag.average(ms(10)), ms(10));
    }
}
