//! The options shared by commands that let engines play: who plays, on which clock, from which openings, by which
//! rules.

use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches};

use super::clock::{TimeControl, TimeControlError};
use super::config::MatchConfig;
use super::engine::EngineSpec;
use super::key_values::from_words;
use super::validation::ConfigError;

/// Words of an option that may be given several times, kept apart by occurrence.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EngineWords(pub Vec<Vec<String>>);

impl FromArgMatches for EngineWords {
    fn from_arg_matches(matches: &ArgMatches) -> Result<EngineWords, clap::Error> {
        let occurrences = matches.get_occurrences::<String>("engine").into_iter().flatten();
        Ok(EngineWords(occurrences.map(|words| words.cloned().collect()).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        if matches.value_source("engine") == Some(ValueSource::CommandLine) {
            *self = EngineWords::from_arg_matches(matches)?;
        }
        Ok(())
    }
}

impl Args for EngineWords {
    fn augment_args(command: clap::Command) -> clap::Command {
        command.arg(
            Arg::new("engine")
                .long("engine")
                .value_name("KEY=VALUE")
                .num_args(1..)
                .action(ArgAction::Append)
                .help("An engine: cmd=PROGRAM name= proto=ucci|uci dir= option.NAME= tc= movetime= nodes= depth= \
                       ponder= nice= ranks=0-9|1-10 unit=ms|s restart=game|fault start-timeout= stop-timeout="),
        )
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        EngineWords::augment_args(command)
    }
}

/// The conditions of games; options that are not given leave the description unchanged.
#[derive(Debug, Clone, Args)]
pub struct Conditions {
    #[command(flatten)]
    engines: EngineWords,
    /// Games at a time (1)
    #[arg(long)]
    concurrency: Option<usize>,
    /// Clock: minutes:seconds[+increment], or [moves/]seconds[+increment] with more periods behind `:`, as in 40/5400:10/900
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
    /// Openings: a FEN or a list of moves on each line, the games of a PGN or XQF file, or `book`:
    /// lines of this program's own book
    #[arg(long, value_name = "FILE")]
    pub(crate) openings: Option<PathBuf>,
    /// Plies taken from each game of a PGN or XQF file, or from the book (8)
    #[arg(long)]
    plies: Option<usize>,
    /// Seed of everything random (1)
    #[arg(long)]
    seed: Option<u64>,
    /// Rules that repetitions are judged by: cxa2020, cxa1999, asian, checkban or alwaysdraw (cxa2020)
    #[arg(long)]
    rules: Option<String>,
    /// Full moves after which a game is drawn
    #[arg(long)]
    max_moves: Option<u32>,
    /// Draw by scores: from-move=N moves=N score=N
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    draw: Vec<String>,
    /// Loss by scores: moves=N score=N both=true|false
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    resign: Vec<String>,
    /// End a game with the result that the exact tables of this program know for its ending
    #[arg(long)]
    tables: bool,
    /// Log all traffic with the engines
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
}

impl Conditions {
    /// Whether engines are given.
    pub(crate) fn has_engines(&self) -> bool {
        !self.engines.0.is_empty()
    }

    /// Overrides the description with the options that are given.
    ///
    /// # Errors
    /// Returns an error if the words of an engine or of an adjudication are invalid.
    pub(crate) fn lay_down(&self, config: &mut MatchConfig) -> Result<(), ConfigError> {
        if !self.engines.0.is_empty() {
            let specs: Result<Vec<_>, _> = self.engines.0.iter().map(|w| EngineSpec::from_words(w)).collect();
            config.engines = specs?;
        }
        set(&mut config.rules, self.rules.clone());
        set(&mut config.concurrency, self.concurrency);
        set(&mut config.plies, self.plies);
        set(&mut config.seed, self.seed);
        config.max_moves = self.max_moves.or(config.max_moves);
        config.tc = self.tc.clone().or(config.tc.take());
        config.movetime = self.movetime.or(config.movetime);
        config.nodes = self.nodes.or(config.nodes);
        config.depth = self.depth.or(config.depth);
        config.openings = self.openings.clone().or(config.openings.take());
        config.log = self.log.clone().or(config.log.take());
        config.tables |= self.tables;
        if !self.draw.is_empty() {
            config.draw = Some(from_words("--draw", &self.draw)?);
        }
        if !self.resign.is_empty() {
            config.resign = Some(from_words("--resign", &self.resign)?);
        }
        Ok(())
    }
}

/// Reads a clock.
pub(crate) fn control(text: &str) -> Result<TimeControl, TimeControlError> {
    text.parse()
}

/// Puts a value in place, if there is one.
pub(crate) fn set<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}
