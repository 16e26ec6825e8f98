//! A square of the 9 × 10 board, and tables indexed by one.

use std::fmt;
use std::ops::{Index, IndexMut};
use std::str::FromStr;

use thiserror::Error;

/// One of the 90 points of the board, numbered rank by rank from Red's left: `a0` = 0, `i0` = 8, `i9` = 89.
///
/// Squares are ordered by their numbers, and a number of 90 or more cannot be made into a square.
///
/// ```
/// use xiangqi::types::Square;
///
/// let cannon: Square = "h2".parse()?;
/// assert_eq!((cannon.file(), cannon.rank(), cannon.index()), (7, 2, 25));
/// assert_eq!(cannon.mirrored().to_string(), "b2");
/// assert!("k2".parse::<Square>().is_err());
/// # Ok::<(), xiangqi::types::SquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// The text is not the name of a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("not a square: expected a file a-i and a rank 0-9")]
pub struct SquareError;

impl Square {
    /// The number of squares on the board.
    pub const COUNT: usize = 90;
    /// The number of files: `a` to `i`, numbered 0 to 8.
    pub const FILES: u8 = 9;
    /// The number of ranks: 0 is Red's back rank and 9 is Black's.
    pub const RANKS: u8 = 10;

    /// Returns the square on `file` (0-8) and `rank` (0-9), or `None` if it lies off the board.
    ///
    /// ```
    /// use xiangqi::types::Square;
    ///
    /// assert_eq!(Square::new(4, 0), "e0".parse().ok());
    /// assert_eq!(Square::new(9, 0), None);
    /// ```
    #[inline]
    pub const fn new(file: u8, rank: u8) -> Option<Square> {
        if file < Self::FILES && rank < Self::RANKS { Some(Square(rank * 9 + file)) } else { None }
    }

    /// Returns the square with the number `index` (0-89), or `None` if there is no such square.
    ///
    /// ```
    /// use xiangqi::types::Square;
    ///
    /// assert_eq!(Square::from_index(89), "i9".parse().ok());
    /// assert_eq!(Square::from_index(90), None);
    /// ```
    #[inline]
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < Self::COUNT { Some(Square(index as u8)) } else { None }
    }

    /// Returns the square with the number `index`, for tables that are built at compile time.
    ///
    /// Use [`Square::from_index`] for a number that may be out of range.
    ///
    /// # Panics
    ///
    /// Panics if `index` is 90 or more.
    ///
    /// ```
    /// use xiangqi::types::Square;
    ///
    /// const CENTRE: Square = Square::at(40);
    /// assert_eq!(CENTRE.to_string(), "e4");
    /// ```
    #[inline]
    pub const fn at(index: usize) -> Square {
        assert!(index < Self::COUNT, "a square has a number below 90");
        Square(index as u8)
    }

    /// Returns the square with a number that the caller has proved to be below 90.
    ///
    /// Move generation takes it millions of times a second, so only debug builds check it.
    #[inline]
    pub(crate) const fn at_unchecked(index: usize) -> Square {
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

    /// The mirror image of this square on the same rank: file `a` becomes file `i`.
    #[inline]
    pub const fn mirrored(self) -> Square {
        Square(self.rank() * 9 + 8 - self.file())
    }

    /// The square on the same file as seen from the other side of the board: rank r becomes rank 9 - r.
    #[inline]
    pub const fn flipped(self) -> Square {
        Square((9 - self.rank()) * 9 + self.file())
    }

    /// Returns the square `df` files to the right and `dr` ranks up, or `None` if it lies off the board.
    ///
    /// ```
    /// use xiangqi::types::Square;
    ///
    /// let corner: Square = "a0".parse()?;
    /// assert_eq!(corner.offset(1, 2), "b2".parse().ok());
    /// assert_eq!(corner.offset(-1, 2), None);
    /// # Ok::<(), xiangqi::types::SquareError>(())
    /// ```
    #[inline]
    pub const fn offset(self, df: i8, dr: i8) -> Option<Square> {
        // As wider numbers, so that no step is too large to add.
        let (file, rank) = (self.file() as i16 + df as i16, self.rank() as i16 + dr as i16);
        if file < 0 || rank < 0 { None } else { Square::new(file as u8, rank as u8) }
    }

    /// All squares in the order of their numbers.
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

    /// Reads a file letter in either case and a rank digit, such as `e4`.
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

/// A table with one entry for each square.
///
/// It is padded to 128 entries, so that an index masked to seven bits is always in range: the compiler then
/// removes the bounds check from the hottest loops without any `unsafe`.
///
/// ```
/// use xiangqi::types::{PerSquare, Square};
///
/// let mut visits = PerSquare::filled(0);
/// let centre: Square = "e4".parse()?;
/// visits[centre] += 1;
/// assert_eq!(Square::all().map(|square| visits[square]).sum::<i32>(), 1);
/// # Ok::<(), xiangqi::types::SquareError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct PerSquare<T>([T; 128]);

impl<T: Copy> PerSquare<T> {
    /// Returns a table with the same value on every square.
    pub const fn filled(value: T) -> PerSquare<T> {
        PerSquare([value; 128])
    }

    /// The entry of `square`; unlike indexing, it can be called in constants.
    #[inline]
    pub const fn get(&self, square: Square) -> T {
        self.0[(square.0 & 127) as usize]
    }

    /// Returns this table with the entry of `square` replaced, for tables that are built at compile time.
    ///
    /// ```
    /// use xiangqi::types::{PerSquare, Square};
    ///
    /// static CENTRE: PerSquare<bool> = PerSquare::filled(false).with(Square::at(40), true);
    /// assert!(CENTRE[Square::at(40)] && !CENTRE[Square::at(41)]);
    /// ```
    pub const fn with(mut self, square: Square, value: T) -> PerSquare<T> {
        self.0[square.index()] = value;
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
        assert!(std::panic::catch_unwind(|| Square::at(90)).is_err());
    }

    #[test]
    fn no_step_is_too_large() {
        for square in Square::all() {
            for step in [i8::MIN, -11, 11, i8::MAX] {
                assert_eq!((square.offset(step, 0), square.offset(0, step)), (None, None));
            }
        }
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
