//! What the results of a match say: score, Elo with its error, likelihood of superiority, sequential test.

mod elo;
mod sprt;
mod tally;

pub use elo::{Estimate, elo_of_score, score_of_elo};
pub use sprt::{Bounds, EloModel, Sprt, SprtError, SprtStatus};
pub use tally::{Pentanomial, Sample, Tally};
