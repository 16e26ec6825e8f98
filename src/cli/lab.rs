//! The commands of the laboratory, which the engine alone does not have.

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use clap::Subcommand;

use super::{BAD_INPUT, PROGRAM, complain, is_broken_pipe, line_writer};
use juzhong_lab::arena::MatchError;
use juzhong_lab::support::drawing::BoardPicture;
use juzhong_lab::support::files;
use juzhong_lab::tune::TuneError;
use juzhong_lab::{analyse, arena, book, check, convert, data, datagen, endgames, judge, train, tune};
use xiangqi::board::Position;
use xiangqi::types::Move;

/// The exit status of a match or a tuning that was interrupted.
const INTERRUPTED: u8 = 1;

#[derive(Debug, Subcommand)]
pub(super) enum LabCommand {
    /// Play matches between engines: any that speak UCCI or UCI
    Match(Box<arena::MatchArgs>),
    /// Tune the numbers of an engine by games between its two sides of a centre (SPSA)
    Tune(Box<tune::TuneArgs>),
    /// Examine whether a program keeps to its protocol, step by step
    CheckEngine(check::CheckArgs),
    /// Play games of the engine against itself to train a network with
    Datagen(datagen::DatagenOptions),
    /// Look into games for training, and make new files of them
    #[command(subcommand, arg_required_else_help = false)]
    Data(data::DataTask),
    /// Train a network with games of the engine
    Train(train::TrainOptions),
    /// Rule on the repetition at the end of a game, move by move
    Judge(judge::JudgeArgs),
    /// Make, show, merge and check opening books
    #[command(subcommand, arg_required_else_help = false)]
    Book(book::BookTask),
    /// Make and check exact tables of endings, and ask them about a position
    #[command(subcommand, arg_required_else_help = false)]
    Endgames(endgames::EndgamesTask),
    /// Analyse a game: mistakes, better moves, missed mates, as PGN, JSON and a page of HTML
    Analyse(analyse::AnalyseArgs),
    /// Write games as PGN in another notation: Chinese, WXF, coordinates
    Convert(convert::ConvertArgs),
}

/// Performs one command and writes its result; the status tells how a match, a tuning or an examination ended.
///
/// # Errors
/// The arguments cannot be used, or a result cannot be written.
pub(super) fn perform(command: LabCommand, output: &mut impl Write) -> Result<ExitCode, Box<dyn Error>> {
    // What could not be read of a file of games.
    let mut warn = |line: String| super::warn(PROGRAM, format_args!("left out: {line}"));
    match command {
        LabCommand::Match(args) => {
            let result = arena::run(&args, output);
            return ended("match", result, |error| matches!(error, MatchError::Interrupted));
        }
        LabCommand::Tune(args) => {
            let result = tune::run(&args, output);
            return ended("tune", result, |error| matches!(error, TuneError::Interrupted));
        }
        LabCommand::CheckEngine(args) => match check::run(&args, output) {
            Ok(true) => {}
            Ok(false) => return Ok(ExitCode::FAILURE),
            Err(error) => return ended("check-engine", Err(error), |_| false),
        },
        LabCommand::Data(task) => data::run(&task, output)?,
        LabCommand::Datagen(options) => datagen::run(&options, output)?,
        LabCommand::Train(options) => train::run(&options, output)?,
        LabCommand::Judge(args) => judge::run(&args, output, &mut warn)?,
        LabCommand::Book(task) => {
            let mut written = Ok(());
            book::run(&task, line_writer(output, &mut written), &mut warn)?;
            written?;
        }
        LabCommand::Endgames(task) => endgames::run(&task, output)?,
        LabCommand::Analyse(args) => write!(output, "{}", analyse::run(&args, &mut warn)?)?,
        LabCommand::Convert(args) => output.write_all(&convert::run(&args, &mut warn)?)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The end of a command that a script may start many of: its name stands before the cause, and an interruption has
/// a status of its own.
fn ended<E: Error + 'static>(
    command: &str,
    result: Result<(), E>,
    interrupted: impl FnOnce(&E) -> bool,
) -> Result<ExitCode, Box<dyn Error>> {
    match result {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(error) if is_broken_pipe(&error) => Err(error.into()),
        Err(error) => {
            let status = if interrupted(&error) { INTERRUPTED } else { BAD_INPUT };
            Ok(complain(&format!("juzhong {command}"), error, status))
        }
    }
}

/// Draws a position as an SVG file.
///
/// # Errors
/// The file cannot be written.
pub(super) fn draw(
    path: &Path,
    position: &Position,
    last: Option<Move>,
    flipped: bool,
) -> Result<(), Box<dyn Error>> {
    let picture = BoardPicture { position, last, flipped };
    files::replace(path, picture.to_string().as_bytes())
        .map_err(|error| format!("{}: {error}", path.display()).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engine_alone_knows_which_commands_it_lacks() {
        let command = LabCommand::augment_subcommands(clap::Command::new("juzhong"));
        let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        assert_eq!(names, crate::cli::without_lab::LAB_COMMANDS);
    }
}
