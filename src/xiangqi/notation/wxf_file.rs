//! The files of the World Xiangqi Federation: lines of a word and its value, then moves between `START{` and
//! `}END`.
//!
//! ```text
//! FORMAT  WXF
//! RED     Name;Team;;
//! RESULT  1-0
//! START{
//! 1. C2.5 H8+7
//! }END
//! ```

use super::error::{TextError, TextFault};
use super::game::{RecordedGame, result_word};
use super::pgn;
use crate::board::Position;

/// What stands before the moves.
const BEGIN: &str = "START{";
/// What stands behind them.
const END: &str = "}END";

/// The words of the head that become tags, and the tags.
const FIELDS: [(&str, &str); 9] = [
    ("GAME", "Event"),
    ("EVENT", "Event"),
    ("PLACE", "Site"),
    ("SITE", "Site"),
    ("DATE", "Date"),
    ("ROUND", "Round"),
    ("TIME", "TimeControl"),
    ("OPEN", "Opening"),
    ("AUTHOR", "Annotator"),
];

/// Whether a text begins like a file of the federation.
pub fn is_wxf(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words.next().is_some_and(|word| word.trim_start_matches('\u{feff}').eq_ignore_ascii_case("FORMAT"))
        && words.next().is_some_and(|word| word.eq_ignore_ascii_case("WXF"))
}

/// Reads every game of a text as far as it makes sense, and what does not.
///
/// ```
/// use xiangqi::notation::wxf_file;
/// let text = "FORMAT\tWXF\nRED\ta;;;\nRESULT\t1-0\n\nSTART{\n1. C2.5 h8+7\n}END\n";
/// let (game, faults) = wxf_file::salvage(text).next().unwrap();
/// let game = game.unwrap();
/// assert_eq!((game.tag("Red"), game.main.moves.len(), faults.len()), (Some("a"), 2, 0));
/// ```
pub fn salvage(text: &str) -> impl Iterator<Item = (Option<RecordedGame>, Vec<TextError>)> + '_ {
    let mut starts: Vec<usize> = line_starts(text).filter(|&at| is_wxf(line(text, at))).collect();
    if starts.is_empty() && is_wxf(text) {
        starts.push(0);
    }
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([text.len()]).collect();
    starts.into_iter().zip(ends).map(|(start, end)| read(&text[..end], start))
}

/// Reads the game that begins at byte `at`.
fn read(text: &str, at: usize) -> (Option<RecordedGame>, Vec<TextError>) {
    let mut game = RecordedGame::new(Position::startpos());
    let moves = text[at..].find(BEGIN).map(|begin| at + begin + BEGIN.len());
    let head = moves.unwrap_or(text.len());
    for own in line_starts(&text[..head]).filter(|&own| own >= at) {
        let words = line(&text[..head], own).trim();
        let (word, value) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
        if let Err(fault) = take_field(&mut game, &word.to_ascii_uppercase(), value.trim()) {
            return (None, vec![TextError::at(text, own, fault)]);
        }
    }
    let Some(moves) = moves else {
        return (Some(game), vec![TextError::at(text, text.len(), TextFault::Missing("START{"))]);
    };
    let end = text[moves..].find(END).map(|end| moves + end);
    let mut faults = pgn::read_moves(&mut game, &text[..end.unwrap_or(text.len())], moves);
    if end.is_none() {
        faults.push(TextError::at(text, text.len(), TextFault::Missing("}END")));
    }
    (Some(game), faults)
}

/// Puts a line of the head where it belongs.
fn take_field(game: &mut RecordedGame, word: &str, value: &str) -> Result<(), TextFault> {
    if value.is_empty() {
        return Ok(());
    }
    match word {
        "FEN" => game.start = Position::from_fen(value).map_err(TextFault::Fen)?,
        "RESULT" => game.outcome = result_word(value).flatten(),
        "RED" | "BLACK" => {
            // Name, team and rating stand between semicolons.
            let side = if word == "RED" { "Red" } else { "Black" };
            let mut parts = value.split(';').map(str::trim);
            for tag in [side.to_owned(), format!("{side}Team"), format!("{side}Elo")] {
                if let Some(part) = parts.next().filter(|part| !part.is_empty()) {
                    game.set_tag(&tag, part);
                }
            }
        }
        _ => {
            if let Some((_, tag)) = FIELDS.iter().find(|(own, _)| *own == word) {
                game.set_tag(tag, value);
            }
        }
    }
    Ok(())
}

/// Where the lines of a text begin.
fn line_starts(text: &str) -> impl Iterator<Item = usize> + '_ {
    [0].into_iter().chain(text.match_indices('\n').map(|(at, _)| at + 1))
}

/// The line that begins at byte `at`.
fn line(text: &str, at: usize) -> &str {
    text[at..].split('\n').next().unwrap_or("")
}
