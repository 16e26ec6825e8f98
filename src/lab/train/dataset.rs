//! The positions of games, sifted and divided into those to learn from and those to validate with.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use thiserror::Error;

use super::foresight::foreseen;
use super::sample::TrainingPosition;
use crate::data::{BadGame, DataError, DataFault, GamesReader, ReplayError, ReplayedPosition, TrainingGame};
use juzhong_engine::score::Value;
use xiangqi::rules::NO_CAPTURE_PLIES;

/// The largest score in centipawns that is kept: larger ones say nothing about the worth of pieces, because mate or a
/// ruling is near, or the game is won.
const LARGEST_SCORE: Value = 3000;
/// The number of plies before the no-capture limit from which on the value of a position depends on the count.
const NEAR_LIMIT: u32 = 40;
/// The number of games that are played through at a time.
const CHUNK: usize = 1024;

/// Why a position is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SiftReason {
    /// The position belongs to the opening and was not searched.
    Unsearched,
    /// The side to move is in check.
    Check,
    /// The best move is a capture.
    Capture,
    /// The score is a mate or too large.
    Decided,
    /// The game would soon be drawn by the no-capture limit.
    NearLimit,
    /// The position or its mirror image occurred before.
    Repeated,
}

impl SiftReason {
    /// All reasons, in the order in which they are asked.
    pub const ALL: [SiftReason; 6] = [
        SiftReason::Unsearched,
        SiftReason::Check,
        SiftReason::Capture,
        SiftReason::Decided,
        SiftReason::NearLimit,
        SiftReason::Repeated,
    ];

    /// A few words for tables.
    pub const fn words(self) -> &'static str {
        match self {
            SiftReason::Unsearched => "not searched",
            SiftReason::Check => "in check",
            SiftReason::Capture => "best move a capture",
            SiftReason::Decided => "decided",
            SiftReason::NearLimit => "near the no-capture limit",
            SiftReason::Repeated => "repeated",
        }
    }

    /// The reason to leave out a position of a game, if there is one other than repetition.
    fn against(sight: &ReplayedPosition) -> Option<SiftReason> {
        let ReplayedPosition { position, ply, .. } = sight;
        match ply.score {
            None => Some(SiftReason::Unsearched),
            Some(_) if position.in_check() => Some(SiftReason::Check),
            Some(_) if position.is_capture(ply.mv) => Some(SiftReason::Capture),
            Some(score) if score.abs() > LARGEST_SCORE => Some(SiftReason::Decided),
            Some(_) if position.quiet_plies() + NEAR_LIMIT > NO_CAPTURE_PLIES => Some(SiftReason::NearLimit),
            Some(_) => None,
        }
    }
}

/// Why a file of games gives no positions.
#[derive(Debug, Error)]
pub enum DatasetError {
    /// A file cannot be read, or is not a file of games.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A game cannot be played through.
    #[error(transparent)]
    Game(#[from] BadGame),
}

/// Which positions are kept, and how.
#[derive(Debug, Clone, Copy)]
pub struct Sifting {
    /// The share of games whose positions are kept for validation, 0 to 1.
    pub validation: f64,
    /// Whether to keep only one of positions that are equal or mirror images.
    pub unique: bool,
    /// How much the score of a position is drawn towards those of the plies that follow, 0 to 1; see [`foreseen`].
    pub foresight: f64,
    /// The seed that decides which games are for validation.
    pub seed: u64,
}

/// Positions to learn from and to validate with, from different games, and what was left out.
#[derive(Debug)]
pub struct Dataset {
    /// Positions to learn from.
    pub training: Vec<TrainingPosition>,
    /// Positions to validate with.
    pub validation: Vec<TrainingPosition>,
    /// How many positions the games have.
    pub positions: u64,
    /// How many of them were left out, by [`SiftReason`].
    pub left_out: [u64; SiftReason::ALL.len()],
    /// How many games each file gave.
    pub games: Vec<u64>,
    /// The damage behind the last whole game of each damaged file.
    pub damage: Vec<DataError>,
    /// Files that hold more games than were asked for.
    pub unread: Vec<PathBuf>,
    sifting: Sifting,
    rng: ChaCha8Rng,
    seen: HashSet<u64>,
}

impl Dataset {
    /// A dataset without positions.
    pub fn new(sifting: Sifting) -> Dataset {
        Dataset {
            training: Vec::new(),
            validation: Vec::new(),
            positions: 0,
            left_out: [0; SiftReason::ALL.len()],
            games: Vec::new(),
            damage: Vec::new(),
            unread: Vec::new(),
            sifting,
            rng: ChaCha8Rng::seed_from_u64(sifting.seed),
            seen: HashSet::new(),
        }
    }

    /// Adds the positions of a file of games, of at most `most` games. If a file is damaged or ends in the middle of a
    /// game, the games before that are used, and the damage is recorded.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is no file of games, or has a game that cannot be played.
    pub fn read(&mut self, path: &Path, most: u64) -> Result<(), DatasetError> {
        let mut reader = GamesReader::open(path)?;
        let mut games = reader.by_ref().take(usize::try_from(most).unwrap_or(usize::MAX));
        let (mut count, mut ended) = (0, false);
        while !ended {
            let mut chunk = Vec::with_capacity(CHUNK);
            for game in games.by_ref().take(CHUNK) {
                match game {
                    Ok(game) => chunk.push(game),
                    Err(error) if matches!(error.fault, DataFault::Format(_)) => self.damage.push(error),
                    Err(error) => return Err(error.into()),
                }
            }
            ended = chunk.len() < CHUNK;
            self.add(&chunk).map_err(|(index, error)| BadGame {
                path: path.to_owned(),
                number: count + index + 1,
                error,
            })?;
            count += chunk.len();
        }
        self.games.push(count as u64);
        if count as u64 == most && matches!(reader.next(), Some(Ok(_))) {
            self.unread.push(path.to_owned());
        }
        Ok(())
    }

    /// Adds the positions of games; an error names the game by its index.
    fn add(&mut self, games: &[TrainingGame]) -> Result<(), (usize, ReplayError)> {
        let Sifting { unique, foresight, .. } = self.sifting;
        let sifted: Vec<_> = games.par_iter().map(|game| sift(game, unique, foresight)).collect();
        for (index, sifted) in sifted.into_iter().enumerate() {
            let verdicts = sifted.map_err(|error| (index, error))?;
            let held_out = self.rng.random_bool(self.sifting.validation);
            self.positions += verdicts.len() as u64;
            for verdict in verdicts {
                let fresh = verdict.and_then(|(sample, key)| {
                    if unique && !self.seen.insert(key) { Err(SiftReason::Repeated) } else { Ok(sample) }
                });
                match fresh {
                    Ok(sample) => {
                        if held_out { &mut self.validation } else { &mut self.training }.push(sample)
                    }
                    Err(reason) => self.left_out[reason as usize] += 1,
                }
            }
        }
        Ok(())
    }

    /// A checksum of all positions.
    pub fn fingerprint(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        for set in [&self.training, &self.validation] {
            hasher.update(&(set.len() as u64).to_le_bytes());
            set.iter().for_each(|sample| hasher.update(&sample.to_bytes()));
        }
        hasher.finalize()
    }
}

/// A position with its key, or the reason why it is left out.
type SiftedPosition = Result<(TrainingPosition, u64), SiftReason>;

/// Each position of a game with a key that mirror images share (if wanted), or why to leave it out.
fn sift(game: &TrainingGame, keys: bool, foresight: f64) -> Result<Vec<SiftedPosition>, ReplayError> {
    let mut verdicts = Vec::with_capacity(game.plies.len());
    let foreseen = foreseen(&game.plies, foresight);
    game.replay(|sight| {
        let ReplayedPosition { position, number, ply } = &sight;
        verdicts.push(match (SiftReason::against(&sight), ply.score) {
            (None, Some(_)) => {
                let key = if keys { position.key().min(position.mirrored_key()) } else { 0 };
                Ok((TrainingPosition::new(position, foreseen[*number], game.outcome), key))
            }
            (reason, _) => Err(reason.unwrap_or(SiftReason::Unsearched)),
        });
    })?;
    Ok(verdicts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{GamesHeader, GamesWriter, ScoredMove};
    use juzhong_engine::score::MATE;
    use xiangqi::types::Outcome;

    fn game(start: Option<&str>, moves: &[(&str, Option<Value>)]) -> TrainingGame {
        let plies = moves.iter().map(|(mv, score)| ScoredMove::new(mv.parse().unwrap(), *score)).collect();
        TrainingGame { seed: 0, start: start.map(str::to_owned), plies, outcome: Outcome::Draw }
    }

    fn sifting(validation: f64, unique: bool) -> Sifting {
        Sifting { validation, unique, foresight: 0.0, seed: 1 }
    }

    /// How many positions of the games are kept, and how many left out for each reason.
    fn census(games: &[TrainingGame], unique: bool) -> (usize, [u64; 6]) {
        let mut dataset = Dataset::new(sifting(0.0, unique));
        dataset.add(games).unwrap();
        (dataset.training.len(), dataset.left_out)
    }

    #[test]
    fn each_reason_leaves_its_positions_out() {
        let searched = Some(20);
        let quiet = game(None, &[("h2e2", None), ("h9g7", searched), ("h0g2", searched)]);
        assert_eq!(census(&[quiet], false), (2, [1, 0, 0, 0, 0, 0]));
        let capture = game(None, &[("h2h9", searched), ("i9h9", searched)]);
        assert_eq!(census(&[capture], false), (0, [0, 0, 2, 0, 0, 0]));
        let won = [Some(LARGEST_SCORE + 1), Some(-LARGEST_SCORE - 1), Some(MATE - 3), Some(LARGEST_SCORE)];
        let moves: Vec<_> = ["h2e2", "h9g7", "h0g2", "i9h9"].into_iter().zip(won).collect();
        assert_eq!(census(&[game(None, &moves)], false), (1, [0, 0, 0, 3, 0, 0]));
        let check = game(Some("4k4/9/9/9/9/9/9/9/4R4/3K5 b - - 0 1"), &[("e9f9", searched)]);
        assert_eq!(census(&[check], false), (0, [0, 1, 0, 0, 0, 0]));
        let start = "4k4/9/9/9/9/9/9/9/3R5/3K5 w - - 79 60";
        let moves = [("d1c1", searched), ("e9e8", searched), ("c1b1", searched), ("e8e9", searched)];
        assert_eq!(census(&[game(Some(start), &moves)], false), (2, [0, 0, 0, 0, 2, 0]));
    }

    #[test]
    fn repeated_positions_and_mirror_images_can_be_left_out() {
        let searched = Some(20);
        let first = game(None, &[("h2e2", searched), ("h9g7", searched)]);
        let mirror = game(None, &[("b2e2", searched), ("b9c7", searched)]);
        let games = [first, mirror];
        assert_eq!(census(&games, false).0, 4);
        assert_eq!(census(&games, true), (2, [0, 0, 0, 0, 0, 2]));
    }

    #[test]
    fn games_that_cannot_be_played_are_named() {
        let mut dataset = Dataset::new(sifting(0.0, false));
        let games = [game(None, &[("h2e2", None)]), game(None, &[("h2e2", None), ("h2e2", None)])];
        assert_eq!(dataset.add(&games).unwrap_err().0, 1);
    }

    #[test]
    fn whole_games_are_held_out_and_a_file_that_grows_is_read_as_far_as_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let header = GamesHeader { program: "p".into(), evaluation: "e".into(), nodes: 5, seed: 1 };
        let mut writer = GamesWriter::create(&path, &header).unwrap();
        let searched = Some(20);
        let games = |writer: &mut GamesWriter, scores: std::ops::Range<Value>| {
            scores.for_each(|score| {
                let moves = [("h2e2", Some(score)), ("h9g7", Some(score)), ("h0g2", searched)];
                writer.add(&game(None, &moves[..2])).unwrap();
            });
        };
        games(&mut writer, 0..200);
        let read = |most: u64| {
            let mut dataset = Dataset::new(sifting(0.25, false));
            dataset.read(&path, most).map(|()| dataset)
        };
        let before = read(u64::MAX).unwrap();
        assert!((30..70).contains(&(before.validation.len() / 2)), "{}", before.validation.len());
        let scores =
            |set: &[TrainingPosition]| set.iter().map(TrainingPosition::score).collect::<HashSet<i16>>();
        assert!(scores(&before.training).is_disjoint(&scores(&before.validation)));
        games(&mut writer, 200..250);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        let grown = read(u64::MAX).unwrap();
        assert_eq!((grown.games, grown.damage.len()), (vec![249], 1));
        assert!(grown.damage[0].to_string().ends_with("the file ends in the middle of a game"));
        let again = read(before.games[0]).unwrap();
        assert_eq!((&again.training, &again.validation), (&before.training, &before.validation));
        assert_eq!(again.fingerprint(), before.fingerprint());
        std::fs::write(&path, "nothing").unwrap();
        assert!(read(u64::MAX).is_err());
    }
}
