//! The description of a match: from a TOML file, the command line, or both.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::adjudication::{DrawByScore, Offers, ResignByScore};
use super::clock::{Limits, TimeControl};
use super::engine::EngineSpec;
use super::game::GameRules;
use super::openings::{Opening, OpeningError, Order, arrange};
use super::pgn::MoveStyle;
use super::schedule::{Encounters, GameSchedule};
use super::stats::{EloModel, Sprt, SprtError};
use super::tournament::{Knockout, Scoring, Swiss, Waves};
use super::validation::ConfigError;
use xiangqi::rules::{CXA2020, Ruleset};

/// Who meets whom.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentFormat {
    /// The first engine against each of the others; with two engines a plain match.
    #[default]
    Gauntlet,
    /// Every engine against every other (循环制).
    RoundRobin,
    /// Players with like points meet (积分编排制).
    Swiss,
    /// The loser of a meeting is out (淘汰制).
    Knockout,
}

/// A sequential test as a description states it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SprtConfig {
    /// Elo of H0.
    pub elo0: f64,
    /// Elo of H1.
    pub elo1: f64,
    /// Rate of false positives.
    pub alpha: f64,
    /// Rate of false negatives.
    pub beta: f64,
    /// Meaning of the Elo numbers.
    pub model: EloModel,
}

impl Default for SprtConfig {
    fn default() -> SprtConfig {
        SprtConfig { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: EloModel::Normalised }
    }
}

impl SprtConfig {
    /// The test.
    pub fn test(&self) -> Result<Sprt, SprtError> {
        Sprt::new(self.elo0, self.elo1, self.alpha, self.beta, self.model)
    }
}

/// A whole match. In a TOML file the engines are `[[engine]]` tables and everything else stands above them or in
/// the tables `[red]`, `[black]`, `[sprt]`, `[draw]`, `[resign]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct MatchConfig {
    /// The engines.
    #[serde(rename = "engine")]
    pub engines: Vec<EngineSpec>,
    /// Who meets whom.
    pub format: TournamentFormat,
    /// Games of each encounter; in the Swiss system 1 or 2.
    pub games: Option<u32>,
    /// Rounds of the Swiss system.
    pub rounds: Option<u32>,
    /// How games count in the table.
    pub scoring: Scoring,
    /// Rules that repetitions are judged by: cxa2020, cxa1999, asian, checkban or alwaysdraw.
    pub rules: String,
    /// Games at a time.
    pub concurrency: usize,
    /// Clock for everybody: `[moves/]seconds[+increment]`, more periods behind `:`.
    pub tc: Option<TimeControl>,
    /// Time for each move in milliseconds.
    pub movetime: Option<u64>,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Depth for each move.
    pub depth: Option<u32>,
    /// Limits of the player with the red pieces.
    pub red: Limits,
    /// Limits of the player with the black pieces.
    pub black: Limits,
    /// File of openings; `book` for lines of this program's own book.
    pub openings: Option<PathBuf>,
    /// Plies taken from each game of a PGN or XQF file, or from the book.
    pub plies: usize,
    /// Order of the openings.
    pub order: Order,
    /// Seed of everything random.
    pub seed: u64,
    /// Openings to leave out at the start of the list.
    pub skip: usize,
    /// Time over the limit that is forgiven, in milliseconds.
    pub margin: u64,
    /// Longest thought where no clock bounds it, in seconds.
    pub move_timeout: f64,
    /// Rounds without capture that draw; 0: no limit.
    pub natural_limit: u32,
    /// Full moves after which a game is drawn.
    pub max_moves: Option<u32>,
    /// Draw offers.
    pub offers: Offers,
    /// Draws by score.
    pub draw: Option<DrawByScore>,
    /// Whether an ending that the exact tables of this program know ends the game with their result.
    pub tables: bool,
    /// Losses by score.
    pub resign: Option<ResignByScore>,
    /// Sequential test between the first two engines.
    pub sprt: Option<SprtConfig>,
    /// Name of the match in the records.
    pub event: String,
    /// Place of the match in the records.
    pub site: String,
    /// Notation of the moves in the PGN.
    pub notation: MoveStyle,
    /// Print the state of the match after so many games; 0: a line for each game where there is no terminal.
    pub every: u64,
    /// Start of the names of the record files.
    pub out: Option<PathBuf>,
    /// Log of all traffic.
    pub log: Option<PathBuf>,
}

impl Default for MatchConfig {
    fn default() -> MatchConfig {
        MatchConfig {
            engines: Vec::new(),
            format: TournamentFormat::default(),
            games: None,
            rounds: None,
            scoring: Scoring::default(),
            rules: CXA2020.name.to_owned(),
            concurrency: 1,
            tc: None,
            movetime: None,
            nodes: None,
            depth: None,
            red: Limits::default(),
            black: Limits::default(),
            openings: None,
            plies: 8,
            order: Order::default(),
            seed: 1,
            skip: 0,
            margin: 20,
            move_timeout: 120.0,
            natural_limit: 60,
            max_moves: None,
            offers: Offers::default(),
            draw: None,
            tables: false,
            resign: None,
            sprt: None,
            event: "Engine match".to_owned(),
            site: "?".to_owned(),
            notation: MoveStyle::default(),
            every: 0,
            out: None,
            log: None,
        }
    }
}

impl MatchConfig {
    /// Reads a TOML file.
    pub fn read(path: &Path) -> Result<MatchConfig, ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| ConfigError::File { path: path.to_owned(), source })?;
        toml::from_str(&text).map_err(|error| ConfigError::Toml {
            path: path.to_owned(),
            line: error.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1),
            message: error.message().replace('\n', " "),
        })
    }

    /// Games of each encounter: by default 100 in a match, as many as a sequential test may need, 2 elsewhere.
    pub fn games(&self) -> u32 {
        self.games.unwrap_or(match self.format {
            TournamentFormat::Gauntlet if self.sprt.is_some() => 200_000,
            TournamentFormat::Gauntlet => 100,
            TournamentFormat::RoundRobin | TournamentFormat::Swiss | TournamentFormat::Knockout => 2,
        })
    }

    /// The games to be played.
    pub fn schedule(&self) -> Box<dyn GameSchedule> {
        let (players, games) = (self.engines.len(), self.games());
        match self.format {
            TournamentFormat::Gauntlet => Box::new(Encounters::gauntlet(players, games)),
            TournamentFormat::RoundRobin => Box::new(Encounters::round_robin(players, games)),
            TournamentFormat::Swiss => {
                let rounds = self.rounds.unwrap_or_else(|| Swiss::usual_rounds(players));
                Box::new(Waves::new(Swiss::new(players, rounds, games, self.scoring)))
            }
            TournamentFormat::Knockout => Box::new(Waves::new(Knockout::new(players, games))),
        }
    }

    /// A remark if all games begin alike, because engines that do not vary then repeat themselves.
    pub fn remark_on_openings(&self) -> Option<&'static str> {
        (self.openings.is_none() && self.games() > 2).then_some(
            "No openings: every game begins at the start position, and engines that do not vary repeat themselves; \
             --openings FILE or --openings book gives them different games",
        )
    }

    /// Limits of red and black for engines without limits of their own.
    pub fn limits(&self) -> [Limits; 2] {
        let all =
            Limits { tc: self.tc.clone(), movetime: self.movetime, nodes: self.nodes, depth: self.depth };
        [self.red.or(&all), self.black.or(&all)]
    }

    /// Rules of the games.
    pub fn rules(&self) -> GameRules {
        GameRules {
            // A name that is not known has been refused by `check`.
            ruleset: Ruleset::named(&self.rules).unwrap_or(&CXA2020),
            no_capture: (self.natural_limit > 0).then(|| self.natural_limit.saturating_mul(2)),
            draw: self.draw,
            resign: self.resign,
            offers: self.offers,
            tables: self.tables,
            max_moves: self.max_moves,
            margin: Duration::from_millis(self.margin),
            move_timeout: Duration::from_secs_f64(self.move_timeout.clamp(0.0, 86_400.0)),
        }
    }

    /// The openings in the order in which they are used; the usual start if there is no file.
    ///
    /// `warn` gets a line for each invalid part of the file, which is left out.
    pub fn load_openings(&self, warn: &mut dyn FnMut(String)) -> Result<Vec<Opening>, OpeningError> {
        let mut openings = match &self.openings {
            None => vec![Opening::startpos()],
            Some(path) if path.as_os_str() == "book" => Opening::of_book(self.plies, self.seed),
            Some(path) => Opening::read_file(path, self.plies, warn)?,
        };
        arrange(&mut openings, self.order, self.seed);
        let skip = self.skip % openings.len();
        openings.rotate_left(skip);
        Ok(openings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file() {
        let text = r#"
            games = 200
            concurrency = 2
            tc = "2+0.02"
            order = "random"
            offers = "off"
            [black]
            tc = "40/10"
            [sprt]
            elo1 = 8
            [draw]
            from-move = 30
            moves = 8
            score = 10
            [[engine]]
            cmd = "./a"
            proto = "ucci"
            option.hashsize = 16
            option.usebook = false
            [[engine]]
            cmd = "./b"
            limits.nodes = 5000
        "#;
        let config: MatchConfig = toml::from_str(text).unwrap();
        config.check().unwrap();
        assert_eq!(config.limits().map(|l| l.to_string()), ["2+0.02", "40/10"]);
        assert_eq!(config.sprt.unwrap().elo1, 8.0);
        assert_eq!(config.engines[0].options["usebook"].to_string(), "false");
        assert_eq!(config.engines[1].limits.nodes, Some(5000));
        assert_eq!(config.games(), 200);
    }

    #[test]
    fn faults_name_their_line() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "games = 2\n\ngame = 3\n").unwrap();
        let error = MatchConfig::read(file.path()).unwrap_err().to_string();
        assert!(error.contains(":3: unknown field `game`"), "{error}");
    }
}
