//! `juzhong match`: the command line of a match, its progress and its end.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::adjudication::Offers;
use super::clock::TimeControl;
use super::conditions::{Conditions, control, set};
use super::config::{MatchConfig, TournamentFormat};
use super::engine::{EngineFault, EngineLog, ExternalEngine, LogError, StopSignal};
use super::key_values::from_words;
use super::match_run::MatchRun;
use super::openings::Order;
use super::pgn::MoveStyle;
use super::runner::Runner;
use super::storage::{MatchFiles, read_description};
use super::tournament::Scoring;
use super::validation::ConfigError;
use crate::support::state::StateError;
use xiangqi::board::FenError;

/// Arguments of `juzhong match`.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  juzhong match --engine cmd=./juzhong name=new --engine cmd=./old name=old --tc 2+0.02 --games 200 --concurrency 2
  juzhong match --config match.toml --out results/match --resume
  juzhong match --engine cmd=./new --engine cmd=./old --tc 1+0.01 --openings openings.fen --order random --sprt elo1=8
A match that was killed goes on by its name alone: juzhong match --resume results/match")]
pub struct MatchArgs {
    #[command(flatten)]
    conditions: Conditions,
    /// Description of the match in TOML; other arguments override it
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Format of the tournament: who plays whom
    #[arg(long, value_enum)]
    format: Option<TournamentFormat>,
    /// Games of each encounter (100 in a match, with --sprt as many as it takes, in a tournament 2)
    #[arg(long)]
    games: Option<u32>,
    /// Rounds of the Swiss system
    #[arg(long)]
    rounds: Option<u32>,
    /// How games count in the table
    #[arg(long, value_enum)]
    scoring: Option<Scoring>,
    /// Clock of the player with the red pieces
    #[arg(long, value_parser = control)]
    tc_red: Option<TimeControl>,
    /// Clock of the player with the black pieces
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
    /// Print the state of the match after so many games, in place of a line for each game
    #[arg(long, value_name = "GAMES")]
    every: Option<u64>,
    /// Record the games as BASE.pgn and BASE.jsonl, and the state as BASE.state.json
    #[arg(long, value_name = "BASE")]
    out: Option<PathBuf>,
    /// Notation of the moves in the PGN
    #[arg(long, value_enum)]
    notation: Option<MoveStyle>,
    /// Continue a recorded match: the one called BASE, or the one of --out
    #[arg(long, value_name = "BASE", num_args = 0..=1)]
    resume: Option<Option<PathBuf>>,
}

/// Why a match did not take place or was aborted.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// The description of the match is invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The files of the match cannot be used.
    #[error(transparent)]
    State(#[from] StateError),
    /// An engine cannot be started.
    #[error("{name}: {fault}")]
    Engine {
        /// The name given by the user, or the command.
        name: String,
        /// What went wrong.
        fault: EngineFault,
    },
    /// The log cannot be written.
    #[error(transparent)]
    Log(#[from] LogError),
    /// A recorded game starts from an invalid position.
    #[error(transparent)]
    Start(#[from] FenError),
    /// The tables cannot be written.
    #[error("{0}")]
    Output(#[from] io::Error),
    /// The user or the system ended the match.
    #[error("interrupted")]
    Interrupted,
}

impl MatchArgs {
    /// The match described by the configuration file and the other arguments.
    fn config(&self) -> Result<MatchConfig, ConfigError> {
        let out = self.resume.as_ref().and_then(Option::as_ref).or(self.out.as_ref());
        let mut config = match (&self.config, out) {
            (Some(path), _) => MatchConfig::read(path)?,
            (None, Some(base)) if self.resume.is_some() && !self.conditions.has_engines() => {
                read_description(base)?
            }
            _ => MatchConfig::default(),
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
        config.out = out.cloned().or(config.out);
        if let Some(words) = &self.sprt {
            config.sprt = Some(from_words("--sprt", words)?);
        }
        config.check()?;
        if self.resume.is_some() && config.out.is_none() {
            return Err(ConfigError::Senseless(
                "--resume: name the match to take up, as in --resume results/m1",
            ));
        }
        Ok(config)
    }
}

/// Holds the match that the arguments describe, and writes its tables to `out`.
///
/// # Errors
/// Returns an error if the match cannot be held, or was interrupted.
pub fn run(args: &MatchArgs, out: &mut impl Write) -> Result<(), MatchError> {
    let config = args.config()?;
    let mut left_out = Vec::new();
    let openings = config.load_openings(&mut |line| left_out.push(line)).map_err(ConfigError::from)?;
    for line in left_out {
        writeln!(out, "left out: {line}")?;
    }
    let stop = StopSignal::on_interrupt();
    let log = config.log.as_deref().map(EngineLog::create).transpose()?;
    let names = introduce(&config, &stop, log.as_ref())?;
    let (files, games) = match &config.out {
        Some(base) => {
            let (files, games) =
                MatchFiles::open(base, &config, config.plan(&openings), args.resume.is_some())?;
            (Some(files), games)
        }
        None => (None, Vec::new()),
    };
    let runner = Runner {
        engines: config.engines.clone(),
        names,
        limits: config.limits(),
        openings,
        rules: config.rules(),
        concurrency: config.concurrency,
        log,
        stop,
    };
    MatchRun::new(&config, &runner, files, games).run(out)
}

/// Starts each engine once, to see that it can be started and what it calls itself.
fn introduce(
    config: &MatchConfig,
    stop: &Arc<StopSignal>,
    log: Option<&EngineLog>,
) -> Result<Vec<String>, MatchError> {
    let mut names: Vec<String> = Vec::new();
    for spec in &config.engines {
        let label = if spec.name.is_empty() { &spec.cmd } else { &spec.name };
        let engine = ExternalEngine::start(spec, label, stop, log)
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
    use std::path::Path;

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

    /// A path that a shell takes as it is: Windows knows both strokes.
    fn quotable(path: &Path) -> String {
        path.to_str().unwrap().replace('\\', "/")
    }

    /// The README and the manuals, in which paths start at the root of the project; logs of experiments are none.
    fn manuals() -> Vec<String> {
        const LOGS: [&str; 3] = ["EXPERIMENTS.md", "LEVELS.md", "NETS.md"];
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let docs = std::fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
        let is_manual = |path: &PathBuf| {
            let name = path.file_name().unwrap().to_str().unwrap();
            name.ends_with(".md") && !LOGS.contains(&name)
        };
        let pages = docs.filter(is_manual).chain([root.join("README.md")]);
        let absolute = format!("{}/engine-tests/", quotable(&root));
        pages.map(|page| std::fs::read_to_string(page).unwrap().replace("engine-tests/", &absolute)).collect()
    }

    #[test]
    fn the_examples_of_the_manuals_are_matches() {
        let folder = tempfile::tempdir().unwrap();
        let mut found = 0;
        for page in manuals() {
            let description = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next());
            let path = folder.path().join("cup.toml");
            std::fs::write(&path, description.unwrap_or_default()).unwrap();
            let text = page.replace("\\\n", " ").replace("cup.toml", &quotable(&path));
            for line in text.lines().filter(|line| line.starts_with("juzhong match ")) {
                let words = shlex::split(line.split(" # ").next().unwrap()).unwrap();
                let words: Vec<&str> = words[2..].iter().map(String::as_str).collect();
                if words.first() == Some(&"--resume") {
                    // There is no such match here, and nothing else is wrong.
                    assert!(parse(&words).unwrap_err().to_string().contains(".state.json: "), "{line}");
                    continue;
                }
                let config = parse(&words).unwrap_or_else(|error| panic!("{line}: {error}"));
                config
                    .load_openings(&mut |line| panic!("{line}"))
                    .unwrap_or_else(|error| panic!("{line}: {error}"));
                found += 1;
            }
        }
        assert!(found >= 4, "{found} examples");
    }
}
