//! What a score is worth in wins, draws and losses.
//!
//! The two constants are fitted (largest likelihood) to the results by score, as `juzhong data stats` shows them, of
//! 6,298,000 positions of 41,827 games that the engine played against itself at 1,000 nodes a move.

use crate::endgame::ExactResult;
use crate::score::{RULED_BOUND, Value};

/// The score at which a win is as likely as not, in centipawns.
const HALF_WON: f64 = 390.0;
/// The centipawns that change the odds of a win by a factor of e.
const SPREAD: f64 = 285.0;

/// The chances of a win, a draw and a loss for the side to move at `value`, in per mille; they sum to 1000.
///
/// Wins and losses follow logistic curves, 1 / (1 + exp((HALF_WON ∓ value) / SPREAD)); draws are the rest.
pub fn wdl(value: Value) -> [u16; 3] {
    if value.abs() >= RULED_BOUND {
        return if value > 0 { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    let chance = |value: f64| (1000.0 / (1.0 + ((HALF_WON - value) / SPREAD).exp())).round() as u16;
    let (win, loss) = (chance(value.into()), chance((-value).into()));
    [win, 1000 - win - loss, loss]
}

/// From this score on, in centipawns, a search agrees that a known win is one.
const AGREED_WIN: Value = 1000;

/// The chances of a known result for the side to move, in per mille; `None` if `value`, the score of a search, speaks
/// against it, as where a repetition rule or the no-capture limit spoils a win.
pub fn known_wdl(exact: ExactResult, value: Value) -> Option<[u16; 3]> {
    match exact {
        ExactResult::Draw if value.abs() < AGREED_WIN => Some([0, 1000, 0]),
        ExactResult::Win(_) if value >= AGREED_WIN => Some([1000, 0, 0]),
        ExactResult::Loss(_) if value <= -AGREED_WIN => Some([0, 0, 1000]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{MAX_EVAL, mate_in, mated_in};

    #[test]
    fn chances_sum_to_one_and_rise_with_the_score() {
        let mut last = 0;
        for value in (-MAX_EVAL..=MAX_EVAL).step_by(7) {
            let [win, draw, loss] = wdl(value);
            assert_eq!(win + draw + loss, 1000);
            assert_eq!(wdl(-value), [loss, draw, win]);
            assert!(win >= last, "{value}");
            last = win;
        }
        assert_eq!(last, 1000);
    }

    #[test]
    fn known_results_are_certain_unless_the_search_disagrees() {
        assert_eq!(known_wdl(ExactResult::Draw, 0), Some([0, 1000, 0]));
        assert_eq!(known_wdl(ExactResult::Win(31), 3700), Some([1000, 0, 0]));
        assert_eq!(known_wdl(ExactResult::Loss(30), -3700), Some([0, 0, 1000]));
        assert_eq!(known_wdl(ExactResult::Win(31), 0), None);
    }

    #[test]
    fn a_forced_mate_is_certain() {
        assert_eq!(wdl(mate_in(31)), [1000, 0, 0]);
        assert_eq!(wdl(mated_in(30)), [0, 0, 1000]);
    }
}
