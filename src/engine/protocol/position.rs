//! `position` and its relatives: from the words of a line to a position.

use thiserror::Error;

use super::ranks::Ranks;
use super::tokens::{Tokens, excerpt};
use xiangqi::board::{FenError, Position, SetupError};

/// A position as a client describes it: where the game starts, and the moves played since.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionCommand<'a> {
    /// The FEN, or `None` for the start position.
    pub fen: Option<&'a str>,
    /// The moves as they were sent.
    pub moves: Vec<&'a str>,
}

/// Why a description is no position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PositionError {
    /// Neither a FEN nor the start position is named.
    #[error("no position: `startpos` or `fen` and a board are wanted")]
    NoBoard,
    /// The FEN makes no sense.
    #[error("bad fen: {0}")]
    Fen(#[from] FenError),
}

/// A position as it was built from its description.
pub struct Built {
    /// The position reached.
    pub position: Position,
    /// The rule of placement that a composed position breaks, if it does.
    pub breach: Option<SetupError>,
    /// The first move of the list that cannot be played, if there is one.
    pub illegal: Option<IllegalMove>,
}

/// A move of the list that cannot be played; the position before it is in force.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("move {number} of the list, `{text}`, cannot be played: the position before it is kept")]
pub struct IllegalMove {
    /// Its place in the list, from 1.
    pub number: usize,
    /// What was sent.
    pub text: String,
}

impl<'a> PositionCommand<'a> {
    /// Reads what follows the word `position` (or is a line of its own): `startpos`, `fen FEN` or a bare FEN,
    /// each with or without `moves ...` behind it.
    pub fn parse(text: &'a str) -> Result<PositionCommand<'a>, PositionError> {
        let (board, moves) = Tokens::new(text).split_at_word("moves");
        let mut words = Tokens::new(board);
        let fen = if words.accept("startpos") {
            None
        } else if words.accept("fen") || board.split_whitespace().next().is_some_and(|w| w.contains('/')) {
            Some(words.rest()).filter(|fen| !fen.is_empty()).map(Some).ok_or(PositionError::NoBoard)?
        } else {
            return Err(PositionError::NoBoard);
        };
        Ok(PositionCommand { fen, moves: moves.into_iter().flatten().collect() })
    }

    /// The position described, and what is to be said of it. At the first move that cannot be played the rest of the
    /// list is left out.
    ///
    /// # Errors
    /// The FEN makes no sense, or is one of a position that cannot be played.
    pub fn build(&self, ranks: Ranks) -> Result<Built, PositionError> {
        let (mut position, breach) = match self.fen {
            Some(fen) => Position::from_composed_fen(fen)?,
            None => (Position::startpos(), None),
        };
        for (index, text) in self.moves.iter().enumerate() {
            match ranks.read(text) {
                Ok(mv) if position.legal_moves().contains(&mv) => position.make(mv),
                _ => {
                    let illegal = Some(IllegalMove { number: index + 1, text: excerpt(text) });
                    return Ok(Built { position, breach, illegal });
                }
            }
        }
        Ok(Built { position, breach, illegal: None })
    }
}
