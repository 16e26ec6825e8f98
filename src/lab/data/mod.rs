//! Training data: games of the engine against itself, each move with the score that its search gave.
//!
//! ```text
//! datagen ─ writer ─▶ file (format) ─ reader ─▶ command (stats, rescore), train
//! ```
//!
//! Whole games are kept, not positions: four bytes a ply, and what to train on is decided when they are read.

mod command;
mod format;
mod game;
mod reader;
mod rescore;
mod stats;
mod writer;

pub use command::{DataTask, DataToolError, run};
pub use format::{GamesFormatError, GamesHeader, MOST_PLIES};
pub use game::{BadGame, ReplayError, ReplayedPosition, ScoredMove, TrainingGame};
pub use reader::{DataError, DataFault, GamesReader};
pub use writer::GamesWriter;
