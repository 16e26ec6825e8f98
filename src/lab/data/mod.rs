//! Training data: games of the engine against itself, each move with the score that its search gave.
//!
//! ```text
//! datagen ─ Writer ─▶ file ─ Reader ─▶ data (statistics, merging, rescoring), train
//! ```
//!
//! Whole games are kept, not positions: four bytes a ply, and what to train on is decided when they are read.

pub mod command;
mod format;
mod game;
mod reader;
mod writer;

pub use format::{FormatError, Header, MOST_PLIES};
pub use game::{BadGame, Game, GameError, Ply, Sight};
pub use reader::{DataError, Fault, Reader};
pub use writer::Writer;
