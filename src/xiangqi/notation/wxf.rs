//! WXF notation: C2=5, H8+7, R+-1, in the letters of the World Xiangqi Federation (K A E H R C P).
//!
//! `+` goes forward, `-` back, `=` across; the federation prints `.`, which is read too. Of two like pieces
//! on a file the sign follows the letter: `R+` is the front one, `R-` the rear one. Tandem pawns, three or
//! more on a file or two and more on each of two files, are known by their number from the front and their
//! file: `15=6` is the front pawn of file 5 (World Xiangqi Rules of 2018).
//!
//! The reader also takes the sign before the letter (`+R.3`), the letters of other servers (N, B, G, M),
//! `a` to `e` for numbered pawns, and the federation's older spellings of tandem pawns: the middle one of
//! three keeps its file (`P3`), the outermost of four or five are `++` and `--`, and the file takes the
//! letter's place where two files have several pawns (`3+`, `33`, `3-`). Of the two meanings of `33` the
//! older one holds before a `.`, with which it was printed.

use super::NotationError;
use super::descriptive::{Direction, MoveDescription, MovePattern, TandemOrder};
use super::text::{MoveScanner, digit};
use crate::board::Position;
use crate::types::{Kind, Move};

/// Writes `mv` in WXF notation, or in coordinates if no piece of the position moves like this.
///
/// ```
/// use xiangqi::{board::Position, notation::wxf};
/// let mv = "h2e2".parse().unwrap();
/// assert_eq!(wxf::write(&Position::startpos(), mv), "C2=5");
/// ```
pub fn write(position: &Position, mv: Move) -> String {
    let Some(described) = MoveDescription::of(position, mv) else { return mv.to_string() };
    let MoveDescription { kind, file, place, direction, number, .. } = described;
    let letter = letter(kind);
    let subject = if !described.is_tandem() {
        format!("{letter}{file}")
    } else if place.elsewhere || place.count > 2 {
        format!("{}{file}", place.ahead + 1)
    } else {
        format!("{letter}{}", if place.ahead == 0 { '+' } else { '-' })
    };
    format!("{subject}{}{number}", direction_sign(direction))
}

/// Reads a legal move in WXF notation, in either case.
///
/// ```
/// use xiangqi::{board::Position, notation::wxf};
/// let mv = wxf::read(&Position::startpos(), "H2+3").unwrap();
/// assert_eq!(mv.to_string(), "h0g2");
/// ```
///
/// # Errors
/// Tells the first character that does not fit, or that no legal move or more than one is so called.
pub fn read(position: &Position, text: &str) -> Result<Move, NotationError> {
    let mut scanner = MoveScanner::new(text);
    let Subject { kind, file, order, older } = subject(&mut scanner)?;
    let dotted = scanner.peek() == Some('.');
    // A piece known by its file may go without a direction (C25), as in the short Chinese form.
    let direction = match (scanner.maybe(direction), order) {
        (None, Some(_)) => return Err(scanner.wants("one of + - = .")),
        (direction, _) => direction,
    };
    let wanted = if direction.is_some() { "a digit 1-9" } else { "one of + - = . or a digit" };
    let number = scanner.take(wanted, digit)?;
    scanner.end()?;
    let pattern = MovePattern { kind, file, order, direction, number };
    let with = |order| MovePattern { order: Some(order), ..pattern };
    let older = older.map(with);
    // The middle one of three or five pawns used to be written as if it were alone.
    let lone = (kind == Kind::Pawn && order.is_none()).then(|| with(TandemOrder::Middle));
    let first = if dotted { older.or(lone) } else { lone };
    if let Some(Ok(mv)) = first.map(|pattern| pattern.find(position, &scanner)) {
        return Ok(mv);
    }
    pattern.find(position, &scanner).or_else(|error| match older {
        Some(older) => older.find(position, &scanner).map_err(|_| error),
        None => Err(error),
    })
}

/// What says which piece moves.
struct Subject {
    kind: Kind,
    file: Option<u8>,
    order: Option<TandemOrder>,
    /// What the order meant in the federation's older spelling, where that differs.
    older: Option<TandemOrder>,
}

/// Takes what says which piece moves.
fn subject(scanner: &mut MoveScanner) -> Result<Subject, NotationError> {
    let piece = |kind, file, order| Subject { kind, file, order, older: None };
    if let Some(kind) = scanner.maybe(kind) {
        if let Some(file) = scanner.maybe(digit) {
            return Ok(piece(kind, Some(file), None));
        }
        return Ok(piece(kind, None, Some(scanner.take("a file 1-9, + or -", order)?)));
    }
    if let Some(first) = scanner.maybe(digit) {
        if let Some(file) = scanner.maybe(digit) {
            let older = (first == file).then_some(TandemOrder::Middle);
            let order = Some(TandemOrder::OnFile(first));
            return Ok(Subject { kind: Kind::Pawn, file: Some(file), order, older });
        }
        let order = scanner.take("a file 1-9, + or -", order)?;
        return Ok(piece(Kind::Pawn, Some(first), Some(order)));
    }
    let order = scanner.take("a piece letter", sign)?;
    if scanner.maybe(|letter| (sign(letter) == Some(order)).then_some(())).is_some() {
        let outermost = if order == TandemOrder::Plus { TandemOrder::Front } else { TandemOrder::Rear };
        return Ok(piece(Kind::Pawn, None, Some(outermost)));
    }
    Ok(piece(scanner.take("a piece letter", kind)?, None, Some(order)))
}

fn direction_sign(direction: Direction) -> char {
    match direction {
        Direction::Forward => '+',
        Direction::Back => '-',
        Direction::Across => '=',
    }
}

fn direction(letter: char) -> Option<Direction> {
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
        agree(three, "g7f7", "13=4", &["13.4", "P+=4", "P+.4", "Pa=4"]);
        agree(three, "g6f6", "23=4", &["P3=4", "P3.4", "P.=4", "Pb=4", "33.4"]);
        agree(three, "g5f5", "33=4", &["P-=4", "P-.4", "Pc=4"]);
        let five = "3k5/6P2/6P2/6P2/6P2/9/6P2/9/9/5K3 w - - 0 1";
        agree(five, "g8f8", "13=4", &["++=4", "++.4"]);
        agree(five, "g7f7", "23=4", &["P+=4", "P+.4"]);
        agree(five, "g6f6", "33=4", &["P3=4", "P3.4"]);
        agree(five, "g5f5", "43=4", &["P-=4", "P-.4"]);
        agree(five, "g3g4", "53+1", &["--+1"]);
        let four = "3k5/6P2/6P2/6P2/6P2/9/9/9/9/5K3 w - - 0 1";
        agree(four, "g8f8", "13=4", &["++=4"]);
        agree(four, "g7f7", "23=4", &["P+=4"]);
        agree(four, "g6f6", "33=4", &["P-=4"]);
        agree(four, "g5f5", "43=4", &["--=4"]);
        let two_files = "3k5/9/2P3P2/2P3P2/6P2/9/9/9/9/5K3 w - - 0 1";
        agree(two_files, "g7f7", "13=4", &["3+=4", "3+.4"]);
        agree(two_files, "g6f6", "23=4", &["33.4"]);
        agree(two_files, "g5f5", "33=4", &["3-=4", "3-.4"]);
        agree(two_files, "c7d7", "17=6", &["7+=6", "7+.6"]);
        agree(two_files, "c6d6", "27=6", &["7-=6", "7-.6"]);
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
        assert_eq!(fault("3"), (2, NotationFault::Incomplete("a file 1-9, + or -")));
        assert_eq!(fault("C2=2"), (1, NotationFault::NoMove));
        assert_eq!(fault("").0, 1);
    }
}
