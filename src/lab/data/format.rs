//! The bytes of a file of games. All numbers are little endian.
//!
//! | bytes | what |
//! | --- | --- |
//! | 0-7 | `JZGAME` and a line break of two bytes, which a transfer as text would spoil |
//! | 8-11 | the version, 1 |
//! | ... | a record with the description: how the games were made, JSON in UTF-8, of at most 65535 bytes |
//! | ... | a record for each game |
//!
//! A record has the length of its body (4), the CRC-32 of its body (4), and the body. That of a game:
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | the seed |
//! | 1 | the result: 0 Black won, 1 drawn, 2 Red won |
//! | 1 | length of the FEN, F; 0 for the start position |
//! | F | the FEN of the first position |
//! | 2 | number of plies, P |
//! | 4 P | each ply: move (2), score of the side that moved in centipawns, or -32768 for none (2) |
//!
//! Games are only ever appended. If writing was cut short, everything before the last game is whole.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::game::{ScoredMove, TrainingGame};
use juzhong_engine::container::{self, ContainerError, Format};
use juzhong_engine::score::Value;
use xiangqi::types::{Move, Outcome, Side};

pub(super) const FORMAT: Format = Format { magic: *b"JZGAME\r\n", versions: 1..=1, name: "file of games" };
const VERSION: u32 = 1;
/// The longest description there can be, in bytes.
pub(super) const LONGEST_DESCRIPTION: usize = u16::MAX as usize;
/// The longest game that can be kept, in plies.
pub const MOST_PLIES: usize = u16::MAX as usize;
/// The longest body there can be.
pub(super) const LONGEST_BODY: usize = 12 + u8::MAX as usize + 4 * MOST_PLIES;
const NO_SCORE: i16 = i16::MIN;

/// How the games of a file were made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GamesHeader {
    /// The version of the program.
    pub program: String,
    /// The name of the network or evaluation that valued the positions.
    pub evaluation: String,
    /// The nodes a move after which no further iteration began.
    pub nodes: u64,
    /// The seed of the run.
    pub seed: u64,
}

/// Why bytes are not a file of training games.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GamesFormatError {
    /// The file is not a stream of games of a known version.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The end of the file is missing.
    #[error("the file ends in the middle of {0}")]
    Cut(&'static str),
    /// A record was changed after it was written.
    #[error("the checksum of {0} does not fit")]
    Checksum(&'static str),
    /// The description cannot be read.
    #[error("the description is malformed: {0}")]
    Header(String),
    /// A game holds numbers that no game can have.
    #[error("{0}")]
    Game(&'static str),
}

impl GamesHeader {
    /// The bytes with which a file begins.
    ///
    /// # Errors
    /// Returns an error if the description is too long.
    pub fn encode(&self) -> Result<Vec<u8>, GamesFormatError> {
        let text = serde_json::to_vec(self).map_err(|error| GamesFormatError::Header(error.to_string()))?;
        if text.len() > LONGEST_DESCRIPTION {
            return Err(GamesFormatError::Header("it is too long".to_owned()));
        }
        Ok([FORMAT.preamble(VERSION), container::record(&text)].concat())
    }

    /// Reads the description from the body of the first record.
    pub(super) fn decode(text: &[u8]) -> Result<GamesHeader, GamesFormatError> {
        serde_json::from_slice(text).map_err(|error| GamesFormatError::Header(error.to_string()))
    }
}

/// Up to four bytes as a number.
fn number(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte))
}

impl TrainingGame {
    /// The record of the game, without the plies beyond [`MOST_PLIES`].
    ///
    /// # Errors
    /// Returns an error if the FEN is longer than 255 bytes.
    pub fn encode(&self) -> Result<Vec<u8>, GamesFormatError> {
        let start = self.start.as_deref().unwrap_or_default();
        let length = u8::try_from(start.len()).map_err(|_| GamesFormatError::Game("the FEN is too long"))?;
        let plies = &self.plies[..self.plies.len().min(MOST_PLIES)];
        let mut body = self.seed.to_le_bytes().to_vec();
        body.push(match self.outcome {
            Outcome::Win(Side::Black) => 0,
            Outcome::Draw => 1,
            Outcome::Win(Side::Red) => 2,
        });
        body.push(length);
        body.extend(start.as_bytes());
        body.extend((plies.len() as u16).to_le_bytes());
        for ply in plies {
            let score = ply.score.and_then(|score| i16::try_from(score).ok()).unwrap_or(NO_SCORE);
            body.extend(ply.mv.word().to_le_bytes());
            body.extend(score.to_le_bytes());
        }
        Ok(container::record(&body))
    }

    /// Reads the body of a game.
    pub(super) fn decode(body: &[u8]) -> Result<TrainingGame, GamesFormatError> {
        let short = || GamesFormatError::Game("the game is shorter than it says");
        let (seed, rest) = body.split_first_chunk::<8>().ok_or_else(short)?;
        let (&[result, length], rest) = rest.split_first_chunk::<2>().ok_or_else(short)?;
        let (start, rest) = rest.split_at_checked(usize::from(length)).ok_or_else(short)?;
        let (plies, rest) = rest.split_first_chunk::<2>().ok_or_else(short)?;
        if rest.len() != 4 * usize::from(u16::from_le_bytes(*plies)) {
            return Err(GamesFormatError::Game("the number of plies does not fit"));
        }
        let outcome = match result {
            0 => Outcome::Win(Side::Black),
            1 => Outcome::Draw,
            2 => Outcome::Win(Side::Red),
            _ => return Err(GamesFormatError::Game("the result is none")),
        };
        let start = match start {
            [] => None,
            fen => Some(
                String::from_utf8(fen.to_vec()).map_err(|_| GamesFormatError::Game("the FEN is no text"))?,
            ),
        };
        let plies: Option<Vec<ScoredMove>> = rest.chunks_exact(4).map(decode_ply).collect();
        let plies = plies.ok_or(GamesFormatError::Game("a move or score is none"))?;
        Ok(TrainingGame { seed: u64::from_le_bytes(*seed), start, plies, outcome })
    }
}

fn decode_ply(bytes: &[u8]) -> Option<ScoredMove> {
    let mv = Move::from_word(number(&bytes[..2]) as u16)?;
    let ply = match number(&bytes[2..]) as u16 as i16 {
        NO_SCORE => ScoredMove { mv, score: None },
        score => ScoredMove::new(mv, Some(Value::from(score))),
    };
    // A score beyond mate was never written.
    (ply.score.is_some() || bytes[2..] == NO_SCORE.to_le_bytes()).then_some(ply)
}
