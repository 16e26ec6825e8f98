//! The command line.

use std::error::Error;
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};

use juzhong_engine::bench;
use juzhong_engine::engine::MOST_THREADS;
use juzhong_engine::eval::{Network, NetworkFileError, Trace};
use juzhong_engine::protocol;
use juzhong_lab::analyse;
use juzhong_lab::arena;
use juzhong_lab::book;
use juzhong_lab::convert;
use juzhong_lab::data::command as data;
use juzhong_lab::datagen;
use juzhong_lab::endgames;
use juzhong_lab::judge;
use juzhong_lab::picture;
use juzhong_lab::train;
use xiangqi::board::Position;
use xiangqi::perft;

/// The exit status of a command that was given something it cannot use.
const BAD_INPUT: u8 = 2;

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

/// Juzhong (橘中), a xiangqi engine that obeys the rule book. Without a command it speaks UCCI and UCI on
/// standard input and output.
#[derive(Debug, Parser)]
#[command(name = "juzhong", version, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Task>,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Search fixed positions; the last line is `<nodes> nodes <nps> nps`
    Bench {
        /// Plies to search
        #[arg(long, default_value_t = bench::DEFAULT_DEPTH, value_parser = clap::value_parser!(u32).range(1..))]
        depth: u32,
        /// Search threads; more than one make the node count vary
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(bench::MOST_THREADS)))]
        threads: u32,
        /// Megabytes of transposition table
        #[arg(long, default_value_t = bench::DEFAULT_HASH as u32, value_parser = clap::value_parser!(u32).range(1..=i64::from(bench::MOST_HASH)))]
        hash: u32,
    },
    /// Count the positions DEPTH plies ahead, move by move
    Perft {
        /// Plies
        #[arg(value_parser = clap::value_parser!(u32).range(1..=20))]
        depth: u32,
        /// The position; the start position if not given
        #[arg(long, value_parser = position)]
        fen: Option<Position>,
        /// Threads; 0: one a core
        #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=MOST_THREADS as i64))]
        threads: u32,
    },
    /// Play matches between engines: any that speak UCCI or UCI
    Match(Box<arena::MatchArgs>),
    /// Tune the numbers of an engine by games between its two sides of a centre (SPSA)
    Tune(Box<juzhong_lab::tune::TuneArgs>),
    /// Examine whether a program keeps to its protocol, step by step
    CheckEngine(juzhong_lab::check::CheckArgs),
    /// Play games of the engine against itself to train a network with
    Datagen(datagen::Options),
    /// Look into games for training, and make new files of them
    #[command(subcommand, arg_required_else_help = false)]
    Data(data::Task),
    /// Train a network with games of the engine
    Train(train::Options),
    /// Rule on the repetition at the end of a game, move by move
    Judge(judge::Args),
    /// Make, show, merge and check opening books
    #[command(subcommand, arg_required_else_help = false)]
    Book(book::Task),
    /// Make and check exact tables of endings, and ask them about a position
    #[command(subcommand, arg_required_else_help = false)]
    Endgames(endgames::Task),
    /// Analyse a game: mistakes, better moves, missed mates, as PGN, JSON and a page of HTML
    Analyse(analyse::Options),
    /// Write games as PGN in another notation: Chinese, WXF, coordinates
    Convert(convert::Options),
    /// Draw a position: as text, or as an SVG picture
    Board(picture::Options),
    /// Show what the network sees in a position: the worth of each piece, the value by each bucket
    Eval {
        /// The position; the start position if not given
        #[arg(long, value_parser = position)]
        fen: Option<Position>,
        /// The network; the one of the program if not given
        #[arg(long)]
        net: Option<PathBuf>,
    },
}

fn position(fen: &str) -> Result<Position, xiangqi::board::FenError> {
    Position::from_fen(fen)
}

/// Runs the program with these arguments, the first of which is its name.
pub fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    match Arguments::try_parse_from(arguments) {
        Ok(arguments) => match perform(arguments.command) {
            Ok(status) => status,
            // Whoever read the output has had enough.
            Err(failure) if is_broken_pipe(&failure) => ExitCode::SUCCESS,
            Err(failure) => complain(failure),
        },
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            error.print().map_or_else(complain, |()| ExitCode::SUCCESS)
        }
        Err(error) => complain(cause(&error.to_string())),
    }
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

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("cannot write: {0}")]
    Output(#[from] io::Error),
    #[error(transparent)]
    Bench(#[from] bench::BenchError),
    #[error(transparent)]
    Data(#[from] data::Failure),
    #[error(transparent)]
    Datagen(#[from] datagen::DatagenError),
    #[error(transparent)]
    Train(#[from] train::TrainError),
    #[error(transparent)]
    Judge(judge::JudgeError),
    #[error(transparent)]
    Book(#[from] book::Failure),
    #[error(transparent)]
    Endgames(#[from] endgames::Failure),
    #[error(transparent)]
    Analyse(#[from] analyse::AnalyseError),
    #[error(transparent)]
    Convert(#[from] convert::ConvertError),
    #[error(transparent)]
    Picture(#[from] picture::PictureError),
    #[error(transparent)]
    Network(#[from] NetworkFileError),
    #[error("cannot start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl From<judge::JudgeError> for Failure {
    fn from(error: judge::JudgeError) -> Failure {
        match error {
            judge::JudgeError::Output(error) => Failure::Output(error),
            error => Failure::Judge(error),
        }
    }
}

fn perform(task: Option<Task>) -> Result<ExitCode, Failure> {
    let mut output = io::stdout().lock();
    let never = AtomicBool::new(false);
    match task {
        None => protocol::run(io::stdin(), output, io::stdout().is_terminal())?,
        Some(Task::Bench { depth, threads, hash }) => {
            let settings = bench::Settings { depth, threads: threads as usize, hash_mb: hash as usize };
            let mut written = Ok(());
            bench::run(&settings, &never, line_writer(&mut output, &mut written))?;
            written?;
        }
        Some(Task::Perft { depth, fen, threads }) => {
            let position = fen.unwrap_or_else(Position::startpos);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads as usize).build()?;
            let start = Instant::now();
            let counts = pool.install(|| perft::divide(&position, depth, &never)).unwrap_or_default();
            let seconds = start.elapsed().as_secs_f64();
            for line in perft::lines(&counts, |mv| mv) {
                writeln!(output, "{line}")?;
            }
            let nodes = perft::total(&counts);
            writeln!(output, "{nodes} nodes {} nps", (nodes as f64 / seconds.max(1e-9)) as u64)?;
        }
        // These have a status for each way in which they can end.
        Some(Task::Match(arguments)) => return Ok(arena::run(&arguments)),
        Some(Task::Tune(arguments)) => return Ok(juzhong_lab::tune::run(&arguments)),
        Some(Task::CheckEngine(arguments)) => return Ok(juzhong_lab::check::run(&arguments)),
        Some(Task::Data(task)) => data::run(&task, &mut output)?,
        Some(Task::Datagen(options)) => datagen::run(&options, &mut output)?,
        Some(Task::Train(options)) => train::run(&options, &mut output)?,
        Some(Task::Judge(args)) => judge::run(&args, &mut output)?,
        Some(Task::Book(task)) => {
            let mut written = Ok(());
            book::run(&task, line_writer(&mut output, &mut written))?;
            written?;
        }
        Some(Task::Endgames(task)) => endgames::run(&task, &mut output)?,
        Some(Task::Analyse(options)) => write!(output, "{}", analyse::run(&options)?)?,
        Some(Task::Convert(options)) => output.write_all(&convert::run(&options)?)?,
        Some(Task::Board(options)) => {
            let text = picture::run(&options, output.is_terminal())?;
            write!(output, "{text}")?;
        }
        Some(Task::Eval { fen, net }) => {
            let network = Network::open(net.as_deref())?;
            writeln!(output, "{}", Trace::new(&network, &fen.unwrap_or_else(Position::startpos)))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes lines until one cannot be written; `written` keeps the reason.
fn line_writer<'a>(output: &'a mut impl Write, written: &'a mut io::Result<()>) -> impl FnMut(String) + 'a {
    |line| {
        if written.is_ok() {
            *written = writeln!(output, "{line}");
        }
    }
}

/// clap explains an error in several paragraphs, of which the first says what is wrong.
fn cause(text: &str) -> String {
    let first: Vec<&str> = text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
    first.join(" ").trim_start_matches("error: ").to_owned()
}

#[allow(clippy::print_stderr)] // The one place where the command line speaks to standard error.
fn complain(cause: impl Display) -> ExitCode {
    // Words of files and arguments are quoted in it: one line it stays, and no terminal obeys them.
    let cause = cause.to_string().replace(char::is_control, "\u{fffd}");
    eprintln!("juzhong: {cause}");
    ExitCode::from(BAD_INPUT)
}
