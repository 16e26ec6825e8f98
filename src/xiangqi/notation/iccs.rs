//! Coordinates: `h2e2`, and `H2-E2` as the Internet Chinese Chess Server wrote it.
//!
//! Files are a to i from Red's left, ranks 0 to 9 from Red's side.

use super::text::MoveScanner;
use super::{NotationError, NotationFault};
use crate::board::Position;
use crate::types::{Move, Square};

/// How the ranks of the board are counted from Red's side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RankBase {
    /// 0 to 9, as everywhere in this program and in ICCS.
    Zero,
    /// 1 to 10, as in UCI with a chess program's habits and on some servers.
    One,
}

/// Writes a move in ICCS form.
///
/// ```
/// use xiangqi::notation::iccs;
/// assert_eq!(iccs::write("h2e2".parse().unwrap()), "H2-E2");
/// ```
pub fn write(mv: Move) -> String {
    format!("{}-{}", mv.from(), mv.to()).to_ascii_uppercase()
}

/// Reads a legal move given by its two squares, in either case, with or without a hyphen.
///
/// ```
/// use xiangqi::{board::Position, notation::iccs};
/// assert_eq!(iccs::read(&Position::startpos(), "H2-E2").unwrap().to_string(), "h2e2");
/// ```
///
/// # Errors
/// Tells the first character that fits no square, or why the move is not legal.
pub fn read(position: &Position, text: &str) -> Result<Move, NotationError> {
    read_ranked(position, text, RankBase::Zero)
}

/// Reads a move as [`read`] does, with ranks counted as told.
pub(super) fn read_ranked(position: &Position, text: &str, ranks: RankBase) -> Result<Move, NotationError> {
    let mut scanner = MoveScanner::new(text);
    let from = square(&mut scanner, ranks)?;
    scanner.maybe(|letter| (letter == '-').then_some(()));
    let to = square(&mut scanner, ranks)?;
    scanner.end()?;
    let mv = Move::new(from, to).ok_or_else(|| NotationError::new(text, 1, NotationFault::NoMove))?;
    match position.check_move(mv) {
        Ok(()) => Ok(mv),
        Err(error) => Err(NotationError::new(text, 1, NotationFault::Illegal(error))),
    }
}

/// Takes a square.
pub(super) fn square(scanner: &mut MoveScanner, ranks: RankBase) -> Result<Square, NotationError> {
    let file = scanner.take("a file a-i", file)?;
    let rank = rank(scanner, ranks).and_then(|rank| Square::new(file, rank));
    rank.ok_or_else(|| scanner.wants("a rank"))
}

/// Takes a rank, if one stands here, and returns its number 0-9.
pub(super) fn rank(scanner: &mut MoveScanner, ranks: RankBase) -> Option<u8> {
    let digit = |letter: char| letter.to_digit(10).map(|digit| digit as u8);
    match ranks {
        RankBase::Zero => scanner.maybe(digit),
        RankBase::One => {
            let first = scanner.maybe(|letter| digit(letter).filter(|&digit| digit > 0))?;
            let ten = first == 1 && scanner.maybe(|letter| (letter == '0').then_some(())).is_some();
            Some(if ten { 9 } else { first - 1 })
        }
    }
}

/// The number 0-8 of a file letter.
pub(super) fn file(letter: char) -> Option<u8> {
    let letter = letter.to_ascii_lowercase();
    letter.is_ascii().then(|| (letter as u8).wrapping_sub(b'a')).filter(|&file| file < Square::FILES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::PlayError;

    #[test]
    fn both_forms_and_cases_are_read() {
        let position = Position::startpos();
        for text in ["h2e2", "H2E2", "H2-E2", "h2-e2", " h2e2 ", "Ｈ２－Ｅ２"] {
            assert_eq!(read(&position, text).map(write).as_deref(), Ok("H2-E2"), "{text}");
        }
    }

    #[test]
    fn errors_tell_place_and_reason() {
        let position = Position::startpos();
        let fault = |text| {
            let error = read(&position, text).unwrap_err();
            (error.column, error.fault)
        };
        assert_eq!(fault("h2"), (3, NotationFault::Incomplete("a file a-i")));
        assert_eq!(fault("h2-j2"), (4, NotationFault::Unexpected('j', "a file a-i")));
        assert_eq!(fault("h2e2!"), (5, NotationFault::Unexpected('!', "the end of the move")));
        assert_eq!(fault("h2h2"), (1, NotationFault::NoMove));
        let illegal = Move::new("h2".parse().unwrap(), "h8".parse().unwrap()).unwrap();
        assert_eq!(fault("h2h8"), (1, NotationFault::Illegal(PlayError::CannotGo(illegal))));
    }
}
