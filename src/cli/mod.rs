//! The command line: what the program is asked, and the one line that refuses what makes no sense.

mod engine;
#[cfg(feature = "lab")]
mod lab;
mod manual;
#[cfg(any(test, not(feature = "lab")))]
mod without_lab;

use std::error::Error;
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};

use engine::EngineCommand;
use manual::ManualCommand;

/// The name that stands before a complaint.
const PROGRAM: &str = "juzhong";

/// The exit status of a command that was given something it cannot use.
const BAD_INPUT: u8 = 2;

#[cfg(feature = "lab")]
const EXAMPLES: &str = "\
Examples:
  juzhong                                start the engine for a GUI (UCCI or UCI)
  juzhong bench --depth 12               nodes and speed over fixed positions
  juzhong perft 5 --threads 1            count the positions five plies ahead
  juzhong match --engine cmd=./new --engine cmd=./old --tc 2+0.02 --games 200
  juzhong check-engine ./engine          does a program keep to its protocol?
  juzhong judge game.pgn                 rule on a repetition, move by move
  juzhong book show                      the opening moves of the book
  juzhong analyse game.pgn               mistakes and better moves, as PGN, JSON and HTML
  juzhong convert game.xqf --to wxf      any record as PGN, in the notation you read
  juzhong board --svg start.svg          a picture of a position
  juzhong eval --fen \"9/9/3k5/9/9/9/9/9/4R4/4K4 w\"";

#[cfg(not(feature = "lab"))]
const EXAMPLES: &str = "\
Examples:
  juzhong                                start the engine for a GUI (UCCI or UCI)
  juzhong bench --depth 12               nodes and speed over fixed positions
  juzhong perft 5 --threads 1            count the positions five plies ahead
  juzhong board                          draw a position as text
  juzhong eval --fen \"9/9/3k5/9/9/9/9/9/4R4/4K4 w\"
This build is the engine alone, without matches, training, analysis and conversion.";

/// Juzhong (橘中), a xiangqi engine that obeys the rule book. Without a command it speaks UCCI and UCI on
/// standard input and output.
#[derive(Debug, Parser)]
#[command(name = "juzhong", version, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Option<JuzhongCommand>,
}

#[derive(Debug, Subcommand)]
enum JuzhongCommand {
    #[command(flatten)]
    Engine(EngineCommand),
    #[cfg(feature = "lab")]
    #[command(flatten)]
    Lab(Box<lab::LabCommand>),
    #[command(flatten)]
    Manual(ManualCommand),
}

/// Runs the program with these arguments, the first of which is its name.
pub fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    match Arguments::try_parse_from(arguments) {
        Ok(arguments) => match perform(arguments.command) {
            Ok(status) => status,
            // The reader of the output has closed it, which is no fault of the command.
            Err(failure) if is_broken_pipe(&*failure) => ExitCode::SUCCESS,
            Err(failure) => complain(PROGRAM, failure, BAD_INPUT),
        },
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            error.print().map_or_else(|error| complain(PROGRAM, error, BAD_INPUT), |()| ExitCode::SUCCESS)
        }
        #[cfg(not(feature = "lab"))]
        Err(error) if without_lab::is_lab_command(&error) => {
            complain(PROGRAM, without_lab::EXPLANATION, BAD_INPUT)
        }
        Err(error) => complain(PROGRAM, cause(&error.to_string()), BAD_INPUT),
    }
}

fn perform(command: Option<JuzhongCommand>) -> Result<ExitCode, Box<dyn Error>> {
    let mut output = io::stdout().lock();
    match command {
        None => engine::speak(output)?,
        Some(JuzhongCommand::Engine(command)) => engine::perform(command, &mut output)?,
        #[cfg(feature = "lab")]
        Some(JuzhongCommand::Lab(command)) => return lab::perform(*command, &mut output),
        Some(JuzhongCommand::Manual(command)) => {
            manual::perform(command, Arguments::command(), &mut output)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether an error goes back to a pipe that nobody reads any more.
fn is_broken_pipe(error: &(dyn Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
            return true;
        }
        cause = error.source();
    }
    false
}

/// Writes lines until one cannot be written; `written` keeps the reason.
fn line_writer<'a>(output: &'a mut impl Write, written: &'a mut io::Result<()>) -> impl FnMut(String) + 'a {
    |line| {
        if written.is_ok() {
            *written = writeln!(output, "{line}");
        }
    }
}

/// The first paragraph of clap's explanation, which says what is wrong.
fn cause(text: &str) -> String {
    let first: Vec<&str> = text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
    first.join(" ").trim_start_matches("error: ").to_owned()
}

/// Says in one line on standard error why `speaker`, the program or one of its commands, ends with this status.
fn complain(speaker: &str, cause: impl Display, status: u8) -> ExitCode {
    warn(speaker, cause);
    ExitCode::from(status)
}

/// Says something in one line on standard error; `speaker` is the program or one of its commands.
fn warn(speaker: &str, what: impl Display) {
    // What is said quotes files and arguments: control characters are replaced, so that it stays one line and
    // cannot command the terminal.
    let what = what.to_string().replace(char::is_control, "\u{fffd}");
    // If standard error is closed, there is nobody left to tell.
    let _ = writeln!(io::stderr(), "{speaker}: {what}");
}
