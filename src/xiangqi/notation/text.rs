//! The characters of a written move, read one by one.

use super::{NotationError, NotationFault};
use crate::types::Move;

/// The characters of a move without the spaces around it, full-width letters, digits and signs made plain.
pub(super) fn letters(text: &str) -> Vec<char> {
    text.trim().chars().map(plain).collect()
}

/// A full-width form of an ASCII character as the ASCII character; any other character as it is.
pub(super) fn plain(letter: char) -> char {
    const FULL_WIDTH: u32 = 0xfee0;
    match letter {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(letter as u32 - FULL_WIDTH).unwrap_or(letter),
        _ => letter,
    }
}

/// A digit 1-9.
pub(super) fn digit(letter: char) -> Option<u8> {
    letter.to_digit(10).filter(|&digit| digit > 0).map(|digit| digit as u8)
}

/// Reads a written move from left to right and knows where it stands.
pub(super) struct MoveScanner<'a> {
    text: &'a str,
    letters: Vec<char>,
    at: usize,
}

impl<'a> MoveScanner<'a> {
    /// At the first character of `text`.
    pub(super) fn new(text: &'a str) -> MoveScanner<'a> {
        MoveScanner { text, letters: letters(text), at: 0 }
    }

    /// The next character, not yet taken.
    pub(super) fn peek(&self) -> Option<char> {
        self.letters.get(self.at).copied()
    }

    /// Takes the next character if `meaning` finds one in it.
    pub(super) fn maybe<T>(&mut self, meaning: impl Fn(char) -> Option<T>) -> Option<T> {
        let found = meaning(self.peek()?)?;
        self.at += 1;
        Some(found)
    }

    /// Takes the next character, in which `meaning` has to find what is `wanted`.
    pub(super) fn take<T>(
        &mut self,
        wanted: &'static str,
        meaning: impl Fn(char) -> Option<T>,
    ) -> Result<T, NotationError> {
        self.maybe(meaning).ok_or_else(|| self.wants(wanted))
    }

    /// Nothing may be left.
    pub(super) fn end(&self) -> Result<(), NotationError> {
        if self.peek().is_none() { Ok(()) } else { Err(self.wants("the end of the move")) }
    }

    /// The error that `wanted` is not found here.
    pub(super) fn wants(&self, wanted: &'static str) -> NotationError {
        let fault = match self.peek() {
            Some(found) => NotationFault::Unexpected(found, wanted),
            None => NotationFault::Incomplete(wanted),
        };
        NotationError::new(self.text, self.at + 1, fault)
    }

    /// The one move among `candidates`, or why there is none.
    pub(super) fn only(&self, candidates: Vec<Move>) -> Result<crate::types::Move, NotationError> {
        match candidates[..] {
            [only] => Ok(only),
            [] => Err(NotationError::new(self.text, 1, NotationFault::NoMove)),
            _ => Err(NotationError::new(self.text, 1, NotationFault::Ambiguous(candidates))),
        }
    }
}
