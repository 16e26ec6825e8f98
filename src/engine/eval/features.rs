//! The inputs of the network: which piece stands where, as one side sees it.
//!
//! A side sees its own pieces at the bottom of the board, whatever its colour. Only squares where a piece can
//! stand are inputs: 9 for each general, 5 for the advisors, 7 for the elephants, 55 for the pawns and 90 for each
//! other kind, for both sides: 692 in all.

use xiangqi::board::attacks::PLACES;
use xiangqi::types::{PerSquare, Piece, Side, Square};

/// How many inputs a side sees.
pub const FEATURES: usize = 692;

/// The input that a piece on a square is: the board as it is, and its mirror image. Where a piece cannot stand,
/// it is [`FEATURES`], an input without weight.
pub type Pair = [u16; 2];

/// By the side that sees and the piece that it sees.
static TABLE: [[PerSquare<Pair>; 14]; 2] = {
    let mut first = [[FEATURES as u16; Square::COUNT]; 14];
    let (mut next, mut piece) = (0, 0);
    while piece < 14 {
        let mut square = 0;
        while square < Square::COUNT {
            if PLACES[piece].has(Square::at(square)) {
                first[piece][square] = next;
                next += 1;
            }
            square += 1;
        }
        piece += 1;
    }
    assert!(next as usize == FEATURES);
    let mut table = [const { [const { PerSquare::filled([FEATURES as u16; 2]) }; 14] }; 2];
    let mut piece = 0;
    while piece < 14 {
        let (side, kind) = (Piece::ALL[piece].side(), Piece::ALL[piece].kind());
        let other = Piece::new(if matches!(side, Side::Red) { Side::Black } else { Side::Red }, kind);
        let (mut red, mut black) = (PerSquare::filled([0; 2]), PerSquare::filled([0; 2]));
        let mut index = 0;
        while index < Square::COUNT {
            let (square, mirrored) = (Square::at(index), Square::at(index).mirrored());
            red = red.with(square, [first[piece][index], first[piece][mirrored.index()]]);
            let seen = &first[other.index()];
            black = black.with(square, [seen[square.flipped().index()], seen[mirrored.flipped().index()]]);
            index += 1;
        }
        table[0][piece] = red;
        table[1][piece] = black;
        piece += 1;
    }
    table
};

/// The input that `piece` on `square` is to `view`.
#[inline]
pub fn feature(view: Side, piece: Piece, square: Square) -> Pair {
    TABLE[view.index()][piece.index()][square]
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_place_of_a_piece_is_an_input_of_its_own() {
        for view in Side::ALL {
            for image in [0, 1] {
                let seen: HashSet<u16> = Piece::ALL
                    .into_iter()
                    .flat_map(|piece| {
                        let places = PLACES[piece.index()].into_iter();
                        places.map(move |square| feature(view, piece, square)[image])
                    })
                    .collect();
                assert_eq!(seen, (0..FEATURES as u16).collect());
            }
        }
    }

    #[test]
    fn both_sides_see_alike_and_mirrors_mirror() {
        for piece in Piece::ALL {
            let other = Piece::new(!piece.side(), piece.kind());
            for square in PLACES[piece.index()] {
                let seen = feature(Side::Red, piece, square);
                assert_eq!(feature(Side::Black, other, square.flipped()), seen);
                let [plain, mirrored] = feature(Side::Red, piece, square.mirrored());
                assert_eq!([mirrored, plain], seen);
            }
        }
    }

    #[test]
    fn elsewhere_nothing_is_seen() {
        let nowhere = [FEATURES as u16; 2];
        assert_eq!(feature(Side::Red, Piece::RedPawn, "a0".parse().unwrap()), nowhere);
        assert_eq!(feature(Side::Black, Piece::RedKing, "d9".parse().unwrap()), nowhere);
    }
}
