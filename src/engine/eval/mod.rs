//! The evaluation: what a quiet position is worth, in centipawns, by an efficiently updatable network (NNUE) of the
//! engine's own making.
//!
//! ```text
//! board ─ arch ─▶ inputs ─ transformer ─▶ accumulator ─ layers ─▶ value
//! ```
//!
//! `arch` is the one definition of the network: a network of another size or shape is a change in that file. An ending
//! whose exact result the tables know gets its value from them (`known`).
//!
//! `docs/NETS.md` describes how the network and its predecessors were made.

mod accumulator;
pub mod arch;
mod cache;
mod evaluator;
mod file;
mod known;
mod layers;
mod network;
mod trace;
mod transformer;
mod wdl;

pub use accumulator::{Accumulator, AccumulatorStack};
pub use cache::EvalCache;
pub use evaluator::Evaluator;
pub use file::NetworkError;
pub use known::{guess, value};
pub use layers::{Layers, propagate, screlu};
pub use network::Network;
pub use trace::Trace;
pub use transformer::{FeatureTransformer, HiddenVector};
pub use wdl::{known_wdl, wdl};
