//! Rulings by checks alone: one side checks with every move of the loop and the other does not.

use super::Outcome;
use super::arbiter::Ruling;
use super::history::occurred;
use super::ruleset::{CHECKBAN, Conduct, Reading, Ruleset};
use crate::board::Position;
use crate::types::Side;

/// The ruling on the loop that the last move closed, once the position has occurred `earlier` times before
/// within the record; `None` while it has not. Perpetual check alone is forbidden.
pub(super) fn repetition(position: &Position, earlier: usize) -> Option<Outcome> {
    let back = position.last_occurrence()?;
    if earlier > 1 && !occurred(position, earlier) {
        return None;
    }
    Some(by_checks(position, back, &CHECKBAN).unwrap_or(Outcome::Draw))
}

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
    use crate::rules::{Ending, NO_CAPTURE_PLIES, game_over};

    fn after(fen: &str, moves: &str, times: usize) -> Position {
        let mut position = Position::from_fen(fen).unwrap();
        for _ in 0..times {
            for mv in moves.split(' ') {
                position.play(mv.parse().unwrap()).unwrap();
            }
        }
        position
    }

    const CHECKER: &str = "3k5/9/9/9/9/9/9/9/R8/4K4 w - - 0 1";

    #[test]
    fn perpetual_check_loses() {
        let start = after(CHECKER, "a1a9 d9d8 a9a8 d8d9 a8a9", 1);
        // Closed by the checking side and by the other, ruled alike.
        assert_eq!(repetition(&start, 2), None);
        assert_eq!(repetition(&start, 1), Some(Outcome::Win(Side::Black)));
        let mut third = start.clone();
        for mv in ["d9d8", "a9a8", "d8d9", "a8a9"] {
            third.play(mv.parse().unwrap()).unwrap();
        }
        assert_eq!(repetition(&third, 2), Some(Outcome::Win(Side::Black)));
        assert_eq!(game_over(&third, None), Some((Outcome::Win(Side::Black), Ending::Repetition)));
    }

    #[test]
    fn idle_repetition_draws_at_the_third_occurrence() {
        let twice = after(CHECKER, "a1b1 d9d8 b1a1 d8d9", 1);
        assert_eq!(repetition(&twice, 2), None);
        let thrice = after(CHECKER, "a1b1 d9d8 b1a1 d8d9", 2);
        assert_eq!(repetition(&thrice, 2), Some(Outcome::Draw));
    }

    #[test]
    fn sixty_rounds_without_capture_draw_and_mate_goes_before() {
        let quiet = Position::from_fen("3k5/9/9/9/9/9/9/9/R8/4K4 b - - 120 61").unwrap();
        assert_eq!(game_over(&quiet, Some(NO_CAPTURE_PLIES)), Some((Outcome::Draw, Ending::NoCapture)));
        assert_eq!(game_over(&quiet, None), None);
        let mated = Position::from_fen("R2k5/R8/9/9/9/9/9/9/9/4K4 b - - 120 61").unwrap();
        let result = game_over(&mated, Some(NO_CAPTURE_PLIES));
        assert_eq!(result, Some((Outcome::Win(Side::Red), Ending::Mate)));
    }

    #[test]
    fn stalemate_loses_and_bare_positions_draw() {
        let stuck = Position::from_fen("3k5/2P6/9/9/9/9/9/9/9/4K4 b - - 0 1").unwrap();
        assert_eq!(game_over(&stuck, None), Some((Outcome::Win(Side::Red), Ending::Stalemate)));
        let bare = Position::from_fen("3k5/4a4/9/9/9/9/9/4B4/9/4K4 b - - 0 1").unwrap();
        assert_eq!(game_over(&bare, None), Some((Outcome::Draw, Ending::Bare)));
    }

    #[test]
    fn only_ten_checks_of_a_side_count_towards_the_limit() {
        let mut position = Position::from_fen(CHECKER).unwrap();
        position.play("a1a9".parse().unwrap()).unwrap();
        for _ in 0..20 {
            for mv in ["d9d8", "a9a8", "d8d9", "a8a9"] {
                position.play(mv.parse().unwrap()).unwrap();
            }
        }
        // Ten checks and ten replies; all later checks and replies are left out.
        assert_eq!(position.quiet_plies(), 20);
    }
}
