//! Names of openings, known by their first moves.

use crate::types::Move;

/// How many plies are looked at.
const PLIES: usize = 16;

/// An opening: the first move, the moves of Red and of Black that must occur among the first ones, and its names.
struct Opening {
    first: &'static str,
    black: &'static [&'static str],
    chinese: &'static str,
    english: &'static str,
}

/// The more special ones before the more general. All are written with the first move on Red's right.
const OPENINGS: &[Opening] = &[
    opening("h2e2", &["h7e7"], "顺炮", "same-direction cannons"),
    opening("h2e2", &["b7e7"], "列炮", "opposite-direction cannons"),
    opening("h2e2", &["b9c7", "h9g7", "h7f7"], "中炮对反宫马", "central cannon against sandwiched horses"),
    opening("h2e2", &["b9c7", "h9g7", "b7d7"], "中炮对反宫马", "central cannon against sandwiched horses"),
    opening("h2e2", &["b9c7", "h9g7"], "中炮对屏风马", "central cannon against screen horses"),
    opening("h2e2", &["b9a7"], "中炮对单提马", "central cannon against a single horse"),
    opening("h2e2", &["h9i7"], "中炮对单提马", "central cannon against a single horse"),
    opening("h2e2", &[], "中炮", "central cannon"),
    opening("g3g4", &["h7g7"], "仙人指路对卒底炮", "pawn opening against the cannon behind the pawn"),
    opening("g3g4", &["c6c5"], "对兵局", "pawns face to face"),
    opening("g3g4", &["g6g5"], "对兵局", "pawns face to face"),
    opening("g3g4", &[], "仙人指路", "pawn opening"),
    opening("g0e2", &["h7e7"], "飞相局对中炮", "elephant opening against a central cannon"),
    opening("g0e2", &["b7e7"], "飞相局对中炮", "elephant opening against a central cannon"),
    opening("g0e2", &[], "飞相局", "elephant opening"),
    opening("h0g2", &[], "起马局", "horse opening"),
    opening("h2d2", &[], "过宫炮", "palace-crossing cannon"),
    opening("h2f2", &[], "士角炮", "cannon at the palace corner"),
    opening("h2c2", &[], "金钩炮", "golden-hook cannon"),
    opening("i3i4", &[], "边兵局", "edge pawn opening"),
];

const fn opening(
    first: &'static str,
    black: &'static [&'static str],
    chinese: &'static str,
    english: &'static str,
) -> Opening {
    Opening { first, black, chinese, english }
}

/// The Chinese and the English name of the opening of a game from the start position.
pub fn name(moves: &[Move]) -> Option<(&'static str, &'static str)> {
    let first = moves.first()?;
    let mirrored = first.from().file() < 4 || first.from().file() == 4 && first.to().file() < 4;
    let words: Vec<String> =
        moves.iter().take(PLIES).map(|&mv| if mirrored { mv.mirrored() } else { mv }.to_string()).collect();
    let black: Vec<&String> = words.iter().skip(1).step_by(2).collect();
    let fits = |opening: &&Opening| {
        words[0] == opening.first && opening.black.iter().all(|mv| black.iter().any(|played| played == mv))
    };
    OPENINGS.iter().find(fits).map(|opening| (opening.chinese, opening.english))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Option<&'static str> {
        let moves: Vec<Move> = text.split_whitespace().map(|mv| mv.parse().unwrap()).collect();
        name(&moves).map(|(chinese, _)| chinese)
    }

    #[test]
    fn openings_are_known_on_either_wing() {
        assert_eq!(named("h2e2 h9g7 h0g2 i9h9 i0h0 b9c7"), Some("中炮对屏风马"));
        assert_eq!(named("b2e2 b9c7 b0c2 a9b9 a0b0 h9g7"), Some("中炮对屏风马"));
        assert_eq!(named("h2e2 h7e7"), Some("顺炮"));
        assert_eq!(named("b2e2 h7e7"), Some("列炮"));
        assert_eq!(named("c3c4 b7c7"), Some("仙人指路对卒底炮"));
        assert_eq!(named("c0e2"), Some("飞相局"));
        assert_eq!(named("a0a1"), None);
        assert_eq!(named(""), None);
    }

    #[test]
    fn every_move_of_the_table_is_one() {
        for opening in OPENINGS {
            for mv in opening.black.iter().chain([&opening.first]) {
                assert!(mv.parse::<Move>().is_ok(), "{mv}");
            }
        }
    }
}
