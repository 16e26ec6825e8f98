//! The board: positions, attack sets, legal moves, FEN, static exchange evaluation.
//!
//! It knows how pieces move and what a legal move is, and nothing of rulings, evaluation or search.

pub mod attacks;
mod check_info;
mod fen;
mod makemove;
mod movegen;
mod placement;
mod position;
mod quiet_checks;
pub mod see;
mod study;
mod zobrist;

pub use attacks::Lines;
pub use check_info::CheckInfo;
pub use fen::{FenError, STARTPOS};
pub use makemove::{BoardChange, BoardObserver, PlayError};
pub use movegen::{Gen, MoveSink};
pub use placement::Board;
pub use position::{PlayedMove, Position};
