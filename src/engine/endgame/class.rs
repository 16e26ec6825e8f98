//! The material of an ending.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use xiangqi::board::Board;
use xiangqi::types::{Kind, Piece, Side};

/// The most pieces of an ending that can be solved, including both generals.
pub const MOST_PIECES: usize = 8;

/// The material of an ending, seen from the stronger side, which always plays Red here.
///
/// It is written as `KNPvkab`: the stronger side in capitals, then the weaker one. Everything known about a class also
/// holds for the same material with the colours exchanged and the board rotated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EndgameClass {
    /// How many pieces of each kind the stronger and the weaker side have.
    counts: [[u8; 7]; 2],
}

/// Why a text is not a class.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EndgameClassError {
    /// The text is not of the form `KRvkn`.
    #[error("`{0}` is not the material of an ending: write `KRvkn`, the stronger side in capitals")]
    Form(String),
    /// There are more pieces than can be solved, or more of a kind than a set has.
    #[error("`{0}` has too many pieces: {MOST_PIECES} in all at most, and no more of a kind than a set has")]
    TooMany(String),
    /// Neither side can ever win.
    #[error("`{0}` has no piece that can cross the river")]
    Bare(String),
}

impl EndgameClass {
    /// The class of the pieces on a board, and whether the colours must be exchanged to see them as the class does;
    /// `None` if there are more than [`MOST_PIECES`], or if neither side has a piece that can cross the river.
    pub fn of(board: &Board) -> Option<(EndgameClass, bool)> {
        if board.occupied().len() as usize > MOST_PIECES {
            return None;
        }
        EndgameClass::of_counts(EndgameClass::counts_of(board))
    }

    /// How many pieces of each kind stand on a board, Red's first.
    pub(super) fn counts_of(board: &Board) -> [[u8; 7]; 2] {
        Side::ALL.map(|side| Kind::ALL.map(|kind| board.pieces(side, kind).len() as u8))
    }

    /// The class with these numbers of pieces of each kind, Red's first, and whether Black is the stronger side; `None`
    /// if neither side has a piece that can cross the river.
    pub(super) fn of_counts(counts: [[u8; 7]; 2]) -> Option<(EndgameClass, bool)> {
        let strengths = counts.map(strength);
        if strengths == [0, 0] {
            return None;
        }
        // Of equal forces the one with the greater list of numbers goes first, so that the order is always the same.
        let flipped = (strengths[1], counts[1]) > (strengths[0], counts[0]);
        let class = EndgameClass { counts: if flipped { [counts[1], counts[0]] } else { counts } };
        Some((class, flipped))
    }

    /// How many pieces of this kind the stronger side ([`Side::Red`]) or the weaker one has.
    pub fn count(&self, side: Side, kind: Kind) -> usize {
        usize::from(self.counts[side.index()][kind.index()])
    }

    /// How many pieces there are, including both generals.
    pub fn pieces(&self) -> usize {
        self.counts.iter().flatten().copied().map(usize::from).sum()
    }

    /// The pieces of each kind, for capturing some.
    pub(super) fn counts(&self) -> [[u8; 7]; 2] {
        self.counts
    }

    /// A unique number for each class.
    #[inline]
    pub(super) fn key(&self) -> u64 {
        self.counts.iter().flatten().fold(0, |key, &count| key << 3 | u64::from(count))
    }
}

/// The weighted sum of the pieces that can cross the river, of which only the order matters.
fn strength(counts: [u8; 7]) -> u32 {
    const WEIGHTS: [u32; 7] = [0, 0, 0, 8, 18, 9, 3];
    WEIGHTS.iter().zip(counts).map(|(weight, count)| weight * u32::from(count)).sum()
}

impl fmt::Display for EndgameClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for side in Side::ALL {
            if side == Side::Black {
                write!(f, "v")?;
            }
            for kind in Kind::ALL {
                for _ in 0..self.count(side, kind) {
                    write!(f, "{}", Piece::new(side, kind))?;
                }
            }
        }
        Ok(())
    }
}

impl FromStr for EndgameClass {
    type Err = EndgameClassError;

    fn from_str(text: &str) -> Result<EndgameClass, EndgameClassError> {
        let quoted = || text.chars().take(24).collect();
        let form = || EndgameClassError::Form(quoted());
        let (strong, weak) = text.split_once('v').ok_or_else(form)?;
        let mut counts = [[0u8; 7]; 2];
        for (side, letters) in Side::ALL.into_iter().zip([strong, weak]) {
            for letter in letters.chars() {
                let piece = Piece::from_letter(letter).filter(|piece| piece.letter() == letter);
                let piece = piece.filter(|piece| piece.side() == side).ok_or_else(form)?;
                let count = &mut counts[side.index()][piece.kind().index()];
                *count = count.saturating_add(1);
            }
        }
        if counts.iter().any(|counts| counts[Kind::King.index()] != 1) {
            return Err(form());
        }
        let fits = |kind: Kind| counts.iter().all(|side| u32::from(side[kind.index()]) <= kind.set_size());
        let all: usize = counts.iter().flatten().copied().map(usize::from).sum();
        if all > MOST_PIECES || !Kind::ALL.into_iter().all(fits) {
            return Err(EndgameClassError::TooMany(quoted()));
        }
        match EndgameClass::of_counts(counts) {
            Some((class, false)) => Ok(class),
            Some((_, true)) => Err(form()),
            None => Err(EndgameClassError::Bare(quoted())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xiangqi::board::Position;

    #[test]
    fn names_are_read_as_they_are_written() {
        for name in ["KPvk", "KAACvkaa", "KABCvka", "KRvkaabb", "KRvkaac", "KNPvkab", "KRvkpp", "KAANvk"] {
            assert_eq!(name.parse::<EndgameClass>().unwrap().to_string(), name);
        }
        for (name, pieces) in [("KRvkn", 4), ("KPPvkabb", 7)] {
            assert_eq!(name.parse::<EndgameClass>().unwrap().pieces(), pieces);
        }
    }

    #[test]
    fn what_is_no_class_is_refused() {
        for name in ["", "v", "Kvk ", "KRk", "KRvK", "krvk", "RKvkk", "KXvk", "KRvkvk", "KPvkr"] {
            assert!(matches!(name.parse::<EndgameClass>(), Err(EndgameClassError::Form(_))), "{name}");
        }
        for name in ["KAAAPvk", "KAABBPPvkaa"] {
            assert!(matches!(name.parse::<EndgameClass>(), Err(EndgameClassError::TooMany(_))), "{name}");
        }
        assert!(matches!("KAAvkbb".parse::<EndgameClass>(), Err(EndgameClassError::Bare(_))));
    }

    #[test]
    fn the_stronger_side_comes_first_whatever_its_colour() {
        for (fen, name, flipped) in [
            ("9/9/3ak4/9/9/9/9/9/4R4/4K4 b", "KRvka", false),
            ("9/9/3k5/9/9/4r4/9/9/4K4/9 w", "KRvk", true),
            ("3k5/9/9/4c4/9/9/9/5R3/4K4/9 b", "KRvkc", false),
            ("3k5/9/9/4r4/9/9/9/4C4/4K4/9 b", "KRvkc", true),
        ] {
            let position = Position::from_fen(fen).unwrap();
            let (class, turned) = EndgameClass::of(position.board()).unwrap();
            assert_eq!((class.to_string().as_str(), turned), (name, flipped), "{fen}");
        }
        for fen in ["3k5/9/9/9/9/9/9/9/9/4K4 w", "3k5/4a4/9/9/9/9/9/9/9/2B1K4 w"] {
            assert_eq!(EndgameClass::of(Position::from_fen(fen).unwrap().board()), None);
        }
        assert_eq!(EndgameClass::of(Position::startpos().board()), None);
    }
}
