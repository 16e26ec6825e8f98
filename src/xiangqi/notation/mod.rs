//! Moves and games as people write them: coordinates, Chinese and WXF notation, and files of games.
//!
//! Chinese (炮二平五) and WXF (C2=5) are two spellings of one description; coordinates (h2e2, H2-E2) and the
//! short algebraic form (Che2) name squares. Every reader takes the position into account and returns only
//! legal moves; a text that fits several legal moves is refused, not guessed.
//!
//! [`read_file`] reads games in any format and keeps what is good in a file that is not; the modules named
//! after the formats read, and some of them write, one format each.

mod algebraic;
pub mod cbf;
pub mod cbr;
pub mod chinese;
mod descriptive;
pub mod encoding;
mod error;
mod files;
mod game;
pub mod iccs;
mod move_tree;
pub mod pgn;
mod piece_list;
pub mod positions;
mod text;
pub mod ubb;
pub mod wxf;
pub mod wxf_file;
pub mod xqf;

pub use error::{NotationError, NotationFault, TextError, TextFault};
pub use files::{FileError, ForeignFormat, GameFile, GameFormat, SkippedPart, read_file, read_games};
pub use move_tree::{TreeError, TreeFault};
pub use piece_list::PiecesError;

use crate::board::Position;
use crate::types::Move;
use iccs::RankBase;

/// The ways to write a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notation {
    /// Bare coordinates: `h2e2`.
    Coordinates,
    /// ICCS: `H2-E2`.
    Iccs,
    /// Chinese: `炮二平五`.
    Chinese(chinese::ChineseStyle),
    /// WXF: `C2=5`.
    Wxf,
}

/// Writes `mv`, a move of the side to move or of its opponent, in the given notation.
///
/// A move that no piece of the position could make by its way of moving is written in coordinates.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::notation::{self, Notation, chinese::ChineseStyle};
/// let position = Position::startpos();
/// let mv = notation::read(&position, "C2=5").unwrap();
/// assert_eq!(notation::write(&position, mv, Notation::Chinese(ChineseStyle::SIMPLIFIED)), "炮二平五");
/// assert_eq!(notation::write(&position, mv, Notation::Iccs), "H2-E2");
/// ```
pub fn write(position: &Position, mv: Move, notation: Notation) -> String {
    match notation {
        Notation::Coordinates => mv.to_string(),
        Notation::Iccs => iccs::write(mv),
        Notation::Chinese(style) => chinese::write(position, mv, style),
        Notation::Wxf => wxf::write(position, mv),
    }
}

/// Reads a legal move written in any of the notations; which one is seen from the text itself.
///
/// ```
/// use xiangqi::{board::Position, notation};
/// let start = Position::startpos();
/// for text in ["h2e2", "H2-E2", "炮二平五", "C2=5", "Che2"] {
///     assert_eq!(notation::read(&start, text).unwrap().to_string(), "h2e2");
/// }
/// ```
///
/// # Errors
/// Says at which character the text stops making sense, or that no legal move or more than one is so
/// called. See [`NotationFault`].
pub fn read(position: &Position, text: &str) -> Result<Move, NotationError> {
    read_ranked(position, text, RankBase::Zero)
}

/// Reads a move as [`read`] does, with the ranks of coordinates counted as told.
fn read_ranked(position: &Position, text: &str, ranks: RankBase) -> Result<Move, NotationError> {
    let letters = text::letters(text);
    if letters.iter().any(|&letter| chinese::is_word(letter)) {
        chinese::read(position, text)
    } else if ends_in_square(&letters) {
        // With a rank behind the first letter the text is two squares; C2e3 might still be the cannon of
        // rank 2.
        match letters[..] {
            [_, '0'..='9', ..] => iccs::read_ranked(position, text, ranks)
                .or_else(|error| algebraic::read(position, text, ranks).map_err(|_| error)),
            _ => algebraic::read(position, text, ranks),
        }
    } else {
        wxf::read(position, text)
    }
}

/// Whether the text ends in a file letter and a rank, which only names of squares do.
fn ends_in_square(letters: &[char]) -> bool {
    let stem = match letters {
        [stem @ .., '1', '0'] | [stem @ .., '0'..='9'] => stem,
        _ => return false,
    };
    stem.last().is_some_and(|&letter| iccs::file(letter).is_some())
}
