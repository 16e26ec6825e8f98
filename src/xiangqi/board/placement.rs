//! Where the pieces stand: a board without a side to move or a record.

use std::fmt;

use super::attacks::{self, Lines, PLACES};
use super::zobrist::Zobrist;
use crate::types::{Bitboard, Kind, PerSquare, Piece, Side, Square};

/// The pieces on their squares; both generals are always among them.
///
/// It keeps a mailbox, sets by piece and by side, and the occupancy of each line in step. A board comes from a
/// [`Position`](super::Position), which dereferences to it.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::types::{Kind, Piece, Side};
///
/// let start = Position::startpos();
/// assert_eq!(start.piece_on("h2".parse()?), Some(Piece::RedCannon));
/// assert_eq!(start.pieces(Side::Black, Kind::Pawn).len(), 5);
/// assert_eq!(start.king(Side::Black), "e9".parse()?);
/// # Ok::<(), xiangqi::types::SquareError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Board {
    squares: PerSquare<Option<Piece>>,
    /// The squares of each piece by [`Piece::index`]; two spare sets let the index be masked instead of checked.
    pieces: [Bitboard; 16],
    sides: [Bitboard; 2],
    kings: [Square; 2],
    lines: Lines,
}

impl Board {
    /// The board with these pieces, where the caller has checked that they are alone on their squares and that each
    /// side has one general.
    pub(super) fn new(pieces: impl IntoIterator<Item = (Square, Piece)>) -> Board {
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

    /// The piece on `square`, or `None` if it is empty.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.squares[square]
    }

    /// The squares of one side's pieces of one kind.
    #[inline]
    pub fn pieces(&self, side: Side, kind: Kind) -> Bitboard {
        self.pieces[Piece::new(side, kind).index() & 15]
    }

    /// The squares of one piece, as [`Board::pieces`] gives them for its side and kind.
    #[inline]
    pub fn squares_of(&self, piece: Piece) -> Bitboard {
        self.pieces[piece.index() & 15]
    }

    /// The squares of both sides' pieces of one kind.
    #[inline]
    pub fn kind(&self, kind: Kind) -> Bitboard {
        self.pieces(Side::Red, kind) | self.pieces(Side::Black, kind)
    }

    /// The squares of all pieces of one side.
    #[inline]
    pub fn pieces_of(&self, side: Side) -> Bitboard {
        self.sides[side.index()]
    }

    /// The squares of all pieces.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    /// The square of the general of `side`.
    #[inline]
    pub fn king(&self, side: Side) -> Square {
        self.kings[side.index()]
    }

    /// The occupancy of every rank and file.
    #[inline]
    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    /// The squares that `piece` could go to or capture on if it stood on `square`, whether or not its general would
    /// be safe.
    #[inline]
    pub fn reach(&self, piece: Piece, square: Square) -> Bitboard {
        let own = self.pieces_of(piece.side());
        match piece.kind() {
            Kind::King => attacks::king(square) & !own,
            // In a composed position these may stand off their own points, where they cannot move.
            Kind::Advisor => attacks::advisor(square) & PLACES[piece.index()] & !own,
            Kind::Elephant => attacks::elephant(square, &self.lines) & PLACES[piece.index()] & !own,
            Kind::Horse => attacks::horse(square, &self.lines) & !own,
            Kind::Rook => attacks::rook(square, &self.lines) & !own,
            Kind::Cannon => {
                attacks::rook(square, &self.lines) & !self.occupied()
                    | attacks::cannon(square, &self.lines) & self.pieces_of(!piece.side())
            }
            Kind::Pawn => attacks::pawn(piece.side(), square) & !own,
        }
    }

    /// The pieces of both sides that attack a piece on `square`, whether or not one stands there.
    ///
    /// A general attacks its neighbours only: two generals that face each other along a file are not counted.
    ///
    /// ```
    /// use xiangqi::board::Position;
    ///
    /// let start = Position::startpos();
    /// // The horse on b9 is attacked by the cannon on b2 and protected by the rook on a9.
    /// assert_eq!(start.attackers_to("b9".parse()?), ["b2".parse()?, "a9".parse()?].into_iter().collect());
    /// # Ok::<(), xiangqi::types::SquareError>(())
    /// ```
    pub fn attackers_to(&self, square: Square) -> Bitboard {
        self.attackers_over(square, &self.lines, self.occupied())
    }

    /// [`Board::attackers_to`] over another occupancy, given both as lines and as a set.
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

    /// Whether the general of `side` would be in check on `square` after leaving the square it stands on.
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

    /// The Zobrist key of the pieces, computed from scratch.
    pub(super) fn fresh_key(&self) -> u64 {
        let zobrist = Zobrist::get();
        self.occupied()
            .into_iter()
            .filter_map(|square| self.piece_on(square).map(|piece| zobrist.piece(piece, square)))
            .fold(0, |key, word| key ^ word)
    }

    /// The board with the piece on `square` removed, or `None` if no piece or a general stands there.
    pub fn without(&self, square: Square) -> Option<Board> {
        let piece = self.piece_on(square).filter(|piece| piece.kind() != Kind::King)?;
        let mut board = self.clone();
        board.squares[square] = None;
        board.flip(piece, Bitboard::of(square));
        board.lines.toggle(square);
        debug_assert!(board.is_consistent(), "{board:?}");
        Some(board)
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

    /// Moves `piece` from `from` to `to`, where `captured` stands if the move captures.
    #[inline]
    pub(super) fn shift(&mut self, piece: Piece, from: Square, to: Square, captured: Option<Piece>) {
        self.squares[from] = None;
        self.squares[to] = Some(piece);
        self.swap(piece, from, to, captured, to);
    }

    /// Undoes [`Board::shift`].
    #[inline]
    pub(super) fn unshift(&mut self, piece: Piece, from: Square, to: Square, captured: Option<Piece>) {
        self.squares[from] = Some(piece);
        self.squares[to] = captured;
        self.swap(piece, from, to, captured, from);
    }

    /// Does the part of a move that undoes itself, on sets and lines; `piece` ends on `end`.
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

    /// Adds squares to the sets of a piece or removes them.
    #[inline]
    fn flip(&mut self, piece: Piece, squares: Bitboard) {
        self.pieces[piece.index() & 15] ^= squares;
        self.sides[piece.side().index()] ^= squares;
    }

    /// Whether all sets and lines agree with the mailbox, which debug builds check after each move.
    pub(super) fn is_consistent(&self) -> bool {
        let stands = Square::all().filter_map(|square| Some((square, self.piece_on(square)?)));
        *self == Board::new(stands)
    }
}

impl fmt::Debug for Board {
    /// Draws the board in the letters of a FEN, with rank 9 at the top.
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
