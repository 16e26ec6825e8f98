//! Coordinates: `h2e2`, and `H2-E2` as the Internet Chinese Chess Server wrote it.
//!
//! Files are a to i from Red's left, ranks 0 to 9 from Red's side.

use super::text::Reader;
use super::{Fault, NotationError};
use crate::board::Position;
use crate::types::{Move, Square};

/// How the ranks of the board are counted from Red's side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ranks {
    /// 0 to 9, as everywhere in this program and in ICCS.
    FromZero,
    /// 1 to 10, as in UCI with a chess program's habits and on some servers.
    FromOne,
}

/// The move in ICCS form: `H2-E2`.
pub fn write(mv: Move) -> String {
    format!("{}-{}", mv.from(), mv.to()).to_ascii_uppercase()
}

/// Reads a legal move given by its two squares, in either case, with or without a hyphen.
///
/// # Errors
/// Tells the first character that fits no square, or why the move is not legal.
pub fn read(position: &Position, text: &str) -> Result<Move, NotationError> {
    read_ranked(position, text, Ranks::FromZero)
}

/// Reads a move as [`read`] does, with ranks counted as told.
pub(super) fn read_ranked(position: &Position, text: &str, ranks: Ranks) -> Result<Move, NotationError> {
    let mut reader = Reader::new(text);
    let from = square(&mut reader, ranks)?;
    reader.maybe(|letter| (letter == '-').then_some(()));
    let to = square(&mut reader, ranks)?;
    reader.end()?;
    let mv = Move::new(from, to).ok_or_else(|| NotationError::new(text, 1, Fault::NoMove))?;
    match position.check_move(mv) {
        Ok(()) => Ok(mv),
        Err(error) => Err(NotationError::new(text, 1, Fault::Illegal(error))),
    }
}

/// Takes a square.
pub(super) fn square(reader: &mut Reader, ranks: Ranks) -> Result<Square, NotationError> {
    let file = reader.take("a file a-i", file)?;
    let rank = rank(reader, ranks).and_then(|rank| Square::new(file, rank));
    rank.ok_or_else(|| reader.wants("a rank"))
}

/// Takes a rank, if one stands here, and returns its number 0-9.
pub(super) fn rank(reader: &mut Reader, ranks: Ranks) -> Option<u8> {
    let digit = |letter: char| letter.to_digit(10).map(|digit| digit as u8);
    match ranks {
        Ranks::FromZero => reader.maybe(digit),
        Ranks::FromOne => {
            let first = reader.maybe(|letter| digit(letter).filter(|&digit| digit > 0))?;
            let ten = first == 1 && reader.maybe(|letter| (letter == '0').then_some(())).is_some();
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
        assert_eq!(fault("h2"), (3, Fault::Incomplete("a file a-i")));
        assert_eq!(fault("h2-j2"), (4, Fault::Unexpected('j', "a file a-i")));
        assert_eq!(fault("h2e2!"), (5, Fault::Unexpected('!', "the end of the move")));
        assert_eq!(fault("h2h2"), (1, Fault::NoMove));
        let illegal = Move::new("h2".parse().unwrap(), "h8".parse().unwrap()).unwrap();
        assert_eq!(fault("h2h8"), (1, Fault::Illegal(PlayError::CannotGo(illegal))));
    }
}
