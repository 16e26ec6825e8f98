//! WXF notation: C2=5, H8+7, R+-1, in the letters of the World Xiangqi Federation (K A E H R C P).
//!
//! `+` goes forward, `-` back, `=` across (the federation prints `.`, which is read too). Of two like pieces
//! on a file the sign follows the letter: `R+` front, `R-` rear. Pawns go by the federation's special cases:
//! of three, the middle one keeps its file (`P3`); of four or five the outermost are `++` and `--`; where
//! two files have several pawns, the file takes the letter's place (`3+`, `33`, `3-`). Read are also
//! the sign before the letter, other servers' letters (N, B, G, M) and `a` to `e` for numbered pawns.

use super::NotationError;
use super::descriptive::{Direction, MoveDescription, MovePattern, TandemOrder, TandemPlace};
use super::text::{MoveScanner, digit};
use crate::board::Position;
use crate::types::{Kind, Move};

/// Writes `mv` in WXF notation; in coordinates if no piece of the position moves like this.
pub fn write(position: &Position, mv: Move) -> String {
    let Some(described) = MoveDescription::of(position, mv) else { return mv.to_string() };
    let MoveDescription { kind, file, place, way, number, .. } = described;
    let letter = letter(kind);
    let subject = if !described.is_tandem() {
        format!("{letter}{file}")
    } else if place.elsewhere {
        format!("{file}{}", order_sign(place).unwrap_or_else(|| file.to_string()))
    } else {
        match order_sign(place) {
            Some(sign) if sign.len() == 2 => sign,
            Some(sign) => format!("{letter}{sign}"),
            None => format!("{letter}{file}"),
        }
    };
    format!("{subject}{}{number}", way_sign(way))
}

/// Reads a legal move in WXF notation, in either case.
///
/// # Errors
/// Tells the first character that does not fit, or that no legal move or more than one is so called.
pub fn read(position: &Position, text: &str) -> Result<Move, NotationError> {
    let mut scanner = MoveScanner::new(text);
    let (kind, file, order) = subject(&mut scanner)?;
    // A piece known by its file may go without a direction (C25), as in the short Chinese form.
    let way = match (scanner.maybe(way), order) {
        (None, Some(_)) => return Err(scanner.wants("one of + - = .")),
        (way, _) => way,
    };
    let number =
        scanner.take(if way.is_some() { "a digit 1-9" } else { "one of + - = . or a digit" }, digit)?;
    scanner.end()?;
    let pattern = MovePattern { kind, file, order, way, number };
    if kind == Kind::Pawn && order.is_none() {
        // The middle one of three or five pawns is written as if it were alone.
        let middle = MovePattern { order: Some(TandemOrder::Middle), ..pattern };
        if let Ok(mv) = middle.find(position, &scanner) {
            return Ok(mv);
        }
    }
    pattern.find(position, &scanner)
}

/// Takes what says which piece moves: kind, file, order among its like.
fn subject(scanner: &mut MoveScanner) -> Result<(Kind, Option<u8>, Option<TandemOrder>), NotationError> {
    if let Some(kind) = scanner.maybe(kind) {
        if let Some(file) = scanner.maybe(digit) {
            return Ok((kind, Some(file), None));
        }
        return Ok((kind, None, Some(scanner.take("a file 1-9, + or -", order)?)));
    }
    if let Some(file) = scanner.maybe(digit) {
        let same = |letter| (digit(letter) == Some(file)).then_some(TandemOrder::Middle);
        let order =
            scanner.take("+, - or the file again", |letter| same(letter).or_else(|| order(letter)))?;
        return Ok((Kind::Pawn, Some(file), Some(order)));
    }
    let order = scanner.take("a piece letter", sign)?;
    if scanner.maybe(|letter| (sign(letter) == Some(order)).then_some(())).is_some() {
        let outermost = if order == TandemOrder::Plus { TandemOrder::Front } else { TandemOrder::Rear };
        return Ok((Kind::Pawn, None, Some(outermost)));
    }
    Ok((scanner.take("a piece letter", kind)?, None, Some(order)))
}

/// The sign for a piece with others on its file, or `None` for the middle one, which needs none.
fn order_sign(place: TandemPlace) -> Option<String> {
    let TandemPlace { ahead, count, .. } = place;
    let behind = count - ahead - 1;
    let (sign, distance) = if ahead < behind { ("+", ahead) } else { ("-", behind) };
    let repeat = if count > 3 && distance == 0 { 2 } else { 1 };
    (ahead != behind).then(|| sign.repeat(repeat))
}

fn way_sign(way: Direction) -> char {
    match way {
        Direction::Forward => '+',
        Direction::Back => '-',
        Direction::Across => '=',
    }
}

fn way(letter: char) -> Option<Direction> {
    Some(match letter {
        '+' => Direction::Forward,
        '-' => Direction::Back,
        '=' | '.' => Direction::Across,
        _ => return None,
    })
}

fn sign(letter: char) -> Option<TandemOrder> {
    Some(match letter {
        '+' => TandemOrder::Plus,
        '-' => TandemOrder::Minus,
        _ => return None,
    })
}

fn order(letter: char) -> Option<TandemOrder> {
    match letter {
        '.' => Some(TandemOrder::Middle),
        'a'..='e' => Some(TandemOrder::Nth(letter as u8 - b'a' + 1)),
        _ => sign(letter),
    }
}

fn letter(kind: Kind) -> char {
    ['K', 'A', 'E', 'H', 'R', 'C', 'P'][kind.index()]
}

/// The kind of a piece letter in either case, of WXF or of other servers.
pub(super) fn kind(letter: char) -> Option<Kind> {
    Some(match letter.to_ascii_uppercase() {
        'K' => Kind::King,
        'A' | 'G' => Kind::Advisor,
        'E' | 'B' | 'M' => Kind::Elephant,
        'H' | 'N' => Kind::Horse,
        'R' => Kind::Rook,
        'C' => Kind::Cannon,
        'P' => Kind::Pawn,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::NotationFault;
    use super::*;

    fn agree(fen: &str, mv: &str, text: &str, others: &[&str]) {
        let position = Position::from_fen(fen).unwrap();
        let mv: Move = mv.parse().unwrap();
        assert_eq!(write(&position, mv), text);
        for text in [text].iter().chain(others) {
            assert_eq!(read(&position, text), Ok(mv), "{text}");
        }
    }

    #[test]
    fn first_moves() {
        const BLACK: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - 0 1";
        let start = crate::board::STARTPOS;
        agree(start, "h2e2", "C2=5", &["C2.5", "c2.5", "C25", "Ｃ２＝５"]);
        agree(start, "c0e2", "E7+5", &["B7+5", "M7+5"]);
        agree(BLACK, "h9g7", "H8+7", &["N8+7", "h8+7"]);
        agree(BLACK, "d9e8", "A4+5", &["G4+5"]);
    }

    /// The examples of the federation's page, on boards that fit them.
    #[test]
    fn the_special_cases_of_the_federation() {
        agree("4k4/9/9/5R3/9/9/5R3/9/9/3K5 w - - 0 1", "f6g6", "R+=3", &["R+.3", "+R.3", "r+=3"]);
        agree("4k4/9/9/5c3/9/9/5c3/9/9/3K5 b - - 0 1", "f6f7", "C--1", &["-C-1"]);
        let three = "3k5/9/6P2/6P2/6P2/9/9/9/9/5K3 w - - 0 1";
        agree(three, "g7f7", "P+=4", &["P+.4", "Pa=4"]);
        agree(three, "g6f6", "P3=4", &["P3.4", "P.=4", "Pb=4"]);
        agree(three, "g5f5", "P-=4", &["P-.4", "Pc=4"]);
        let five = "3k5/6P2/6P2/6P2/6P2/9/6P2/9/9/5K3 w - - 0 1";
        agree(five, "g8f8", "++=4", &["++.4"]);
        agree(five, "g7f7", "P+=4", &["P+.4"]);
        agree(five, "g6f6", "P3=4", &["P3.4"]);
        agree(five, "g5f5", "P-=4", &["P-.4"]);
        agree(five, "g3g4", "--+1", &[]);
        let four = "3k5/6P2/6P2/6P2/6P2/9/9/9/9/5K3 w - - 0 1";
        agree(four, "g8f8", "++=4", &[]);
        agree(four, "g7f7", "P+=4", &[]);
        agree(four, "g6f6", "P-=4", &[]);
        agree(four, "g5f5", "--=4", &[]);
        let two_files = "3k5/9/2P3P2/2P3P2/6P2/9/9/9/9/5K3 w - - 0 1";
        agree(two_files, "g7f7", "3+=4", &["3+.4"]);
        agree(two_files, "g6f6", "33=4", &["33.4"]);
        agree(two_files, "g5f5", "3-=4", &["3-.4"]);
        agree(two_files, "c7d7", "7+=6", &["7+.6"]);
        agree(two_files, "c6d6", "7-=6", &["7-.6"]);
    }

    #[test]
    fn errors_tell_the_place() {
        let fault = |text| {
            let error = read(&Position::startpos(), text).unwrap_err();
            (error.column, error.fault)
        };
        assert_eq!(fault("C2="), (4, NotationFault::Incomplete("a digit 1-9")));
        assert_eq!(fault("C0=5").0, 2);
        assert_eq!(fault("X2=5").0, 1);
        assert_eq!(fault("C2=55").0, 5);
        assert_eq!(fault("C+5").0, 3);
        assert_eq!(fault("3"), (2, NotationFault::Incomplete("+, - or the file again")));
        assert_eq!(fault("C2=2"), (1, NotationFault::NoMove));
        assert_eq!(fault("").0, 1);
    }
}
