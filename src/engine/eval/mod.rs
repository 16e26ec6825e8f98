//! The evaluation: what a quiet position is worth, in centipawns, by a network of the engine's own making.
//!
//! ```text
//! board ─ features ─▶ hidden sums (evaluator) ─ network ─▶ value
//! ```
//!
//! An ending of which the tables know the exact result is worth what they say (`known`).
//!
//! `NETS.md` beside these files tells how the network came about, and those before it.

mod cache;
mod evaluator;
mod features;
mod file;
mod known;
mod network;
mod trace;
mod wdl;

pub use cache::Cache;
pub use evaluator::Evaluator;
pub use features::{FEATURES, Pair, feature};
pub use file::{NetworkError, NetworkFault, NetworkFileError};
pub use known::{guess, value};
pub use network::{
    BUCKETS, HIDDEN, MAX_HIDDEN, MAX_OUTPUT, Network, ONE, Row, SQUARED, Sight, Sums, UNIT, bucket,
};
pub use trace::Trace;
pub use wdl::wdl;
