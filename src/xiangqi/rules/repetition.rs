//! Rulings by checks alone: one side checks with every move of the loop and the other does not.

use super::arbiter::Ruling;
use super::ruleset::{Conduct, Reading, Ruleset};
use crate::board::Position;
use crate::types::{Outcome, Side};

/// The ruling on the last `back` plies, if the checks decide it: one side checks all along and the other does
/// not, or the rules look at nothing else.
pub(super) fn by_checks(position: &Position, back: usize, rules: &'static Ruleset) -> Option<Outcome> {
    // `was_check(0)` is the last ply, made by the side that is not to move now.
    let checks = |first: usize| (first..back).step_by(2).all(|ply| position.was_check(ply));
    let perpetual = |checks: bool| if checks { Conduct::PerpetualCheck } else { Conduct::Allowed };
    let (waiting, moving) = (perpetual(checks(0)), perpetual(checks(1)));
    let undecided = waiting == moving && rules.reading != Reading::ChecksOnly;
    (!undecided).then(|| {
        let conduct = match position.side() {
            Side::Red => [moving, waiting],
            Side::Black => [waiting, moving],
        };
        Ruling::of(rules, conduct).outcome
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{ALWAYSDRAW, CHECKBAN, CXA2020};

    fn after(moves: &str) -> Position {
        let mut position = Position::from_fen("3k5/9/9/9/9/9/9/9/R8/4K4 w - - 0 1").unwrap();
        for mv in moves.split(' ') {
            position.play(mv.parse().unwrap()).unwrap();
        }
        position
    }

    #[test]
    fn perpetual_check_is_ruled_alike_whoever_closes_the_loop() {
        let checks = "a1a9 d9d8 a9a8 d8d9 a8a9";
        for moves in [checks, &format!("{checks} d9d8")] {
            for rules in [&CXA2020, &CHECKBAN] {
                assert_eq!(by_checks(&after(moves), 4, rules), Some(Outcome::Win(Side::Black)));
            }
            assert_eq!(by_checks(&after(moves), 4, &ALWAYSDRAW), Some(Outcome::Draw));
        }
    }

    #[test]
    fn what_the_checks_do_not_decide_is_left_to_the_book() {
        let idle = after("a1b1 d9d8 b1a1 d8d9");
        assert_eq!(by_checks(&idle, 4, &CXA2020), None);
        assert_eq!(by_checks(&idle, 4, &CHECKBAN), Some(Outcome::Draw));
    }
}
