//! Sides, kinds of piece, and the fourteen pieces.

use std::fmt;
use std::ops::Not;

/// One of the two players; Red moves first and starts at rank 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Side {
    /// Red (红) has capital letters in a FEN and starts on ranks 0-4.
    Red,
    /// Black (黑) has small letters in a FEN and starts on ranks 5-9.
    Black,
}

impl Side {
    /// Both sides: Red, then Black.
    pub const ALL: [Side; 2] = [Side::Red, Side::Black];

    /// The index of the side in tables: 0 for Red, 1 for Black.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter of the side in a FEN: `w` for Red, `b` for Black.
    pub const fn letter(self) -> char {
        match self {
            Side::Red => 'w',
            Side::Black => 'b',
        }
    }
}

impl Not for Side {
    type Output = Side;
    #[inline]
    fn not(self) -> Side {
        match self {
            Side::Red => Side::Black,
            Side::Black => Side::Red,
        }
    }
}

/// One of the seven kinds of piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// The general 帅/将, with the letter K.
    King,
    /// The advisor 仕/士, with the letter A.
    Advisor,
    /// The elephant 相/象, with the letter B (E is read as well).
    Elephant,
    /// The horse 马, with the letter N (H is read as well).
    Horse,
    /// The rook or chariot 车, with the letter R.
    Rook,
    /// The cannon 炮, with the letter C.
    Cannon,
    /// The pawn or soldier 兵/卒, with the letter P.
    Pawn,
}

impl Kind {
    /// All kinds in the order of [`Kind::index`].
    pub const ALL: [Kind; 7] =
        [Kind::King, Kind::Advisor, Kind::Elephant, Kind::Horse, Kind::Rook, Kind::Cannon, Kind::Pawn];

    /// The index of the kind in tables: 0 (king) to 6 (pawn).
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The number of pieces of this kind with which one side starts the game.
    pub const fn set_size(self) -> u32 {
        match self {
            Kind::King => 1,
            Kind::Pawn => 5,
            _ => 2,
        }
    }

    /// The capital letter of the kind in a FEN.
    pub const fn letter(self) -> char {
        ['K', 'A', 'B', 'N', 'R', 'C', 'P'][self as usize]
    }
}

/// One of the fourteen pieces, a side and a kind in one byte; `Option<Piece>` is one byte as well.
///
/// ```
/// use xiangqi::types::{Kind, Piece, Side};
///
/// let horse = Piece::new(Side::Black, Kind::Horse);
/// assert_eq!((horse, horse.letter(), horse.hanzi()), (Piece::BlackHorse, 'n', '马'));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[rustfmt::skip]
#[allow(missing_docs)] // the names say it all
pub enum Piece {
    RedKing, RedAdvisor, RedElephant, RedHorse, RedRook, RedCannon, RedPawn,
    BlackKing, BlackAdvisor, BlackElephant, BlackHorse, BlackRook, BlackCannon, BlackPawn,
}

impl Piece {
    /// All pieces in the order of [`Piece::index`].
    #[rustfmt::skip]
    pub const ALL: [Piece; 14] = {
        use Piece::*;
        [RedKing, RedAdvisor, RedElephant, RedHorse, RedRook, RedCannon, RedPawn,
         BlackKing, BlackAdvisor, BlackElephant, BlackHorse, BlackRook, BlackCannon, BlackPawn]
    };

    /// Returns the piece of a side and a kind.
    ///
    /// ```
    /// use xiangqi::types::{Kind, Piece, Side};
    ///
    /// assert_eq!(Piece::new(Side::Red, Kind::Rook), Piece::RedRook);
    /// ```
    #[inline]
    pub const fn new(side: Side, kind: Kind) -> Piece {
        Piece::ALL[side as usize * 7 + kind as usize]
    }

    /// The side that the piece belongs to.
    #[inline]
    pub const fn side(self) -> Side {
        if (self as u8) < 7 { Side::Red } else { Side::Black }
    }

    /// The kind of the piece.
    #[inline]
    pub const fn kind(self) -> Kind {
        let index = self as usize;
        Kind::ALL[if index < 7 { index } else { index - 7 }]
    }

    /// The index of the piece in tables: 0-6 for Red's pieces and 7-13 for Black's, each by [`Kind::index`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter of the piece in a FEN, capital for Red and small for Black.
    pub const fn letter(self) -> char {
        let letter = self.kind().letter();
        match self.side() {
            Side::Red => letter,
            Side::Black => letter.to_ascii_lowercase(),
        }
    }

    /// Returns the piece with this letter in a FEN, or `None` if there is none; E and H are read as B and N.
    ///
    /// ```
    /// use xiangqi::types::Piece;
    ///
    /// assert_eq!(Piece::from_letter('C'), Some(Piece::RedCannon));
    /// assert_eq!(Piece::from_letter('h'), Some(Piece::BlackHorse));
    /// assert_eq!(Piece::from_letter('x'), None);
    /// ```
    pub const fn from_letter(letter: char) -> Option<Piece> {
        let kind = match letter.to_ascii_uppercase() {
            'K' => Kind::King,
            'A' => Kind::Advisor,
            'B' | 'E' => Kind::Elephant,
            'N' | 'H' => Kind::Horse,
            'R' => Kind::Rook,
            'C' => Kind::Cannon,
            'P' => Kind::Pawn,
            _ => return None,
        };
        Some(Piece::new(if letter.is_ascii_uppercase() { Side::Red } else { Side::Black }, kind))
    }

    /// The character written on the piece: one of 帅仕相马车炮兵 for Red and of 将士象马车炮卒 for Black.
    pub const fn hanzi(self) -> char {
        ['帅', '仕', '相', '马', '车', '炮', '兵', '将', '士', '象', '马', '车', '炮', '卒'][self as usize]
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_round_trip() {
        for piece in Piece::ALL {
            assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
            assert_eq!(Piece::new(piece.side(), piece.kind()), piece);
        }
        assert_eq!(Piece::from_letter('E'), Some(Piece::RedElephant));
        assert_eq!(Piece::from_letter('h'), Some(Piece::BlackHorse));
        assert_eq!(Piece::from_letter('x'), None);
    }

    #[test]
    fn an_optional_piece_is_one_byte() {
        assert_eq!(size_of::<Option<Piece>>(), 1);
    }
}
