//! The command line of a tuning.

use std::path::{Path, PathBuf};

use clap::Args;

use super::TuneError;
use super::knob::{KnobError, Wish};
use crate::arena::cli::{EngineWords, control};
use crate::arena::clock::TimeControl;
use crate::arena::config::{ConfigError, MatchConfig};
use crate::arena::engine::EngineSpec;
use crate::arena::openings::Order;
use crate::arena::words::from_words;

/// Arguments of `juzhong tune`.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  juzhong tune --engine cmd=target/tune/release/juzhong option.usebook=false --nodes 3000 --concurrency 2 \\
      --openings engine-tests/data/openings.fen --state tune.json --plot tune.svg
  juzhong tune --engine cmd=./engine --tc 1+0.01 --knobs lmr_base,lmr_divisor --knob rfp_margin=75:30:150:6 --state t.json
The engine has to announce its numbers as options: build it with `--features tune`. A tuning that was interrupted is
taken up by the same command with --resume.")]
pub struct TuneArgs {
    #[command(flatten)]
    engines: EngineWords,
    /// Options to tune, or `all`: numbers with a name in small letters with an underscore
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(super) knobs: Vec<String>,
    /// NAME=START:LEAST:MOST:C_END:R_END, each of which may be left out: where an option begins, its range, by how much
    /// the sides differ from the centre at the end (a twentieth of the range, 0.5 at least), and how much of that a won
    /// game then moves the centre (0.002)
    #[arg(long, value_name = "WORDS")]
    knob: Vec<String>,
    /// Games in all, two an iteration
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(2..=1_000_000_000))]
    pub(super) games: u32,
    /// Games at a time
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// Clock: [moves/]seconds[+increment]
    #[arg(long, value_parser = control)]
    tc: Option<TimeControl>,
    /// Time for each move, in milliseconds
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// Nodes for each move
    #[arg(long)]
    nodes: Option<u64>,
    /// Depth of each search, in plies
    #[arg(long)]
    depth: Option<u32>,
    /// Openings, as for a match; they are shuffled
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Plies taken from each game of a PGN or XQF file, or from the book
    #[arg(long, default_value_t = 8)]
    plies: usize,
    /// Seed of the directions that are tried, and of the order of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Rules that repetitions are judged by: cxa2020, cxa1999, asian, checkban or alwaysdraw
    #[arg(long, default_value = "cxa2020")]
    rules: String,
    /// Full moves after which a game is drawn
    #[arg(long)]
    max_moves: Option<u32>,
    /// Draw by scores: from-move=N moves=N score=N
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    draw: Vec<String>,
    /// Loss by scores: moves=N score=N both=true|false
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    resign: Vec<String>,
    /// Keep the state of the tuning in this file
    #[arg(long, value_name = "FILE")]
    pub(super) state: PathBuf,
    /// Take up the tuning of the state file
    #[arg(long)]
    pub(super) resume: bool,
    /// Draw the course of the values as an SVG picture
    #[arg(long, value_name = "FILE")]
    pub(super) plot: Option<PathBuf>,
    /// Where there is no terminal for a progress line, print one after so many games
    #[arg(long, value_name = "GAMES", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) every: u32,
    /// Log all traffic with the engines
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

impl TuneArgs {
    /// The games as a match of the engine against itself.
    pub(super) fn config(&self) -> Result<MatchConfig, TuneError> {
        let [words] = &self.engines.0[..] else { return Err(TuneError::Engines(self.engines.0.len())) };
        let engine = EngineSpec::from_words(words).map_err(ConfigError::from)?;
        let mut config = MatchConfig {
            engines: vec![engine.clone(), engine],
            rules: self.rules.clone(),
            concurrency: self.concurrency,
            tc: self.tc.clone(),
            movetime: self.movetime,
            nodes: self.nodes,
            depth: self.depth,
            openings: self.openings.clone(),
            plies: self.plies,
            order: Order::Random,
            seed: self.seed,
            max_moves: self.max_moves,
            log: self.log.clone(),
            ..MatchConfig::default()
        };
        if !self.draw.is_empty() {
            config.draw = Some(from_words("--draw", &self.draw)?);
        }
        if !self.resign.is_empty() {
            config.resign = Some(from_words("--resign", &self.resign)?);
        }
        config.check()?;
        Ok(config)
    }

    /// What is wished for single knobs.
    pub(super) fn wishes(&self) -> Result<Vec<Wish>, KnobError> {
        self.knob.iter().map(|words| Wish::read(words)).collect()
    }

    /// Files that are written.
    pub(super) fn written(&self) -> Vec<&Path> {
        let more = self.plot.iter().chain(&self.log);
        std::iter::once(&self.state).chain(more).map(PathBuf::as_path).collect()
    }

    /// Files that are read.
    pub(super) fn read(&self) -> Vec<&Path> {
        self.openings.iter().map(PathBuf::as_path).collect()
    }
}
