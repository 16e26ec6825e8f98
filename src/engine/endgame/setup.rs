//! The pieces of an ending on their squares, and how they move: a lighter board for going through millions of
//! positions.

use super::index::{EndgameLayout, PieceSquares};
use xiangqi::board::{Lines, attacks};
use xiangqi::types::{Bitboard, Kind, Piece, Side, Square};

/// The pieces of a layout on the squares of one position.
#[derive(Clone)]
pub(super) struct EndgameBoard<'l> {
    pieces: &'l [Piece],
    pub squares: PieceSquares,
    occupied: Bitboard,
    sides: [Bitboard; 2],
    lines: Lines,
}

impl<'l> EndgameBoard<'l> {
    /// The position with these squares; `None` if two pieces stand on one.
    pub fn new(layout: &'l EndgameLayout, squares: PieceSquares) -> Option<EndgameBoard<'l>> {
        let pieces = layout.pieces();
        let mut sides = [Bitboard::EMPTY; 2];
        let mut lines = Lines::default();
        for (piece, &square) in pieces.iter().zip(&squares) {
            if (sides[0] | sides[1]).has(square) {
                return None;
            }
            sides[piece.side().index()] = sides[piece.side().index()].with(square);
            lines.toggle(square);
        }
        Some(EndgameBoard { pieces, squares, occupied: sides[0] | sides[1], sides, lines })
    }

    /// The pieces of one side: their slots in the layout.
    pub fn slots(&self, side: Side) -> impl Iterator<Item = usize> + use<'l> {
        let own = move |(slot, piece): (usize, &Piece)| (piece.side() == side).then_some(slot);
        self.pieces.iter().enumerate().filter_map(own)
    }

    /// The piece on a square.
    pub fn slot_on(&self, square: Square) -> Option<usize> {
        (0..self.pieces.len()).find(|&slot| self.squares[slot] == square)
    }

    /// The empty squares that a piece can go to, whether or not its general is safe afterwards.
    pub fn quiets(&self, slot: usize) -> Bitboard {
        let square = self.squares[slot];
        let reach = match self.pieces[slot].kind() {
            Kind::Cannon => attacks::rook(square, &self.lines),
            _ => self.attacks(slot),
        };
        reach & !self.occupied
    }

    /// The pieces of the other side that a piece can take, whether or not its general is safe afterwards.
    pub fn captures(&self, slot: usize) -> Bitboard {
        self.attacks(slot) & self.sides[(!self.pieces[slot].side()).index()]
    }

    /// What a piece attacks.
    #[inline]
    fn attacks(&self, slot: usize) -> Bitboard {
        let (square, lines) = (self.squares[slot], &self.lines);
        match self.pieces[slot].kind() {
            Kind::King => attacks::king(square),
            Kind::Advisor => attacks::advisor(square),
            Kind::Elephant => attacks::elephant(square, lines),
            Kind::Horse => attacks::horse(square, lines),
            Kind::Rook => attacks::rook(square, lines),
            Kind::Cannon => attacks::cannon(square, lines),
            Kind::Pawn => attacks::pawn(self.pieces[slot].side(), square),
        }
    }

    /// The empty squares from which a piece can have come without capturing.
    pub fn sources(&self, slot: usize) -> Bitboard {
        let (square, piece) = (self.squares[slot], self.pieces[slot]);
        let empty = !self.occupied & attacks::PLACES[piece.index()];
        match piece.kind() {
            Kind::Horse => {
                let ring = attacks::horse_ring(square) & empty;
                attacks::horses_to(square, ring, self.occupied.without(square))
            }
            Kind::Pawn => attacks::pawns_to(piece.side(), square) & empty,
            // All others go back as they came.
            _ => self.quiets(slot),
        }
    }

    /// Whether the general of its side is safe after the piece in `slot` has gone to a square, where it may have taken
    /// the piece in slot `taken`.
    pub fn is_safe_after(&self, slot: usize, to: Square, taken: Option<usize>) -> bool {
        let mut after = self.clone();
        let from = self.squares[slot];
        after.squares[slot] = to;
        after.occupied = self.occupied.without(from).with(to);
        after.lines.toggle(from);
        if taken.is_none() {
            after.lines.toggle(to);
        }
        !after.is_attacked(self.pieces[slot].side(), taken)
    }

    /// Whether the general of `side` is attacked, or faces the other.
    pub fn in_check(&self, side: Side) -> bool {
        self.is_attacked(side, None)
    }

    /// Whether the general of `side` is attacked, or faces the other, without the piece in slot `taken`, if any.
    fn is_attacked(&self, side: Side, taken: Option<usize>) -> bool {
        let king = self.squares[side.index()];
        let seen = attacks::rook(king, &self.lines);
        self.slots(!side).filter(|&slot| Some(slot) != taken).any(|slot| {
            let square = self.squares[slot];
            match self.pieces[slot].kind() {
                // Generals face each other along a file as rooks do; along a rank they cannot meet.
                Kind::King | Kind::Rook => seen.has(square),
                Kind::Cannon => attacks::cannon(king, &self.lines).has(square),
                Kind::Horse => !attacks::horses_to(king, Bitboard::of(square), self.occupied).is_empty(),
                Kind::Pawn => attacks::pawns_to(!side, king).has(square),
                Kind::Advisor | Kind::Elephant => false,
            }
        })
    }
}
