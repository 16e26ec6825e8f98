//! Exact tables of endings: who wins with best play, and in how many plies.
//!
//! ```text
//! class ─ index ─▶ solve (setup, capture) ─▶ file ─▶ tables
//! ```
//!
//! An [`EndgameClass`] is the material of an ending, an [`EndgameLayout`] numbers its positions, [`solve`] works out all
//! their results from the mates backwards, [`encode`] packs them, and [`EndgameTables`] looks them up. They know nothing
//! of repetition rules and of the no-capture limit.

mod capture;
mod class;
mod exact;
mod file;
mod index;
mod setup;
mod solve;
mod tables;

pub use capture::closure;
pub use class::{EndgameClass, EndgameClassError, MOST_PIECES};
pub use exact::ExactResult;
pub use file::{EndgameTablesError, encode};
pub use index::{EndgameLayout, MOST_ALIKE, MOST_NUMBERS, PieceSquares};
pub use solve::{ResultCounts, SolveError, SolvedClass, solve, solve_all};
pub use tables::EndgameTables;
