//! `datagen`: games of the engine against itself, with the score of every move, to train a network with.
//!
//! A game begins with moves of the book or random ones that leave the chances even, and goes on with a soft budget of
//! nodes a move. It depends on its number and the seed of the run alone, so that an interrupted run continues with the
//! games that are missing.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};
use rand::seq::{IndexedRandom, IteratorRandom};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use thiserror::Error;

use crate::data::{DataError, GamesHeader, GamesWriter, ScoredMove, TrainingGame};
use juzhong_engine::book::{self, Book};
use juzhong_engine::container::LoadError;
use juzhong_engine::eval::{Network, NetworkError};
use juzhong_engine::score::Value;
use juzhong_engine::search::{SearchLimits, SearchReport, ThreadPool};
use xiangqi::board::Position;
use xiangqi::rules::{CXA2020, NO_CAPTURE_PLIES, Referee};
use xiangqi::types::{Move, Outcome, Side};

/// Size of the transposition table of each thread in MB.
const HASH_MB: usize = 8;
/// The largest advantage after the opening moves, in centipawns.
const EVEN: Value = 300;
/// The chance that a player plays a random move that loses nothing at once: it leads to positions that it would never
/// aim for, but that other players will.
const WHIM: f64 = 0.05;
/// The number of plies after which no more random moves are played.
const WHIM_PLIES: usize = 80;
/// The number of openings that are tried for a game; about every second is even to a sound network.
const MOST_OPENINGS: usize = 1000;
/// The advantage in centipawns on which both sides must agree for a game to be won.
const DECIDED: Value = 1500;
/// The number of plies for which they must agree that a game is won.
const DECIDED_PLIES: usize = 6;
/// The largest advantage in centipawns that both sides may see for a game to be drawn.
const LEVEL: Value = 10;
/// The number of plies for which they must see that a game is level.
const LEVEL_PLIES: usize = 24;
/// The first ply at which a level game may be drawn.
const LEVEL_FROM: usize = 120;
/// The length in plies at which a game is drawn.
const LONGEST: usize = 400;
/// The share of the games that are kept to their end. Of the others only the opening and the middle game are kept,
/// for endings teach less: most of what is in them the network knows already.
const WHOLE: f64 = 0.25;
/// The number of pieces at which the middle game is over.
const FEW_PIECES: usize = 12;
/// The number of plies without a capture after which the middle game is over.
const QUIET_PLIES: u32 = 40;
/// How many times smaller the budget of nodes is where a game is only played on for its outcome.
const HASTE: u64 = 10;
/// The number of games between two reports, if there is no terminal.
const TELL: usize = 1000;

/// The options of `juzhong datagen`.
#[derive(Debug, Clone, clap::Args)]
pub struct DatagenOptions {
    /// The file to write
    pub out: PathBuf,
    /// How many games
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Nodes per move after which no further iteration begins
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub nodes: u64,
    /// The seed of the run; the same seed gives the same games
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The network that evaluates positions; the built-in one if not given
    #[arg(long)]
    pub net: Option<PathBuf>,
    /// Games at a time; 0: one per core
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1024))]
    pub threads: u32,
    /// Continue an existing file
    #[arg(long)]
    pub resume: bool,
}

/// Why the games could not be played to the end.
#[derive(Debug, Error)]
pub enum DatagenError {
    /// The file of games cannot be read or written.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The file holds games of another run.
    #[error("{}: its games were made otherwise: {what}", path.display())]
    OtherRun {
        /// The file.
        path: PathBuf,
        /// What differs between the two runs.
        what: &'static str,
    },
    /// The network cannot be read.
    #[error(transparent)]
    Network(#[from] LoadError<NetworkError>),
    /// The network calls no opening even.
    #[error("no even opening among {MOST_OPENINGS}: the network {0} makes no sense")]
    NoOpening(String),
    /// The report cannot be written.
    #[error("cannot write: {0}")]
    Report(#[from] io::Error),
    /// The threads cannot be started.
    #[error("cannot start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Plays the games that the file does not hold yet, and appends each as it ends; reports progress to `report`.
///
/// # Errors
/// Returns an error if the file or the report cannot be written, or the file holds something else.
pub fn run(options: &DatagenOptions, report: &mut impl Write) -> Result<(), DatagenError> {
    let network = Network::open(options.net.as_deref())?;
    let mut state = DatagenRun::open(options, &network)?;
    let missing: Vec<u64> = (0..options.games).filter(|number| !state.done.contains(number)).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads as usize).build()?;
    let (sender, receiver) = mpsc::sync_channel::<Option<TrainingGame>>(64);
    let openings = Mutex::new(std::mem::take(&mut state.openings));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let played = pool.install(|| {
                missing.par_iter().with_max_len(1).try_for_each_init(
                    || SelfPlayer::new(options, &network, &openings),
                    |player, &number| sender.send(player.play(number)),
                )
            });
            // Nobody takes the games any more if one could not be written, which is reported there.
            drop((played, sender));
        });
        state.receive(receiver, options, &network, report)
    })
}

/// The progress of a run.
struct DatagenRun {
    writer: GamesWriter,
    /// The numbers of the games that the file holds.
    done: HashSet<u64>,
    /// Positions in which its games left the opening.
    openings: HashSet<u64>,
    plies: usize,
}

impl DatagenRun {
    fn open(options: &DatagenOptions, network: &Network) -> Result<DatagenRun, DatagenError> {
        let header = GamesHeader {
            program: env!("CARGO_PKG_VERSION").to_owned(),
            evaluation: network.name().to_owned(),
            nodes: options.nodes,
            seed: options.seed,
        };
        let (mut done, mut openings, mut plies) = (HashSet::new(), HashSet::new(), 0);
        if !options.resume || !options.out.exists() {
            return Ok(DatagenRun {
                writer: GamesWriter::create(&options.out, &header)?,
                done,
                openings,
                plies,
            });
        }
        let (writer, found) = GamesWriter::resume(&options.out, |game| {
            done.insert(game.seed);
            openings.extend(opening_of(&game));
            plies += game.plies.len();
        })?;
        let differences = [
            (found.evaluation != header.evaluation, "another evaluation"),
            (found.nodes != header.nodes, "another number of nodes"),
            (found.seed != header.seed, "another seed"),
        ];
        match differences.into_iter().find(|(differs, _)| *differs) {
            Some((_, what)) => Err(DatagenError::OtherRun { path: options.out.clone(), what }),
            None => Ok(DatagenRun { writer, done, openings, plies }),
        }
    }

    fn receive(
        &mut self,
        games: mpsc::Receiver<Option<TrainingGame>>,
        options: &DatagenOptions,
        network: &Network,
        report: &mut impl Write,
    ) -> Result<(), DatagenError> {
        let bar = ProgressBar::new(options.games).with_style(style());
        bar.set_position(self.done.len() as u64);
        bar.reset_eta();
        let (start, before) = (Instant::now(), self.plies);
        let rate = |plies: usize| (plies - before) as f64 / start.elapsed().as_secs_f64().max(1e-9);
        for game in games {
            let game = game.ok_or_else(|| DatagenError::NoOpening(network.name().to_owned()))?;
            self.writer.add(&game)?;
            self.plies += game.plies.len();
            self.done.insert(game.seed);
            bar.inc(1);
            bar.set_message(format!("{} positions, {:.0}/s", self.plies, rate(self.plies)));
            if bar.is_hidden() && self.done.len().is_multiple_of(TELL) {
                let (games, rate) = (self.done.len(), rate(self.plies));
                writeln!(report, "{games} games, {} positions, {rate:.0} a second", self.plies)?;
                report.flush()?;
            }
        }
        self.writer.sync()?;
        bar.finish_and_clear();
        writeln!(report, "{} games, {} positions in {}", self.done.len(), self.plies, options.out.display())?;
        Ok(())
    }
}

/// The key of the position in which a game left the opening.
fn opening_of(game: &TrainingGame) -> Option<u64> {
    let mut key = None;
    // A game that cannot be played through was not made here; its opening does not matter.
    let _ = game.replay(|sight| {
        if key.is_none() && sight.ply.score.is_some() {
            key = Some(sight.position.key());
        }
    });
    key
}

fn style() -> ProgressStyle {
    let template = "{wide_bar} {pos}/{len} games, {msg}, {eta} left";
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// Plays games, one after the other.
struct SelfPlayer<'a> {
    pool: ThreadPool,
    referee: Referee,
    options: &'a DatagenOptions,
    openings: &'a Mutex<HashSet<u64>>,
}

impl<'a> SelfPlayer<'a> {
    fn new(
        options: &'a DatagenOptions,
        network: &Arc<Network>,
        openings: &'a Mutex<HashSet<u64>>,
    ) -> SelfPlayer<'a> {
        let mut pool = ThreadPool::new(1, HASH_MB);
        pool.set_network(Arc::clone(network));
        SelfPlayer { pool, referee: Referee::new(&CXA2020), options, openings }
    }

    /// Plays a game; `None` if no opening is even.
    fn play(&mut self, number: u64) -> Option<TrainingGame> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.options.seed);
        rng.set_stream(number);
        self.pool.clear();
        let mut position = self.opening(&mut rng)?;
        let mut plies: Vec<ScoredMove> =
            position.record().filter_map(|played| played.mv).map(|mv| ScoredMove::new(mv, None)).collect();
        let whole = rng.random_bool(WHOLE);
        let (mut course, mut kept) = (EarlyVerdict::default(), true);
        let outcome = loop {
            if let Some((outcome, _)) = self.referee.game_over(&position, Some(NO_CAPTURE_PLIES)) {
                break outcome;
            }
            if kept
                && position.plies() < WHIM_PLIES
                && rng.random_bool(WHIM)
                && let Some(mv) = whim(&position, &mut rng)
            {
                plies.push(ScoredMove::new(mv, None));
                position.make(mv);
                continue;
            }
            kept &= whole
                || position.occupied().len() as usize > FEW_PIECES && position.quiet_plies() < QUIET_PLIES;
            let nodes = self.options.nodes / if kept { 1 } else { HASTE };
            let Some(SearchReport { best: Some(mv), score, .. }) = self.search(&position, nodes) else {
                break Outcome::Draw;
            };
            if kept {
                plies.push(ScoredMove::new(mv, Some(score)));
            }
            position.make(mv);
            // The mover has changed: its score is seen by the other side now.
            let red = if position.side() == Side::Black { score } else { -score };
            if let Some(outcome) = course.judge(red, position.plies()) {
                break outcome;
            }
        };
        Some(TrainingGame { seed: number, start: None, plies, outcome })
    }

    fn search(&mut self, position: &Position, nodes: u64) -> Option<SearchReport> {
        self.pool.think(position, &SearchLimits::soft(nodes))
    }

    /// A position in which neither side is much better and no other game began.
    fn opening(&mut self, rng: &mut impl Rng) -> Option<Position> {
        for _ in 0..MOST_OPENINGS {
            let mut position = Position::startpos();
            let (known, random) = if rng.random() {
                (rng.random_range(2..=12), rng.random_range(1..=4))
            } else {
                (0, rng.random_range(6..=11))
            };
            for _ in 0..known {
                let Some(choice) = book::choose([Book::embedded()], &position, 0.5, rng) else { break };
                position.make(choice.entry.mv);
            }
            for _ in 0..random {
                let moves: Vec<Move> = position.legal_moves().to_vec();
                let Some(&mv) = moves.choose(rng) else { break };
                position.make(mv);
            }
            let over = self.referee.game_over(&position, None).is_some();
            let even = |report: SearchReport| report.score.abs() <= EVEN;
            if !over
                && self.search(&position, self.options.nodes).is_some_and(even)
                && self.openings.lock().unwrap_or_else(PoisonError::into_inner).insert(position.key())
            {
                return Some(position);
            }
        }
        None
    }
}

/// Any quiet move that loses nothing to captures on its square; none in check.
fn whim(position: &Position, rng: &mut impl Rng) -> Option<Move> {
    if position.in_check() {
        return None;
    }
    let safe = |mv: &&Move| !position.is_capture(**mv) && position.see(**mv, 0);
    position.legal_moves().iter().filter(safe).choose(rng).copied()
}

/// Ends games early whose result is clear.
#[derive(Default)]
struct EarlyVerdict {
    /// The plies in a row in which Red, Black or nobody was much better.
    streaks: [usize; 3],
}

impl EarlyVerdict {
    /// The outcome, if it is clear after a ply with this score for Red.
    fn judge(&mut self, red: Value, plies: usize) -> Option<Outcome> {
        for (streak, goes_on) in
            self.streaks.iter_mut().zip([red >= DECIDED, red <= -DECIDED, red.abs() <= LEVEL])
        {
            *streak = if goes_on { *streak + 1 } else { 0 };
        }
        let [red, black, level] = self.streaks;
        if red >= DECIDED_PLIES {
            Some(Outcome::Win(Side::Red))
        } else if black >= DECIDED_PLIES {
            Some(Outcome::Win(Side::Black))
        } else if plies >= LONGEST || (plies >= LEVEL_FROM && level >= LEVEL_PLIES) {
            Some(Outcome::Draw)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::GamesReader;

    fn options(out: PathBuf, games: u64) -> DatagenOptions {
        DatagenOptions { out, games, nodes: 100, seed: 5, net: None, threads: 2, resume: false }
    }

    /// The games of a file, by number.
    fn games(options: &DatagenOptions) -> Vec<TrainingGame> {
        let mut games: Vec<TrainingGame> =
            GamesReader::open(&options.out).unwrap().map(Result::unwrap).collect();
        games.sort_by_key(|game| game.seed);
        games
    }

    #[test]
    fn a_run_that_was_interrupted_ends_like_one_that_was_not() {
        let folder = tempfile::tempdir().unwrap();
        let whole = options(folder.path().join("whole"), 5);
        let mut report = Vec::new();
        run(&whole, &mut report).unwrap();
        assert!(String::from_utf8(report).unwrap().starts_with("5 games, "));
        let part = options(folder.path().join("part"), 2);
        run(&part, &mut Vec::new()).unwrap();
        assert!(run(&part, &mut Vec::new()).is_err(), "nothing is overwritten");
        let bytes = std::fs::read(&part.out).unwrap();
        std::fs::write(&part.out, &bytes[..bytes.len() - 3]).unwrap();
        let rest = DatagenOptions { games: 5, resume: true, ..part };
        run(&rest, &mut Vec::new()).unwrap();
        assert_eq!(games(&rest), games(&whole));
        let other = DatagenOptions { nodes: 101, ..rest };
        let error = run(&other, &mut Vec::new()).unwrap_err().to_string();
        assert!(error.ends_with("its games were made otherwise: another number of nodes"), "{error}");
    }

    #[test]
    fn games_are_legal_and_no_two_leave_the_opening_in_one_position() {
        let folder = tempfile::tempdir().unwrap();
        let options = options(folder.path().join("games"), 12);
        run(&options, &mut Vec::new()).unwrap();
        let games = games(&options);
        assert_eq!(games.iter().map(|game| game.seed).collect::<Vec<_>>(), (0..12).collect::<Vec<_>>());
        let openings: HashSet<u64> = games.iter().filter_map(opening_of).collect();
        assert_eq!(openings.len(), 12);
        for game in &games {
            game.replay(|_| ()).unwrap();
            assert!(game.plies.len() <= LONGEST);
        }
    }

    #[test]
    fn a_network_without_sense_is_given_up() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        let mut network = Network::blank("mad", 10_000);
        network.layers.iter_mut().for_each(|layers| layers.first_bias.fill(i32::MAX));
        std::fs::write(file("net"), network.to_bytes()).unwrap();
        let options = DatagenOptions { net: Some(file("net")), nodes: 1, ..options(file("games"), 2) };
        let error = run(&options, &mut Vec::new()).unwrap_err().to_string();
        assert_eq!(error, "no even opening among 1000: the network mad makes no sense");
    }

    #[test]
    fn clear_games_are_ended() {
        let judge = |scores: &[(Value, usize)], plies| {
            let mut course = EarlyVerdict::default();
            let mut outcome = None;
            for &(score, times) in scores {
                (0..times).for_each(|_| outcome = outcome.or(course.judge(score, plies)));
            }
            outcome
        };
        assert_eq!(judge(&[(DECIDED, DECIDED_PLIES)], 30), Some(Outcome::Win(Side::Red)));
        assert_eq!(judge(&[(-DECIDED, DECIDED_PLIES)], 30), Some(Outcome::Win(Side::Black)));
        assert_eq!(judge(&[(DECIDED, DECIDED_PLIES - 1), (0, 1), (DECIDED, 1)], 30), None);
        assert_eq!(judge(&[(LEVEL, LEVEL_PLIES)], LEVEL_FROM), Some(Outcome::Draw));
        assert_eq!(judge(&[(LEVEL, LEVEL_PLIES)], LEVEL_FROM - 1), None);
        assert_eq!(judge(&[(300, 1)], LONGEST), Some(Outcome::Draw));
    }
}
