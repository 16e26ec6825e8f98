//! The board: positions, attack sets, legal moves, FEN, static exchange evaluation.
//!
//! It knows how pieces move and what a legal move is, and nothing of rulings, evaluation or search.

pub mod attacks;
mod checks;
mod fen;
mod guard;
mod makemove;
mod movegen;
mod placement;
mod position;
pub mod see;
mod study;
mod zobrist;

pub use attacks::Lines;
pub use fen::{FenError, STARTPOS};
pub use guard::Guard;
pub use makemove::{Change, Observer, PlayError};
pub use movegen::{Gen, Sink};
pub use placement::Board;
pub use position::{Played, Position};
