//! The rules that end a game, and the rulings on repetition.
//!
//! Everybody asks here: the search at its nodes, the match runner after each move. A verdict is a value,
//! never a score. This room knows nothing of search.

mod arbiter;
mod chase;
mod classify;
mod contact;
mod effect;
mod endings;
mod exchange;
mod gain;
mod history;
mod idle;
mod marks;
mod measure;
mod pursuit;
mod reason;
mod referee;
mod repetition;
mod ruleset;
mod threat;

pub use arbiter::{Arbiter, Judged, Judgement, Status};
pub use effect::{Chase, Class, Effect, Evidence, Root};
pub use endings::{NO_CAPTURE_PLIES, is_bare};
pub use history::{Loop, last_loop};
pub use reason::{Reason, kind_name};
pub use referee::Referee;
pub use repetition::repetition;
pub use ruleset::{
    ALWAYSDRAW, ASIAN, CHECKBAN, CXA1999, CXA2020, Conduct, Grade, Reading, Ruleset, UnknownRuleset, Words,
};

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
    ended(position, no_capture_limit, || repetition(position, 2))
}

/// The order in which a game ends: mate, a ruling, bare boards, the limit.
fn ended(
    position: &Position,
    no_capture_limit: Option<u32>,
    ruled: impl FnOnce() -> Option<Outcome>,
) -> Option<(Outcome, Ending)> {
    if !position.has_legal_move() {
        let ending = if position.in_check() { Ending::Mate } else { Ending::Stalemate };
        return Some((Outcome::Win(!position.side()), ending));
    }
    if let Some(outcome) = ruled() {
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
