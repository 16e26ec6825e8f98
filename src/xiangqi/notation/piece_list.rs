//! Start positions of formats that list the squares of the 32 pieces of a set in a fixed order.

use thiserror::Error;

use crate::board::{FenError, Position};
use crate::types::{Kind, Piece, Side, Square};

/// The start position has more pieces of this kind than a set, for which a format has no place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the format has no place for so many `{}`", .0.letter())]
pub struct PiecesError(pub Piece);

/// Where each piece of a set stands; `None` for a piece that is off the board.
pub(super) type PieceList = [Option<Square>; 32];

/// The piece of a place in the list: back rank, cannons, pawns, Red first.
pub(super) fn piece(index: usize) -> Piece {
    use Kind::{Advisor, Cannon, Elephant, Horse, King, Pawn, Rook};
    const ORDER: [Kind; 16] = [
        Rook, Horse, Elephant, Advisor, King, Advisor, Elephant, Horse, Rook, Cannon, Cannon, Pawn, Pawn,
        Pawn, Pawn, Pawn,
    ];
    Piece::new(if index < 16 { Side::Red } else { Side::Black }, ORDER[index % 16])
}

/// The position of a list.
///
/// The side to move is that of the piece that makes the first move; `named` if no piece stands there.
pub(super) fn position(
    list: &PieceList,
    first_move: Option<Square>,
    named: Side,
) -> Result<Position, FenError> {
    let on = |square: Square| list.iter().position(|&own| own == Some(square)).map(piece);
    from_squares(on, first_move, named)
}

/// The position with the pieces that `on` finds on each square, and the side to move as of [`position`].
pub(super) fn from_squares(
    on: impl Fn(Square) -> Option<Piece>,
    first_move: Option<Square>,
    named: Side,
) -> Result<Position, FenError> {
    let side = first_move.and_then(&on).map_or(named, Piece::side);
    let letter = |rank, file| Square::new(file, rank).and_then(&on).map_or('1', Piece::letter);
    let rank = |rank| (0..Square::FILES).map(|file| letter(rank, file)).collect::<String>();
    let ranks: Vec<String> = (0..Square::RANKS).rev().map(rank).collect();
    Position::from_fen(&format!("{} {} - - 0 1", ranks.join("/"), side.letter()))
}

/// The list of a position.
///
/// # Errors
/// There are more pieces of a kind than the list has places for.
pub(super) fn list(position: &Position) -> Result<PieceList, PiecesError> {
    let mut list = [None; 32];
    for own in Piece::ALL {
        let mut places = (0..32).filter(|&index| piece(index) == own);
        for square in position.pieces(own.side(), own.kind()) {
            list[places.next().ok_or(PiecesError(own))?] = Some(square);
        }
    }
    Ok(list)
}

/// The square of a file from Red's left and a rank from Black's side, both counted from 0.
pub(super) fn square_from_top(file: u8, row: u8) -> Option<Square> {
    Square::new(file, (Square::RANKS - 1).checked_sub(row)?)
}
