//! Moves in 16 bits, and the list the generator fills.

use std::fmt;
use std::num::NonZeroU16;
use std::ops::{Deref, DerefMut};
use std::str::FromStr;

use thiserror::Error;

use super::Square;

/// A move: source and target, seven bits each. What stands on the squares is the position's business.
///
/// `Option<Move>` is as small as `Move`, since source and target differ and so the word is never zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(NonZeroU16);

/// Why a text is not a move.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not a move: four characters such as h2e2 are wanted")]
pub struct MoveError(pub String);

impl Move {
    /// The move between two different squares, or `None` if they are the same.
    #[inline]
    pub const fn new(from: Square, to: Square) -> Option<Move> {
        if from.index() == to.index() { None } else { Some(Move::between(from, to)) }
    }

    /// The move between two squares known to differ.
    #[inline]
    pub const fn between(from: Square, to: Square) -> Move {
        match NonZeroU16::new((from.index() as u16) | (to.index() as u16) << 7) {
            Some(word) => Move(word),
            // Only a0a0 has an all-zero word, and it is no move.
            None => Move(NonZeroU16::MAX),
        }
    }

    /// The move with this word, if the word holds two different squares.
    pub const fn from_word(word: u16) -> Option<Move> {
        match (Square::from_index((word & 127) as usize), Square::from_index((word >> 7) as usize)) {
            (Some(from), Some(to)) => Move::new(from, to),
            _ => None,
        }
    }

    /// The 14-bit word: source in the low seven bits, target above. Never zero.
    #[inline]
    pub const fn word(self) -> u16 {
        self.0.get()
    }

    /// The square the piece leaves.
    #[inline]
    pub const fn from(self) -> Square {
        Square::at((self.0.get() & 127) as usize)
    }

    /// The square the piece goes to.
    #[inline]
    pub const fn to(self) -> Square {
        Square::at((self.0.get() >> 7 & 127) as usize)
    }

    /// The move back.
    #[inline]
    pub const fn reversed(self) -> Move {
        Move::between(self.to(), self.from())
    }

    /// The same move on the board mirrored left to right.
    pub const fn mirrored(self) -> Move {
        Move::between(self.from().mirrored(), self.to().mirrored())
    }

    /// The same move on the board turned upside down (ranks r ↔ 9 - r).
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

    /// Reads coordinates with ranks 0-9, in either case: `h2e2`, `H2E2`, also ICCS `H2-E2`.
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

/// The moves of one position, on the stack.
///
/// No position of a full set has more than 120 or so legal moves; 128 places are enough, and the generator
/// never needs more: two rooks and two cannons 17 targets each, two horses 8, five pawns 3, five palace and
/// elephant pieces at most 4 each, less what they take from each other.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; MoveList::CAPACITY],
    len: usize,
}

impl MoveList {
    /// How many moves fit.
    pub const CAPACITY: usize = 128;

    /// An empty list.
    #[inline]
    pub const fn new() -> MoveList {
        MoveList { moves: [Move(NonZeroU16::MAX); MoveList::CAPACITY], len: 0 }
    }

    /// Adds a move.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        // The mask only tells the compiler what the capacity already guarantees.
        debug_assert!(self.len < MoveList::CAPACITY);
        self.moves[self.len % MoveList::CAPACITY] = mv;
        self.len += 1;
    }

    /// Empties the list.
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
    fn odd_texts_are_no_moves() {
        assert_eq!("H2-E2".parse::<Move>().unwrap().to_string(), "h2e2");
        for text in ["", "h2", "h2e", "h2e22", "h2h2", "j0a0", "h2:e2", "炮2", "a0a", "车a"] {
            assert!(text.parse::<Move>().is_err(), "{text}");
        }
    }
}
