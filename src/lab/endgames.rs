//! `endgames`: makes the exact tables of endings, checks them, and asks them about a position.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::Subcommand;
use indicatif::ProgressBar;
use thiserror::Error;

use crate::support::files::Draft;
use juzhong_engine::container::LoadError;
use juzhong_engine::endgame::{
    self, EndgameClass, EndgameClassError, EndgameLayout, EndgameTables, EndgameTablesError, ExactResult,
    SolveError, SolvedClass, closure, encode,
};
use xiangqi::board::{FenError, Position};
use xiangqi::notation::{self, Notation, chinese};
use xiangqi::rules::is_bare;
use xiangqi::types::Side;

/// The endings of the tables of the program, without those that captures in them lead to.
const CLASSES: &str = "KAACvkaa KAACvkb KABCvkaa KAPvka KBBCvk KCCvk KCPvkaa KCPvkbb KNPvkaa KNPvkab KNPvkbb KPPvkaab KPPvkabb \
                       KRvkaabb KRvkaac KRvkaan KRvkpp";

/// What `juzhong endgames` is asked to do.
#[derive(Debug, Subcommand)]
pub enum EndgamesTask {
    /// Solve endings and write their tables: two minutes on two cores for those of the program
    Build {
        /// The file to write
        out: PathBuf,
        /// The endings, as `KNPvkab`; those that captures lead to are added. Those of the program if not given
        #[arg(long, num_args = 1.., value_delimiter = ' ')]
        classes: Vec<String>,
        /// Threads; 0: one per core
        #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1024))]
        threads: u32,
    },
    /// Check tables: their bytes, and on demand every result
    Verify {
        /// The file; the tables of the program if not given
        file: Option<PathBuf>,
        /// Solve all endings again and compare every position
        #[arg(long)]
        solve: bool,
    },
    /// Show the result of a position and of each of its moves, in plies to the end
    Show {
        /// The position
        fen: String,
        /// The tables; those of the program if not given
        #[arg(long)]
        file: Option<PathBuf>,
    },
}

/// Why a task of `juzhong endgames` could not be done.
#[derive(Debug, Error)]
pub enum EndgamesError {
    /// A name is not the material of an ending.
    #[error(transparent)]
    Class(#[from] EndgameClassError),
    /// An ending cannot be solved.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// A file gives no tables.
    #[error(transparent)]
    File(#[from] LoadError<EndgameTablesError>),
    /// The tables are damaged.
    #[error(transparent)]
    Tables(#[from] EndgameTablesError),
    /// The text is not a position.
    #[error("{0}")]
    Fen(#[from] FenError),
    /// A result of the tables differs from that of solving the ending.
    #[error("{class}: {count} results are wrong")]
    Wrong {
        /// The ending.
        class: EndgameClass,
        /// How many of its positions.
        count: u64,
    },
    /// The threads cannot be started.
    #[error("cannot start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// The tables cannot be written.
    #[error("{}: {fault}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        fault: io::Error,
    },
    /// The report cannot be written.
    #[error("cannot write: {0}")]
    Report(#[from] io::Error),
}

/// Does a task, and writes what came of it to `report`.
///
/// # Errors
/// Returns an error if the input is invalid, the tables are wrong, or something cannot be written.
pub fn run(task: &EndgamesTask, report: &mut impl Write) -> Result<(), EndgamesError> {
    match task {
        EndgamesTask::Build { out, classes, threads } => {
            let unwritable = |fault| EndgamesError::Unwritable { path: out.clone(), fault };
            // Begun before the work, so that a place where nothing can be written shows at once.
            let mut draft = Draft::new(out).map_err(unwritable)?;
            let classes: Vec<EndgameClass> = match classes.as_slice() {
                [] => CLASSES.split_whitespace().map(str::parse).collect::<Result<_, _>>()?,
                names => names.iter().map(|name| name.parse()).collect::<Result<_, _>>()?,
            };
            let threads = rayon::ThreadPoolBuilder::new().num_threads(*threads as usize).build()?;
            let start = Instant::now();
            let solved = threads.install(|| solve_all(&classes))?;
            for (side, solved) in by_name(&solved).into_iter().flat_map(|s| Side::ALL.map(|side| (side, s))) {
                let (class, tally) = (solved.layout().class(), threads.install(|| solved.tally(side)));
                writeln!(
                    report,
                    "{class} {}: {} positions, {} won, {} drawn, {} lost, {} plies at most",
                    side.letter(),
                    tally.positions,
                    tally.won,
                    tally.drawn,
                    tally.lost,
                    tally.longest
                )?;
            }
            let bytes = threads.install(|| encode(&by_name(&solved)))?;
            draft.write_all(&bytes).and_then(|()| draft.finish()).map_err(unwritable)?;
            let seconds = start.elapsed().as_secs();
            writeln!(report, "{} endings, {} bytes, in {seconds} s", solved.len(), bytes.len())?;
        }
        EndgamesTask::Verify { file, solve } => {
            let tables = EndgameTables::open(file.as_deref())?;
            tables.check()?;
            writeln!(report, "{} endings, {} bytes, all sound", tables.classes().len(), tables.size())?;
            if *solve {
                let positions = compare(&tables)?;
                writeln!(report, "all {positions} results are right")?;
            }
        }
        EndgamesTask::Show { fen, file } => show(file.as_deref(), &Position::from_fen(fen)?, report)?,
    }
    Ok(())
}

fn by_name(solved: &HashMap<EndgameClass, SolvedClass>) -> Vec<&SolvedClass> {
    let mut list: Vec<&SolvedClass> = solved.values().collect();
    list.sort_by_key(|solved| solved.layout().class().to_string());
    list
}

/// The endings and all that captures in them lead to, solved.
fn solve_all(classes: &[EndgameClass]) -> Result<HashMap<EndgameClass, SolvedClass>, SolveError> {
    let size = |&class: &EndgameClass| EndgameLayout::new(class).map_or(0, |layout| layout.size());
    // Shown on a terminal only.
    let bar = ProgressBar::new(closure(classes).iter().map(size).sum::<usize>() as u64);
    let solved = endgame::solve_all(classes, |table| bar.inc(table.layout().size() as u64));
    bar.finish_and_clear();
    solved
}

/// Solves everything anew and compares it with the tables; returns how many results were compared.
fn compare(tables: &EndgameTables) -> Result<u64, EndgamesError> {
    let solved = solve_all(&tables.classes())?;
    let mut all = 0;
    for solved in by_name(&solved) {
        let (count, wrong) = tables.compare(solved);
        if wrong > 0 {
            return Err(EndgamesError::Wrong { class: solved.layout().class(), count: wrong });
        }
        all += count;
    }
    Ok(all)
}

fn show(path: Option<&Path>, position: &Position, report: &mut impl Write) -> Result<(), EndgamesError> {
    let tables: Arc<EndgameTables> = EndgameTables::open(path)?;
    writeln!(report, "{}", words(result(&tables, position)))?;
    let after = |&mv| {
        let mut after = position.clone();
        after.make(mv);
        (mv, result(&tables, &after).map(ExactResult::before))
    };
    let mut moves: Vec<_> = position.legal_moves().iter().map(after).collect();
    moves.sort_by_key(|(_, exact)| exact.map(|exact| -exact.rank()));
    for (mv, exact) in moves {
        let chinese = notation::write(position, mv, Notation::Chinese(chinese::ChineseStyle::SIMPLIFIED));
        writeln!(report, "{mv} {chinese} {}", words(exact))?;
    }
    Ok(())
}

/// What the tables know, and that nobody wins on a bare board.
fn result(tables: &EndgameTables, position: &Position) -> Option<ExactResult> {
    tables.probe(position).or_else(|| is_bare(position).then_some(ExactResult::Draw))
}

fn words(exact: Option<ExactResult>) -> String {
    match exact {
        None => "not known".to_owned(),
        Some(ExactResult::Draw) => "draw".to_owned(),
        Some(ExactResult::Win(1)) => "won in 1 ply".to_owned(),
        Some(ExactResult::Win(plies)) => format!("won in {plies} plies"),
        Some(ExactResult::Loss(plies)) => format!("lost in {plies} plies"),
    }
}
