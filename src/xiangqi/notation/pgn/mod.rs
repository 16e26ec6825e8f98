//! Portable game notation for xiangqi: tags, moves in any notation, comments, variations, results.
//!
//! What is read goes beyond the standard as far as the files of XiangQi Wizard, XiangQi Studio, WXF and
//! match servers do: moves in Chinese, WXF, ICCS, bare coordinates or algebraic form, whatever the `Format`
//! tag says; coordinates with ranks from 1 to 10; full-width digits and dots; quotation marks inside tag values; results in Chinese; footers
//! after the result; games without tags. A file holds any number of games.

mod lexer;
mod reader;
mod writer;

use std::fmt;

use thiserror::Error;

pub use super::game::{AnnotatedMove, RecordedGame, Variation, result_sign};
use super::{NotationError, encoding};
use crate::board::FenError;
use crate::types::Side;
pub use reader::PgnGames;
pub use writer::{CommentStyle, write, write_with};

/// A place in a file at which reading a game failed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {fault}")]
pub struct PgnError {
    /// The line, from 1.
    pub line: usize,
    /// The character of the line, from 1.
    pub column: usize,
    /// What is wrong there.
    pub fault: PgnFault,
}

/// What is wrong with a game in a file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PgnFault {
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
}

/// How deep variations may lie in each other.
pub const MAX_DEPTH: usize = 64;

/// Which move of the game: the number of the full move, and whose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveNumber(pub u32, pub Side);

impl fmt::Display for MoveNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "move {} of {:?}", self.0, self.1)
    }
}

/// The games of a text one by one; after one that cannot be read, it goes on with the next.
///
/// ```
/// use xiangqi::notation::pgn;
/// let text = "[Red \"A\"]\n1. 炮二平五 马8进7 {a screen} 2. H0-G2 1-0";
/// let game = pgn::games(text).next().unwrap().unwrap();
/// assert_eq!(game.tag("red"), Some("A"));
/// assert_eq!(game.moves().map(|mv| mv.to_string()).collect::<Vec<_>>(), ["h2e2", "h9g7", "h0g2"]);
/// assert_eq!(pgn::result_sign(game.outcome), "1-0");
/// ```
pub fn games(text: &str) -> PgnGames<'_> {
    PgnGames::new(text)
}

/// Every game of a text.
///
/// # Errors
/// The first place at which a game cannot be read. [`games`] goes on after it.
pub fn read_all(text: &str) -> Result<Vec<RecordedGame>, PgnError> {
    games(text).collect()
}

/// Every game of a file in whatever encoding it is.
///
/// # Errors
/// As of [`read_all`].
pub fn read_bytes(bytes: &[u8]) -> Result<Vec<RecordedGame>, PgnError> {
    read_all(&encoding::decode(bytes).0)
}
