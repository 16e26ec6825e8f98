//! Whether a description of a match is valid, and if not, what is wrong with it.

use std::path::PathBuf;

use thiserror::Error;

use super::clock::{Limits, seconds};
use super::config::{MatchConfig, TournamentFormat};
use super::engine::SpecError;
use super::openings::OpeningError;
use super::stats::SprtError;
use crate::support::state::StateError;
use xiangqi::rules::{Ruleset, UnknownRuleset};

/// Why a match cannot be held.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The configuration file cannot be read.
    #[error("{}: {source}", path.display())]
    File {
        /// The path of the file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The configuration file is not understood.
    #[error("{}:{line}: {message}", path.display())]
    Toml {
        /// The path of the file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// Words of an option are not understood.
    #[error("{option}: {message}")]
    Words {
        /// The option.
        option: &'static str,
        /// What is wrong.
        message: String,
    },
    /// The description of an engine is invalid.
    #[error(transparent)]
    Engine(#[from] SpecError),
    /// The openings cannot be read.
    #[error(transparent)]
    Openings(#[from] OpeningError),
    /// The match to continue cannot be read.
    #[error(transparent)]
    State(#[from] StateError),
    /// The sequential test is invalid.
    #[error(transparent)]
    Sprt(#[from] SprtError),
    /// A match needs at least two engines.
    #[error("a match needs at least two engines: --engine cmd=PROGRAM … --engine cmd=PROGRAM …")]
    TooFewEngines,
    /// There are no such rules.
    #[error("--rules: {0}")]
    Rules(#[from] UnknownRuleset),
    /// Nothing bounds an engine's thinking.
    #[error("engine {0}: no limit: give --tc, --movetime, --nodes or --depth")]
    NoLimit(usize),
    /// A limit of zero, within which no search is possible.
    #[error("{0}: at least 1 is needed")]
    ZeroLimit(&'static str),
    /// Nothing to play.
    #[error("{0}")]
    Senseless(&'static str),
}

impl MatchConfig {
    /// Checks what cannot be checked part by part.
    pub fn check(&self) -> Result<(), ConfigError> {
        if self.engines.len() < 2 {
            return Err(ConfigError::TooFewEngines);
        }
        for (i, engine) in self.engines.iter().enumerate() {
            engine.argv()?;
            if self.limits().iter().any(|limits| engine.limits.or(limits).is_empty()) {
                return Err(ConfigError::NoLimit(i + 1));
            }
        }
        let limits = self.limits();
        let limits = limits.iter().chain(self.engines.iter().map(|engine| &engine.limits));
        if let Some(name) = limits.filter_map(Limits::zero).next() {
            return Err(ConfigError::ZeroLimit(name));
        }
        if self.max_moves == Some(0) {
            return Err(ConfigError::ZeroLimit("max-moves"));
        }
        if self.rounds == Some(0) {
            return Err(ConfigError::ZeroLimit("rounds"));
        }
        if self.games == Some(0) {
            return Err(ConfigError::Senseless("--games: at least one game is needed"));
        }
        if self.concurrency == 0 {
            return Err(ConfigError::Senseless("--concurrency: at least one game at a time is needed"));
        }
        if seconds(&self.move_timeout.to_string()).is_none() {
            return Err(ConfigError::Senseless("--move-timeout: a number of seconds is wanted"));
        }
        Ruleset::named(&self.rules)?;
        if self.format == TournamentFormat::Swiss && self.games.is_some_and(|games| games > 2) {
            return Err(ConfigError::Senseless("--games: a meeting of the Swiss system has one game or two"));
        }
        if let Some(sprt) = &self.sprt {
            sprt.test()?;
            if self.format != TournamentFormat::Gauntlet || self.engines.len() != 2 {
                return Err(ConfigError::Senseless("--sprt: a test is between two engines"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::config::SprtConfig;
    use crate::arena::engine::EngineSpec;

    #[test]
    fn senseless_matches_are_refused() {
        let error = |change: fn(&mut MatchConfig)| {
            let mut config = MatchConfig {
                engines: vec![EngineSpec::new("a"), EngineSpec::new("b")],
                depth: Some(1),
                ..MatchConfig::default()
            };
            config.check().unwrap();
            change(&mut config);
            config.check().unwrap_err().to_string()
        };
        assert!(error(|c| c.depth = None).starts_with("engine 1: no limit"));
        assert!(error(|c| c.engines.truncate(1)).starts_with("a match needs at least two"));
        assert!(error(|c| c.games = Some(0)).starts_with("--games"));
        assert_eq!(error(|c| c.depth = Some(0)), "depth: at least 1 is needed");
        assert_eq!(error(|c| c.nodes = Some(0)), "nodes: at least 1 is needed");
        assert_eq!(error(|c| c.red.movetime = Some(0)), "movetime: at least 1 is needed");
        assert_eq!(error(|c| c.engines[1].limits.depth = Some(0)), "depth: at least 1 is needed");
        assert_eq!(error(|c| c.max_moves = Some(0)), "max-moves: at least 1 is needed");
        assert_eq!(error(|c| c.rounds = Some(0)), "rounds: at least 1 is needed");
        assert!(error(|c| c.concurrency = 0).starts_with("--concurrency"));
        assert!(
            error(|c| c.sprt = Some(SprtConfig { elo1: 0.0, ..SprtConfig::default() })).starts_with("sprt")
        );
    }
}
