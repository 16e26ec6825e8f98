//! A recorded game: who, when and where, the start, the moves with comments and variations, the result.

use crate::board::{PlayError, Position, STARTPOS};
use crate::types::{Move, Outcome, Side};

/// A game as it is kept in a file.
#[derive(Debug, Clone)]
pub struct RecordedGame {
    /// Name and value of each tag, in the order of the file. What other fields hold is not among them:
    /// the start, the result, and the form of the moves.
    pub tags: Vec<(String, String)>,
    /// The position before the first move.
    pub start: Position,
    /// The moves played, with whatever is said about them.
    pub main: Variation,
    /// How the game ended; `None` if it is unfinished or the end is unknown.
    pub outcome: Option<Outcome>,
}

/// A line of play.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Variation {
    /// What is said before the first move.
    pub comment: String,
    /// The moves in order.
    pub moves: Vec<AnnotatedMove>,
}

/// A move and what is said about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnnotatedMove {
    /// The move.
    pub mv: Move,
    /// Numeric annotation glyphs: 1 is `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`.
    pub glyphs: Vec<u8>,
    /// What is said after the move; several comments are joined by a line break.
    pub comment: String,
    /// What could have been played instead, each line beginning with a replacement of this move.
    pub variations: Vec<Variation>,
}

impl RecordedGame {
    /// Makes a game without moves that begins at `start`.
    ///
    /// ```
    /// use xiangqi::{board::Position, notation::pgn::RecordedGame};
    /// let mut game = RecordedGame::new(Position::startpos());
    /// game.set_tag("Red", "A");
    /// game.push("h2e2".parse().unwrap(), "a comment");
    /// assert_eq!((game.tag("red"), game.moves().len()), (Some("A"), 1));
    /// ```
    pub fn new(start: Position) -> RecordedGame {
        RecordedGame { tags: Vec::new(), start, main: Variation::default(), outcome: None }
    }

    /// The value of a tag; names are compared without regard to case. `Red` also finds `White`, as the
    /// files of chess servers call the player.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let find = |name: &str| self.tags.iter().find(|(own, _)| own.eq_ignore_ascii_case(name));
        let found = find(name).or_else(|| name.eq_ignore_ascii_case("Red").then(|| find("White"))?);
        found.map(|(_, value)| value.as_str())
    }

    /// Sets the value of a tag, adding it if the game does not have it.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        match self.tags.iter_mut().find(|(own, _)| own.eq_ignore_ascii_case(name)) {
            Some((_, old)) => *old = value,
            None => self.tags.push((name.to_owned(), value)),
        }
    }

    /// Adds a move to the main line. It has to be legal there; [`RecordedGame::play_out`] finds one that is not.
    pub fn push(&mut self, mv: Move, comment: impl Into<String>) {
        self.main.moves.push(AnnotatedMove { comment: comment.into(), ..AnnotatedMove::new(mv) });
    }

    /// The moves of the main line.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> + '_ {
        self.main.moves.iter().map(|ply| ply.mv)
    }

    /// The position after the main line, with the whole game as its record.
    ///
    /// # Errors
    /// The first move that is not legal; games that were read have none.
    pub fn play_out(&self) -> Result<Position, PlayError> {
        let mut position = self.start.clone();
        self.moves().try_for_each(|mv| position.play(mv))?;
        Ok(position)
    }

    /// Whether the game begins at the start position of the game.
    pub fn is_from_start(&self) -> bool {
        self.start.to_fen() == STARTPOS
    }
}

impl AnnotatedMove {
    /// Makes a move about which nothing is said.
    ///
    /// ```
    /// use xiangqi::notation::pgn::AnnotatedMove;
    /// assert!(AnnotatedMove::new("h2e2".parse().unwrap()).comment.is_empty());
    /// ```
    pub fn new(mv: Move) -> AnnotatedMove {
        AnnotatedMove { mv, glyphs: Vec::new(), comment: String::new(), variations: Vec::new() }
    }

    /// The lines that begin in place of this move, with those that begin in place of their own first moves.
    pub(super) fn replacements(&self) -> Vec<&Variation> {
        let mut lines = Vec::new();
        for line in &self.variations {
            if let Some(first) = line.moves.first() {
                lines.push(line);
                lines.extend(first.replacements());
            }
        }
        lines
    }
}

/// The sign of a result: `1-0` when Red wins, `0-1`, `1/2-1/2`, or `*`.
///
/// ```
/// use xiangqi::{notation::pgn::result_sign, types::Outcome};
/// assert_eq!((result_sign(Some(Outcome::Draw)), result_sign(None)), ("1/2-1/2", "*"));
/// ```
pub fn result_sign(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        Some(Outcome::Win(Side::Red)) => "1-0",
        Some(Outcome::Win(Side::Black)) => "0-1",
        Some(Outcome::Draw) => "1/2-1/2",
        None => "*",
    }
}

/// The outcome a result word names, in signs or in Chinese; `None` if the word is no result.
pub(super) fn result_word(word: &str) -> Option<Option<Outcome>> {
    Some(match word {
        "1-0" | "红胜" | "紅勝" | "红先胜" | "紅先勝" => Some(Outcome::Win(Side::Red)),
        "0-1" | "黑胜" | "黑勝" | "红先负" | "紅先負" => Some(Outcome::Win(Side::Black)),
        "1/2-1/2" | "1/2" | "½-½" | "½" | "和" | "和棋" | "红先和" | "紅先和" => {
            Some(Outcome::Draw)
        }
        "*" => None,
        _ => return None,
    })
}
