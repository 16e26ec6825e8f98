//! The words everything else is written in: squares, pieces, sets of squares, moves and scores.

mod bitboard;
mod moves;
mod outcome;
mod piece;
mod square;

pub use bitboard::Bitboard;
pub use moves::{Move, MoveError, MoveList};
pub use outcome::Outcome;
pub use piece::{Kind, Piece, Side};
pub use square::{PerSquare, Square, SquareError};
