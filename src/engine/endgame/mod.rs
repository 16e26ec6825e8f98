//! Exact tables of endings: who wins with best play, and in how many plies.
//!
//! ```text
//! class ─ index ─▶ solve (setup, capture) ─▶ file ─▶ tables
//! ```
//!
//! A [`Class`] is the material of an ending, a [`Layout`] numbers its positions, [`solve`] works out all their results
//! from the mates backwards, [`encode`] packs them, and [`Tables`] looks them up for whoever asks about a position.
//! They know nothing of repetition rules and of the no-capture limit.

mod capture;
mod class;
mod exact;
mod file;
mod index;
mod setup;
mod solve;
mod tables;

pub use capture::closure;
pub use class::{Class, ClassError, MOST_PIECES};
pub use exact::Exact;
pub use file::{TablesError, encode};
pub use index::{Layout, MOST_ALIKE, MOST_NUMBERS, Squares};
pub use solve::{SolveError, Solved, Tally, solve, solve_all};
pub use tables::Tables;
