//! The commands of every build: what the engine itself can do.

use std::error::Error;
use std::io::{self, IsTerminal, StdoutLock, Write};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use clap::{Args, Subcommand};

use super::line_writer;
use juzhong_engine::bench::{self, BenchArgs};
use juzhong_engine::engine::MOST_THREADS;
use juzhong_engine::eval::{Network, Trace};
use juzhong_engine::protocol;
use xiangqi::board::{FenError, Position};
use xiangqi::diagram::Diagram;
use xiangqi::perft;
use xiangqi::types::Move;

#[derive(Debug, Subcommand)]
pub(super) enum EngineCommand {
    /// Search fixed positions; the last line is `<nodes> nodes <nps> nps`
    Bench(BenchWords),
    /// Count the positions DEPTH plies ahead, move by move
    Perft(Box<PerftArgs>),
    /// Draw a position: as text, or as an SVG picture
    #[command(alias = "d")]
    Board(Box<BoardArgs>),
    /// Show what the network sees in a position: the worth of each piece, the value by each bucket
    Eval(Box<EvalArgs>),
}

#[derive(Debug, Args)]
pub(super) struct BenchWords {
    /// `--depth N` plies to search (10), `--threads N` (1; more make the node count vary), `--hash N` megabytes (16)
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

#[derive(Debug, Args)]
pub(super) struct PerftArgs {
    /// Plies
    #[arg(value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// The position; the start position if not given
    #[arg(long, value_parser = position)]
    fen: Option<Position>,
    /// Threads; 0: one a core
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=MOST_THREADS as i64))]
    threads: u32,
}

#[derive(Debug, Args)]
pub(super) struct BoardArgs {
    /// The position; the start position if not given
    #[arg(value_parser = position)]
    fen: Option<Position>,
    /// A move to mark, the last one played, in coordinates
    #[arg(long)]
    last: Option<Move>,
    /// The picture to write; without it the board is drawn as text
    #[cfg(feature = "lab")]
    #[arg(long)]
    svg: Option<PathBuf>,
    /// Black at the bottom of the picture
    #[cfg(feature = "lab")]
    #[arg(long, requires = "svg")]
    flip: bool,
}

#[derive(Debug, Args)]
pub(super) struct EvalArgs {
    /// The position; the start position if not given
    #[arg(long, value_parser = position)]
    fen: Option<Position>,
    /// The network; the one of the program if not given
    #[arg(long)]
    net: Option<PathBuf>,
}

fn position(fen: &str) -> Result<Position, FenError> {
    Position::from_fen(fen)
}

/// Whether an output is a terminal that shows colours. Consoles of Windows have to be asked to, and old ones cannot.
fn shows_colour(output: &impl IsTerminal) -> bool {
    output.is_terminal()
        && !anstyle_query::no_color()
        && anstyle_query::windows::enable_ansi_colors()
            .unwrap_or_else(anstyle_query::term_supports_ansi_color)
}

/// Speaks UCCI or UCI with a client until it leaves.
pub(super) fn speak(output: StdoutLock<'static>) -> io::Result<()> {
    let colour = shows_colour(&output);
    protocol::run(io::stdin(), output, colour)
}

/// Performs one command and writes its result.
///
/// # Errors
/// The arguments cannot be used, or the output cannot be written.
pub(super) fn perform(command: EngineCommand, output: &mut StdoutLock<'_>) -> Result<(), Box<dyn Error>> {
    match command {
        EngineCommand::Bench(args) => run_bench(&args, output),
        EngineCommand::Perft(args) => run_perft(*args, output),
        EngineCommand::Board(args) => draw(*args, output),
        EngineCommand::Eval(args) => show_eval(*args, output),
    }
}

fn run_bench(args: &BenchWords, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let args = BenchArgs::parse(args.words.iter().map(String::as_str))?;
    let mut written = Ok(());
    bench::run(&args, &AtomicBool::new(false), line_writer(output, &mut written))?;
    Ok(written?)
}

fn run_perft(args: PerftArgs, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let position = args.fen.unwrap_or_else(Position::startpos);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads as usize).build()?;
    let start = Instant::now();
    let never = AtomicBool::new(false);
    let counts = pool.install(|| perft::divide(&position, args.depth, &never)).unwrap_or_default();
    let seconds = start.elapsed().as_secs_f64();
    for line in perft::lines(&counts, |mv| mv) {
        writeln!(output, "{line}")?;
    }
    let nodes = perft::total(&counts);
    writeln!(output, "{nodes} nodes {} nps", (nodes as f64 / seconds.max(1e-9)) as u64)?;
    Ok(())
}

fn show_eval(args: EvalArgs, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let network = Network::open(args.net.as_deref())?;
    writeln!(output, "{}", Trace::new(&network, &args.fen.unwrap_or_else(Position::startpos)))?;
    Ok(())
}

fn draw(args: BoardArgs, output: &mut StdoutLock<'_>) -> Result<(), Box<dyn Error>> {
    let position = args.fen.unwrap_or_else(Position::startpos);
    #[cfg(feature = "lab")]
    if let Some(path) = &args.svg {
        return super::lab::draw(path, &position, args.last, args.flip);
    }
    let diagram = Diagram { last: args.last, ..Diagram::new(&position, output.is_terminal()) };
    writeln!(output, "{diagram}")?;
    Ok(())
}
