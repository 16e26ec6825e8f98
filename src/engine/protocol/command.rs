//! From a line to a command: one tolerant reader for both protocols and the interactive extras.

use thiserror::Error;

use super::go::{BadLimit, GoCommand};
use super::position::{PositionCommand, PositionError};
use super::tokens::{Tokens, excerpt};
use crate::bench::{BenchArgs, BenchArgsError};

/// What a line asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command<'a> {
    /// Nothing: a blank line or a comment.
    Nothing,
    /// `uci`
    Uci,
    /// `ucci`
    Ucci,
    /// `isready`
    IsReady,
    /// `setoption`, with all that follows it.
    SetOption(&'a str),
    /// `position`.
    Position(PositionCommand<'a>),
    /// `fen` or `startpos` without `position`, as UCI-Cyclone has it.
    BarePosition(PositionCommand<'a>),
    /// `banmoves`, with its moves as sent.
    BanMoves(Vec<&'a str>),
    /// `go`, and the first of its limits that could not be read.
    Go(Box<GoCommand<'a>>, Option<BadLimit>),
    /// `ponderhit [draw]`
    PonderHit {
        /// The opponent offers a draw with the move.
        draw: bool,
    },
    /// `stop`
    Stop,
    /// `probe`; without a position, the present one is meant.
    Probe(Option<PositionCommand<'a>>),
    /// `quit`
    Quit,
    /// `ucinewgame`, also `uccinewgame` and `newgame`.
    NewGame,
    /// `debug on` or `debug off` (UCI).
    Debug(bool),
    /// `d`: draw the board.
    Draw,
    /// `eval`: the evaluation term by term.
    Eval,
    /// `bench`
    Bench(BenchArgs),
    /// `perft`, in plies.
    Perft(u32),
    /// `judge`: rule on the repetition at the end of the game on the board.
    Judge,
    /// `flip`: exchange the colours.
    Flip,
    /// `help`
    Help,
}

/// Why a line is no command. Nothing changes.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CommandError {
    /// The first word is not known.
    #[error("unknown command `{0}`: `help` lists the commands")]
    Unknown(String),
    /// A position that cannot be set up.
    #[error(transparent)]
    PositionCommand(#[from] PositionError),
    /// A number is missing or wrong.
    #[error("`{command}` wants {wanted}, not `{found}`")]
    Argument {
        /// The command's first word.
        command: &'static str,
        /// What should stand there.
        wanted: &'static str,
        /// What stands there.
        found: String,
    },
}

/// The deepest perft that makes sense: far beyond it, no machine ends.
const DEEPEST_PERFT: u32 = 20;

/// Whether `debug` is to be on: it is where nothing else is said.
fn debug(wish: &str) -> Result<bool, CommandError> {
    match wish.to_ascii_lowercase().as_str() {
        "" | "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(CommandError::Argument { command: "debug", wanted: "on or off", found: excerpt(wish) }),
    }
}

impl<'a> Command<'a> {
    /// Reads a line. Command words may be in any case, with any blanks around them.
    pub fn parse(line: &'a str) -> Result<Command<'a>, CommandError> {
        let mut words = Tokens::new(line);
        let Some(first) = words.next() else { return Ok(Command::Nothing) };
        if first.starts_with('#') {
            return Ok(Command::Nothing);
        }
        Ok(match first.to_ascii_lowercase().as_str() {
            "uci" => Command::Uci,
            "ucci" => Command::Ucci,
            "isready" => Command::IsReady,
            "setoption" => Command::SetOption(words.rest()),
            "position" => Command::Position(PositionCommand::parse(words.rest())?),
            "fen" | "startpos" => Command::BarePosition(PositionCommand::parse(line)?),
            "banmoves" => Command::BanMoves(words.collect()),
            "go" => match GoCommand::parse(words) {
                (GoCommand { perft: Some(depth), .. }, None) => perft(u32::try_from(depth).ok(), line)?,
                (go, fault) => Command::Go(Box::new(go), fault),
            },
            "ponderhit" => Command::PonderHit { draw: words.any(|word| word.eq_ignore_ascii_case("draw")) },
            "stop" => Command::Stop,
            "probe" if words.rest().is_empty() => Command::Probe(None),
            "probe" => Command::Probe(Some(PositionCommand::parse(words.rest())?)),
            "quit" | "exit" => Command::Quit,
            "ucinewgame" | "uccinewgame" | "newgame" => Command::NewGame,
            "debug" => Command::Debug(debug(words.rest())?),
            "d" => Command::Draw,
            "eval" => Command::Eval,
            "bench" => Command::Bench(bench(words)?),
            "perft" => perft(words.next().and_then(|word| word.parse().ok()), line)?,
            "judge" => Command::Judge,
            "flip" => Command::Flip,
            "help" => Command::Help,
            _ => return Err(CommandError::Unknown(excerpt(first))),
        })
    }
}

fn perft<'a>(depth: Option<u32>, line: &str) -> Result<Command<'a>, CommandError> {
    match depth {
        Some(depth @ 1..=DEEPEST_PERFT) => Ok(Command::Perft(depth)),
        _ => Err(CommandError::Argument {
            command: "perft",
            wanted: "a depth from 1 to 20",
            found: excerpt(Tokens::new(line).last().unwrap_or("")),
        }),
    }
}

fn bench(words: Tokens) -> Result<BenchArgs, CommandError> {
    BenchArgs::parse(words).map_err(|BenchArgsError(found)| CommandError::Argument {
        command: "bench",
        wanted: BenchArgs::USAGE,
        found: excerpt(&found),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_takes_on_and_off_and_nothing_else() {
        for (line, wish) in [("debug", true), ("debug on", true), ("debug OFF", false)] {
            assert_eq!(Command::parse(line).unwrap(), Command::Debug(wish), "{line}");
        }
        let error = Command::parse("debug maybe").unwrap_err().to_string();
        assert_eq!(error, "`debug` wants on or off, not `maybe`");
    }

    #[test]
    fn words_are_read_in_any_case_with_any_blanks() {
        assert_eq!(Command::parse(" UCCI \r"), Ok(Command::Ucci));
        assert_eq!(Command::parse("\tisReady  x"), Ok(Command::IsReady));
        assert_eq!(Command::parse("ponderhit draw"), Ok(Command::PonderHit { draw: true }));
        assert_eq!(Command::parse("ponderhit"), Ok(Command::PonderHit { draw: false }));
        assert_eq!(Command::parse("setoption bookfiles /a b\r"), Ok(Command::SetOption("bookfiles /a b")));
    }

    #[test]
    fn blanks_and_comments_are_nothing() {
        for line in ["", "  \r", "# a remark", "#"] {
            assert_eq!(Command::parse(line), Ok(Command::Nothing), "{line}");
        }
    }

    #[test]
    fn all_spellings_of_a_position_are_one() {
        let start = PositionCommand { fen: None, moves: vec!["h2e2"] };
        for line in ["position startpos moves h2e2", "POSITION STARTPOS x MOVES h2e2"] {
            assert_eq!(Command::parse(line), Ok(Command::Position(start.clone())), "{line}");
        }
        assert_eq!(Command::parse("startpos moves h2e2"), Ok(Command::BarePosition(start)));
        let setup = PositionCommand { fen: Some("9/9 w -- 0 1"), moves: vec![] };
        for line in ["position fen 9/9 w -- 0 1  moves", "position 9/9 w -- 0 1"] {
            assert_eq!(Command::parse(line), Ok(Command::Position(setup.clone())), "{line}");
        }
        assert_eq!(Command::parse("fen 9/9 w -- 0 1 moves "), Ok(Command::BarePosition(setup)));
        for line in ["position", "position h2e2", "position moves h2e2"] {
            assert_eq!(Command::parse(line), Err(PositionError::NoBoard.into()), "{line}");
        }
    }

    #[test]
    fn perft_has_two_spellings_and_a_sane_depth() {
        for line in ["perft 4", "go perft 4"] {
            assert_eq!(Command::parse(line), Ok(Command::Perft(4)), "{line}");
        }
        for line in ["perft", "perft x", "perft 0", "perft -1", "perft 21", "go perft 99"] {
            assert!(matches!(Command::parse(line), Err(CommandError::Argument { .. })), "{line}");
        }
    }

    #[test]
    fn bench_takes_the_words_of_the_command_line() {
        let wanted = BenchArgs { depth: 7, threads: 2, ..Default::default() };
        for line in ["bench 7 threads 2", "bench --depth 7 --threads 2", "bench threads 2 depth 7"] {
            assert_eq!(Command::parse(line), Ok(Command::Bench(wanted.clone())), "{line}");
        }
        for line in ["bench depth", "bench threads 0", "bench hash x", "bench colour 3"] {
            assert!(matches!(Command::parse(line), Err(CommandError::Argument { .. })), "{line}");
        }
    }

    #[test]
    fn unknown_words_are_named_in_the_error() {
        let error = Command::parse("nonsense 1 2").unwrap_err();
        assert_eq!(error, CommandError::Unknown("nonsense".into()));
    }
}
