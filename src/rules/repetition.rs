//! Rulings on repetition.

use super::Outcome;
use super::history::occurred;
use crate::board::Position;

/// The ruling on the loop that the last move closed, once the position has occurred `earlier` times before
/// within the record; `None` while it has not.
///
/// A side that checked with every move of the loop loses if the other did not do so too; all else draws
/// (CXA 2020, 25 and 26: 单方长将作负, 双方长将作和).
pub fn repetition(position: &Position, earlier: usize) -> Option<Outcome> {
    let last = position.last_occurrence()?;
    if earlier > 1 && !occurred(position, earlier) {
        return None;
    }
    // `was_check(0)` is the last ply, made by the side that is not to move now.
    let waited = (0..last).step_by(2).all(|back| position.was_check(back));
    let moving = (1..last).step_by(2).all(|back| position.was_check(back));
    Some(match (moving, waited) {
        (true, false) => Outcome::Win(!position.side()),
        (false, true) => Outcome::Win(position.side()),
        _ => Outcome::Draw,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Ending, NO_CAPTURE_PLIES, game_over};
    use crate::types::Side;

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
