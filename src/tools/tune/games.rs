//! Finished games as training positions: each quiet one becomes the coefficients of its evaluation.

use std::io::BufRead;

use rayon::prelude::*;
use thiserror::Error;

use super::slot;
use crate::board::{FenError, PlayError, Position};
use crate::eval::{FULL_PHASE, FULL_SCALE, Trace};
use crate::types::{Move, MoveError, Side};

/// Plies at the start of a game that are left out: openings say little about its result.
const SKIPPED_PLIES: usize = 8;

/// A position with the result of its game. Its evaluation for Red is the sum of `count × weight` over its
/// counts, tapered by `phase` and times `scale`.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// Which weight (see [`slot`]), and how often it counts for Red less for Black.
    pub counts: Box<[(u16, i16)]>,
    /// Share of the middle-game values, 0 to 1.
    pub phase: f32,
    /// Winning chances of the stronger side, 0 to 1.
    pub scale: f32,
    /// What Red scored in the game: 0, 0.5 or 1.
    pub result: f32,
}

/// What is wrong with a line of a game file.
#[derive(Debug, Error)]
pub enum GameError {
    /// The line cannot be read from the file.
    #[error("{0}")]
    Unreadable(#[from] std::io::Error),
    /// The first field is no result.
    #[error("the result is 1-0, 0-1, 1/2-1/2 or *, not {0:?}")]
    Result(String),
    /// The third field is no position.
    #[error("{0}")]
    Fen(#[from] FenError),
    /// A word of the second field is no move.
    #[error("{0}")]
    Move(#[from] MoveError),
    /// A move cannot be played.
    #[error("{0}")]
    Play(#[from] PlayError),
}

impl Sample {
    /// The coefficients of one position of a game in which Red scored `result`.
    pub fn new(position: &Position, result: f32) -> Sample {
        let trace = Trace::new(position);
        let mut counts: Vec<(u16, i16)> = Vec::with_capacity(trace.entries.len());
        for entry in &trace.entries {
            let signed = if entry.side == Side::Red { entry.count } else { -entry.count } as i16;
            let slot = slot(entry.term, entry.index) as u16;
            match counts.iter_mut().find(|(known, _)| *known == slot) {
                Some((_, count)) => *count += signed,
                None => counts.push((slot, signed)),
            }
        }
        counts.retain(|&(_, count)| count != 0);
        Sample {
            counts: counts.into(),
            phase: trace.phase as f32 / FULL_PHASE as f32,
            scale: trace.scale as f32 / FULL_SCALE as f32,
            result,
        }
    }
}

/// The quiet positions of one game: its side to move not in check, and the move played no capture. A line is
/// `result TAB moves`, and after another tab a FEN if the game did not begin at the starting position; one
/// without a result (`*`) gives nothing.
pub fn samples_of(line: &str) -> Result<Vec<Sample>, GameError> {
    let mut fields = line.split('\t');
    let result = match fields.next().unwrap_or_default() {
        "1-0" => 1.0,
        "0-1" => 0.0,
        "1/2-1/2" => 0.5,
        "*" => return Ok(Vec::new()),
        other => return Err(GameError::Result(other.into())),
    };
    let moves = fields.next().unwrap_or_default();
    let mut position = fields.next().map_or_else(|| Ok(Position::startpos()), Position::from_fen)?;
    let mut samples = Vec::new();
    for (ply, word) in moves.split_whitespace().enumerate() {
        let mv: Move = word.parse()?;
        if ply >= SKIPPED_PLIES && !position.in_check() && !position.is_capture(mv) {
            samples.push(Sample::new(&position, result));
        }
        position.play(mv)?;
    }
    Ok(samples)
}

/// The samples of each game of a file, or the first bad line (numbered from 1) and what is wrong with it.
pub fn read_games(input: impl BufRead) -> Result<Vec<Vec<Sample>>, (usize, GameError)> {
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(input.lines()) {
        // A reader that fails once may fail for ever.
        lines.push((number, line.map_err(|error| (number, error.into()))?));
    }
    let games: Vec<_> = lines
        .into_par_iter()
        .map(|(number, line)| samples_of(&line).map_err(|error| (number, error)))
        .collect();
    games.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Term;

    const SHORT: &str = "h2e2 h9g7 h0g2 b9c7 b0a2 i9h9 i0h0 g6g5 h0h6 b7b3";

    #[test]
    fn quiet_positions_after_the_opening_are_kept() {
        let samples = samples_of(&format!("1-0\t{SHORT} h6h7")).unwrap();
        // Plies 8 and 9 are quiet moves; ply 10 is a capture.
        assert_eq!(samples.len(), 2);
        assert!(
            samples.iter().all(|sample| sample.result == 1.0 && sample.scale == 1.0 && sample.phase == 1.0)
        );
        let tempo = slot(Term::Tempo, 0) as u16;
        let turns: Vec<_> = samples
            .iter()
            .map(|sample| sample.counts.iter().find(|&&(slot, _)| slot == tempo).map(|&(_, count)| count))
            .collect();
        assert_eq!(turns, [Some(1), Some(-1)]);
    }

    #[test]
    fn a_game_may_begin_anywhere() {
        let fen = "4k4/9/9/9/4P4/9/9/9/9/R2K5 b - - 0 1";
        let samples =
            samples_of(&format!("1/2-1/2\te9f9 a0a1 f9f8 a1a2 f8f9 a2a3 f9f8 a3a4 f8f9\t{fen}")).unwrap();
        assert_eq!(samples.len(), 1);
        assert_eq!(samples[0].result, 0.5);
        assert_eq!(samples_of(&format!("*\t{SHORT} h6g6")).unwrap(), []);
    }

    #[test]
    fn a_reader_that_fails_for_ever_is_left_at_once() {
        struct Broken;
        impl std::io::Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
                Err(std::io::Error::other("broken"))
            }
        }
        let text = format!("1-0\t{SHORT}\n");
        let input = std::io::BufReader::new(std::io::Read::chain(text.as_bytes(), Broken));
        let (line, error) = read_games(input).unwrap_err();
        assert_eq!((line, error.to_string().as_str()), (2, "broken"));
    }

    #[test]
    fn bad_lines_are_named() {
        let text = format!("0-1\t{SHORT}\n1-0\th2e2 h2e2\n");
        let (line, error) = read_games(text.as_bytes()).unwrap_err();
        assert_eq!((line, error.to_string().contains("h2e2")), (2, true));
        for bad in ["", "2-0\th2e2", "1-0\tx", "1-0\th2e2\t9/9", "1-0\ta0a9"] {
            assert!(samples_of(bad).is_err(), "{bad}");
        }
    }
}
