//! Games out of tokens, each as far as it makes sense.

use super::lexer::{Lexer, Token};
use super::{AnnotatedMove, MAX_DEPTH, MoveNumber, RecordedGame, TextError, TextFault, Variation};
use crate::board::{FenError, Position};
use crate::notation;
use crate::notation::game::result_word;
use crate::notation::iccs::RankBase;
use crate::types::Outcome;

/// Tags whose content other fields of a game hold.
const HELD_ELSEWHERE: [&str; 5] = ["Game", "FEN", "SetUp", "Result", "Format"];

/// A game as far as it could be read.
#[derive(Debug, Clone)]
pub struct SalvagedGame {
    /// What is good in it, or `None` if nothing is.
    pub game: Option<RecordedGame>,
    /// What could not be read, in the order of the text.
    pub faults: Vec<TextError>,
}

/// The games of a text, each as far as it makes sense.
pub struct Salvage<'a> {
    lexer: Lexer<'a>,
}

impl<'a> Salvage<'a> {
    pub(super) fn new(text: &'a str) -> Salvage<'a> {
        Salvage { lexer: Lexer::new(text) }
    }
}

impl Iterator for Salvage<'_> {
    type Item = SalvagedGame;

    fn next(&mut self) -> Option<SalvagedGame> {
        let start = self.lexer.clone();
        let found = read_game(&mut self.lexer, RankBase::Zero)?;
        if !found.faults.iter().any(|error| matches!(error.fault, TextFault::Move(..))) {
            return Some(found);
        }
        // Servers that count ranks from 1 do not say so, but hardly one move makes sense from 0.
        let mut lexer = start;
        match read_game(&mut lexer, RankBase::One) {
            Some(other) if other.length() > found.length() => {
                self.lexer = lexer;
                Some(other)
            }
            _ => Some(found),
        }
    }
}

impl SalvagedGame {
    fn length(&self) -> usize {
        self.game.as_ref().map_or(0, |game| game.main.moves.len())
    }

    /// The game without a fault, or its first fault.
    fn strict(self) -> Option<Result<RecordedGame, TextError>> {
        match self.faults.into_iter().next() {
            Some(error) => Some(Err(error)),
            None => self.game.map(Ok),
        }
    }
}

/// The games of a text, each of them whole or an error.
pub struct PgnGames<'a>(Salvage<'a>);

impl<'a> PgnGames<'a> {
    pub(super) fn new(text: &'a str) -> PgnGames<'a> {
        PgnGames(Salvage::new(text))
    }
}

impl Iterator for PgnGames<'_> {
    type Item = Result<RecordedGame, TextError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()?.strict()
    }
}

/// Reads the moves that begin at byte `at` of a text into a game of which the rest is known.
///
/// Returns what is wrong with them.
pub(in crate::notation) fn read_moves(game: &mut RecordedGame, text: &str, at: usize) -> Vec<TextError> {
    let mut lexer = Lexer::from(text, at);
    let mut reader = MovetextReader::new(&mut lexer, RankBase::Zero, game.start.clone(), Vec::new());
    game.main = reader.line(std::mem::take(&mut game.main), 0);
    game.outcome = reader.outcome.or(game.outcome);
    reader.faults
}

/// Reads one game, or `None` if the text has no more.
fn read_game(lexer: &mut Lexer, ranks: RankBase) -> Option<SalvagedGame> {
    let mut game = RecordedGame::new(Position::startpos());
    let mut preface = Variation::default();
    let mut some = false;
    let mut faults = Vec::new();
    let mut lost_start = false;
    loop {
        let before = lexer.clone();
        match lexer.next() {
            Ok(Some((at, Token::Tag(name, value)))) => {
                if let Err(error) = take_tag(&mut game, name, value) {
                    faults.push(lexer.error(at, TextFault::Fen(error)));
                    lost_start = true;
                }
            }
            Ok(Some((_, Token::Comment(text)))) if !some => {
                add_comment(&mut preface, &text);
                continue;
            }
            Err(error) if error.fault == TextFault::Tag => {
                faults.push(error);
                lexer.line();
            }
            _ => {
                *lexer = before;
                break;
            }
        }
        some = true;
    }
    some |= !preface.comment.is_empty();
    let mut reader = MovetextReader::new(lexer, ranks, game.start.clone(), faults);
    (reader.some, reader.cut) = (some, lost_start);
    game.main = reader.line(preface, 0);
    if !reader.some {
        return None;
    }
    game.outcome = reader.outcome.or(game.outcome);
    let nothing = lost_start || reader.cut && game.main.moves.is_empty() && game.is_from_start();
    Some(SalvagedGame { game: (!nothing).then_some(game), faults: reader.faults })
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

/// Reads what stands after the tags.
struct MovetextReader<'a, 'b> {
    lexer: &'b mut Lexer<'a>,
    ranks: RankBase,
    /// The position before the next move.
    position: Position,
    /// Whether there has been anything at all.
    some: bool,
    /// Whether the main line ended at something that is not a move.
    cut: bool,
    outcome: Option<Outcome>,
    faults: Vec<TextError>,
}

impl<'a, 'b> MovetextReader<'a, 'b> {
    fn new(lexer: &'b mut Lexer<'a>, ranks: RankBase, position: Position, faults: Vec<TextError>) -> Self {
        MovetextReader { lexer, ranks, position, some: false, cut: false, outcome: None, faults }
    }

    fn fault(&mut self, at: usize, fault: TextFault) {
        self.faults.push(self.lexer.error(at, fault));
    }

    /// Reads a line of play, of which the comment before it may be known, to its end and takes its moves back.
    ///
    /// What follows a bad move is read over: without that move the rest of the line has no meaning.
    fn line(&mut self, mut line: Variation, depth: usize) -> Variation {
        let opened = self.lexer.at().saturating_sub(1);
        let mut cut = depth == 0 && self.cut;
        loop {
            let before = self.lexer.clone();
            let (at, token) = match self.lexer.next() {
                Ok(Some(found)) => found,
                Ok(None) => {
                    if depth > 0 {
                        self.fault(opened, TextFault::OpenVariation);
                    }
                    break;
                }
                Err(error) => {
                    self.some = true;
                    let open = error.fault == TextFault::OpenComment;
                    self.faults.push(error);
                    if open {
                        self.lexer.skip_game();
                        break;
                    }
                    self.lexer.line();
                    continue;
                }
            };
            match token {
                Token::Tag(..) => {
                    if depth > 0 {
                        self.fault(opened, TextFault::OpenVariation);
                    }
                    *self.lexer = before;
                    break;
                }
                Token::Close if depth > 0 => break,
                Token::Close => self.fault(at, TextFault::NoVariation),
                Token::Open if cut => self.skip_variation(),
                Token::Open => self.variation(at, depth, &mut line),
                Token::Word(word) => match result_word(&word) {
                    Some(outcome) if depth == 0 => {
                        self.some = true;
                        self.outcome = outcome;
                        self.after_result(&mut line);
                        break;
                    }
                    // A variation may tell how it would have ended; that is not this game's result.
                    Some(_) => {}
                    None if cut => {}
                    None => cut = !self.take_move(at, &word, &mut line),
                },
                Token::Comment(_) | Token::Glyph(_) if cut => {}
                Token::Comment(text) => add_comment(&mut line, &text),
                Token::Glyph(glyph) => {
                    if let Some(last) = line.moves.last_mut() {
                        last.glyphs.push(glyph);
                    }
                }
            }
            self.some = true;
        }
        if depth == 0 {
            self.cut = cut;
        }
        for _ in &line.moves {
            self.position.unmake();
        }
        line
    }

    /// Reads a move and makes it; returns whether it is one.
    fn take_move(&mut self, at: usize, word: &str, line: &mut Variation) -> bool {
        match notation::read_ranked(&self.position, word, self.ranks) {
            Ok(mv) => {
                self.position.make(mv);
                line.moves.push(AnnotatedMove::new(mv));
                true
            }
            Err(error) => {
                let number = MoveNumber(self.position.fullmove(), self.position.side());
                self.fault(at, TextFault::Move(number, error));
                false
            }
        }
    }

    /// Reads a variation on the last move of `line`.
    fn variation(&mut self, at: usize, depth: usize, line: &mut Variation) {
        if depth + 1 > MAX_DEPTH {
            self.fault(at, TextFault::TooDeep);
            return self.skip_variation();
        }
        let Some(last) = line.moves.last_mut() else {
            self.fault(at, TextFault::NothingToReplace);
            return self.skip_variation();
        };
        self.position.unmake();
        let variation = self.line(Variation::default(), depth + 1);
        if !(variation.moves.is_empty() && variation.comment.is_empty()) {
            last.variations.push(variation);
        }
        self.position.make(last.mv);
    }

    /// Reads over the rest of a variation with all that it contains.
    fn skip_variation(&mut self) {
        let mut open = 1;
        while open > 0 {
            let before = self.lexer.clone();
            match self.lexer.next() {
                Ok(Some((_, Token::Open))) => open += 1,
                Ok(Some((_, Token::Close))) => open -= 1,
                Ok(Some((_, Token::Tag(..))) | None) | Err(_) => {
                    *self.lexer = before;
                    return;
                }
                Ok(Some(_)) => {}
            }
        }
    }

    /// Comments behind the result still belong to the game; what else is there is a footer.
    fn after_result(&mut self, line: &mut Variation) {
        loop {
            let before = self.lexer.clone();
            match self.lexer.next() {
                Ok(Some((_, Token::Comment(text)))) => add_comment(line, &text),
                Ok(Some((_, Token::Tag(..)))) => {
                    *self.lexer = before;
                    return;
                }
                _ => {
                    *self.lexer = before;
                    self.lexer.skip_footer();
                    return;
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
