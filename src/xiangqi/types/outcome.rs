//! The result of a game.

use super::Side;

/// The result of a finished game, or what a ruling on a repetition awards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Neither side wins.
    Draw,
    /// This side wins.
    Win(Side),
}
