//! A game as an XQF file of version 10.

use encoding_rs::GB18030;

use super::{FIELDS, HEADER, LAST_PLAIN, SIGNATURE};
use crate::notation::game::{AnnotatedMove, RecordedGame};
use crate::notation::piece_list::{self, PiecesError};
use crate::types::{Outcome, Side, Square};

/// The flag of a move that is followed by another.
const HAS_NEXT: u8 = 0xf0;
/// The flag of a move that is replaced by another.
const HAS_SIBLING: u8 = 0x0f;

/// Writes a game as an XQF file of version 10, which every program reads.
///
/// The texts are in GB 18030; those of the header are cut where the format ends them (63 or 15 bytes).
/// Annotation glyphs are left out, for which the format has no place.
///
/// ```
/// use xiangqi::{board::Position, notation::{pgn::RecordedGame, xqf}};
/// let file = xqf::write(&RecordedGame::new(Position::startpos())).unwrap();
/// assert!(xqf::is_xqf(&file));
/// ```
///
/// # Errors
/// The start position has more pieces of a kind than a set.
pub fn write(game: &RecordedGame) -> Result<Vec<u8>, PiecesError> {
    let pieces = piece_list::list(&game.start)?;
    let mut file = vec![0; HEADER];
    file[..2].copy_from_slice(SIGNATURE);
    file[2] = LAST_PLAIN;
    for (place, square) in file[0x10..0x30].iter_mut().zip(pieces) {
        *place = square.map_or(0xff, byte);
    }
    file[0x32] = u8::from(game.start.side() == Side::Black);
    file[0x33] = match game.outcome {
        None => 0,
        Some(Outcome::Win(Side::Red)) => 1,
        Some(Outcome::Win(Side::Black)) => 2,
        Some(Outcome::Draw) => 3,
    };
    for (name, at, longest) in FIELDS {
        let value = encoded(game.tag(name).unwrap_or(""), longest);
        file[at] = value.len() as u8;
        file[at + 1..at + 1 + value.len()].copy_from_slice(&value);
    }
    let flags = if game.main.moves.is_empty() { 0 } else { HAS_NEXT };
    write_node(&mut file, [0x18, 0x20, flags], &game.main.comment);
    if let Some(first) = game.main.moves.first() {
        write_line(&mut file, "", &game.main.moves, !first.replacements().is_empty());
        write_replacements(&mut file, first);
    }
    Ok(file)
}

/// Writes a line of play, then what replaces its moves but the first, the last move's first.
fn write_line(file: &mut Vec<u8>, preface: &str, moves: &[AnnotatedMove], first_has_sibling: bool) {
    for (index, mv) in moves.iter().enumerate() {
        let replaced = if index == 0 { first_has_sibling } else { !mv.replacements().is_empty() };
        let next = if index + 1 < moves.len() { HAS_NEXT } else { 0 };
        let sibling = if replaced { HAS_SIBLING } else { 0 };
        // A comment before a line has no place of its own.
        let before = if index == 0 { preface } else { "" };
        let between = if before.is_empty() || mv.comment.is_empty() { "" } else { "\n" };
        let comment = format!("{before}{between}{}", mv.comment);
        write_node(file, [byte(mv.mv.from()) + 24, byte(mv.mv.to()) + 32, next | sibling], &comment);
    }
    for mv in moves.iter().skip(1).rev() {
        write_replacements(file, mv);
    }
}

/// Writes what replaces a move; each line says whether another one follows.
fn write_replacements(file: &mut Vec<u8>, mv: &AnnotatedMove) {
    let lines = mv.replacements();
    for (index, line) in lines.iter().enumerate() {
        write_line(file, &line.comment, &line.moves, index + 1 < lines.len());
    }
}

fn write_node(file: &mut Vec<u8>, [from, to, flags]: [u8; 3], remark: &str) {
    let remark = encoded(&remark.replace('\n', "\r\n"), usize::MAX);
    file.extend([from, to, flags, 0]);
    file.extend((remark.len() as u32).to_le_bytes());
    file.extend(remark);
}

/// A square as ten times the file plus the rank.
fn byte(square: Square) -> u8 {
    square.file() * 10 + square.rank()
}

/// As much of a text as fits into `longest` bytes of GB 18030 without cutting a character.
fn encoded(text: &str, longest: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for letter in text.chars() {
        let mut utf8 = [0; 4];
        let own = GB18030.encode(letter.encode_utf8(&mut utf8)).0;
        if bytes.len() + own.len() > longest {
            break;
        }
        bytes.extend_from_slice(&own);
    }
    bytes
}
