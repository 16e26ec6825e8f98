//! Loops in the record of a game.

use crate::board::Position;

use super::ruleset::RIPE;

/// The loop that the last move closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Loop {
    /// The ply, counted from 0 at the start of the record, with which the judged loop begins: the last one
    /// if the loops are all alike, else the first of those that count.
    pub start_ply: usize,
    /// Plies of the judged stretch.
    pub length: usize,
    /// How often the position has come back.
    pub count: u32,
}

/// The loop that the last move of the record closed, if the position has occurred before.
///
/// [`RIPE`] returns make a position ripe for a ruling. If the last of them ran through the same positions in
/// the same order, one turn is the loop, even where it passes its own start half-way; if they differ, the
/// whole stretch is judged and every return counts.
pub fn last_loop(position: &Position) -> Option<Loop> {
    let key = Some(position.key());
    let reach = position.reversible_plies();
    let returns: Vec<usize> =
        (4..=reach).step_by(2).filter(|&back| position.key_before(back) == key).take(MOST_RETURNS).collect();
    let counted = returns.len().min(RIPE as usize);
    let stretch = *returns.get(counted.checked_sub(1)?)?;
    let plies = position.plies();
    let turns = |period: usize| (1..).take_while(|&turn| is_turn(position, period, turn)).count();
    let periodic = returns.iter().map(|&period| (period, turns(period)));
    let covering = periodic.into_iter().find(|&(period, turns)| turns > 1 && period * turns >= stretch);
    let (length, count) = covering.unwrap_or((stretch, counted));
    Some(Loop { start_ply: plies - length, length, count: count as u32 })
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
    fn returns_by_different_ways_are_judged_together() {
        let position = play(FEN, &[ROUND, OTHER, ROUND].concat());
        assert_eq!(last_loop(&position), Some(Loop { start_ply: 0, length: 12, count: 3 }));
        let position = play(FEN, &[ROUND, OTHER].concat().repeat(3));
        assert_eq!(last_loop(&position), Some(Loop { start_ply: 16, length: 8, count: 3 }));
        let position = play(FEN, &[OTHER, ROUND, ROUND, ROUND].concat());
        assert_eq!(last_loop(&position), Some(Loop { start_ply: 12, length: 4, count: 3 }));
    }
}
