//! The openings that the games of a match start from.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::support::games::ReadingArgs;
use juzhong_engine::book::BookLibrary;
use juzhong_engine::score::Value;
use xiangqi::board::{FenError, Position};
use xiangqi::notation::FileError;
use xiangqi::rules::{CXA2020, NO_CAPTURE_PLIES, Referee};
use xiangqi::types::Move;

/// A start position and the moves played from it before the engines take over.
#[derive(Debug, Clone)]
pub struct Opening {
    start: Position,
    moves: Vec<Move>,
}

/// How many lines are drawn from the book; repeated lines count once.
const BOOK_DRAWS: usize = 1000;

/// The noise in centipawns with which book moves are drawn, so that lesser moves are played as well.
const BOOK_NOISE: Value = 40;

/// In which order openings are used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// As they stand in the file.
    #[default]
    Sequential,
    /// Shuffled by the seed of the match.
    Random,
}

/// What is wrong with a line of an opening file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LineError {
    /// The position.
    #[error("{0}")]
    Fen(#[from] FenError),
    /// A word that should be a move.
    #[error("`{0}` is neither a legal move here nor the start of a FEN")]
    Move(String),
    /// Nothing is left to play.
    #[error("the game is over in this position")]
    Over,
}

/// Why openings could not be read.
#[derive(Debug, Error)]
pub enum OpeningError {
    /// The file.
    #[error("{}: {source}", path.display())]
    File {
        /// The path of the file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A line.
    #[error("{}:{line}: {source}", path.display())]
    Line {
        /// Path of the file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        source: LineError,
    },
    /// A file of games.
    #[error("{}: {source}", path.display())]
    Games {
        /// Path of the file.
        path: PathBuf,
        /// What is wrong with it.
        source: FileError,
    },
    /// A file without any opening.
    #[error("{}: no openings", .0.display())]
    Empty(PathBuf),
}

impl Opening {
    /// The usual start of a game.
    pub fn startpos() -> Opening {
        Opening { start: Position::startpos(), moves: Vec::new() }
    }

    /// Reads one line: a FEN, moves from the usual start, or a FEN (or `startpos`), `moves` and moves. Text after a `;`
    /// is a comment.
    pub fn read(line: &str) -> Result<Opening, LineError> {
        let line = line.split(';').next().unwrap_or_default().trim();
        let line = line.strip_prefix("fen ").unwrap_or(line);
        let (start, moves) = match line.split_once("moves") {
            Some((start, moves)) => (start.trim(), moves),
            None if line.split('/').count() > 1 => (line, ""),
            None => line.strip_prefix("startpos").map_or(("", line), |rest| ("", rest)),
        };
        let start = match start {
            "" | "startpos" => Position::startpos(),
            fen => Position::from_fen(fen)?,
        };
        let mut position = start.clone();
        let mut played = Vec::new();
        for word in moves.split_whitespace() {
            let error = || LineError::Move(word.chars().take(24).collect());
            let mv: Move = word.parse().map_err(|_| error())?;
            position.play(mv).map_err(|_| error())?;
            played.push(mv);
        }
        if is_over(&position) {
            return Err(LineError::Over);
        }
        Ok(Opening { start, moves: played })
    }

    /// Reads a file of openings: the first `plies` moves of each game of a file whose name says that it holds games,
    /// else one opening a line.
    ///
    /// `warn` gets a line for each invalid part of a file of games, which is left out.
    pub fn read_file(
        path: &Path,
        plies: usize,
        warn: &mut dyn FnMut(String),
    ) -> Result<Vec<Opening>, OpeningError> {
        let bytes =
            std::fs::read(path).map_err(|source| OpeningError::File { path: path.to_owned(), source })?;
        let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
        let openings = match ending.as_deref().and_then(OsStr::to_str) {
            Some("pgn" | "xqf" | "cbr" | "cbl" | "cbf" | "ubb" | "wxf") => {
                Opening::of_games(path, &bytes, plies, warn)
                    .map_err(|source| OpeningError::Games { path: path.to_owned(), source })?
            }
            _ => Opening::of_lines(path, &String::from_utf8_lossy(&bytes))?,
        };
        if openings.is_empty() { Err(OpeningError::Empty(path.to_owned())) } else { Ok(openings) }
    }

    /// Openings of up to `plies` moves drawn from this program's own book, each once; `seed` decides which.
    pub fn of_book(plies: usize, seed: u64) -> Vec<Opening> {
        let mut library = BookLibrary::new(seed);
        let mut seen = HashSet::new();
        let mut openings = Vec::new();
        for _ in 0..BOOK_DRAWS {
            let mut position = Position::startpos();
            let mut moves = Vec::new();
            while moves.len() < plies
                && let Some(choice) = library.choose(&position, BOOK_NOISE)
            {
                position.make(choice.entry.mv);
                moves.push(choice.entry.mv);
            }
            if seen.insert(moves.clone()) {
                openings.push(Opening { start: Position::startpos(), moves });
            }
        }
        openings
    }

    /// The first moves of each game, each opening once; those after which a game is over are left out.
    fn of_games(
        path: &Path,
        bytes: &[u8],
        plies: usize,
        warn: &mut dyn FnMut(String),
    ) -> Result<Vec<Opening>, FileError> {
        let mut seen = HashSet::new();
        let mut openings = Vec::new();
        for game in ReadingArgs::default().games(path, bytes, warn)? {
            let moves: Vec<Move> = game.moves().take(plies).collect();
            let mut position = game.start.clone();
            let playable = moves.iter().all(|&mv| position.play(mv).is_ok());
            if playable && !is_over(&position) && seen.insert((game.start.key(), moves.clone())) {
                openings.push(Opening { start: game.start, moves });
            }
        }
        Ok(openings)
    }

    /// One opening a line; empty lines and those that start with `#` are skipped.
    fn of_lines(path: &Path, text: &str) -> Result<Vec<Opening>, OpeningError> {
        let mut openings = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let opening = Opening::read(line).map_err(|source| OpeningError::Line {
                path: path.to_owned(),
                line: i + 1,
                source,
            })?;
            openings.push(opening);
        }
        Ok(openings)
    }

    /// The position that the moves start from.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The moves of the opening.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }
}

/// Shuffles openings by a seed if `order` says so.
pub fn arrange(openings: &mut [Opening], order: Order, seed: u64) {
    if order == Order::Random {
        openings.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    }
}

/// Whether the game is over by the default rules, so that there is nothing to play on from.
fn is_over(position: &Position) -> bool {
    Referee::new(&CXA2020).game_over(position, Some(NO_CAPTURE_PLIES)).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use xiangqi::board::STARTPOS;

    #[test]
    fn lines_of_all_kinds() {
        let after = |line: &str| {
            let opening = Opening::read(line).unwrap();
            (opening.start().to_fen(), opening.moves().len())
        };
        assert_eq!(after("h2e2 h9g7"), (STARTPOS.to_owned(), 2));
        assert_eq!(after("startpos moves h2e2"), (STARTPOS.to_owned(), 1));
        assert_eq!(after("startpos"), (STARTPOS.to_owned(), 0));
        assert_eq!(after("H2-E2 ; the central cannon"), (STARTPOS.to_owned(), 1));
        assert_eq!(after(&format!("fen {STARTPOS} moves h2e2 h9g7")), (STARTPOS.to_owned(), 2));
        let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1";
        assert_eq!(after(&format!("{fen} ; 1, 20")), (fen.to_owned(), 0));
    }

    #[test]
    fn faults_are_named() {
        assert_eq!(Opening::read("h2e9").unwrap_err(), LineError::Move("h2e9".to_owned()));
        assert!(matches!(Opening::read("9/9 w"), Err(LineError::Fen(_))));
        let mated = "3k5/3R5/3R5/9/9/9/9/9/9/4K4 b";
        assert_eq!(Opening::read(mated).unwrap_err(), LineError::Over);
    }

    #[test]
    fn games_give_their_first_moves_once() {
        let game = "[Game \"Chinese Chess\"]\n\n1. 炮二平五 马８进７ 2. 马二进三 车９平８ *\n\n";
        let other = "[Game \"Chinese Chess\"]\n\n1. C2=5 H8+7 2. H8+7 *\n\n";
        let of_games = |text: String, plies| {
            Opening::of_games(Path::new("games"), text.as_bytes(), plies, &mut |line| panic!("{line}"))
        };
        let openings = of_games(format!("{game}{other}{game}"), 2).unwrap();
        assert_eq!(openings.len(), 1);
        let openings = of_games(format!("{game}{other}{game}"), 3).unwrap();
        let moves: Vec<String> =
            openings.iter().map(|o| o.moves().iter().map(ToString::to_string).collect()).collect();
        assert_eq!(moves, ["h2e2h9g7h0g2", "h2e2h9g7b0c2"]);
    }

    #[test]
    fn the_book_gives_many_openings_by_seed() {
        let lines = |seed| -> Vec<Vec<Move>> {
            Opening::of_book(6, seed).into_iter().map(|opening| opening.moves).collect()
        };
        let openings = lines(1);
        assert!(openings.len() > 50, "{}", openings.len());
        assert!(openings.iter().all(|moves| (1..=6).contains(&moves.len())));
        assert_eq!(openings, lines(1));
        assert_ne!(openings, lines(2));
    }

    #[test]
    fn shuffling_follows_the_seed() {
        let openings: Vec<Opening> =
            ["a0a1", "i0i1", "h2e2", "b2e2", "c3c4"].iter().map(|m| Opening::read(m).unwrap()).collect();
        let order = |seed| {
            let mut list = openings.clone();
            arrange(&mut list, Order::Random, seed);
            list.iter().map(|o| o.moves()[0]).collect::<Vec<_>>()
        };
        assert_eq!(order(1), order(1));
        assert!((0..20).any(|seed| order(seed) != order(1)));
        let mut list = openings.clone();
        arrange(&mut list, Order::Sequential, 1);
        assert_eq!(list[0].moves()[0].to_string(), "a0a1");
    }
}
