//! How long to think.

use std::time::Duration;

use super::limits::{SearchLimits, SearchOptions};
use super::signal::Signal;

/// The time plan of one search: a soft bound after which no new iteration begins, stretched or shrunk by
/// how sure the search is, and a hard one that ends it at once.
#[derive(Debug, Clone)]
pub(super) struct TimePlan {
    soft: Option<Duration>,
    hard: Option<Duration>,
}

/// The number of moves that a game is assumed to have left if the clock does not say.
const HORIZON: u32 = 40;
/// The part of its share of the clock that a move takes if the number of moves left is unknown. (With the measured lag:
/// 1.4 against 1.0 scored -51 ± 28 Elo at 0.5 s + 0.005 s, 0.75 against 1.0 scored -10 ± 32 at 1 s + 0.01 s. Games
/// against other engines are decided earlier than games against itself, which favours the larger value.)
const PACE: f64 = 1.0;
/// The part of its share of the clock that a move takes in a period of a fixed number of moves.
const PERIOD_PACE: f64 = 0.9;
/// The largest share of the clock that a single move may take.
const LARGEST_SHARE: f64 = 0.4;

impl TimePlan {
    /// The plan for these limits. With pondering it plans a quarter more, because pondering will win that back.
    pub(super) fn new(limits: &SearchLimits, options: &SearchOptions) -> TimePlan {
        let (overhead, lag) = (options.move_overhead, options.lag);
        let mut plan = TimePlan { soft: None, hard: limits.movetime.map(|time| net(time, overhead)) };
        if let Some(clock) = limits.clock {
            let left = net(clock.remaining, overhead);
            let moves = clock.moves_to_go.unwrap_or(HORIZON).clamp(1, HORIZON);
            // The lag is paid on each of the moves still to come. Where it would eat up the clock, either less is
            // lost than was feared or the game will not last that long: half of the time stays for thinking.
            let total = left + clock.increment * (moves - 1);
            let share = (total - (lag * (moves - 1)).min(total / 2)) / moves;
            let (soft, hard) = if moves == 1 {
                (left.mul_f64(0.85), left)
            } else {
                let pace = if clock.moves_to_go.is_some() { PERIOD_PACE } else { PACE };
                (share.mul_f64(pace), (share * 4).min(left.mul_f64(LARGEST_SHARE)))
            };
            let soft = if options.ponder { soft.mul_f64(1.25) } else { soft };
            plan.soft = Some(soft.min(hard));
            plan.hard = Some(plan.hard.map_or(hard, |other| other.min(hard)));
        }
        plan
    }

    /// Whether time is up.
    pub(super) fn is_over(&self, signal: &Signal) -> bool {
        self.time_left(signal) == Some(Duration::ZERO)
    }

    /// The time until the search must end; `None` if it may go on for as long as it likes, for instance while the clock
    /// stands still.
    pub(super) fn time_left(&self, signal: &Signal) -> Option<Duration> {
        // After a ponder hit the clock has run only since then.
        Some(self.hard?.saturating_sub(signal.clock_start()?.elapsed()))
    }

    /// Whether to begin no further iteration, given how the last ones went.
    pub(super) fn is_enough(&self, signal: &Signal, certainty: &Certainty) -> bool {
        let Some(soft) = self.soft else { return false };
        // Time spent while the opponent thought counts here: it is as good as any other.
        !signal.is_pondering() && signal.started().elapsed() >= soft.mul_f64(certainty.scale())
    }
}

/// A budget less the overhead, but at least half of the budget if it is very small.
fn net(time: Duration, overhead: Duration) -> Duration {
    time.saturating_sub(overhead).max(time / 2)
}

/// How settled the search is.
#[derive(Debug, Clone, Default)]
pub(super) struct Certainty {
    /// Iterations in a row with the same best move.
    pub stable: u32,
    /// How far the score fell since the last iteration, in centipawns.
    pub fall: i32,
    /// Share of the nodes spent on the best move.
    pub effort: f64,
}

impl Certainty {
    /// The factor by which the soft bound is multiplied.
    fn scale(&self) -> f64 {
        let stability = 1.4 - 0.1 * f64::from(self.stable.min(7));
        let falling = (1.0 + f64::from(self.fall) / 120.0).clamp(0.8, 1.6);
        let effort = (1.6 - self.effort).clamp(0.6, 1.4);
        stability * falling * effort
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::limits::Clock;

    fn on_clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> SearchLimits {
        let clock = Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
            moves_to_go,
        };
        SearchLimits { clock: Some(clock), ..SearchLimits::default() }
    }

    fn plan(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> (Duration, Duration) {
        let limits = on_clock(remaining, increment, moves_to_go);
        let plan = TimePlan::new(&limits, &SearchOptions::default());
        (plan.soft.unwrap(), plan.hard.unwrap())
    }

    #[test]
    fn no_plan_takes_more_than_the_clock_has() {
        for remaining in [0, 1, 5, 10, 11, 50, 1_000, 60_000, 3_600_000] {
            for increment in [0, 1, 20, 1_000, 60_000] {
                for moves in [None, Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let (soft, hard) = plan(remaining, increment, moves);
                    assert!(soft <= hard, "{remaining} {increment} {moves:?}");
                    assert!(hard <= Duration::from_millis(remaining), "{remaining} {increment} {moves:?}");
                }
            }
        }
    }

    #[test]
    fn a_game_is_spread_over_its_moves() {
        let (soft, hard) = plan(60_000, 0, None);
        assert!(soft > Duration::from_millis(800) && soft < Duration::from_millis(3_000));
        assert!(hard > 3 * soft / 2 && hard < Duration::from_millis(10_000));
        assert!(plan(10_000, 0, Some(1)).0 > Duration::from_millis(8_000));
    }

    #[test]
    fn there_is_time_to_think_on_a_clock_that_overhead_could_eat_up() {
        for (remaining, increment) in [(200, 2), (400, 0), (500, 5), (100, 10)] {
            let (soft, hard) = plan(remaining, increment, None);
            assert!(soft >= Duration::from_millis(remaining) / 120, "{remaining} {increment}: {soft:?}");
            assert!(hard >= 2 * soft && hard <= Duration::from_millis(remaining) / 3, "{hard:?}");
        }
    }

    #[test]
    fn what_is_not_lost_on_the_way_is_spent() {
        let limits = on_clock(1000, 10, None);
        let plans = [10, 5, 0].map(|lag| {
            let lag = Duration::from_millis(lag);
            TimePlan::new(&limits, &SearchOptions { lag, ..SearchOptions::default() })
        });
        assert!(plans.is_sorted_by(|a, b| a.soft < b.soft));
        assert!(plans.iter().all(|plan| plan.hard <= Some(Duration::from_millis(400))));
    }

    #[test]
    fn movetime_is_kept() {
        let limits = SearchLimits { movetime: Some(Duration::from_millis(100)), ..SearchLimits::default() };
        let plan = TimePlan::new(&limits, &SearchOptions::default());
        assert_eq!((plan.soft, plan.hard), (None, Some(Duration::from_millis(90))));
        let signal = Signal::new(false, false, 1);
        assert!(!plan.is_over(&signal));
        std::thread::sleep(Duration::from_millis(95));
        assert!(plan.is_over(&signal));
    }
}
