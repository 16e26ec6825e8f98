//! The vocabulary of the library: squares, pieces, sets of squares, moves and results.

mod bitboard;
mod moves;
mod outcome;
mod piece;
mod square;

pub use bitboard::{Bitboard, BitboardIter};
pub use moves::{Move, MoveError, MoveList};
pub use outcome::Outcome;
pub use piece::{Kind, Piece, Side};
pub use square::{PerSquare, Square, SquareError};
