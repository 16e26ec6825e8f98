//! What can be wrong with a written move.

use std::fmt;

use thiserror::Error;

use crate::board::PlayError;
use crate::types::Move;

/// A text that could not be read as a move.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct NotationError {
    /// The text, cut after 24 characters.
    pub text: String,
    /// The character at which reading stopped, the first being 1; the whole text is meant where the fault
    /// is no matter of spelling.
    pub column: usize,
    /// What is wrong.
    pub fault: NotationFault,
}

/// What is wrong with a written move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotationFault {
    /// The text ends where something is wanted.
    Incomplete(&'static str),
    /// This character stands where something else is wanted.
    Unexpected(char, &'static str),
    /// The text is well formed, but no legal move is so called.
    NoMove,
    /// The text names two squares, but the move between them is not legal.
    Illegal(PlayError),
    /// The text fits all these legal moves.
    Ambiguous(Vec<Move>),
}

impl NotationError {
    pub(super) fn new(text: &str, column: usize, fault: NotationFault) -> NotationError {
        NotationError { text: text.trim().chars().take(24).collect(), column, fault }
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.fault {
            NotationFault::Incomplete(wanted) => write!(f, "`{}` ends where {wanted} is wanted", self.text),
            NotationFault::Unexpected(found, wanted) => {
                write!(f, "`{}`: `{found}` at character {} where {wanted} is wanted", self.text, self.column)
            }
            NotationFault::NoMove => write!(f, "`{}` is no legal move here", self.text),
            NotationFault::Illegal(reason) => write!(f, "`{}` is not legal: {reason}", self.text),
            NotationFault::Ambiguous(moves) => {
                let moves: Vec<_> = moves.iter().map(Move::to_string).collect();
                write!(f, "`{}` may be {}", self.text, moves.join(" or "))
            }
        }
    }
}
