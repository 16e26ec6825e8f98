//! A set of squares in one 128-bit word.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use super::Square;

/// A set of squares: bit n stands for the square numbered n. Bits 90 and up are always clear.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(u128);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All 90 squares.
    pub const ALL: Bitboard = Bitboard((1 << 90) - 1);

    /// The set with these bits; bits 90 and up are dropped.
    #[inline]
    pub const fn from_bits(bits: u128) -> Bitboard {
        Bitboard(bits & Self::ALL.0)
    }

    /// The bits, square n at bit n.
    #[inline]
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// The set of one square.
    #[inline]
    pub const fn of(square: Square) -> Bitboard {
        Bitboard(1 << square.index())
    }

    /// All squares of a file (0-8).
    pub const fn file(file: u8) -> Bitboard {
        let mut bits = 0u128;
        let mut rank = 0;
        while rank < 10 {
            bits |= 1 << (rank * 9 + file as usize);
            rank += 1;
        }
        Bitboard(bits)
    }

    /// All squares of a rank (0-9).
    #[inline]
    pub const fn rank(rank: u8) -> Bitboard {
        Bitboard(0x1ff << (rank as usize * 9))
    }

    /// Whether the set has no square.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many squares the set has.
    #[inline]
    pub const fn len(self) -> u32 {
        // Two 64-bit counts: what the compiler makes of a 128-bit one, written out for constants.
        (self.0 as u64).count_ones() + ((self.0 >> 64) as u64).count_ones()
    }

    /// Whether the set has more than one square.
    #[inline]
    pub const fn has_many(self) -> bool {
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

    /// This set and `square`.
    #[inline]
    pub const fn with(self, square: Square) -> Bitboard {
        Bitboard(self.0 | 1 << square.index())
    }

    /// This set without `square`.
    #[inline]
    pub const fn without(self, square: Square) -> Bitboard {
        Bitboard(self.0 & !(1 << square.index()))
    }

    /// The lowest square, or `None` of the empty set.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::at(self.0.trailing_zeros() as usize)) }
    }

    /// The highest square, or `None` of the empty set.
    #[inline]
    pub const fn last(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::at(127 - self.0.leading_zeros() as usize)) }
    }

    /// Takes the lowest square out of the set and returns it.
    #[inline]
    pub const fn pop(&mut self) -> Option<Square> {
        let first = self.first();
        self.0 &= self.0.wrapping_sub(1);
        first
    }

    /// The set mirrored left to right.
    pub fn mirrored(self) -> Bitboard {
        self.into_iter().map(Square::mirrored).collect()
    }

    /// The set seen from the other side of the board.
    pub fn flipped(self) -> Bitboard {
        self.into_iter().map(Square::flipped).collect()
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

/// The squares of a set, lowest first.
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;
    #[inline]
    fn next(&mut self) -> Option<Square> {
        self.0.pop()
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len() as usize, Some(self.0.len() as usize))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;
    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

impl fmt::Debug for Bitboard {
    /// A drawing with rank 9 on top.
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
    }

    #[test]
    fn first_last_and_many() {
        let set = Bitboard::of(Square::at(70)).with(Square::at(3));
        assert_eq!((set.first(), set.last()), (Some(Square::at(3)), Some(Square::at(70))));
        assert!(set.has_many() && !set.without(Square::at(3)).has_many());
        assert_eq!(Bitboard::EMPTY.first(), None);
    }
}
