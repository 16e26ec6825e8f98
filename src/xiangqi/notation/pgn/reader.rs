//! PgnGames out of tokens.

use super::lexer::{Lexer, Token};
use super::{AnnotatedMove, MAX_DEPTH, MoveNumber, PgnError, PgnFault, RecordedGame, Variation};
use crate::board::{FenError, Position};
use crate::notation;
use crate::notation::game::result_word;
use crate::notation::iccs::RankBase;
use crate::types::Outcome;

/// Tags whose content other fields of a game hold.
const HELD_ELSEWHERE: [&str; 5] = ["Game", "FEN", "SetUp", "Result", "Format"];

/// The games of a text, read one by one.
pub struct PgnGames<'a> {
    lexer: Lexer<'a>,
}

impl<'a> PgnGames<'a> {
    pub(super) fn new(text: &'a str) -> PgnGames<'a> {
        PgnGames { lexer: Lexer::new(text) }
    }
}

impl Iterator for PgnGames<'_> {
    type Item = Result<RecordedGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.lexer.clone();
        let error = match read_game(&mut self.lexer, RankBase::Zero) {
            Ok(game) => return game.map(Ok),
            Err(error) => error,
        };
        // Servers that count ranks from 1 do not say so, but hardly one move makes sense from 0.
        self.lexer = start.clone();
        if let (PgnFault::Move(..), Ok(Some(game))) =
            (&error.fault, read_game(&mut self.lexer, RankBase::One))
        {
            return Some(Ok(game));
        }
        self.lexer = start;
        self.lexer.skip_game();
        Some(Err(error))
    }
}

/// Reads one game, or `None` if the text has no more.
fn read_game(lexer: &mut Lexer, ranks: RankBase) -> Result<Option<RecordedGame>, PgnError> {
    let mut game = RecordedGame::new(Position::startpos());
    let mut preface = Variation::default();
    let mut some = false;
    loop {
        let before = lexer.clone();
        match lexer.next()? {
            Some((at, Token::Tag(name, value))) => {
                take_tag(&mut game, name, value).map_err(|error| lexer.error(at, PgnFault::Fen(error)))?
            }
            Some((_, Token::Comment(text))) if !some => {
                add_comment(&mut preface, &text);
                continue;
            }
            _ => {
                *lexer = before;
                break;
            }
        }
        some = true;
    }
    some |= !preface.comment.is_empty();
    let mut movetext = MovetextReader { lexer, ranks, position: game.start.clone(), some, outcome: None };
    game.main = movetext.line(preface, 0)?;
    game.outcome = movetext.outcome.or(game.outcome);
    Ok(movetext.some.then_some(game))
}

/// Puts a tag where it belongs.
fn take_tag(game: &mut RecordedGame, name: String, value: String) -> Result<(), FenError> {
    if name.eq_ignore_ascii_case("FEN") && !value.is_empty() {
        game.start = Position::from_fen(&value)?;
    } else if name.eq_ignore_ascii_case("Result") {
        game.outcome = result_word(&value).flatten();
    }
    if !HELD_ELSEWHERE.iter().any(|held| held.eq_ignore_ascii_case(&name)) {
        game.tags.push((name, value));
    }
    Ok(())
}

/// What is being read after the tags.
struct MovetextReader<'a, 'b> {
    lexer: &'b mut Lexer<'a>,
    ranks: RankBase,
    /// The position before the next move.
    position: Position,
    /// Whether there has been anything at all.
    some: bool,
    outcome: Option<Outcome>,
}

impl MovetextReader<'_, '_> {
    /// Reads a line of play, of which the comment before it may be known, to its end and takes its moves back.
    fn line(&mut self, mut line: Variation, depth: usize) -> Result<Variation, PgnError> {
        let opened = self.lexer.at().saturating_sub(1);
        loop {
            let before = self.lexer.clone();
            let Some((at, token)) = self.lexer.next()? else {
                if depth > 0 {
                    return Err(self.lexer.error(opened, PgnFault::OpenVariation));
                }
                break;
            };
            match token {
                Token::Tag(..) if depth == 0 => {
                    *self.lexer = before;
                    break;
                }
                Token::Tag(..) => return Err(self.lexer.error(opened, PgnFault::OpenVariation)),
                Token::Comment(text) => add_comment(&mut line, &text),
                Token::Glyph(glyph) => {
                    if let Some(last) = line.moves.last_mut() {
                        last.glyphs.push(glyph);
                    }
                }
                Token::Open => self.variation(at, depth, &mut line)?,
                Token::Close if depth > 0 => break,
                Token::Close => return Err(self.lexer.error(at, PgnFault::NoVariation)),
                Token::Word(word) => match result_word(&word) {
                    Some(outcome) if depth == 0 => {
                        self.some = true;
                        self.outcome = outcome;
                        self.after_result(&mut line)?;
                        break;
                    }
                    // A variation may tell how it would have ended; that is not this game's result.
                    Some(_) => {}
                    None => self.ply(at, &word, &mut line)?,
                },
            }
            self.some = true;
        }
        for _ in &line.moves {
            self.position.unmake();
        }
        Ok(line)
    }

    /// Reads a move and makes it.
    fn ply(&mut self, at: usize, word: &str, line: &mut Variation) -> Result<(), PgnError> {
        let number = MoveNumber(self.position.fullmove(), self.position.side());
        let mv = notation::read_ranked(&self.position, word, self.ranks)
            .map_err(|error| self.lexer.error(at, PgnFault::Move(number, error)))?;
        self.position.make(mv);
        line.moves.push(AnnotatedMove::new(mv));
        Ok(())
    }

    /// Reads a variation on the last move of `line`.
    fn variation(&mut self, at: usize, depth: usize, line: &mut Variation) -> Result<(), PgnError> {
        if depth + 1 > MAX_DEPTH {
            return Err(self.lexer.error(at, PgnFault::TooDeep));
        }
        let Some(last) = line.moves.last_mut() else {
            return Err(self.lexer.error(at, PgnFault::NothingToReplace));
        };
        self.position.unmake();
        last.variations.push(self.line(Variation::default(), depth + 1)?);
        self.position.make(last.mv);
        Ok(())
    }

    /// Comments behind the result still belong to the game; what else is there is a footer.
    fn after_result(&mut self, line: &mut Variation) -> Result<(), PgnError> {
        loop {
            let before = self.lexer.clone();
            match self.lexer.next() {
                Ok(Some((_, Token::Comment(text)))) => add_comment(line, &text),
                Ok(Some((_, Token::Tag(..)))) => {
                    *self.lexer = before;
                    return Ok(());
                }
                _ => {
                    *self.lexer = before;
                    self.lexer.skip_footer();
                    return Ok(());
                }
            }
        }
    }
}

/// Adds a comment to the last move of a line, or to its beginning.
fn add_comment(line: &mut Variation, text: &str) {
    let comment = line.moves.last_mut().map_or(&mut line.comment, |last| &mut last.comment);
    if !comment.is_empty() && !text.is_empty() {
        comment.push('\n');
    }
    comment.push_str(text);
}
