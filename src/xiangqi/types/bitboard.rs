//! A set of squares in one 128-bit word.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use super::Square;

/// A set of squares: bit n stands for the square with the number n, and bits 90 and up are always clear.
///
/// ```
/// use xiangqi::types::{Bitboard, Square};
///
/// let central_file = Bitboard::file(4);
/// let back_rank = Bitboard::rank(0);
/// assert_eq!((central_file | back_rank).len(), 18);
/// assert_eq!((central_file & back_rank).first(), "e0".parse().ok());
///
/// let elephants: Bitboard = ["c0".parse()?, "g0".parse()?].into_iter().collect();
/// for square in elephants {
///     assert!(back_rank.has(square));
/// }
/// # Ok::<(), xiangqi::types::SquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(u128);

impl Bitboard {
    /// The set of no squares.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// The set of all 90 squares.
    pub const ALL: Bitboard = Bitboard((1 << 90) - 1);

    /// Returns the set of the squares whose bits are set in `bits`; bits 90 and up are ignored.
    ///
    /// ```
    /// use xiangqi::types::Bitboard;
    ///
    /// assert_eq!(Bitboard::from_bits(1 << 4), Bitboard::of("e0".parse()?));
    /// assert_eq!(Bitboard::from_bits(u128::MAX), Bitboard::ALL);
    /// # Ok::<(), xiangqi::types::SquareError>(())
    /// ```
    #[inline]
    pub const fn from_bits(bits: u128) -> Bitboard {
        Bitboard(bits & Self::ALL.0)
    }

    /// The set as a number, with square n at bit n.
    #[inline]
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// Returns the set of one square.
    ///
    /// ```
    /// use xiangqi::types::{Bitboard, Square};
    ///
    /// let centre: Square = "e4".parse()?;
    /// assert!(Bitboard::of(centre).has(centre));
    /// assert_eq!(Bitboard::of(centre).len(), 1);
    /// # Ok::<(), xiangqi::types::SquareError>(())
    /// ```
    #[inline]
    pub const fn of(square: Square) -> Bitboard {
        Bitboard(1 << square.index())
    }

    /// Returns the ten squares of a file.
    ///
    /// # Panics
    ///
    /// Panics if `file` is 9 or more.
    ///
    /// ```
    /// use xiangqi::types::Bitboard;
    ///
    /// assert_eq!(Bitboard::file(8).last(), "i9".parse().ok());
    /// ```
    pub const fn file(file: u8) -> Bitboard {
        assert!(file < Square::FILES, "a file has a number below 9");
        let mut bits = 0u128;
        let mut rank = 0;
        while rank < 10 {
            bits |= 1 << (rank * 9 + file as usize);
            rank += 1;
        }
        Bitboard(bits)
    }

    /// Returns the nine squares of a rank.
    ///
    /// # Panics
    ///
    /// Panics if `rank` is 10 or more.
    ///
    /// ```
    /// use xiangqi::types::Bitboard;
    ///
    /// assert_eq!(Bitboard::rank(9).first(), "a9".parse().ok());
    /// ```
    #[inline]
    pub const fn rank(rank: u8) -> Bitboard {
        assert!(rank < Square::RANKS, "a rank has a number below 10");
        Bitboard(0x1ff << (rank as usize * 9))
    }

    /// Whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of squares in the set.
    #[inline]
    pub const fn len(self) -> u32 {
        // Two counts of 64 bits: this is what the compiler makes of one of 128 bits.
        (self.0 as u64).count_ones() + ((self.0 >> 64) as u64).count_ones()
    }

    /// Whether the set has more than one square.
    #[inline]
    pub(crate) const fn has_many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Whether `square` is in the set.
    #[inline]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Whether the two sets share a square.
    #[inline]
    pub const fn meets(self, other: Bitboard) -> bool {
        self.0 & other.0 != 0
    }

    /// This set with `square` added.
    #[inline]
    pub const fn with(self, square: Square) -> Bitboard {
        Bitboard(self.0 | 1 << square.index())
    }

    /// This set with `square` removed.
    #[inline]
    pub const fn without(self, square: Square) -> Bitboard {
        Bitboard(self.0 & !(1 << square.index()))
    }

    /// The square with the lowest number, or `None` if the set is empty.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::at_unchecked(self.0.trailing_zeros() as usize)) }
    }

    /// The square with the highest number, or `None` if the set is empty.
    #[inline]
    pub const fn last(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::at_unchecked(127 - self.0.leading_zeros() as usize)) }
    }

    /// Removes the square with the lowest number and returns it, or returns `None` if the set is empty.
    #[inline]
    pub const fn pop(&mut self) -> Option<Square> {
        let first = self.first();
        self.0 &= self.0.wrapping_sub(1);
        first
    }
}

impl BitAnd for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn bitand(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn bitor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn bitxor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 ^ other.0)
    }
}

impl Not for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(!self.0 & Self::ALL.0)
    }
}

impl BitAndAssign for Bitboard {
    #[inline]
    fn bitand_assign(&mut self, other: Bitboard) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline]
    fn bitor_assign(&mut self, other: Bitboard) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline]
    fn bitxor_assign(&mut self, other: Bitboard) {
        self.0 ^= other.0;
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, Bitboard::with)
    }
}

/// An iterator over the squares of a [`Bitboard`] in the order of their numbers.
#[derive(Debug, Clone)]
pub struct BitboardIter(Bitboard);

impl Iterator for BitboardIter {
    type Item = Square;
    #[inline]
    fn next(&mut self) -> Option<Square> {
        self.0.pop()
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len() as usize, Some(self.0.len() as usize))
    }
}

impl ExactSizeIterator for BitboardIter {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = BitboardIter;
    #[inline]
    fn into_iter(self) -> BitboardIter {
        BitboardIter(self)
    }
}

impl fmt::Debug for Bitboard {
    /// Draws the set with rank 9 at the top.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f)?;
        for rank in (0..Square::RANKS).rev() {
            for file in 0..Square::FILES {
                let here = Square::new(file, rank).is_some_and(|square| self.has(square));
                write!(f, "{}", if here { " x" } else { " ." })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn popping_gives_every_square_once_and_in_order() {
        let squares: Vec<_> = Bitboard::ALL.into_iter().collect();
        assert_eq!(squares, Square::all().collect::<Vec<_>>());
        assert_eq!(squares.into_iter().collect::<Bitboard>(), Bitboard::ALL);
    }

    #[test]
    fn files_and_ranks_cover_the_board_once() {
        let files = (0..9).map(Bitboard::file).fold(Bitboard::EMPTY, |a, b| a ^ b);
        let ranks = (0..10).map(Bitboard::rank).fold(Bitboard::EMPTY, |a, b| a ^ b);
        assert_eq!(files, Bitboard::ALL);
        assert_eq!(ranks, Bitboard::ALL);
        assert_eq!(!Bitboard::ALL, Bitboard::EMPTY);
        assert!(std::panic::catch_unwind(|| Bitboard::file(9)).is_err());
        assert!(std::panic::catch_unwind(|| Bitboard::rank(10)).is_err());
    }

    #[test]
    fn first_last_and_many() {
        let set = Bitboard::of(Square::at(70)).with(Square::at(3));
        assert_eq!((set.first(), set.last()), (Some(Square::at(3)), Some(Square::at(70))));
        assert!(set.has_many() && !set.without(Square::at(3)).has_many());
        assert_eq!((Bitboard::EMPTY.first(), Bitboard::EMPTY.last()), (None, None));
    }
}
