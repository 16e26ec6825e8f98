//! How an engine is started and spoken to.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::arena::clock::{Limits, seconds};

/// The protocol an engine speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// Universal Chinese Chess Interface 3.0.
    Ucci,
    /// Universal Chess Interface as xiangqi programs use it.
    Uci,
}

impl Protocol {
    /// The word that opens a conversation.
    pub const fn greeting(self) -> &'static str {
        match self {
            Protocol::Ucci => "ucci",
            Protocol::Uci => "uci",
        }
    }

    /// The word that ends the engine's greeting.
    pub const fn greeting_end(self) -> &'static str {
        match self {
            Protocol::Ucci => "ucciok",
            Protocol::Uci => "uciok",
        }
    }
}

/// How an engine counts the ranks of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum RankNumbering {
    /// 0 to 9, as all UCCI programs do.
    #[serde(rename = "0-9")]
    FromZero,
    /// 1 to 10, as programs with several chess variants do in UCI.
    #[serde(rename = "1-10")]
    FromOne,
}

/// The unit of the numbers after `go time` in UCCI.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClockUnit {
    /// Seconds.
    #[serde(rename = "s")]
    Seconds,
    /// Milliseconds.
    #[serde(rename = "ms")]
    Milliseconds,
}

/// When an engine's process is restarted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Restart {
    /// A new process for every game.
    Game,
    /// Only after it crashed, hung or lost its connection.
    #[default]
    Fault,
}

/// One engine of a match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct EngineSpec {
    /// Program and arguments, with the quoting of a shell.
    pub cmd: String,
    /// Name in tables and records; the engine's own if empty.
    #[serde(default)]
    pub name: String,
    /// Working folder.
    #[serde(default)]
    pub dir: Option<PathBuf>,
    /// Protocol; found by asking if not given.
    #[serde(default)]
    pub proto: Option<Protocol>,
    /// Options to set, in the engine's own words.
    #[serde(default, rename = "option")]
    pub options: OptionValues,
    /// Numbering of ranks; by the engine's options if not given.
    #[serde(default)]
    pub ranks: Option<RankNumbering>,
    /// UCCI time unit; by the engine's options if not given.
    #[serde(default)]
    pub unit: Option<ClockUnit>,
    /// Time to start, in seconds.
    #[serde(default = "EngineSpec::default_start")]
    pub start_timeout: f64,
    /// Time to stop a search or to quit, in seconds.
    #[serde(default = "EngineSpec::default_stop")]
    pub stop_timeout: f64,
    /// When the process is restarted.
    #[serde(default)]
    pub restart: Restart,
    /// Niceness of the process, 0 to 19.
    #[serde(default)]
    pub nice: Option<u8>,
    /// Whether it thinks on the opponent's time.
    #[serde(default)]
    pub ponder: bool,
    /// The limits of this engine; those of the match if none is set.
    #[serde(default)]
    pub limits: Limits,
}

/// Options to set, in the engine's own words.
pub type OptionValues = BTreeMap<String, OptionValue>;

/// The value of an engine option as a configuration file may write it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum OptionValue {
    /// A check option.
    Check(bool),
    /// A spin option.
    Spin(i64),
    /// Anything else; empty for a button.
    Text(String),
}

impl std::fmt::Display for OptionValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            OptionValue::Check(on) => write!(f, "{on}"),
            OptionValue::Spin(n) => write!(f, "{n}"),
            OptionValue::Text(text) => f.write_str(text),
        }
    }
}

/// Why words do not describe an engine.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SpecError {
    /// A word without `=`.
    #[error("--engine: `{0}` is not of the form key=value")]
    NoValue(String),
    /// A key that is not known.
    #[error("--engine: unknown key `{0}`")]
    UnknownKey(String),
    /// A value that does not fit its key.
    #[error("--engine: {key}=`{value}`: {wanted} is wanted")]
    BadValue {
        /// The key.
        key: String,
        /// The value given.
        value: String,
        /// What is wanted.
        wanted: String,
    },
    /// No program.
    #[error("--engine: cmd=PROGRAM is missing")]
    NoCommand,
    /// A command line whose quotes do not close, or that is empty.
    #[error("engine command `{0}`: empty, or a quote does not close")]
    Quotes(String),
}

impl EngineSpec {
    const fn default_start() -> f64 {
        10.0
    }

    const fn default_stop() -> f64 {
        1.0
    }

    /// An engine with this command line and everything else at its default.
    pub fn new(cmd: &str) -> EngineSpec {
        EngineSpec {
            cmd: cmd.to_owned(),
            name: String::new(),
            dir: None,
            proto: None,
            options: OptionValues::new(),
            ranks: None,
            unit: None,
            start_timeout: Self::default_start(),
            stop_timeout: Self::default_stop(),
            restart: Restart::default(),
            nice: None,
            ponder: false,
            limits: Limits::default(),
        }
    }

    /// Reads the `key=value` words of the command line.
    pub fn from_words<S: AsRef<str>>(words: &[S]) -> Result<EngineSpec, SpecError> {
        let mut spec = EngineSpec::new("");
        for word in words {
            let word = word.as_ref();
            let (key, value) = word.split_once('=').ok_or_else(|| SpecError::NoValue(word.to_owned()))?;
            spec.set(key, value)?;
        }
        if spec.cmd.is_empty() {
            return Err(SpecError::NoCommand);
        }
        spec.argv()?;
        Ok(spec)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), SpecError> {
        let bad = |wanted: &str| SpecError::BadValue {
            key: key.to_owned(),
            value: value.to_owned(),
            wanted: wanted.to_owned(),
        };
        let time = || seconds(value).map(|d| d.as_secs_f64()).ok_or_else(|| bad("a number of seconds"));
        match key {
            "cmd" => self.cmd = value.to_owned(),
            "name" => self.name = value.to_owned(),
            "dir" => self.dir = Some(value.into()),
            "proto" => {
                self.proto = match value {
                    "ucci" => Some(Protocol::Ucci),
                    "uci" => Some(Protocol::Uci),
                    "auto" => None,
                    _ => return Err(bad("ucci, uci or auto")),
                }
            }
            "ranks" => {
                self.ranks = match value {
                    "0-9" => Some(RankNumbering::FromZero),
                    "1-10" => Some(RankNumbering::FromOne),
                    "auto" => None,
                    _ => return Err(bad("0-9, 1-10 or auto")),
                }
            }
            "unit" => {
                self.unit = match value {
                    "s" => Some(ClockUnit::Seconds),
                    "ms" => Some(ClockUnit::Milliseconds),
                    "auto" => None,
                    _ => return Err(bad("s, ms or auto")),
                }
            }
            "start-timeout" => self.start_timeout = time()?,
            "stop-timeout" => self.stop_timeout = time()?,
            "restart" => {
                self.restart = match value {
                    "game" => Restart::Game,
                    "fault" => Restart::Fault,
                    _ => return Err(bad("game or fault")),
                }
            }
            "nice" => {
                let nice = value.parse().ok().filter(|&n| n <= 19u8);
                self.nice = Some(nice.ok_or_else(|| bad("0 to 19"))?);
            }
            "ponder" => self.ponder = value.parse().map_err(|_| bad("true or false"))?,
            "tc" => self.limits.tc = Some(value.parse().map_err(|_| bad("[moves/]seconds[+increment]"))?),
            "movetime" => self.limits.movetime = Some(value.parse().map_err(|_| bad("milliseconds"))?),
            "nodes" => self.limits.nodes = Some(value.parse().map_err(|_| bad("a number of nodes"))?),
            "depth" => self.limits.depth = Some(value.parse().map_err(|_| bad("a number of plies"))?),
            _ => match key.strip_prefix("option.") {
                Some(name) if !name.is_empty() => {
                    self.options.insert(name.to_owned(), OptionValue::Text(value.to_owned()));
                }
                _ => return Err(SpecError::UnknownKey(key.to_owned())),
            },
        }
        Ok(())
    }

    /// Program and arguments: the words of the command line, quoted with `'` or `"` where they hold blanks. A backslash
    /// takes away the meaning of the character behind it, but on Windows it only separates folders.
    ///
    /// # Errors
    /// Returns an error if there is no word, or a quote does not close.
    pub fn argv(&self) -> Result<Vec<String>, SpecError> {
        words(&self.cmd, cfg!(windows))
            .filter(|argv| !argv.is_empty())
            .ok_or_else(|| SpecError::Quotes(self.cmd.clone()))
    }

    /// Time to start.
    pub fn start_time(&self) -> Duration {
        Duration::from_secs_f64(self.start_timeout.clamp(0.0, 86_400.0))
    }

    /// Time to stop a search or to quit.
    pub fn stop_time(&self) -> Duration {
        Duration::from_secs_f64(self.stop_timeout.clamp(0.0, 86_400.0))
    }
}

/// The words of a command line, or nothing if a quote does not close.
fn words(line: &str, plain_backslashes: bool) -> Option<Vec<String>> {
    if !plain_backslashes {
        return shlex::split(line);
    }
    // A character that no command line can hold stands for the backslash while the quotes are looked at.
    let words = shlex::split(&line.replace('\\', "\0"))?;
    Some(words.into_iter().map(|word| word.replace('\0', "\\")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_command_line() {
        let words = [
            "cmd=./engine --book 'my book'",
            "name=A",
            "proto=uci",
            "option.Hash=16",
            "option.Clear Hash=",
            "tc=40/10:5+0.1",
            "nodes=5000",
            "nice=5",
            "restart=game",
            "ranks=1-10",
            "unit=ms",
            "ponder=true",
        ];
        let spec = EngineSpec::from_words(&words).unwrap();
        assert_eq!(spec.argv().unwrap(), ["./engine", "--book", "my book"]);
        assert_eq!(spec.proto, Some(Protocol::Uci));
        assert_eq!(spec.options["Hash"].to_string(), "16");
        assert_eq!(spec.options["Clear Hash"].to_string(), "");
        assert_eq!(spec.limits.to_string(), "40/10:5+0.1 nodes 5000");
        assert_eq!((spec.nice, spec.restart, spec.ponder), (Some(5), Restart::Game, true));
        assert_eq!((spec.ranks, spec.unit), (Some(RankNumbering::FromOne), Some(ClockUnit::Milliseconds)));
    }

    #[test]
    fn backslashes_of_windows_are_no_escapes() {
        let line = r#"Z:\x\engine.exe "C:\my engines\" '\\server\a b'"#;
        assert_eq!(words(line, true).unwrap(), [r"Z:\x\engine.exe", r"C:\my engines\", r"\\server\a b"]);
        assert_eq!(words(r"./my\ engine", false).unwrap(), ["./my engine"]);
        assert_eq!(words(r#""C:\x"#, true), None);
        let spec = EngineSpec::from_words(&[r"cmd=Z:\x\engine.exe"]).unwrap();
        assert_eq!(spec.argv().unwrap()[0], if cfg!(windows) { r"Z:\x\engine.exe" } else { "Z:xengine.exe" });
    }

    #[test]
    fn bad_words_are_named() {
        let error = |words: &[&str]| EngineSpec::from_words(words).unwrap_err().to_string();
        assert_eq!(error(&["cmd"]), "--engine: `cmd` is not of the form key=value");
        assert_eq!(error(&["name=A"]), "--engine: cmd=PROGRAM is missing");
        assert_eq!(error(&["cmd=a", "colour=red"]), "--engine: unknown key `colour`");
        assert_eq!(error(&["cmd=a", "nice=20"]), "--engine: nice=`20`: 0 to 19 is wanted");
        assert_eq!(error(&["cmd=a 'b"]), "engine command `a 'b`: empty, or a quote does not close");
        assert!(error(&["cmd=a", "tc=never"]).contains("tc=`never`"));
    }
}
