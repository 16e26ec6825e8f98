//! Where the pieces stand: the board without turn or past.

use std::fmt;

use super::attacks::{self, Lines};
use super::zobrist::Zobrist;
use crate::types::{Bitboard, Kind, PerSquare, Piece, Side, Square};

/// The pieces on their squares, in three views kept in step: a mailbox, sets by piece and by side, and the
/// occupancy of each line. Both generals always stand on it.
#[derive(Clone, PartialEq, Eq)]
pub struct Board {
    squares: PerSquare<Option<Piece>>,
    /// By [`Piece::index`]; two spare sets let the index be masked instead of checked.
    pieces: [Bitboard; 16],
    sides: [Bitboard; 2],
    kings: [Square; 2],
    lines: Lines,
}

impl Board {
    /// The board with these pieces. The caller sees to it that each side has just one general.
    pub fn new(pieces: impl IntoIterator<Item = (Square, Piece)>) -> Board {
        let mut board = Board {
            squares: PerSquare::filled(None),
            pieces: [Bitboard::EMPTY; 16],
            sides: [Bitboard::EMPTY; 2],
            kings: [Square::at(4), Square::at(85)],
            lines: Lines::default(),
        };
        for (square, piece) in pieces {
            board.put(piece, square);
        }
        board
    }

    /// What stands on `square`.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.squares[square]
    }

    /// All squares of one side's pieces of one kind.
    #[inline]
    pub fn pieces(&self, side: Side, kind: Kind) -> Bitboard {
        self.pieces[Piece::new(side, kind).index() & 15]
    }

    /// All squares of this piece.
    #[inline]
    pub fn squares_of(&self, piece: Piece) -> Bitboard {
        self.pieces[piece.index() & 15]
    }

    /// All squares of both sides' pieces of one kind.
    #[inline]
    pub fn kind(&self, kind: Kind) -> Bitboard {
        self.pieces(Side::Red, kind) | self.pieces(Side::Black, kind)
    }

    /// All squares of one side's pieces.
    #[inline]
    pub fn pieces_of(&self, side: Side) -> Bitboard {
        self.sides[side.index()]
    }

    /// All squares where something stands.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    /// Where the general of `side` stands.
    #[inline]
    pub fn king(&self, side: Side) -> Square {
        self.kings[side.index()]
    }

    /// The occupancy of every rank and file.
    #[inline]
    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    /// The squares that `piece` on `square` can go to or capture on, own pieces not among them; the safety
    /// of the general is not looked at. The piece need not stand there.
    #[inline]
    pub fn reach(&self, piece: Piece, square: Square) -> Bitboard {
        let own = self.pieces_of(piece.side());
        match piece.kind() {
            Kind::King => attacks::king(square) & !own,
            Kind::Advisor => attacks::advisor(square) & !own,
            Kind::Elephant => attacks::elephant(square, &self.lines) & !own,
            Kind::Horse => attacks::horse(square, &self.lines) & !own,
            Kind::Rook => attacks::rook(square, &self.lines) & !own,
            Kind::Cannon => {
                attacks::rook(square, &self.lines) & !self.occupied()
                    | attacks::cannon(square, &self.lines) & self.pieces_of(!piece.side())
            }
            Kind::Pawn => attacks::pawn(piece.side(), square) & !own,
        }
    }

    /// The pieces of both sides that attack what stands (or might stand) on `square`. Generals attack their
    /// neighbours; that they see each other along a file is not counted here.
    pub fn attackers_to(&self, square: Square) -> Bitboard {
        self.attackers_over(square, &self.lines, self.occupied())
    }

    /// As [`Board::attackers_to`], over another occupancy, given both as lines and as a set.
    #[inline]
    pub(super) fn attackers_over(&self, square: Square, lines: &Lines, occupied: Bitboard) -> Bitboard {
        let attackers = attacks::rook(square, lines) & self.kind(Kind::Rook)
            | attacks::cannon(square, lines) & self.kind(Kind::Cannon)
            | attacks::horses_to(square, self.kind(Kind::Horse) & occupied, occupied)
            | attacks::pawns_to(Side::Red, square) & self.pieces(Side::Red, Kind::Pawn)
            | attacks::pawns_to(Side::Black, square) & self.pieces(Side::Black, Kind::Pawn)
            | attacks::advisor(square) & self.kind(Kind::Advisor)
            | attacks::elephant(square, lines) & self.kind(Kind::Elephant)
            | attacks::king(square) & self.kind(Kind::King);
        attackers & occupied
    }

    /// Whether the general of `side` would be in check on `square`, once it has left its present place.
    #[inline]
    pub(super) fn is_king_attacked(&self, side: Side, square: Square) -> bool {
        let home = self.king(side);
        let lines = self.lines.toggled(home);
        let (enemy, occupied) = (!side, self.occupied().without(home));
        let straight = self.pieces(enemy, Kind::Rook) | self.pieces(enemy, Kind::King);
        attacks::rook(square, &lines).meets(straight)
            || attacks::cannon(square, &lines).meets(self.pieces(enemy, Kind::Cannon))
            || attacks::pawns_to(enemy, square).meets(self.pieces(enemy, Kind::Pawn))
            || !attacks::horses_to(square, self.pieces(enemy, Kind::Horse), occupied).is_empty()
    }

    /// The Zobrist key of the pieces, computed afresh.
    pub(super) fn fresh_key(&self) -> u64 {
        let zobrist = Zobrist::get();
        self.occupied()
            .into_iter()
            .filter_map(|square| self.piece_on(square).map(|piece| zobrist.piece(piece, square)))
            .fold(0, |key, word| key ^ word)
    }

    /// Puts a piece on an empty square.
    #[inline]
    pub(super) fn put(&mut self, piece: Piece, square: Square) {
        self.squares[square] = Some(piece);
        self.flip(piece, Bitboard::of(square));
        self.lines.toggle(square);
        if piece.kind() == Kind::King {
            self.kings[piece.side().index()] = square;
        }
    }

    /// Moves `piece` from `from` to `to`, where `captured` stands if anything does.
    #[inline]
    pub(super) fn shift(&mut self, piece: Piece, from: Square, to: Square, captured: Option<Piece>) {
        self.squares[from] = None;
        self.squares[to] = Some(piece);
        self.swap(piece, from, to, captured, to);
    }

    /// Takes back [`Board::shift`].
    #[inline]
    pub(super) fn unshift(&mut self, piece: Piece, from: Square, to: Square, captured: Option<Piece>) {
        self.squares[from] = Some(piece);
        self.squares[to] = captured;
        self.swap(piece, from, to, captured, from);
    }

    /// The part of a move that is its own reverse: sets and lines. `piece` ends on `end`.
    #[inline]
    fn swap(&mut self, piece: Piece, from: Square, to: Square, captured: Option<Piece>, end: Square) {
        self.flip(piece, Bitboard::of(from).with(to));
        self.lines.toggle(from);
        match captured {
            Some(victim) => self.flip(victim, Bitboard::of(to)),
            None => self.lines.toggle(to),
        }
        if piece.kind() == Kind::King {
            self.kings[piece.side().index()] = end;
        }
    }

    #[inline]
    fn flip(&mut self, piece: Piece, squares: Bitboard) {
        self.pieces[piece.index() & 15] ^= squares;
        self.sides[piece.side().index()] ^= squares;
    }

    /// Whether all views agree with the mailbox; debug builds ask after each move.
    pub(super) fn is_consistent(&self) -> bool {
        let stands = Square::all().filter_map(|square| Some((square, self.piece_on(square)?)));
        *self == Board::new(stands)
    }
}

impl fmt::Debug for Board {
    /// A drawing in FEN letters, rank 9 on top.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f)?;
        for rank in (0..Square::RANKS).rev() {
            for square in (0..Square::FILES).filter_map(|file| Square::new(file, rank)) {
                write!(f, " {}", self.piece_on(square).map_or('.', Piece::letter))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
