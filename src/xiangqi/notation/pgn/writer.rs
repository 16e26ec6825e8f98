//! PgnGames into text.

use std::fmt::Write as _;

use super::{AnnotatedMove, RecordedGame, Variation, result_sign};
use crate::board::Position;
use crate::notation::{self, Notation};
use crate::types::Side;

/// Lines of moves are broken before this column; a Chinese character takes two.
const WIDTH: usize = 80;

/// The tags that go first, in this order.
const ROSTER: [&str; 6] = ["Event", "Site", "Date", "Round", "Red", "Black"];

/// The text of a game, with an empty line at its end, so that texts of games can follow each other.
///
/// Every move must be legal in its line; one that is not ends the line it stands in. A `}` within a comment
/// is written as `｝`, since a comment has no other way to hold it.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::notation::{Notation, pgn::{self, RecordedGame}};
/// let mut game = RecordedGame::new(Position::startpos());
/// game.push("h2e2".parse().unwrap(), "");
/// assert!(pgn::write(&game, Notation::Wxf).ends_with("1. C2=5 *\n\n"));
/// ```
pub fn write(game: &RecordedGame, notation: Notation) -> String {
    write_with(game, notation, CommentStyle::Braces)
}

/// How comments are set off from the moves; the standard has both ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommentStyle {
    /// `{…}`.
    Braces,
    /// `;…` to the end of the line, for plain games. Readers that know no comments take the line's last word
    /// for a move number if it ends with a full stop, and pass over it.
    ToLineEnd,
}

/// The text of a game as [`write()`] has it, with a choice of how comments are set off.
pub fn write_with(game: &RecordedGame, notation: Notation, comments: CommentStyle) -> String {
    let mut text = String::new();
    write_tags(&mut text, game, notation);
    text.push('\n');
    let (position, unit) = (game.start.clone(), String::new());
    let mut movetext = MovetextWriter { text, column: 0, unit, glued: true, notation, comments, position };
    movetext.line(&game.main);
    movetext.word(result_sign(game.outcome));
    movetext.break_here();
    movetext.text.push_str("\n\n");
    movetext.text
}

fn write_tags(text: &mut String, game: &RecordedGame, notation: Notation) {
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\r', '\n'], " ");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    tag("Game", "Chinese Chess");
    for name in ROSTER {
        if let Some(value) = game.tag(name) {
            tag(name, value);
        }
    }
    tag("Result", result_sign(game.outcome));
    for (name, value) in &game.tags {
        if !ROSTER.iter().any(|first| first.eq_ignore_ascii_case(name)) {
            tag(name, value);
        }
    }
    if !game.is_from_start() {
        tag("FEN", &game.start.to_fen());
    }
    tag("Format", format_name(notation));
}

/// The value of the Format tag.
fn format_name(notation: Notation) -> &'static str {
    match notation {
        Notation::Coordinates | Notation::Iccs => "ICCS",
        Notation::Chinese(_) => "Chinese",
        Notation::Wxf => "WXF",
    }
}

/// The text under way.
struct MovetextWriter {
    text: String,
    /// How wide the current line is.
    column: usize,
    /// What is not yet written and must stay on one line: a number and its move, say.
    unit: String,
    /// Whether the next word belongs to the unit.
    glued: bool,
    notation: Notation,
    comments: CommentStyle,
    /// The position before the next move.
    position: Position,
}

impl MovetextWriter {
    /// Writes a line of play and takes its moves back.
    fn line(&mut self, line: &Variation) {
        self.comment(&line.comment);
        // The number is repeated for Black wherever something stands between the two moves.
        let mut interrupted = true;
        let mut made = 0;
        for ply in &line.moves {
            self.number(interrupted);
            self.word(&notation::write(&self.position, ply.mv, self.notation));
            for glyph in &ply.glyphs {
                self.word(&format!("${glyph}"));
            }
            self.comment(&ply.comment);
            self.variations(ply);
            interrupted = !(ply.comment.is_empty() && ply.variations.is_empty());
            if self.position.play(ply.mv).is_err() {
                break;
            }
            made += 1;
        }
        for _ in 0..made {
            self.position.unmake();
        }
    }

    fn variations(&mut self, ply: &AnnotatedMove) {
        for variation in &ply.variations {
            self.prefix("(");
            self.line(variation);
            self.unit.push(')');
            self.glued = false;
        }
    }

    fn number(&mut self, interrupted: bool) {
        match self.position.side() {
            Side::Red => self.prefix(&format!("{}. ", self.position.fullmove())),
            Side::Black if interrupted => self.prefix(&format!("{}... ", self.position.fullmove())),
            Side::Black => {}
        }
    }

    fn comment(&mut self, comment: &str) {
        if comment.is_empty() {
            return;
        }
        match self.comments {
            CommentStyle::Braces => self.word(&format!("{{{}}}", comment.replace('}', "｝"))),
            CommentStyle::ToLineEnd => {
                for line in comment.lines() {
                    self.word(&format!(";{line}"));
                    self.break_here();
                    self.text.push('\n');
                    self.column = 0;
                    self.glued = true;
                }
            }
        }
    }

    /// Adds a word, behind a space unless it belongs to what was written last.
    fn word(&mut self, word: &str) {
        if !std::mem::take(&mut self.glued) {
            self.break_here();
        }
        self.unit.push_str(word);
    }

    /// Adds what stands directly before the next word.
    fn prefix(&mut self, prefix: &str) {
        self.word(prefix);
        self.glued = true;
    }

    /// Writes the unit under way, on a new line where it would reach beyond the width.
    fn break_here(&mut self) {
        let mut lines = self.unit.split('\n').map(width);
        let first = lines.next().unwrap_or(0);
        if self.column > 0 && self.column + 1 + first <= WIDTH {
            self.text.push(' ');
            self.column += 1;
        } else if self.column > 0 {
            self.text.push('\n');
            self.column = 0;
        }
        self.column = lines.next_back().unwrap_or(self.column + first);
        self.text.push_str(&self.unit);
        self.unit.clear();
    }
}

/// How many columns a text takes.
fn width(text: &str) -> usize {
    text.chars().map(|letter| if letter < '\u{1100}' { 1 } else { 2 }).sum()
}
