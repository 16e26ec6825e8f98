//! The positions of a class, numbered.
//!
//! The number is built digit by digit: the place of the weaker side's general, that of the other, then for each group
//! of like pieces the number of the set of places that they stand on. Mirror images share a number: the stronger side's
//! general stands on the files d and e only, six places; where it stands on e both images have their number. Some
//! numbers stand for no legal position, for example two pieces on one square.

use super::class::{EndgameClass, MOST_PIECES};
use xiangqi::board::attacks::PLACES;
use xiangqi::types::{Kind, Piece, Side, Square};

/// The squares of the pieces of a position in the order of [`EndgameLayout::pieces`].
///
/// The entries after the last piece have no meaning.
pub type PieceSquares = [Square; MOST_PIECES];

/// The pieces of one kind and side.
#[derive(Debug, Clone)]
struct PieceGroup {
    /// The index of the first piece of the group in the list of pieces.
    first: usize,
    count: usize,
    /// The number of each square among the places of the piece, as it is and mirrored.
    places: [[u8; Square::COUNT]; 2],
    /// The squares of each set of places.
    sets: Vec<[Square; 2]>,
}

/// How the positions of a class are numbered.
#[derive(Debug, Clone)]
pub struct EndgameLayout {
    class: EndgameClass,
    pieces: Vec<Piece>,
    groups: Vec<PieceGroup>,
    size: usize,
}

/// The most pieces of one kind that a side may have in a class, as larger sets are not numbered.
pub const MOST_ALIKE: usize = 2;

/// The most numbers that a class may take, so that its results, two bytes each, fit into memory.
pub const MOST_NUMBERS: usize = 1 << 28;

/// The squares where a piece can stand; for the stronger side's general, only those on files d and e.
fn places(piece: Piece) -> Vec<Square> {
    let all = PLACES[piece.index()].into_iter();
    all.filter(|square| piece != Piece::RedKing || square.file() <= 4).collect()
}

impl PieceGroup {
    fn new(piece: Piece, first: usize, count: usize) -> PieceGroup {
        let squares = places(piece);
        let mut numbers = [[0; Square::COUNT]; 2];
        for (number, square) in squares.iter().enumerate() {
            numbers[0][square.index()] = number as u8;
            numbers[1][square.mirrored().index()] = number as u8;
        }
        let single = |&square: &Square| [square; 2];
        let sets = if count == 1 {
            squares.iter().map(single).collect()
        } else {
            let pairs = |high: usize| (0..high).map(move |low| (high, low));
            let pairs = (0..squares.len()).flat_map(pairs);
            pairs.map(|(high, low)| [squares[high], squares[low]]).collect()
        };
        PieceGroup { first, count, places: numbers, sets }
    }

    /// The number of the set of places that the pieces of the group stand on.
    #[inline]
    fn digit(&self, squares: &PieceSquares, mirrored: bool) -> usize {
        let places = &self.places[usize::from(mirrored)];
        let place = |slot: usize| usize::from(places[squares[slot & (MOST_PIECES - 1)].index()]);
        let one = place(self.first);
        if self.count == 1 {
            return one;
        }
        let other = place(self.first + 1);
        let (high, low) = (one.max(other), one.min(other));
        // Two on one square have no number of their own; any will do, since such a position is not legal.
        (high * high.saturating_sub(1) / 2 + low).min(self.sets.len() - 1)
    }
}

impl EndgameLayout {
    /// The numbering of a class; `None` if it has more than [`MOST_ALIKE`] like pieces, or if it takes more than
    /// [`MOST_NUMBERS`] numbers.
    pub fn new(class: EndgameClass) -> Option<EndgameLayout> {
        let mut pieces = vec![Piece::RedKing, Piece::BlackKing];
        let mut groups = vec![PieceGroup::new(Piece::BlackKing, 1, 1), PieceGroup::new(Piece::RedKing, 0, 1)];
        for side in [Side::Black, Side::Red] {
            for kind in Kind::ALL.into_iter().filter(|&kind| kind != Kind::King) {
                let count = class.count(side, kind);
                if count > MOST_ALIKE {
                    return None;
                }
                if count > 0 {
                    let piece = Piece::new(side, kind);
                    groups.push(PieceGroup::new(piece, pieces.len(), count));
                    pieces.extend(std::iter::repeat_n(piece, count));
                }
            }
        }
        let size = groups.iter().map(|group| group.sets.len()).product();
        (size <= MOST_NUMBERS).then_some(EndgameLayout { class, pieces, groups, size })
    }

    /// The class.
    pub fn class(&self) -> EndgameClass {
        self.class
    }

    /// The pieces in the order in which squares are listed: the generals, then group by group.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// How many numbers there are; positions share a number whichever side is to move.
    pub fn size(&self) -> usize {
        self.size
    }

    /// How many numbers the sets of places of each group have, the weaker side's general first; the last digit changes fastest.
    pub fn digits(&self) -> impl Iterator<Item = usize> + '_ {
        self.groups.iter().map(|group| group.sets.len())
    }

    /// The number of the position with the pieces on these squares, or of its mirror image. Each must stand where its
    /// kind can.
    #[inline]
    pub fn index(&self, squares: &PieceSquares) -> usize {
        let mirrored = squares[0].file() > 4;
        self.groups.iter().fold(0, |index, group| index * group.sets.len() + group.digit(squares, mirrored))
    }

    /// The squares of the pieces in the position with this number (below [`EndgameLayout::size`]).
    #[inline]
    pub fn squares(&self, mut index: usize) -> PieceSquares {
        let mut squares = [Square::at(0); MOST_PIECES];
        for group in self.groups.iter().rev() {
            let set = group.sets[index % group.sets.len()];
            index /= group.sets.len();
            squares[group.first & (MOST_PIECES - 1)] = set[0];
            if group.count == 2 {
                squares[(group.first + 1) & (MOST_PIECES - 1)] = set[1];
            }
        }
        squares
    }

    /// How many positions a number stands for: itself and its mirror image, unless that has its own number.
    pub fn images(squares: &PieceSquares) -> u64 {
        if squares[0].file() == 4 { 1 } else { 2 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(name: &str) -> EndgameLayout {
        EndgameLayout::new(name.parse().unwrap()).unwrap()
    }

    #[test]
    fn every_number_leads_to_squares_and_back() {
        for name in ["KPvk", "KNvkab", "KAACvk", "KPPvkb", "KRvkaa"] {
            let layout = layout(name);
            for index in 0..layout.size() {
                let squares = layout.squares(index);
                assert_eq!(layout.index(&squares), index, "{name}");
            }
        }
    }

    #[test]
    fn mirror_images_and_like_pieces_share_a_number() {
        let layout = layout("KPPvka");
        for index in (0..layout.size()).step_by(7) {
            let squares = layout.squares(index);
            let mut exchanged = squares;
            exchanged.swap(3, 4);
            assert_eq!(layout.index(&exchanged), index);
            if squares[0].file() != 4 {
                assert_eq!(layout.index(&squares.map(Square::mirrored)), index);
            }
        }
    }

    #[test]
    fn sizes_are_products() {
        assert_eq!(layout("KRvkaabb").size(), 6 * 9 * 90 * 10 * 21);
        assert_eq!(layout("KPPvk").size(), 6 * 9 * 55 * 54 / 2);
        for name in ["KPPPvk", "KRRNNCCvk"] {
            assert!(EndgameLayout::new(name.parse().unwrap()).is_none(), "{name}");
        }
    }
}
