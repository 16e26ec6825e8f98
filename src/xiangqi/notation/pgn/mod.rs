//! Portable game notation for xiangqi: tags, moves in any notation, comments, variations, results.
//!
//! The reader goes beyond the standard as far as the files of XiangQi Wizard, XiangQi Studio, WXF and match
//! servers do. It takes moves in Chinese, WXF, ICCS, bare coordinates or algebraic form, whatever the
//! `Format` tag says; coordinates with ranks from 1 to 10; full-width digits and dots; quotation marks
//! inside tag values; results in Chinese; footers after the result; and games without tags. A file holds
//! any number of games.

mod lexer;
mod reader;
mod writer;

pub use super::error::{MAX_DEPTH, MoveNumber, TextError, TextFault};
pub use super::game::{AnnotatedMove, RecordedGame, Variation, result_sign};
pub(super) use reader::read_moves;
pub use reader::{PgnGames, Salvage, SalvagedGame};
pub use writer::{CommentStyle, write, write_with};

use super::encoding;

/// Reads the games of a text one by one, each as far as it makes sense.
///
/// ```
/// use xiangqi::notation::pgn;
/// let found = pgn::salvage("1. h2e2 a0a5 *").next().unwrap();
/// assert_eq!(found.game.unwrap().main.moves.len(), 1);
/// assert_eq!(found.faults[0].column, 9);
/// ```
pub fn salvage(text: &str) -> Salvage<'_> {
    Salvage::new(text)
}

/// Reads the games of a text one by one; after one with a fault, it goes on with the next.
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

/// Reads every game of a text, which must have no fault.
///
/// ```
/// use xiangqi::notation::pgn;
/// assert_eq!(pgn::read_all("1. h2e2 1-0\n1. h0g2 0-1").unwrap().len(), 2);
/// ```
///
/// # Errors
/// The first place at which a game cannot be read.
pub fn read_all(text: &str) -> Result<Vec<RecordedGame>, TextError> {
    games(text).collect()
}

/// Reads every game of a file in whatever encoding it is, as [`read_all`] does.
///
/// ```
/// use xiangqi::notation::pgn;
/// assert_eq!(pgn::read_bytes(b"1. C2=5 H8+7 *").unwrap()[0].main.moves.len(), 2);
/// ```
///
/// # Errors
/// The first place at which a game cannot be read.
pub fn read_bytes(bytes: &[u8]) -> Result<Vec<RecordedGame>, TextError> {
    read_all(&encoding::decode(bytes).0)
}
