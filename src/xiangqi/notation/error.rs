//! What can be wrong with a written move, and with a text that holds games.

use std::fmt;

use thiserror::Error;

use crate::board::{FenError, PlayError};
use crate::types::{Move, Side};

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

/// A place in a text at which reading a game failed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {fault}")]
pub struct TextError {
    /// The line, counted from 1.
    pub line: usize,
    /// The character of the line, counted from 1.
    pub column: usize,
    /// What is wrong there.
    pub fault: TextFault,
}

/// What is wrong with a game in a text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TextFault {
    /// A word among the moves is not a legal move.
    #[error("{0}: {1}")]
    Move(MoveNumber, NotationError),
    /// The start position makes no sense.
    #[error("the start position: {0}")]
    Fen(FenError),
    /// A line begins like a tag but is none.
    #[error("a tag is wanted, such as [Red \"name\"]")]
    Tag,
    /// A comment is not closed.
    #[error("the comment that begins here has no }}")]
    OpenComment,
    /// A variation is not closed.
    #[error("the variation that begins here has no )")]
    OpenVariation,
    /// A variation ends where none began.
    #[error("a ) without a (")]
    NoVariation,
    /// A variation stands where there is no move to replace.
    #[error("a variation before the first move")]
    NothingToReplace,
    /// Variations lie deeper than [`MAX_DEPTH`] in each other.
    #[error("variations lie more than {MAX_DEPTH} deep in each other")]
    TooDeep,
    /// The file ends before this part of it, or lacks it altogether.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// The text is not the XML that the format asks for.
    #[error("not well-formed XML: {0}")]
    Xml(String),
}

/// How deep variations may lie in each other in a text.
pub const MAX_DEPTH: usize = 64;

/// Which move of the game: the number of the full move, and whose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveNumber(pub u32, pub Side);

impl fmt::Display for MoveNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "move {} of {:?}", self.0, self.1)
    }
}

impl TextError {
    /// An error at byte `at` of `text`.
    pub(super) fn at(text: &str, at: usize, fault: TextFault) -> TextError {
        let before = text.get(..at).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        TextError { line, column, fault }
    }
}
