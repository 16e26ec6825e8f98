//! The rules that end a game, and the rulings on repetition.
//!
//! Everybody asks here: the search at its nodes, the match runner after each move. A verdict is a value,
//! never a score. This room knows nothing of search.

mod endings;
mod repetition;

pub use endings::{NO_CAPTURE_PLIES, is_bare};
pub use repetition::repetition;

use crate::board::Position;
use crate::types::Side;

/// How a game ends or what a ruling gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Nobody wins.
    Draw,
    /// This side wins.
    Win(Side),
}

/// Why a game is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The side to move is in check and has no legal move (将死).
    Mate,
    /// The side to move has no legal move although it is not in check (困毙); it loses just the same.
    Stalemate,
    /// Neither side has a piece that can cross the river.
    Bare,
    /// The no-capture limit is reached.
    NoCapture,
    /// A repetition was ruled on.
    Repetition,
}

/// The result of the game that led to `position`, if it is over, and why. A move that mates goes before
/// every count. The limit is in counted plies without capture (see [`Position::quiet_plies`]);
/// [`NO_CAPTURE_PLIES`] is the rule book's.
pub fn game_over(position: &Position, no_capture_limit: Option<u32>) -> Option<(Outcome, Ending)> {
    if !position.has_legal_move() {
        let ending = if position.in_check() { Ending::Mate } else { Ending::Stalemate };
        return Some((Outcome::Win(!position.side()), ending));
    }
    if let Some(outcome) = repetition(position, 2) {
        return Some((outcome, Ending::Repetition));
    }
    if is_bare(position) {
        return Some((Outcome::Draw, Ending::Bare));
    }
    match no_capture_limit {
        Some(limit) if position.quiet_plies() >= limit => Some((Outcome::Draw, Ending::NoCapture)),
        _ => None,
    }
}
