//! A square of the 9 × 10 board, and tables indexed by one.

use std::fmt;
use std::ops::{Index, IndexMut};
use std::str::FromStr;

use thiserror::Error;

/// One of the 90 points of the board, numbered rank-major from Red's left: `a0` = 0, `i0` = 8, `i9` = 89.
///
/// The order of squares is the order of their numbers. No `Square` outside 0..90 can be made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// Why a text is not a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("not a square: a file a-i and a rank 0-9 are wanted")]
pub struct SquareError;

impl Square {
    /// How many squares the board has.
    pub const COUNT: usize = 90;
    /// How many files: 9, `a` to `i`, numbered 0 to 8.
    pub const FILES: u8 = 9;
    /// How many ranks: 10, numbered 0 (Red's back rank) to 9 (Black's).
    pub const RANKS: u8 = 10;

    /// The square on `file` (0-8) and `rank` (0-9), or `None` off the board.
    #[inline]
    pub const fn new(file: u8, rank: u8) -> Option<Square> {
        if file < Self::FILES && rank < Self::RANKS { Some(Square(rank * 9 + file)) } else { None }
    }

    /// The square with this number (0-89), or `None`.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < Self::COUNT { Some(Square(index as u8)) } else { None }
    }

    /// The square with a number known to be below 90.
    #[inline]
    pub const fn at(index: usize) -> Square {
        debug_assert!(index < Self::COUNT);
        Square(index as u8)
    }

    /// The file, 0-8.
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 % 9
    }

    /// The rank, 0-9.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 / 9
    }

    /// The number, 0-89.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The mirror image on the same rank (`a` ↔ `i`).
    #[inline]
    pub const fn mirrored(self) -> Square {
        Square(self.rank() * 9 + 8 - self.file())
    }

    /// The same file seen from the other side of the board (rank r ↔ 9 - r).
    #[inline]
    pub const fn flipped(self) -> Square {
        Square((9 - self.rank()) * 9 + self.file())
    }

    /// The square `df` files to the right and `dr` ranks up, or `None` off the board.
    #[inline]
    pub const fn offset(self, df: i8, dr: i8) -> Option<Square> {
        let (file, rank) = (self.file() as i8 + df, self.rank() as i8 + dr);
        if file < 0 || rank < 0 { None } else { Square::new(file as u8, rank as u8) }
    }

    /// All squares in order.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..Self::COUNT as u8).map(Square)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Square, SquareError> {
        match text.as_bytes() {
            [file, rank @ b'0'..=b'9'] => {
                let file = file.to_ascii_lowercase().wrapping_sub(b'a');
                Square::new(file, rank - b'0').ok_or(SquareError)
            }
            _ => Err(SquareError),
        }
    }
}

/// A table with one entry a square.
///
/// It is padded to 128 entries, so that an index masked to seven bits is always inside: the compiler then
/// drops the bounds check from the hottest loops without any `unsafe`.
#[derive(Clone, PartialEq, Eq)]
pub struct PerSquare<T>([T; 128]);

impl<T: Copy> PerSquare<T> {
    /// A table with the same value everywhere.
    pub const fn filled(value: T) -> PerSquare<T> {
        PerSquare([value; 128])
    }

    /// The entry of `square`, usable in constants.
    #[inline]
    pub const fn get(&self, square: Square) -> T {
        self.0[(square.0 & 127) as usize]
    }

    /// This table with the entry of the square numbered `index` replaced, usable in constants.
    pub const fn with(mut self, index: usize, value: T) -> PerSquare<T> {
        self.0[index] = value;
        self
    }
}

impl<T> Index<Square> for PerSquare<T> {
    type Output = T;
    #[inline]
    fn index(&self, square: Square) -> &T {
        &self.0[(square.0 & 127) as usize]
    }
}

impl<T> IndexMut<Square> for PerSquare<T> {
    #[inline]
    fn index_mut(&mut self, square: Square) -> &mut T {
        &mut self.0[(square.0 & 127) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_agree() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(Square::new(square.file(), square.rank()), Some(square));
            assert_eq!(Square::from_index(square.index()), Some(square));
        }
        assert_eq!("a0".parse::<Square>().unwrap().index(), 0);
        assert_eq!("I9".parse::<Square>().unwrap().index(), 89);
    }

    #[test]
    fn nothing_off_the_board_is_a_square() {
        for text in ["", "a", "j0", "a10", "0a", "a-", "帅"] {
            assert_eq!(text.parse::<Square>(), Err(SquareError), "{text}");
        }
        assert_eq!(Square::new(9, 0), None);
        assert_eq!(Square::new(0, 10), None);
        assert_eq!(Square::from_index(90), None);
    }

    #[test]
    fn reflections_are_their_own_inverse() {
        for square in Square::all() {
            assert_eq!(square.mirrored().mirrored(), square);
            assert_eq!(square.flipped().flipped(), square);
            assert_eq!(square.mirrored().rank(), square.rank());
            assert_eq!(square.flipped().file(), square.file());
        }
    }
}
