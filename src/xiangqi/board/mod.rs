//! Positions, legal moves, attack sets, FEN and static exchange evaluation.
//!
//! This module knows how pieces move and which moves are legal; it knows nothing of repetition rulings.

pub mod attacks;
mod check_info;
mod fen;
mod makemove;
mod movegen;
mod placement;
mod position;
mod quiet_checks;
pub mod see;
mod setup;
mod zobrist;

pub use attacks::Lines;
pub use fen::{FenError, STARTPOS};
pub use makemove::{BoardChange, BoardObserver, PlayError};
pub use movegen::{Gen, MoveSink};
pub use placement::Board;
pub use position::{PlayedMove, Position};
pub use setup::SetupError;
