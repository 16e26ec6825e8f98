//! The command line of a tuning.

use std::path::{Path, PathBuf};

use clap::Args;

use super::TuneError;
use super::knob::{KnobError, KnobOverride};
use crate::arena::conditions::Conditions;
use crate::arena::config::MatchConfig;
use crate::arena::openings::Order;

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
    conditions: Conditions,
    /// Options to tune, or `all`: numbers with a name in small letters with an underscore
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(super) knobs: Vec<String>,
    /// NAME=START:LEAST:MOST:C_END:R_END, each of which may be left out: where an option begins, its range, by how much
    /// the sides differ from the centre at the end (a twentieth of the range, 0.5 at least), and how much of that a won
    /// game then moves the centre (0.002)
    #[arg(long, value_name = "WORDS")]
    knob: Vec<String>,
    /// Games in all, two per iteration
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(2..=1_000_000_000))]
    pub(super) games: u32,
    /// Keep the state of the tuning in this file
    #[arg(long, value_name = "FILE")]
    pub(super) state: PathBuf,
    /// Continue the tuning of the state file
    #[arg(long)]
    pub(super) resume: bool,
    /// Draw the course of the values as an SVG picture
    #[arg(long, value_name = "FILE")]
    pub(super) plot: Option<PathBuf>,
    /// Where there is no terminal for a progress line, print one after so many games
    #[arg(long, value_name = "GAMES", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) every: u32,
}

impl TuneArgs {
    /// The games as a match of the engine against itself.
    pub(super) fn config(&self) -> Result<MatchConfig, TuneError> {
        let mut config = MatchConfig { order: Order::Random, ..MatchConfig::default() };
        self.conditions.lay_down(&mut config)?;
        let [engine] = &config.engines[..] else { return Err(TuneError::Engines(config.engines.len())) };
        config.engines = vec![engine.clone(); 2];
        config.check()?;
        Ok(config)
    }

    /// The settings requested for single knobs.
    pub(super) fn wishes(&self) -> Result<Vec<KnobOverride>, KnobError> {
        self.knob.iter().map(|words| KnobOverride::read(words)).collect()
    }

    /// Files that are written.
    pub(super) fn written(&self) -> Vec<&Path> {
        let more = self.plot.iter().chain(&self.conditions.log);
        std::iter::once(&self.state).chain(more).map(PathBuf::as_path).collect()
    }

    /// Files that are read.
    pub(super) fn read(&self) -> Vec<&Path> {
        self.conditions.openings.iter().map(PathBuf::as_path).collect()
    }
}
