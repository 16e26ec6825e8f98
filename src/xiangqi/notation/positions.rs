//! Lines with a position each, and perhaps moves behind it: `position …` as programs send it, bare FENs and
//! EPDs, and the `FEN moves …` that cloud books (云库) copy.

use super::error::{MoveNumber, NotationError, TextError, TextFault};
use super::game::{AnnotatedMove, RecordedGame};
use crate::board::Position;
use crate::notation;

/// Whether the first line with something in it holds a position.
pub(super) fn are_positions(text: &str) -> bool {
    let first = text
        .lines()
        .map(|line| line.trim().trim_start_matches('\u{feff}'))
        .find(|line| !line.is_empty() && !line.starts_with('#'));
    first.is_some_and(|line| {
        let word = line.split_whitespace().next().unwrap_or("");
        matches!(word, "position" | "startpos" | "fen") || word.matches('/').count() >= 9
    })
}

/// Reads each line as a game that begins at its position, as far as it makes sense, and what does not.
///
/// Empty lines and lines that begin with `#` are passed over. The operations of an EPD become the comment
/// before the first move.
///
/// ```
/// use xiangqi::notation::positions;
/// let text = "position startpos moves h2e2 h9g7";
/// let (game, faults) = positions::salvage(text).next().unwrap();
/// assert_eq!((game.unwrap().main.moves.len(), faults.len()), (2, 0));
/// ```
pub fn salvage(text: &str) -> impl Iterator<Item = (Option<RecordedGame>, Vec<TextError>)> + '_ {
    let mut at = 0;
    let lines = text.split('\n').map(move |line| {
        let start = at;
        at += line.len() + 1;
        (start, line)
    });
    lines.filter_map(|(at, line)| {
        let trimmed = line.trim_start_matches(['\u{feff}', ' ', '\t']);
        let at = at + line.len() - trimmed.len();
        let trimmed = trimmed.trim_end();
        (!trimmed.is_empty() && !trimmed.starts_with('#')).then(|| read(text, at, trimmed))
    })
}

/// Reads one line, which begins at byte `at` of the text.
fn read(text: &str, at: usize, line: &str) -> (Option<RecordedGame>, Vec<TextError>) {
    let head = line.strip_prefix("position").unwrap_or(line).trim_start();
    let (head, moves) = match head.find(" moves") {
        Some(end) if head[end + 6..].chars().next().is_none_or(char::is_whitespace) => {
            (&head[..end], &head[end + 6..])
        }
        _ => (head, ""),
    };
    let head = head.strip_prefix("fen ").unwrap_or(head).trim();
    let start = if head == "startpos" { Ok(Position::startpos()) } else { Position::from_fen(head) };
    let mut game = match start {
        Ok(start) => RecordedGame::new(start),
        Err(error) => return (None, vec![TextError::at(text, at, TextFault::Fen(error))]),
    };
    if let Some(operations) = operations(head) {
        game.main.comment = operations.to_owned();
    }
    let mut position = game.start.clone();
    let mut at = at + line.len() - moves.len();
    for word in moves.split(' ') {
        if !word.trim().is_empty() {
            match notation::read(&position, word) {
                Ok(mv) => {
                    position.make(mv);
                    game.main.moves.push(AnnotatedMove::new(mv));
                }
                Err(error) => {
                    let fault = bad_move(&position, error);
                    return (Some(game), vec![TextError::at(text, at, fault)]);
                }
            }
        }
        at += word.len() + 1;
    }
    (Some(game), Vec::new())
}

fn bad_move(position: &Position, error: NotationError) -> TextFault {
    TextFault::Move(MoveNumber(position.fullmove(), position.side()), error)
}

/// The operations of an EPD, such as `bm h2e2; id "first";`: what follows the board, the side and two words
/// or numbers.
fn operations(head: &str) -> Option<&str> {
    let mut rest = head;
    for _ in 0..2 {
        rest = rest.split_once(char::is_whitespace)?.1.trim_start();
    }
    while let Some(next) = rest.split_whitespace().next()
        && next.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit())
    {
        rest = rest[next.len()..].trim_start();
    }
    (!rest.is_empty()).then_some(rest)
}
