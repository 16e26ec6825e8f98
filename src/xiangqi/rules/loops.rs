//! Loops in the record of a game.

use std::cmp::Reverse;

use crate::board::Position;

use super::ruleset::RIPE;

/// The loop that the last move closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Loop {
    /// The ply with which the judged stretch begins, counted from 0 at the start of the record.
    pub start_ply: usize,
    /// The length of the judged stretch in plies.
    pub length: usize,
    /// How often the loop was played, which is what makes a position ripe for a ruling (24.11).
    pub count: u32,
}

/// The loop that the last move of the record closed, if the position has occurred before.
///
/// Of the ways in which the position came back, the one that was played most often in a row is the loop, even
/// where it passes its own start half-way. If no two returns in a row went the same way, the loop was played
/// once, and the last few returns together are the stretch to judge.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::rules::{Loop, last_loop};
///
/// let mut game = Position::startpos();
/// for mv in ["h0g2", "h9g7", "g2h0", "g7h9"] {
///     assert_eq!(last_loop(&game), None);
///     game.play(mv.parse()?)?;
/// }
/// assert_eq!(last_loop(&game), Some(Loop { start_ply: 0, length: 4, count: 1 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn last_loop(position: &Position) -> Option<Loop> {
    let returns = returns(position);
    let plies = position.plies();
    let turns = |period: usize| (1..).take_while(|&turn| is_turn(position, period, turn)).count();
    let periodic = returns.iter().map(|&period| (period, turns(period)));
    let (period, count) = periodic.max_by_key(|&(period, turns)| (turns, Reverse(period)))?;
    let length = if count > 1 { period } else { returns[returns.len().min(RIPE as usize) - 1] };
    Some(Loop { start_ply: plies - length, length, count: count as u32 })
}

/// How many plies ago the position occurred before, the last time first.
pub(super) fn returns(position: &Position) -> Vec<usize> {
    let key = Some(position.key());
    let earlier = (4..=position.reversible_plies()).step_by(2);
    earlier.filter(|&back| position.key_before(back) == key).take(MOST_RETURNS).collect()
}

/// The ply from which on the record has run round the loop without a break, counted from 0 at its start.
pub(super) fn first_ply_of_run(position: &Position, looped: Loop) -> usize {
    let period = looped.length;
    let reach = position.reversible_plies().saturating_sub(period);
    let is_same = |back: &usize| position.key_before(*back) == position.key_before(back + period);
    let run = (0..=reach).take_while(is_same).count();
    position.plies().saturating_sub((run + period).saturating_sub(1))
}

/// Whether the position has occurred at least `times` times before within the record.
pub(super) fn occurred(position: &Position, times: usize) -> bool {
    let key = Some(position.key());
    let earlier = (4..=position.reversible_plies()).step_by(2);
    earlier.filter(|&back| position.key_before(back) == key).take(times).count() == times
}

/// Returns that are looked at; more change no ruling.
const MOST_RETURNS: usize = 64;

/// Whether the `turn`-th loop counted back from the end ran through the same positions as the last one.
pub(super) fn is_turn(position: &Position, period: usize, turn: usize) -> bool {
    let offset = period * (turn - 1);
    offset + period <= position.reversible_plies()
        && (0..=period).all(|back| position.key_before(offset + back) == position.key_before(back))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(fen: &str, moves: &str) -> Position {
        let mut position = Position::from_fen(fen).unwrap();
        for mv in moves.split_whitespace() {
            position.play(mv.parse().unwrap()).unwrap();
        }
        position
    }

    const FEN: &str = "3k5/9/9/9/9/9/9/9/R8/4K4 w - - 0 1";
    const ROUND: &str = "a1b1 d9d8 b1a1 d8d9 ";
    const OTHER: &str = "a1c1 d9d8 c1a1 d8d9 ";

    #[test]
    fn loops_are_counted_at_any_ply() {
        assert_eq!(last_loop(&play(FEN, "a1b1 d9d8 b1a1")), None);
        for times in 1..5 {
            let position = play(FEN, &ROUND.repeat(times));
            let expected = Loop { start_ply: 4 * times - 4, length: 4, count: times as u32 };
            assert_eq!(last_loop(&position), Some(expected));
            let later = play(FEN, &(ROUND.repeat(times) + "a1b1 d9d8"));
            let expected = Loop { start_ply: 4 * times - 2, ..expected };
            assert_eq!(last_loop(&later), Some(expected));
        }
    }

    #[test]
    fn returns_by_different_ways_are_judged_together_but_were_played_once() {
        let position = play(FEN, &[ROUND, OTHER, ROUND].concat());
        assert_eq!(last_loop(&position), Some(Loop { start_ply: 0, length: 12, count: 1 }));
        let position = play(FEN, &[ROUND, OTHER].concat().repeat(3));
        assert_eq!(last_loop(&position), Some(Loop { start_ply: 16, length: 8, count: 3 }));
        let position = play(FEN, &[OTHER, ROUND, ROUND, ROUND].concat());
        assert_eq!(last_loop(&position), Some(Loop { start_ply: 12, length: 4, count: 3 }));
    }

    #[test]
    fn a_run_begins_where_the_loop_was_entered() {
        let position = play(FEN, &(OTHER.to_string() + &ROUND.repeat(3) + "a1b1 d9d8"));
        let looped = last_loop(&position).unwrap();
        assert_eq!(looped, Loop { start_ply: 14, length: 4, count: 3 });
        // The way back of the first, other round is already on the loop.
        assert_eq!(first_ply_of_run(&position, looped), 3);
        let once = play(FEN, ROUND);
        assert_eq!(first_ply_of_run(&once, last_loop(&once).unwrap()), 0);
    }
}
