//! Positions set up from pieces, and the test that such a position is legal.

use thiserror::Error;

use super::attacks::{self, PLACES};
use super::placement::Board;
use super::position::Position;
use crate::types::{Bitboard, Kind, MoveList, Piece, Side, Square};

/// Why pieces on a board are no legal position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SetupError {
    /// A side does not have exactly one general.
    #[error("{0:?} has {1} generals instead of one")]
    Generals(Side, u32),
    /// There are more pieces of a kind than a set has.
    #[error("there are {1} `{0}`, and a set has only {max}", max = .0.kind().set_size())]
    TooMany(Piece, u32),
    /// A piece stands where it never can.
    #[error("`{0}` can never stand on {1}")]
    Misplaced(Piece, Square),
    /// Two pieces stand on the same square.
    #[error("two pieces stand on {0}")]
    SharedSquare(Square),
    /// The general of the side not to move could be captured.
    #[error("{0:?} is in check although it is not its turn")]
    OpponentInCheck(Side),
    /// The generals face each other on an open file.
    #[error("the generals face each other")]
    GeneralsFacing,
}

impl Position {
    /// Sets up a position with these pieces and this side to move, at move 1 and with nothing played yet.
    ///
    /// # Errors
    ///
    /// Fails unless both sides have one general and no more of a kind than a set has, each piece is alone on a
    /// square where it can stand, and the side not to move is not in check.
    ///
    /// ```
    /// use xiangqi::board::{Position, SetupError};
    /// use xiangqi::types::{Piece, Side};
    ///
    /// let (red, black) = ("e0".parse()?, "d9".parse()?);
    /// let generals = [(red, Piece::RedKing), (black, Piece::BlackKing)];
    /// let position = Position::from_pieces(generals, Side::Red)?;
    /// assert_eq!(position.to_fen(), "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1");
    ///
    /// let alone = Position::from_pieces([(red, Piece::RedKing)], Side::Red);
    /// assert_eq!(alone.unwrap_err(), SetupError::Generals(Side::Black, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_pieces(
        pieces: impl IntoIterator<Item = (Square, Piece)>,
        side: Side,
    ) -> Result<Position, SetupError> {
        let pieces: Vec<_> = pieces.into_iter().collect();
        check_pieces(&pieces)?;
        let board = Board::new(pieces);
        check_generals(&board, side)?;
        Ok(Position::new(board, side, 0, 1))
    }
}

/// Checks that each side has one general and no more of a kind than a set has, each alone where it can stand.
pub(super) fn check_pieces(pieces: &[(Square, Piece)]) -> Result<(), SetupError> {
    let count = |piece| pieces.iter().filter(|&&(_, other)| other == piece).count() as u32;
    for side in Side::ALL {
        match count(Piece::new(side, Kind::King)) {
            1 => {}
            other => return Err(SetupError::Generals(side, other)),
        }
    }
    for piece in Piece::ALL {
        if count(piece) > piece.kind().set_size() {
            return Err(SetupError::TooMany(piece, count(piece)));
        }
    }
    let mut occupied = Bitboard::EMPTY;
    for &(square, piece) in pieces {
        if !PLACES[piece.index()].has(square) {
            return Err(SetupError::Misplaced(piece, square));
        }
        if occupied.has(square) {
            return Err(SetupError::SharedSquare(square));
        }
        occupied = occupied.with(square);
    }
    Ok(())
}

/// Checks that a composed position can be played: one general on each side, in its palace, and no larger set than
/// [`is_playable_set`] allows. Returns the first breach of [`check_pieces`] that remains.
pub(super) fn check_composed(pieces: &[(Square, Piece)]) -> Result<Option<SetupError>, SetupError> {
    let stray_king = |&&(square, piece): &&(Square, Piece)| {
        piece.kind() == Kind::King && !PLACES[piece.index()].has(square)
    };
    match check_pieces(pieces) {
        Ok(()) => Ok(None),
        Err(error @ (SetupError::TooMany(..) | SetupError::Misplaced(..))) => {
            if let Some(&(square, piece)) = pieces.iter().find(stray_king) {
                return Err(SetupError::Misplaced(piece, square));
            }
            if is_playable_set(pieces) { Ok(Some(error)) } else { Err(error) }
        }
        Err(error) => Err(error),
    }
}

/// Whether no side has more than sixteen pieces, or more moves than a [`MoveList`] holds.
fn is_playable_set(pieces: &[(Square, Piece)]) -> bool {
    let most_moves = |kind| match kind {
        Kind::Rook | Kind::Cannon => 17,
        Kind::Horse => 8,
        Kind::King | Kind::Advisor | Kind::Elephant => 4,
        Kind::Pawn => 3,
    };
    Side::ALL.into_iter().all(|side| {
        let own = || pieces.iter().filter(|(_, piece)| piece.side() == side);
        let moves: usize = own().map(|(_, piece)| most_moves(piece.kind())).sum();
        own().count() <= 16 && moves <= MoveList::CAPACITY
    })
}

/// Checks that the generals do not face each other and that the side not to move is not in check.
pub(super) fn check_generals(board: &Board, side: Side) -> Result<(), SetupError> {
    let (king, other) = (board.king(side), board.king(!side));
    if king.file() == other.file() && !attacks::between(king, other).meets(board.occupied()) {
        return Err(SetupError::GeneralsFacing);
    }
    if board.is_king_attacked(!side, other) {
        return Err(SetupError::OpponentInCheck(!side));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_on_the_board_can_be_set_up_again() {
        for fen in ["3k5/9/9/9/9/9/9/9/3R5/4K4 b - - 0 1", super::super::STARTPOS] {
            let position = Position::from_fen(fen).unwrap();
            let pieces = position.occupied().into_iter().filter_map(|at| Some((at, position.piece_on(at)?)));
            assert_eq!(Position::from_pieces(pieces, position.side()).unwrap().to_fen(), fen);
        }
    }

    #[test]
    fn no_square_holds_two_pieces() {
        let start = Position::startpos();
        let pieces = start.occupied().into_iter().filter_map(|at| Some((at, start.piece_on(at)?)));
        let cannon: Square = "h2".parse().unwrap();
        let crowded =
            pieces.map(|(at, piece)| if piece == Piece::RedRook { (cannon, piece) } else { (at, piece) });
        let error = Position::from_pieces(crowded, Side::Red).unwrap_err();
        assert_eq!(error, SetupError::SharedSquare(cannon));
    }
}
