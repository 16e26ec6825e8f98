//! `juzhong match`: the command line of a match, its progress and its end.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;

use super::adjudication::Offers;
use super::clock::TimeControl;
use super::conditions::{Conditions, control, set};
use super::config::{ConfigError, Format, MatchConfig};
use super::engine::{Brake, Engine, Fault, Traffic};
use super::openings::Order;
use super::pgn::MoveStyle;
use super::runner::Stage;
use super::session::Session;
use super::storage::{Storage, StorageError};
use super::tournament::Scoring;
use super::words::from_words;
use xiangqi::board::FenError;

/// Arguments of `juzhong match`.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  juzhong match --engine cmd=./juzhong name=new --engine cmd=./old name=old --tc 2+0.02 --games 200 --concurrency 2
  juzhong match --config match.toml --out results/match --resume
  juzhong match --engine cmd=./new --engine cmd=./old --tc 1+0.01 --openings openings.fen --order random --sprt elo1=8
A killed match is taken up by the same command with --resume.")]
pub struct MatchArgs {
    #[command(flatten)]
    conditions: Conditions,
    /// Description of the match in TOML; other arguments take the place of what it says
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Who meets whom
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Games of each encounter (100 in a match, with --sprt as many as it takes, in a tournament 2)
    #[arg(long)]
    games: Option<u32>,
    /// Rounds of the Swiss system
    #[arg(long)]
    rounds: Option<u32>,
    /// How games count in the table
    #[arg(long, value_enum)]
    scoring: Option<Scoring>,
    /// Clock of whoever plays red
    #[arg(long, value_parser = control)]
    tc_red: Option<TimeControl>,
    /// Clock of whoever plays black
    #[arg(long, value_parser = control)]
    tc_black: Option<TimeControl>,
    /// Order of the openings
    #[arg(long, value_enum)]
    order: Option<Order>,
    /// Openings to leave out at the start of the list
    #[arg(long)]
    skip: Option<usize>,
    /// Time over the limit that is forgiven, in milliseconds
    #[arg(long, value_name = "MS")]
    margin: Option<u64>,
    /// Longest thought where no clock bounds it, in seconds
    #[arg(long, value_name = "SECONDS")]
    move_timeout: Option<f64>,
    /// Rounds without capture that draw (60); 0 for no limit
    #[arg(long, value_name = "ROUNDS")]
    natural_limit: Option<u32>,
    /// Treatment of draw offers
    #[arg(long, value_enum)]
    offers: Option<Offers>,
    /// Sequential test: elo0= elo1= alpha= beta= model=normalised|logistic
    #[arg(long, num_args = 0.., value_name = "KEY=VALUE")]
    sprt: Option<Vec<String>>,
    /// Name of the match in the records
    #[arg(long)]
    event: Option<String>,
    /// Print the state of the match after so many games
    #[arg(long, value_name = "GAMES")]
    every: Option<u64>,
    /// Record the games as BASE.pgn and BASE.jsonl, and the state as BASE.state.json
    #[arg(long, value_name = "BASE")]
    out: Option<PathBuf>,
    /// Notation of the moves in the PGN
    #[arg(long, value_enum)]
    notation: Option<MoveStyle>,
    /// Take up the match recorded under --out
    #[arg(long)]
    resume: bool,
}

/// Why a match did not take place or was broken off.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MatchError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Storage(#[from] StorageError),
    #[error("{name}: {fault}")]
    Engine { name: String, fault: Fault },
    #[error("{}: {source}", path.display())]
    Log { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Start(#[from] FenError),
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("interrupted")]
    Interrupted,
}

/// Holds the match that the arguments describe. Exit status 0 when it ran to its end, 1 when it was interrupted, 2
/// when it could not be held.
pub fn run(args: &MatchArgs) -> ExitCode {
    match hold(args) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read the tables has had enough.
        Err(MatchError::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => complain("match", &error, if matches!(error, MatchError::Interrupted) { 1 } else { 2 }),
    }
}

/// Tells standard error why a command ended, in one line.
pub(crate) fn complain(command: &str, cause: &impl Display, status: u8) -> ExitCode {
    // Words of files and arguments are quoted in it: one line it stays. Nobody is left to tell if the stream is closed.
    let cause = cause.to_string().replace(char::is_control, "\u{fffd}");
    let _ = writeln!(io::stderr(), "juzhong {command}: {cause}");
    ExitCode::from(status)
}

impl MatchArgs {
    /// The match described by the configuration file and the other arguments.
    fn config(&self) -> Result<MatchConfig, ConfigError> {
        let mut config = match &self.config {
            Some(path) => MatchConfig::read(path)?,
            None => MatchConfig::default(),
        };
        self.conditions.lay_down(&mut config)?;
        set(&mut config.format, self.format);
        set(&mut config.scoring, self.scoring);
        set(&mut config.order, self.order);
        set(&mut config.skip, self.skip);
        set(&mut config.margin, self.margin);
        set(&mut config.move_timeout, self.move_timeout);
        set(&mut config.natural_limit, self.natural_limit);
        set(&mut config.offers, self.offers);
        set(&mut config.notation, self.notation);
        set(&mut config.every, self.every);
        set(&mut config.event, self.event.clone());
        config.games = self.games.or(config.games);
        config.rounds = self.rounds.or(config.rounds);
        config.red.tc = self.tc_red.clone().or(config.red.tc);
        config.black.tc = self.tc_black.clone().or(config.black.tc);
        config.out = self.out.clone().or(config.out);
        if let Some(words) = &self.sprt {
            config.sprt = Some(from_words("--sprt", words)?);
        }
        config.check()?;
        if self.resume && config.out.is_none() {
            return Err(ConfigError::Senseless("--resume: --out has to name the match to take up"));
        }
        Ok(config)
    }
}

fn hold(args: &MatchArgs) -> Result<(), MatchError> {
    let config = args.config()?;
    let openings = config.load_openings().map_err(ConfigError::from)?;
    let brake = signalled();
    let traffic = traffic(config.log.as_deref())?;
    let (storage, games) = match &config.out {
        Some(base) => {
            let (storage, games) = Storage::open(base, config.plan(&openings), args.resume)?;
            (Some(storage), games)
        }
        None => (None, Vec::new()),
    };
    let names = introduce(&config, &brake, traffic.as_ref())?;
    let stage = Stage {
        engines: config.engines.clone(),
        names,
        limits: config.limits(),
        openings,
        rules: config.rules(),
        concurrency: config.concurrency,
        traffic,
        brake,
    };
    Session::new(&config, &stage, storage, games).run()
}

/// A brake that is pulled when the user or the system wants an end.
pub(crate) fn signalled() -> Arc<Brake> {
    let brake = Arc::new(Brake::default());
    let on_signal = brake.clone();
    // A second handler in one process is refused; then the first still stands.
    let _ = ctrlc::set_handler(move || on_signal.pull());
    brake
}

/// The log of all traffic, if it is wanted.
pub(crate) fn traffic(path: Option<&Path>) -> Result<Option<Traffic>, MatchError> {
    let log = |path: &Path| {
        Traffic::create(path).map_err(|source| MatchError::Log { path: path.to_owned(), source })
    };
    path.map(log).transpose()
}

/// Starts each engine once, to see that it can be started and what it calls itself.
fn introduce(
    config: &MatchConfig,
    brake: &Arc<Brake>,
    traffic: Option<&Traffic>,
) -> Result<Vec<String>, MatchError> {
    let mut names: Vec<String> = Vec::new();
    for spec in &config.engines {
        let label = if spec.name.is_empty() { &spec.cmd } else { &spec.name };
        let engine = Engine::start(spec, label, brake, traffic)
            .map_err(|fault| MatchError::Engine { name: label.clone(), fault })?;
        let name = engine.name().to_owned();
        engine.quit();
        let alike = names.iter().filter(|n| **n == name || n.starts_with(&format!("{name} #"))).count();
        names.push(if alike == 0 { name } else { format!("{name} #{}", alike + 1) });
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        args: MatchArgs,
    }

    fn parse(words: &[&str]) -> Result<MatchConfig, ConfigError> {
        Line::try_parse_from(std::iter::once(&"match").chain(words)).unwrap().args.config()
    }

    #[test]
    fn the_command_is_well_formed() {
        Line::command().debug_assert();
    }

    #[test]
    fn engines_are_kept_apart() {
        let words =
            "--engine name=A cmd=a --depth 3 --engine cmd=b name=B option.Hash=1 --sprt elo1=8 --games 4";
        let config = parse(&words.split(' ').collect::<Vec<_>>()).unwrap();
        let names: Vec<_> = config.engines.iter().map(|e| (e.cmd.as_str(), e.name.as_str())).collect();
        assert_eq!(names, [("a", "A"), ("b", "B")]);
        assert_eq!((config.depth, config.sprt.unwrap().elo1, config.games), (Some(3), 8.0, Some(4)));
    }

    #[test]
    fn the_examples_of_the_readme_are_matches() {
        let readme = include_str!("../../../README.md");
        let cup = readme.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cup.toml");
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../engine-tests/");
        let absolute = |text: &str| text.replace("engine-tests/", root);
        std::fs::write(&path, absolute(cup)).unwrap();
        let text = absolute(&readme.replace("\\\n", " ")).replace("cup.toml", path.to_str().unwrap());
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("juzhong match ")).collect();
        assert_eq!(lines.len(), 4);
        for line in lines {
            let words = shlex::split(line).unwrap();
            let words: Vec<&str> = words[2..].iter().map(String::as_str).collect();
            let config = parse(&words).unwrap_or_else(|error| panic!("{line}: {error}"));
            config.load_openings().unwrap_or_else(|error| panic!("{line}: {error}"));
        }
    }
}
