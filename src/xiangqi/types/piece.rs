//! Sides, kinds of piece, and the fourteen pieces.

use std::fmt;
use std::ops::Not;

/// The two players. Red moves first and sits at rank 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Side {
    /// Red (红), capital letters in FEN, ranks 0-4.
    Red,
    /// Black (黑), small letters in FEN, ranks 5-9.
    Black,
}

impl Side {
    /// Red, then Black.
    pub const ALL: [Side; 2] = [Side::Red, Side::Black];

    /// 0 for Red, 1 for Black.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter of the side in a FEN: `w` or `b`.
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

/// The seven kinds of piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// General 帅/将, letter K.
    King,
    /// Advisor 仕/士, letter A.
    Advisor,
    /// Elephant 相/象, letter B (E is read too).
    Elephant,
    /// Horse 马, letter N (H is read too).
    Horse,
    /// Rook 车, letter R.
    Rook,
    /// Cannon 炮, letter C.
    Cannon,
    /// Pawn 兵/卒, letter P.
    Pawn,
}

impl Kind {
    /// All kinds in order.
    pub const ALL: [Kind; 7] =
        [Kind::King, Kind::Advisor, Kind::Elephant, Kind::Horse, Kind::Rook, Kind::Cannon, Kind::Pawn];

    /// 0 (king) to 6 (pawn).
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// How many of this kind one side's set has.
    pub const fn set_size(self) -> u32 {
        match self {
            Kind::King => 1,
            Kind::Pawn => 5,
            _ => 2,
        }
    }

    /// The capital FEN letter.
    pub const fn letter(self) -> char {
        ['K', 'A', 'B', 'N', 'R', 'C', 'P'][self as usize]
    }

    /// Whether this piece can ever stand beyond the river.
    pub const fn crosses_river(self) -> bool {
        matches!(self, Kind::Horse | Kind::Rook | Kind::Cannon | Kind::Pawn)
    }
}

/// One of the fourteen pieces; `Option<Piece>` fits in one byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[rustfmt::skip]
#[allow(missing_docs)] // the names say it all
pub enum Piece {
    RedKing, RedAdvisor, RedElephant, RedHorse, RedRook, RedCannon, RedPawn,
    BlackKing, BlackAdvisor, BlackElephant, BlackHorse, BlackRook, BlackCannon, BlackPawn,
}

impl Piece {
    /// Red's seven pieces, then Black's, in order of [`Piece::index`].
    #[rustfmt::skip]
    pub const ALL: [Piece; 14] = {
        use Piece::*;
        [RedKing, RedAdvisor, RedElephant, RedHorse, RedRook, RedCannon, RedPawn,
         BlackKing, BlackAdvisor, BlackElephant, BlackHorse, BlackRook, BlackCannon, BlackPawn]
    };

    /// The piece of this side and kind.
    #[inline]
    pub const fn new(side: Side, kind: Kind) -> Piece {
        Piece::ALL[side as usize * 7 + kind as usize]
    }

    /// Whose piece it is.
    #[inline]
    pub const fn side(self) -> Side {
        if (self as u8) < 7 { Side::Red } else { Side::Black }
    }

    /// What kind it is.
    #[inline]
    pub const fn kind(self) -> Kind {
        let index = self as usize;
        Kind::ALL[if index < 7 { index } else { index - 7 }]
    }

    /// 0-13: Red's pieces first.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The FEN letter: capital for Red.
    pub const fn letter(self) -> char {
        let letter = self.kind().letter();
        match self.side() {
            Side::Red => letter,
            Side::Black => letter.to_ascii_lowercase(),
        }
    }

    /// The piece of a FEN letter; E and H are read as B and N.
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

    /// The character on the piece itself: 帅仕相马车炮兵 for Red, 将士象马车炮卒 for Black.
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
