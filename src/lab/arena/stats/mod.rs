//! What the results of a match say: score, Elo with its error, likelihood of superiority, sequential test.

mod elo;
mod sprt;
mod tally;

pub use elo::Estimate;
pub use sprt::{EloModel, Sprt, SprtError, SprtStatus};
pub use tally::{GameTally, Pentanomial};
