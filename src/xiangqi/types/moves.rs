//! Moves in 16 bits, and the list that move generation fills.

use std::fmt;
use std::num::NonZeroU16;
use std::ops::{Deref, DerefMut};
use std::str::FromStr;

use thiserror::Error;

use super::Square;

/// A move from one square to a different one, whatever stands on them.
///
/// A move says nothing about pieces and may be illegal in every position: ask
/// [`Position::check_move`](crate::board::Position::check_move). `Option<Move>` is as small as `Move`.
///
/// ```
/// use xiangqi::types::Move;
///
/// let mv: Move = "h2e2".parse()?;
/// assert_eq!((mv.from().to_string(), mv.to().to_string()), ("h2".into(), "e2".into()));
/// assert_eq!("H2-E2".parse(), Ok(mv));
/// assert!("h2h2".parse::<Move>().is_err());
/// # Ok::<(), xiangqi::types::MoveError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(NonZeroU16);

/// The text, cut to 16 characters, is not a move in coordinates.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not a move: expected four characters such as h2e2")]
pub struct MoveError(pub String);

impl Move {
    /// Returns the move between two different squares, or `None` if they are the same.
    ///
    /// ```
    /// use xiangqi::types::{Move, Square};
    ///
    /// let (from, to): (Square, Square) = ("h2".parse()?, "e2".parse()?);
    /// assert_eq!(Move::new(from, to), "h2e2".parse().ok());
    /// assert_eq!(Move::new(from, from), None);
    /// # Ok::<(), xiangqi::types::SquareError>(())
    /// ```
    #[inline]
    pub const fn new(from: Square, to: Square) -> Option<Move> {
        if from.index() == to.index() { None } else { Some(Move::between(from, to)) }
    }

    /// Returns the move between two squares that the caller has proved to differ.
    #[inline]
    pub(crate) const fn between(from: Square, to: Square) -> Move {
        debug_assert!(from.index() != to.index());
        match NonZeroU16::new((from.index() as u16) | (to.index() as u16) << 7) {
            Some(word) => Move(word),
            // Only a0a0 has an all-zero word, and it is no move.
            None => Move(NonZeroU16::MAX),
        }
    }

    /// Returns the move packed in `word`, or `None` if the word does not hold two different squares.
    ///
    /// ```
    /// use xiangqi::types::Move;
    ///
    /// let mv: Move = "h2e2".parse()?;
    /// assert_eq!(Move::from_word(mv.word()), Some(mv));
    /// assert_eq!(Move::from_word(0), None);
    /// # Ok::<(), xiangqi::types::MoveError>(())
    /// ```
    pub const fn from_word(word: u16) -> Option<Move> {
        match (Square::from_index((word & 127) as usize), Square::from_index((word >> 7) as usize)) {
            (Some(from), Some(to)) => Move::new(from, to),
            _ => None,
        }
    }

    /// The move in 14 bits, never zero: the source in the low seven bits and the target above them.
    #[inline]
    pub const fn word(self) -> u16 {
        self.0.get()
    }

    /// The square the piece leaves.
    #[inline]
    pub const fn from(self) -> Square {
        Square::at_unchecked((self.0.get() & 127) as usize)
    }

    /// The square the piece goes to.
    #[inline]
    pub const fn to(self) -> Square {
        Square::at_unchecked((self.0.get() >> 7 & 127) as usize)
    }

    /// The move back from the target to the source.
    #[inline]
    pub const fn reversed(self) -> Move {
        Move::between(self.to(), self.from())
    }

    /// The same move on the board mirrored left to right.
    pub const fn mirrored(self) -> Move {
        Move::between(self.from().mirrored(), self.to().mirrored())
    }

    /// The same move as seen from the other side of the board: rank r becomes rank 9 - r.
    pub const fn flipped(self) -> Move {
        Move::between(self.from().flipped(), self.to().flipped())
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Move {
    type Err = MoveError;

    /// Reads coordinates with ranks 0-9 in either case, with or without the dash of ICCS: `h2e2`, `H2-E2`.
    fn from_str(text: &str) -> Result<Move, MoveError> {
        let error = || MoveError(text.chars().take(16).collect());
        let (from, to) = match text.len() {
            4 => (text.get(..2), text.get(2..)),
            5 if text.as_bytes()[2] == b'-' => (text.get(..2), text.get(3..)),
            _ => return Err(error()),
        };
        match (from.map(str::parse), to.map(str::parse)) {
            (Some(Ok(from)), Some(Ok(to))) => Move::new(from, to).ok_or_else(error),
            _ => Err(error()),
        }
    }
}

/// A list of moves that lives on the stack and dereferences to a slice.
///
/// It has room for the legal moves of every position, which are at most 119: 17 for each rook and cannon, 8 for
/// each horse, 3 for each pawn, and 4 for the general and for each advisor and elephant.
///
/// ```
/// use xiangqi::types::MoveList;
///
/// let mut list = MoveList::new();
/// list.push("h2e2".parse()?);
/// assert_eq!(list.len(), 1);
/// # Ok::<(), xiangqi::types::MoveError>(())
/// ```
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; MoveList::CAPACITY],
    len: usize,
}

impl MoveList {
    /// The largest number of moves that a list can hold.
    pub const CAPACITY: usize = 128;

    /// Returns an empty list.
    #[inline]
    pub const fn new() -> MoveList {
        MoveList { moves: [Move(NonZeroU16::MAX); MoveList::CAPACITY], len: 0 }
    }

    /// Adds a move at the end.
    ///
    /// # Panics
    ///
    /// Panics if the list already holds [`MoveList::CAPACITY`] moves; those of one position always fit.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        self.moves[self.len] = mv;
        self.len += 1;
    }

    /// Removes all moves.
    #[inline]
    pub const fn clear(&mut self) {
        self.len = 0;
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];
    #[inline]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl DerefMut for MoveList {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.moves[..self.len]
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_round_trips() {
        for from in Square::all() {
            for to in Square::all().filter(|&to| to != from) {
                let mv = Move::new(from, to).unwrap();
                assert_eq!((mv.from(), mv.to()), (from, to));
                assert_eq!(Move::from_word(mv.word()), Some(mv));
                assert_eq!(mv.to_string().parse(), Ok(mv));
                assert_eq!(mv.reversed().reversed(), mv);
            }
            assert_eq!(Move::new(from, from), None);
        }
        assert_eq!(size_of::<Option<Move>>(), 2);
    }

    #[test]
    fn a_list_holds_as_many_moves_as_it_says() {
        let mut list = MoveList::new();
        let mv: Move = "h2e2".parse().unwrap();
        (0..MoveList::CAPACITY).for_each(|_| list.push(mv));
        assert_eq!(*list, [mv; MoveList::CAPACITY]);
        assert!(std::panic::catch_unwind(move || list.push(mv)).is_err());
    }

    #[test]
    fn odd_texts_are_no_moves() {
        assert_eq!("H2-E2".parse::<Move>().unwrap().to_string(), "h2e2");
        for text in ["", "h2", "h2e", "h2e22", "h2h2", "j0a0", "h2:e2", "炮2", "a0a", "车a"] {
            assert!(text.parse::<Move>().is_err(), "{text}");
        }
    }
}
