//! `selfplay`: games of the engine against itself, to tune its evaluation with.
//!
//! Each game begins with random moves that leave the chances even, and goes on with a fixed number of nodes a
//! move. A game depends on its seed alone, whatever runs beside it.

use std::io::{self, BufWriter, IntoInnerError, Write};
use std::path::PathBuf;

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rayon::prelude::*;
use thiserror::Error;

use super::file::Draft;
use crate::board::Position;
use crate::rules::{CXA2020, NO_CAPTURE_PLIES, Outcome, Referee};
use crate::search::{Limits, Pool, Report};
use crate::types::score::Value;
use crate::types::{Move, Side};

/// Games between two looks at how far the work is.
const BATCH: u64 = 64;
/// Random plies at the start of a game; one more in every other game, so that both sides begin.
const RANDOM_PLIES: usize = 8;
/// The largest advantage after the random plies, in centipawns.
const EVEN: Value = 150;
/// A game is over when both sides agree on such an advantage ...
const DECIDED: Value = 1200;
/// ... for so many plies.
const DECIDED_PLIES: usize = 6;
/// The longest game in plies; then it is a draw.
const LONGEST: usize = 400;
/// Size of the transposition table of each game in MB.
const HASH_MB: usize = 8;

/// What to play.
#[derive(Debug, Clone, clap::Args)]
pub struct Options {
    /// The file to write: a line a game, `result TAB moves`
    pub out: PathBuf,
    /// How many games
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Nodes a move
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// The seed of the first game; each later one has the next
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Why the games could not be played to the end.
#[derive(Debug, Error)]
pub enum SelfplayError {
    /// The file of games cannot be written.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The report cannot be written.
    #[error("cannot write: {0}")]
    Report(#[from] io::Error),
}

/// Plays the games on all processors, writes them in the order of their seeds, and tells `report` how far it
/// is.
pub fn run(options: &Options, report: &mut impl Write) -> Result<(), SelfplayError> {
    let failed = |error| SelfplayError::File { path: options.out.clone(), error };
    let mut file = BufWriter::new(Draft::new(&options.out).map_err(failed)?);
    for first in (0..options.games).step_by(BATCH as usize) {
        let last = options.games.min(first + BATCH);
        let games: Vec<String> = (first..last)
            .into_par_iter()
            .map_init(
                || Pool::new(1, HASH_MB),
                |pool, number| play(pool, options.nodes, options.seed.wrapping_add(number)),
            )
            .collect();
        games.iter().try_for_each(|game| writeln!(file, "{game}")).map_err(failed)?;
        writeln!(report, "{last} of {} games", options.games)?;
    }
    file.into_inner().map_err(IntoInnerError::into_error).and_then(Draft::finish).map_err(failed)
}

/// Plays one game and returns its line.
fn play(pool: &mut Pool, nodes: u64, seed: u64) -> String {
    pool.clear();
    let mut position = even_opening(pool, nodes, &mut StdRng::seed_from_u64(seed));
    let mut referee = Referee::new(&CXA2020);
    let mut decided = [0; 2];
    let outcome = loop {
        if let Some((outcome, _)) = referee.game_over(&position, Some(NO_CAPTURE_PLIES)) {
            break outcome;
        }
        let Some(Report { best: Some(mv), score, .. }) = search(pool, &position, nodes) else {
            break Outcome::Draw;
        };
        let red = if position.side() == Side::Red { score } else { -score };
        decided = [(red >= DECIDED, decided[0]), (red <= -DECIDED, decided[1])]
            .map(|(still, plies)| if still { plies + 1 } else { 0 });
        if let Some(winner) = Side::ALL.into_iter().find(|side| decided[side.index()] >= DECIDED_PLIES) {
            break Outcome::Win(winner);
        }
        if position.plies() >= LONGEST {
            break Outcome::Draw;
        }
        position.make(mv);
    };
    let result = match outcome {
        Outcome::Win(Side::Red) => "1-0",
        Outcome::Win(Side::Black) => "0-1",
        Outcome::Draw => "1/2-1/2",
    };
    let moves: Vec<String> =
        position.record().filter_map(|played| played.mv.map(|mv| mv.to_string())).collect();
    format!("{result}\t{}", moves.join(" "))
}

/// A position after random moves in which neither side is much better.
fn even_opening(pool: &mut Pool, nodes: u64, rng: &mut StdRng) -> Position {
    loop {
        let mut position = Position::startpos();
        for _ in 0..RANDOM_PLIES + rng.random_range(0..2) {
            let moves: Vec<Move> = position.legal_moves().to_vec();
            let Some(&mv) = moves.choose(rng) else { break };
            position.make(mv);
        }
        if position.has_legal_move()
            && search(pool, &position, nodes).is_some_and(|report| report.score.abs() <= EVEN)
        {
            return position;
        }
    }
}

/// Searches so many nodes; `None` if the search ends without an answer.
pub(super) fn search(pool: &mut Pool, position: &Position, nodes: u64) -> Option<Report> {
    pool.think(position, &Limits { nodes: Some(nodes), ..Limits::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_legal_and_repeat_with_their_seed() {
        let folder = std::env::temp_dir().join(format!("juzhong-selfplay-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let lines = |seed, games| {
            let options = Options { games, nodes: 200, seed, out: folder.join("games") };
            let mut report = Vec::new();
            run(&options, &mut report).unwrap();
            assert_eq!(String::from_utf8(report).unwrap(), format!("{games} of {games} games\n"));
            let text = std::fs::read_to_string(&options.out).unwrap();
            text.lines().map(str::to_string).collect::<Vec<_>>()
        };
        let games = lines(5, 3);
        assert_eq!(lines(6, 2), games[1..]);
        for game in &games {
            let (result, moves) = game.split_once('\t').unwrap();
            assert!(["1-0", "0-1", "1/2-1/2"].contains(&result));
            let mut position = Position::startpos();
            moves.split(' ').for_each(|mv| position.play(mv.parse().unwrap()).unwrap());
            assert!(position.plies() > RANDOM_PLIES);
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_file_that_cannot_be_written_is_named() {
        let options = Options { games: 1, nodes: 100, seed: 1, out: "/nowhere/games".into() };
        assert!(run(&options, &mut Vec::new()).unwrap_err().to_string().starts_with("/nowhere/games: "));
    }
}
