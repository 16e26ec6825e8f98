//! A game as it is kept for training.

use std::path::PathBuf;

use thiserror::Error;

use juzhong_engine::score::{MATE, Value};
use xiangqi::board::{FenError, PlayError, Position};
use xiangqi::types::{Move, Outcome};

/// One move of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoredMove {
    /// The move.
    pub mv: Move,
    /// What the search gave for it, in centipawns for the side that moved, within ±[`MATE`]; `None` for a move of
    /// the opening, which nobody searched.
    pub score: Option<Value>,
}

impl ScoredMove {
    /// A move with its score; one beyond ±[`MATE`] is none.
    pub fn new(mv: Move, score: Option<Value>) -> ScoredMove {
        ScoredMove { mv, score: score.filter(|score| score.abs() <= MATE) }
    }
}

/// A game with the scores of its moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrainingGame {
    /// The seed that the game was made from; 0 if it was made otherwise.
    pub seed: u64,
    /// The FEN of the first position; `None` for the start position.
    pub start: Option<String>,
    /// The moves from there.
    pub plies: Vec<ScoredMove>,
    /// The result of the game.
    pub outcome: Outcome,
}

/// Why a game cannot be played through.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// The FEN of the start is not a position.
    #[error("{0}")]
    Start(#[from] FenError),
    /// A move cannot be played.
    #[error("ply {ply}: {error}")]
    Move {
        /// The number of the ply, counted from 1.
        ply: usize,
        /// Why it cannot be played.
        error: PlayError,
    },
}

/// A game of a file that cannot be played through.
#[derive(Debug, Error)]
#[error("{}: game {number}: {error}", path.display())]
pub struct BadGame {
    /// The file.
    pub path: PathBuf,
    /// The number of the game, counted from 1.
    pub number: usize,
    /// Why it cannot be played through.
    pub error: ReplayError,
}

/// A position of a game that is played through, before the move of `ply`.
#[derive(Debug)]
pub struct ReplayedPosition<'a> {
    /// The position.
    pub position: &'a Position,
    /// The number of the ply that comes next, counted from 0.
    pub number: usize,
    /// The ply that comes next.
    pub ply: ScoredMove,
}

impl TrainingGame {
    /// The first position.
    ///
    /// # Errors
    /// Returns an error if the FEN is no position.
    pub fn first(&self) -> Result<Position, FenError> {
        self.start.as_deref().map_or_else(|| Ok(Position::startpos()), Position::from_fen)
    }

    /// Plays the game through and shows each position before its move; returns the last position.
    ///
    /// # Errors
    /// Returns an error if the start or a move is illegal; the positions before it have been shown.
    pub fn replay(&self, mut see: impl FnMut(ReplayedPosition)) -> Result<Position, ReplayError> {
        let mut position = self.first()?;
        for (number, &ply) in self.plies.iter().enumerate() {
            position.check_move(ply.mv).map_err(|error| ReplayError::Move { ply: number + 1, error })?;
            see(ReplayedPosition { position: &position, number, ply });
            position.make(ply.mv);
        }
        Ok(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ply(mv: &str) -> ScoredMove {
        ScoredMove::new(mv.parse().unwrap(), Some(20))
    }

    #[test]
    fn every_position_is_shown_before_its_move() {
        let plies = vec![ply("h2e2"), ply("h9g7")];
        let game = TrainingGame { seed: 0, start: None, plies, outcome: Outcome::Draw };
        let mut seen = Vec::new();
        let last =
            game.replay(|sight| seen.push((sight.position.plies(), sight.number, sight.ply.mv))).unwrap();
        assert_eq!(seen, [(0, 0, ply("h2e2").mv), (1, 1, ply("h9g7").mv)]);
        assert_eq!(last.plies(), 2);
    }

    #[test]
    fn what_cannot_be_played_is_named_with_its_place() {
        let game = |start: Option<&str>, moves: &[&str]| {
            let plies = moves.iter().map(|mv| ply(mv)).collect();
            TrainingGame { seed: 0, start: start.map(str::to_owned), plies, outcome: Outcome::Draw }
        };
        let error = game(None, &["h2e2", "h2e2"]).replay(|_| ()).unwrap_err();
        assert_eq!(error.to_string(), "ply 2: h2e2: no piece of the side to move on h2");
        assert!(matches!(game(Some("nothing"), &[]).replay(|_| ()), Err(ReplayError::Start(_))));
    }

    #[test]
    fn scores_beyond_mate_are_none() {
        let mv = "h2e2".parse().unwrap();
        assert_eq!(ScoredMove::new(mv, Some(MATE)).score, Some(MATE));
        assert_eq!(ScoredMove::new(mv, Some(-MATE - 1)).score, None);
    }
}
