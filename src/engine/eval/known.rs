//! The value of endings whose exact result is known.

use crate::endgame::{EndgameTables, ExactResult};
use crate::score::{DRAW, Value};
use xiangqi::board::Position;

/// A win known from the tables, before its plies are taken off: more than any network says, less than a mate that the
/// search has seen to its end.
const KNOWN_WIN: Value = 4000;
/// What each ply to the mate takes off, in centipawns: enough for the search to tell the shorter way from others.
const PLY: Value = 10;

/// The value of a known result for the side to move: 0 for a draw, and for a win the more the sooner it comes, within
/// ±4000 centipawns.
pub fn value(exact: ExactResult) -> Value {
    match exact {
        ExactResult::Win(plies) => KNOWN_WIN - PLY * Value::from(plies),
        ExactResult::Draw => DRAW,
        ExactResult::Loss(plies) => PLY * Value::from(plies) - KNOWN_WIN,
    }
}

/// What a position that would be won without the guards of the stronger side is worth at least, before its plies are
/// taken off.
const LIKELY_WIN: Value = 1000;
/// What each ply to the mate takes off a likely win, in centipawns.
const LIKELY_PLY: Value = 5;
/// The divisor of the value of a position that would be drawn without the guards of the stronger side.
const LIKELY_DRAW: Value = 4;

/// The value of the network for a position that the tables do not know, corrected by what they say about it without the
/// advisors and elephants of the stronger side.
#[inline]
pub fn guess(tables: &EndgameTables, position: &Position, value: Value) -> Value {
    match tables.probe_without_guards(position) {
        None => value,
        Some(ExactResult::Win(plies)) => value.max(LIKELY_WIN - LIKELY_PLY * Value::from(plies)),
        Some(ExactResult::Draw) => value / LIKELY_DRAW,
        Some(ExactResult::Loss(plies)) => value.min(LIKELY_PLY * Value::from(plies) - LIKELY_WIN),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sooner_wins_are_worth_more_and_all_of_them_much() {
        let results = [
            ExactResult::Loss(0),
            ExactResult::Loss(40),
            ExactResult::Draw,
            ExactResult::Win(251),
            ExactResult::Win(3),
        ];
        assert!(results.is_sorted_by_key(|&exact| value(exact)));
        assert!(value(ExactResult::Win(ExactResult::LONGEST)) > 1000);
        assert_eq!(value(ExactResult::Draw), 0);
        assert_eq!(value(ExactResult::Loss(6)), -value(ExactResult::Win(6)));
    }

    #[test]
    fn guards_of_the_stronger_side_hardly_change_a_result() {
        let guess = |fen: &str| guess(&EndgameTables::embedded(), &Position::from_fen(fen).unwrap(), 300);
        assert_eq!(guess("3k5/4a4/3a1N3/9/9/9/9/9/4A4/4KA3 b"), 75);
        assert!(guess("3ak4/9/9/9/9/9/9/9/5R3/3K1A3 w") > 600);
        assert!(guess("4ka3/4r4/9/9/9/9/9/9/3K5/3A5 w") < -600);
        assert_eq!(guess(xiangqi::board::STARTPOS), 300);
    }

    #[test]
    fn the_tables_of_the_program_are_asked() {
        let value = |fen: &str| EndgameTables::embedded().probe(&Position::from_fen(fen).unwrap()).map(value);
        assert_eq!(value("3k5/4a4/3a1N3/9/9/9/9/9/9/4K4 b"), Some(0));
        assert!(value("3ak4/9/9/9/9/9/9/9/5R3/3K5 w").unwrap() > 3000);
        assert!(value("4k4/9/4r4/9/9/9/9/9/3K5/3A5 w").unwrap() < -3000);
        assert_eq!(value(xiangqi::board::STARTPOS), None);
    }
}
