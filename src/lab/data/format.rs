//! The bytes of a file of games. All numbers are little endian.
//!
//! | bytes | what |
//! | --- | --- |
//! | 0-7 | `JZGAME` and a line break of two bytes, which a transfer as text would spoil |
//! | 8-11 | the version, 1 |
//! | 12-15 | length of the description, D, at most 65535 |
//! | 16-19 | CRC-32 of the description |
//! | D | the description: how the games were made, JSON in UTF-8 |
//! | ... | games, each for itself |
//!
//! A game:
//!
//! | bytes | what |
//! | --- | --- |
//! | 0-3 | length of the body, B |
//! | 4-7 | CRC-32 of the body |
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

use super::game::{Game, Ply};
use juzhong_engine::score::Value;
use xiangqi::types::{Move, Outcome, Side};

pub(super) const MAGIC: &[u8; 8] = b"JZGAME\r\n";
pub(super) const VERSION: u32 = 1;
/// Bytes before the description.
pub(super) const PREFIX: usize = 20;
/// Bytes before the body of a game.
pub(super) const GAME_PREFIX: usize = 8;
/// The longest game that can be kept, in plies.
pub const MOST_PLIES: usize = u16::MAX as usize;
/// The longest body there can be.
pub(super) const LONGEST_BODY: usize = 12 + u8::MAX as usize + 4 * MOST_PLIES;
const NO_SCORE: i16 = i16::MIN;

/// How the games of a file were made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Version of the program.
    pub program: String,
    /// What valued the positions.
    pub evaluation: String,
    /// Soft budget of nodes a move.
    pub nodes: u64,
    /// The seed of the run.
    pub seed: u64,
}

/// Why bytes are no games.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FormatError {
    /// They do not begin like a file of games.
    #[error("this is no file of games of Juzhong")]
    NotGames,
    /// A format of another time.
    #[error("version {0} of the format is unknown, {VERSION} is wanted")]
    Version(u32),
    /// The end is missing.
    #[error("the file ends in the middle of {0}")]
    Cut(&'static str),
    /// Something was changed since it was written.
    #[error("the checksum of {0} does not fit")]
    Checksum(&'static str),
    /// The description cannot be read.
    #[error("the description makes no sense: {0}")]
    Header(String),
    /// A game holds what no game can.
    #[error("{0}")]
    Game(&'static str),
}

impl Header {
    /// The bytes with which a file begins.
    ///
    /// # Errors
    /// The description is too long.
    pub fn encode(&self) -> Result<Vec<u8>, FormatError> {
        let text = serde_json::to_vec(self).map_err(|error| FormatError::Header(error.to_string()))?;
        let length =
            u16::try_from(text.len()).map_err(|_| FormatError::Header("it is too long".to_owned()))?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(u32::from(length).to_le_bytes());
        bytes.extend(crc32fast::hash(&text).to_le_bytes());
        bytes.extend(text);
        Ok(bytes)
    }

    /// Reads what stands between the prefix and the games.
    pub(super) fn decode(text: &[u8], checksum: u32) -> Result<Header, FormatError> {
        if crc32fast::hash(text) != checksum {
            return Err(FormatError::Checksum("the description"));
        }
        serde_json::from_slice(text).map_err(|error| FormatError::Header(error.to_string()))
    }
}

/// The length of the description and its checksum, from the first [`PREFIX`] bytes.
pub(super) fn read_prefix(bytes: &[u8; PREFIX]) -> Result<(usize, u32), FormatError> {
    if !bytes.starts_with(MAGIC) {
        return Err(FormatError::NotGames);
    }
    let version = number(&bytes[8..12]);
    if version != VERSION {
        return Err(FormatError::Version(version));
    }
    match u16::try_from(number(&bytes[12..16])) {
        Ok(length) => Ok((usize::from(length), number(&bytes[16..20]))),
        Err(_) => Err(FormatError::Header("it is too long".to_owned())),
    }
}

/// Up to four bytes as a number.
pub(super) fn number(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte))
}

impl Game {
    /// The bytes of the game, prefix and body. Plies beyond [`MOST_PLIES`] are left out.
    ///
    /// # Errors
    /// The FEN is longer than 255 bytes.
    pub fn encode(&self) -> Result<Vec<u8>, FormatError> {
        let start = self.start.as_deref().unwrap_or_default();
        let length = u8::try_from(start.len()).map_err(|_| FormatError::Game("the FEN is too long"))?;
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
        let mut bytes = (body.len() as u32).to_le_bytes().to_vec();
        bytes.extend(crc32fast::hash(&body).to_le_bytes());
        bytes.extend(body);
        Ok(bytes)
    }

    /// Reads the body of a game.
    pub(super) fn decode(body: &[u8], checksum: u32) -> Result<Game, FormatError> {
        if crc32fast::hash(body) != checksum {
            return Err(FormatError::Checksum("a game"));
        }
        let short = || FormatError::Game("the game is shorter than it says");
        let (seed, rest) = body.split_first_chunk::<8>().ok_or_else(short)?;
        let (&[result, length], rest) = rest.split_first_chunk::<2>().ok_or_else(short)?;
        let (start, rest) = rest.split_at_checked(usize::from(length)).ok_or_else(short)?;
        let (plies, rest) = rest.split_first_chunk::<2>().ok_or_else(short)?;
        if rest.len() != 4 * usize::from(u16::from_le_bytes(*plies)) {
            return Err(FormatError::Game("the number of plies does not fit"));
        }
        let outcome = match result {
            0 => Outcome::Win(Side::Black),
            1 => Outcome::Draw,
            2 => Outcome::Win(Side::Red),
            _ => return Err(FormatError::Game("the result is none")),
        };
        let start = match start {
            [] => None,
            fen => {
                Some(String::from_utf8(fen.to_vec()).map_err(|_| FormatError::Game("the FEN is no text"))?)
            }
        };
        let plies: Option<Vec<Ply>> = rest.chunks_exact(4).map(decode_ply).collect();
        let plies = plies.ok_or(FormatError::Game("a move or score is none"))?;
        Ok(Game { seed: u64::from_le_bytes(*seed), start, plies, outcome })
    }
}

fn decode_ply(bytes: &[u8]) -> Option<Ply> {
    let mv = Move::from_word(number(&bytes[..2]) as u16)?;
    let ply = match number(&bytes[2..]) as u16 as i16 {
        NO_SCORE => Ply { mv, score: None },
        score => Ply::new(mv, Some(Value::from(score))),
    };
    // A score beyond mate was never written.
    (ply.score.is_some() || bytes[2..] == NO_SCORE.to_le_bytes()).then_some(ply)
}
