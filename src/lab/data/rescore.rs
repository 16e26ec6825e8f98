//! New scores for old games: every position that has one is searched again.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use indicatif::ProgressBar;
use rayon::prelude::*;

use super::command::{DataToolError, read};
use crate::data::{BadGame, GamesHeader, GamesWriter, ReplayError, ScoredMove, TrainingGame};
use juzhong_engine::eval::Network;
use juzhong_engine::score::Value;
use juzhong_engine::search::{SearchLimits, ThreadPool};

/// Size of the transposition table of each thread in MB.
const HASH_MB: usize = 8;
/// Games between two writes.
const BATCH: usize = 16;

/// The options of `juzhong data rescore`.
#[derive(Debug, Clone, clap::Args)]
pub struct RescoreOptions {
    /// The file of games
    pub games: PathBuf,
    /// The file to write
    #[arg(long)]
    pub out: PathBuf,
    /// Nodes per position after which no further iteration begins
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub nodes: u64,
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

/// Searches the games that the new file does not hold yet, in their order.
pub(super) fn run(options: &RescoreOptions, report: &mut impl Write) -> Result<(), DataToolError> {
    let network = Network::open(options.net.as_deref())?;
    let (old, games) = read(&options.games, report)?;
    let header = GamesHeader {
        program: env!("CARGO_PKG_VERSION").to_owned(),
        evaluation: network.name().to_owned(),
        nodes: options.nodes,
        ..old
    };
    let mut done = 0;
    let mut writer = if options.resume && options.out.exists() {
        let mut alike = true;
        let (writer, found) = GamesWriter::resume(&options.out, |game| {
            let same = |old: &TrainingGame| old.seed == game.seed && old.plies.len() == game.plies.len();
            alike &= games.get(done).is_some_and(same);
            done += 1;
        })?;
        if !alike || found != header {
            return Err(DataToolError::OtherGames(options.out.clone()));
        }
        writer
    } else {
        GamesWriter::create(&options.out, &header)?
    };
    let threads = rayon::ThreadPoolBuilder::new().num_threads(options.threads as usize).build()?;
    let bar = ProgressBar::new(games.len() as u64).with_position(done as u64);
    for (number, batch) in (0..).zip(games[done..].chunks(BATCH)) {
        let rescored: Vec<Result<TrainingGame, ReplayError>> = threads.install(|| {
            batch
                .par_iter()
                .map_init(|| pool(&network), |pool, game| rescore(pool, game, options.nodes))
                .collect()
        });
        for (at, game) in rescored.into_iter().enumerate() {
            let number = done + number * BATCH + at + 1;
            let failed = |error| BadGame { path: options.games.clone(), number, error };
            writer.add(&game.map_err(failed)?)?;
            bar.inc(1);
        }
    }
    writer.sync()?;
    bar.finish_and_clear();
    writeln!(report, "{} games in {}", games.len(), options.out.display())?;
    Ok(())
}

fn pool(network: &Arc<Network>) -> ThreadPool {
    let mut pool = ThreadPool::new(1, HASH_MB);
    pool.set_network(Arc::clone(network));
    pool
}

/// The game with new scores where there were old ones. The score is that of the position, whatever was played.
fn rescore(pool: &mut ThreadPool, game: &TrainingGame, nodes: u64) -> Result<TrainingGame, ReplayError> {
    pool.clear();
    let limits = SearchLimits::soft(nodes);
    let mut plies = Vec::with_capacity(game.plies.len());
    game.replay(|sight| {
        let ScoredMove { mv, score } = sight.ply;
        let fresh = |_| -> Option<Value> { Some(pool.think(sight.position, &limits)?.score) };
        plies.push(ScoredMove::new(mv, score.and_then(fresh)));
    })?;
    Ok(TrainingGame { plies, start: game.start.clone(), ..*game })
}
