//! The words of a PGN text, and where they stand.

use crate::notation::error::{TextError, TextFault};
use crate::notation::text::{digit, plain};

/// A piece of the text that means something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// `[Name "value"]`.
    Tag(String, String),
    /// `{…}`, or `;` to the end of the line.
    Comment(String),
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// `$n`, or `!` and `?` behind a move.
    Glyph(u8),
    /// A move or a result.
    Word(String),
}

/// Cuts a text into tokens.
#[derive(Debug, Clone)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    /// The byte at which the next token is looked for.
    at: usize,
    /// A glyph that stood behind the last word.
    glyph: Option<u8>,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Lexer<'a> {
        Lexer::from(text, 0)
    }

    /// Begins at byte `at`; places are still counted from the beginning of the text.
    pub(super) fn from(text: &'a str, at: usize) -> Lexer<'a> {
        Lexer { text, at, glyph: None }
    }

    /// The byte up to which the text has been read.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The next token and the byte it begins at; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<(usize, Token)>, TextError> {
        if let Some(glyph) = self.glyph.take() {
            return Ok(Some((self.at, Token::Glyph(glyph))));
        }
        loop {
            self.skip_blank();
            let at = self.at;
            let token = match self.rest().chars().next() {
                None => return Ok(None),
                Some('[') => self.tag()?,
                Some('{') => self.comment()?,
                Some(';') => Token::Comment(self.line().trim_start_matches(';').trim().to_owned()),
                Some('%') if self.at_line_start() => {
                    self.line();
                    continue;
                }
                Some('(') => self.sign(Token::Open),
                Some(')') => self.sign(Token::Close),
                Some('$') => self.glyph(),
                Some(_) => match self.word() {
                    Some(found) => return Ok(Some(found)),
                    None => continue,
                },
            };
            return Ok(Some((at, token)));
        }
    }

    /// Leaves what follows a result: up to the next line that begins with a tag or the first move of a game.
    pub(super) fn skip_footer(&mut self) {
        self.line();
        while self.at < self.text.len() {
            if is_tag_line(self.rest()) || is_first_number(self.rest()) {
                return;
            }
            self.line();
        }
    }

    /// Leaves the rest of a game that cannot be read: up to a line that begins with a tag.
    pub(super) fn skip_game(&mut self) {
        self.glyph = None;
        self.skip_blank();
        let mut in_tags = true;
        while self.at < self.text.len() {
            let is_tag = is_tag_line(self.rest());
            if is_tag && !in_tags {
                return;
            }
            in_tags &= is_tag;
            self.line();
        }
    }

    /// An error at byte `at`.
    pub(super) fn error(&self, at: usize, fault: TextFault) -> TextError {
        TextError::at(self.text, at, fault)
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn at_line_start(&self) -> bool {
        self.at == 0 || self.text.as_bytes().get(self.at - 1) == Some(&b'\n')
    }

    fn skip_blank(&mut self) {
        self.at = self.text.len() - self.rest().trim_start_matches(is_blank).len();
    }

    fn sign(&mut self, token: Token) -> Token {
        self.at += 1;
        token
    }

    /// Takes everything to the end of the line, which is left out.
    pub(super) fn line(&mut self) -> &'a str {
        let rest = self.rest();
        let line = rest.split('\n').next().unwrap_or(rest);
        self.at = (self.at + line.len() + 1).min(self.text.len());
        line.trim_end_matches('\r')
    }

    /// Takes a comment in braces.
    fn comment(&mut self) -> Result<Token, TextError> {
        let rest = self.rest();
        let end = rest.find('}').ok_or_else(|| self.error(self.at, TextFault::OpenComment))?;
        self.at += end + 1;
        Ok(Token::Comment(rest[1..end].trim().replace("\r\n", "\n")))
    }

    fn glyph(&mut self) -> Token {
        let digits = &self.rest()[1..];
        let digits = &digits[..digits.len() - digits.trim_start_matches(|c: char| c.is_ascii_digit()).len()];
        self.at += 1 + digits.len();
        // Numbers beyond the defined ones mean nothing; 0 is "no comment".
        Token::Glyph(digits.parse().unwrap_or(0))
    }

    /// Takes a tag. The value may hold quotation marks and brackets: it ends at the last `"]` before
    /// another tag or the end of the line.
    fn tag(&mut self) -> Result<Token, TextError> {
        let start = self.at;
        let fault = || self.error(start, TextFault::Tag);
        let line = self.rest().split('\n').next().unwrap_or("");
        let inner = &line[1..];
        let name: String =
            inner.trim_start().chars().take_while(|c| !c.is_whitespace() && *c != '"').collect();
        let value = inner.trim_start().get(name.len()..).ok_or_else(fault)?.trim_start();
        if name.is_empty() || name.contains([']', '[']) {
            return Err(fault());
        }
        let (value, rest) = match value.strip_prefix('"') {
            Some(quoted) => quoted_value(quoted).ok_or_else(fault)?,
            None => value.split_once(']').ok_or_else(fault)?,
        };
        self.at = start + (line.len() - rest.len());
        let value = value.replace("\\\"", "\"").replace("\\\\", "\\");
        Ok(Token::Tag(name, value.trim().to_owned()))
    }

    /// Takes a word and drops the move number before it; `None` if nothing is left. The place is that of
    /// what is left.
    fn word(&mut self) -> Option<(usize, Token)> {
        let rest = self.rest();
        let end = rest.find(|c: char| is_blank(c) || "{}();[]$".contains(c)).unwrap_or(rest.len());
        // A stray brace or bracket is a word of its own, so that it is reported.
        let end = if end == 0 { rest.chars().next().map_or(0, char::len_utf8) } else { end };
        let word: String = rest[..end].chars().map(plain).collect();
        let unnumbered = without_number(&word);
        let number = word[..word.len() - unnumbered.len()].chars().count();
        let number: usize = rest.chars().take(number).map(char::len_utf8).sum();
        let bare = unnumbered.trim_end_matches(['!', '?', '+', '#']);
        self.glyph = glyph_of(&unnumbered[bare.len()..]);
        let at = self.at + number;
        self.at += end;
        (!bare.is_empty()).then(|| (at, Token::Word(bare.to_owned())))
    }
}

/// Splits what follows an opening quotation mark into the value and the rest of the line.
fn quoted_value(quoted: &str) -> Option<(&str, &str)> {
    quoted.match_indices('"').find_map(|(at, _)| {
        let rest = quoted[at + 1..].trim_start().strip_prefix(']')?;
        let next = rest.trim_start();
        (next.is_empty() || next.starts_with('[')).then_some((&quoted[..at], rest))
    })
}

/// The word without a move number (`12.`, `12...`) or all of a bare number; WXF moves of tandem pawns such
/// as `15.6` only look like one.
fn without_number(word: &str) -> &str {
    let mut letters = word.chars();
    if let (Some(index), Some(file), Some('.'), Some(number), None) =
        (letters.next(), letters.next(), letters.next(), letters.next(), letters.next())
        && [index, file, number].into_iter().all(|letter| digit(letter).is_some())
    {
        return word;
    }
    let after = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let dots = ['.', '、', '。', '…', '·'];
    if after.is_empty() || after.starts_with(dots) { after.trim_start_matches(dots) } else { word }
}

/// Whether a character only separates words.
fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\0' | ',' | '，' | '；' | '\u{feff}')
}

/// Whether the line a text begins with looks like a tag.
fn is_tag_line(text: &str) -> bool {
    let line = text.split('\n').next().unwrap_or("").trim_start();
    let name = |name: &str| name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.contains(']');
    line.strip_prefix('[')
        .and_then(|inner| inner.split_once('"'))
        .is_some_and(|(before, _)| name(before.trim()))
}

/// Whether the line a text begins with begins with the number of a first move.
fn is_first_number(text: &str) -> bool {
    let mut letters = text.split('\n').next().unwrap_or("").trim_start().chars().map(plain);
    letters.next() == Some('1') && matches!(letters.next(), Some('.' | '、'))
}

fn glyph_of(signs: &str) -> Option<u8> {
    let signs: String = signs.chars().filter(|&sign| sign == '!' || sign == '?').collect();
    Some(match signs.as_str() {
        "!" => 1,
        "?" => 2,
        "!!" => 3,
        "??" => 4,
        "!?" => 5,
        "?!" => 6,
        _ => return None,
    })
}
