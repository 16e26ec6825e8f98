//! Names of openings: by the ECCO code (中国象棋开局编号) of the positions a game goes through, or else by its first
//! moves.

use std::collections::HashMap;

use once_cell::sync::Lazy;

use juzhong_engine::book::CanonicalKey;
use xiangqi::board::Position;
use xiangqi::types::Move;

/// Lines with their codes; the file names their source.
const LINES: &str = include_str!("openings.tsv");

/// The share of the lines through a position that must agree on its code.
const AGREED: f64 = 0.9;

/// How many plies of a game are looked at for its first moves.
const PLIES: usize = 16;

/// An opening as people call it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpeningName {
    /// The ECCO code, such as C44, if it is known.
    pub code: Option<&'static str>,
    /// The Chinese name.
    pub chinese: &'static str,
    /// The English name.
    pub english: &'static str,
}

/// A group of the code, by its letter and first digit: the Chinese and the English name.
type OpeningGroup = (&'static str, &'static str, &'static str);

/// The groups of ECCO 2004 under the names it gives them.
const GROUPS: &[OpeningGroup] = &[
    ("A0", "非常见开局", "rare openings"),
    ("A1", "飞相局", "elephant opening"),
    ("A2", "飞相局", "elephant opening"),
    ("A3", "飞相局", "elephant opening"),
    ("A4", "起马局", "horse opening"),
    ("A5", "仕角炮局", "cannon at the palace corner"),
    ("A6", "过宫炮局", "palace-crossing cannon"),
    ("B0", "中炮对非常见开局", "central cannon against rare defences"),
    ("B1", "中炮对单提马", "central cannon against a single horse"),
    ("B2", "中炮对左三步虎", "central cannon against a three-step tiger on the left"),
    ("B3", "中炮对反宫马", "central cannon against sandwiched horses"),
    ("B4", "五六炮对反宫马", "five-six cannons against sandwiched horses"),
    ("B5", "五七炮对反宫马", "five-seven cannons against sandwiched horses"),
    ("C0", "中炮对屏风马", "central cannon against screen horses"),
    ("C1", "中炮对屏风马", "central cannon against screen horses"),
    (
        "C2",
        "中炮过河车七路马对屏风马两头蛇",
        "central cannon, rook across the river and horse on the third file against screen horses and a two-headed snake",
    ),
    (
        "C3",
        "中炮过河车互进七兵对屏风马",
        "central cannon, rook across the river and pawns of the seventh files against screen horses",
    ),
    (
        "C4",
        "中炮过河车互进七兵对屏风马平炮兑车",
        "central cannon, rook across the river and pawns of the seventh files against screen horses, offer of rooks",
    ),
    ("C5", "五六炮对屏风马", "five-six cannons against screen horses"),
    ("C6", "五七炮对屏风马", "five-seven cannons against screen horses"),
    ("C7", "五七炮对屏风马", "five-seven cannons against screen horses"),
    ("C8", "中炮巡河炮对屏风马", "central cannon and river cannon against screen horses"),
    ("C9", "五八炮和五九炮对屏风马", "five-eight and five-nine cannons against screen horses"),
    ("D0", "顺炮局", "same-direction cannons"),
    ("D1", "顺炮直车对缓开车", "same-direction cannons, file rook against a late rook"),
    ("D2", "顺炮直车对横车", "same-direction cannons, file rook against rank rook"),
    (
        "D3",
        "中炮对左炮封车转列炮",
        "central cannon against a rook shut in by the left cannon, then opposite-direction cannons",
    ),
    (
        "D4",
        "中炮对左三步虎转列炮",
        "central cannon against a three-step tiger on the left, then opposite-direction cannons",
    ),
    ("D5", "中炮对列炮", "opposite-direction cannons"),
    ("E0", "仙人指路局", "pawn opening"),
    ("E1", "仙人指路对卒底炮", "pawn opening against the cannon behind the pawn"),
    (
        "E2",
        "仙人指路转左中炮对卒底炮飞左象",
        "pawn opening and left central cannon against the cannon behind the pawn and the left elephant",
    ),
    (
        "E3",
        "仙人指路转左中炮对卒底炮飞左象",
        "pawn opening and left central cannon against the cannon behind the pawn and the left elephant",
    ),
    ("E4", "对兵局", "pawns face to face"),
];

/// What the first moves tell: the first of all, moves of Black that must be among the next, Chinese and English
/// name. The more special ones before the more general; all with the first move on Red's right.
type FirstMoves = (&'static str, &'static [&'static str], &'static str, &'static str);

const FIRST_MOVES: &[FirstMoves] = &[
    ("h2e2", &["h7e7"], "顺炮局", "same-direction cannons"),
    ("h2e2", &["b7e7"], "中炮对列炮", "opposite-direction cannons"),
    ("h2e2", &["b9c7", "h9g7", "h7f7"], "中炮对反宫马", "central cannon against sandwiched horses"),
    ("h2e2", &["b9c7", "h9g7", "b7d7"], "中炮对反宫马", "central cannon against sandwiched horses"),
    ("h2e2", &["b9c7", "h9g7"], "中炮对屏风马", "central cannon against screen horses"),
    ("h2e2", &["b9a7"], "中炮对单提马", "central cannon against a single horse"),
    ("h2e2", &["h9i7"], "中炮对单提马", "central cannon against a single horse"),
    ("h2e2", &[], "中炮", "central cannon"),
    ("g3g4", &["h7g7"], "仙人指路对卒底炮", "pawn opening against the cannon behind the pawn"),
    ("g3g4", &["c6c5"], "对兵局", "pawns face to face"),
    ("g3g4", &["g6g5"], "对兵局", "pawns face to face"),
    ("g3g4", &[], "仙人指路局", "pawn opening"),
    ("g0e2", &[], "飞相局", "elephant opening"),
    ("h0g2", &[], "起马局", "horse opening"),
    ("h2d2", &[], "过宫炮局", "palace-crossing cannon"),
    ("h2f2", &[], "仕角炮局", "cannon at the palace corner"),
    ("h2c2", &[], "金钩炮局", "golden-hook cannon"),
    ("i3i4", &[], "边兵局", "edge pawn opening"),
];

/// How many lines of each code go through a position, by its canonical key.
static CODES: Lazy<HashMap<u64, HashMap<&'static str, usize>>> = Lazy::new(|| {
    let mut codes: HashMap<u64, HashMap<&str, usize>> = HashMap::new();
    for (code, moves) in lines() {
        for key in keys(moves.split(' ').map_while(|mv| mv.parse().ok())) {
            *codes.entry(key).or_default().entry(code).or_default() += 1;
        }
    }
    codes
});

/// The opening of a game from the start position.
pub fn name(moves: &[Move]) -> Option<OpeningName> {
    by_code(moves).or_else(|| by_first_moves(moves))
}

/// The codes and moves of the lines.
fn lines() -> impl Iterator<Item = (&'static str, &'static str)> {
    LINES.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t'))
}

/// The canonical keys of the positions after each move from the start, as far as the moves are legal.
fn keys(moves: impl IntoIterator<Item = Move>) -> Vec<u64> {
    let mut position = Position::startpos();
    moves
        .into_iter()
        .map_while(|mv| position.play(mv).ok().map(|()| CanonicalKey::of(&position).key))
        .collect()
}

/// What the last of the game's positions tells whose lines agree, on the code or at least on its group.
fn by_code(moves: &[Move]) -> Option<OpeningName> {
    let codes = keys(moves.iter().copied()).into_iter().rev().filter_map(|key| CODES.get(&key));
    codes.filter_map(agreed).next()
}

fn agreed(codes: &HashMap<&'static str, usize>) -> Option<OpeningName> {
    let all: usize = codes.values().sum();
    let enough = |count: usize| count as f64 >= AGREED * all as f64;
    let code = codes.iter().find(|(_, count)| enough(**count)).map(|(code, _)| *code);
    let of_group =
        |group: &str| codes.iter().filter(|(code, _)| code.starts_with(group)).map(|(_, n)| n).sum();
    let group = GROUPS.iter().find(|(group, ..)| enough(of_group(group)));
    group.map(|&(_, chinese, english)| OpeningName { code, chinese, english })
}

/// The opening by its first moves, where the positions are not known.
fn by_first_moves(moves: &[Move]) -> Option<OpeningName> {
    let first = moves.first()?;
    let mirrored = first.from().file() < 4 || first.from().file() == 4 && first.to().file() < 4;
    let words: Vec<String> =
        moves.iter().take(PLIES).map(|&mv| if mirrored { mv.mirrored() } else { mv }.to_string()).collect();
    let black: Vec<&String> = words.iter().skip(1).step_by(2).collect();
    let fits = |(first, answers, ..): &&FirstMoves| {
        words[0] == *first && answers.iter().all(|mv| black.iter().any(|played| played == mv))
    };
    let (_, _, chinese, english) = *FIRST_MOVES.iter().find(fits)?;
    Some(OpeningName { code: None, chinese, english })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Vec<Move> {
        text.split_whitespace().map(|mv| mv.parse().unwrap()).collect()
    }

    #[test]
    fn openings_are_known_on_either_wing() {
        for (text, code, chinese) in [
            (
                "h2e2 h9g7 h0g2 i9h9 i0h0 g6g5 h0h6 b9c7 c3c4 h7i7 h6g6 i7i8 b0c2 d9e8 c2d4 i8g8 g6f6",
                Some("C44"),
                "中炮过河车互进七兵对屏风马平炮兑车",
            ),
            (
                "b2e2 b9c7 b0c2 a9b9 a0b0 c6c5 b0b6 h9g7 g3g4 b7a7 b6c6 a7a8 h0g2 f9e8 g2f4 a8c8 c6d6",
                Some("C44"),
                "中炮过河车互进七兵对屏风马平炮兑车",
            ),
            ("h2e2 h7e7 h0g2 h9g7 i0h0 i9i8", None, "顺炮直车对横车"),
            ("h2d2", None, "过宫炮局"),
            ("c3c4 b7c7", None, "仙人指路对卒底炮"),
        ] {
            let found = name(&moves(text)).unwrap();
            assert_eq!((found.code, found.chinese), (code, chinese), "{text}");
        }
        assert_eq!(name(&moves("a0a1")), None);
        assert_eq!(name(&[]), None);
    }

    #[test]
    fn games_off_the_lines_are_named_by_their_first_moves() {
        for (text, chinese) in [
            ("h2e2 h9g7 a0a1 b9c7 a1a0", "中炮对屏风马"),
            ("b2e2 b9c7 i0i1 h9g7 i1i0", "中炮对屏风马"),
            ("h2e2 e6e5", "中炮"),
            ("g0e2 a6a5", "飞相局"),
            ("i3i4", "边兵局"),
        ] {
            let found = name(&moves(text)).unwrap();
            assert_eq!((found.code, found.chinese), (None, chinese), "{text}");
        }
    }

    #[test]
    fn every_line_is_legal_and_of_a_group() {
        assert!(lines().count() > 700);
        for (code, line) in lines() {
            let line = moves(line);
            assert_eq!(keys(line.iter().copied()).len(), line.len(), "{code}");
            assert!(GROUPS.iter().any(|(group, ..)| code.starts_with(group)), "{code}");
        }
        for (first, answers, ..) in FIRST_MOVES {
            assert!(answers.iter().chain([first]).all(|mv| mv.parse::<Move>().is_ok()), "{first}");
        }
    }

    /// Lines are named by the others alone: the codes must be worth something for games that are not among them.
    #[test]
    fn lines_agree_with_each_other() {
        let named = lines().filter(|(code, line)| {
            let others = |(key, own): (u64, usize)| {
                let mut codes = CODES[&key].clone();
                *codes.get_mut(code).unwrap() -= own;
                codes.retain(|_, count| *count > 0);
                agreed(&codes).filter(|_| !codes.is_empty())
            };
            let line = keys(moves(line));
            let found = line.iter().rev().find_map(|&key| others((key, 1)));
            found.is_some_and(|found| found.code == Some(*code))
        });
        let (right, all) = (named.count(), lines().count());
        assert!(right * 10 > all * 7, "{right} of {all}");
    }
}
