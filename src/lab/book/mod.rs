//! `book`: makes opening books from games, shows them, puts them together and checks them.

mod check;
mod elephanteye;
mod sources;
mod variety;

use std::io;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use thiserror::Error;

use crate::support::files;
use crate::support::games::ReadingArgs;
use juzhong_engine::book::{
    Book, BookBuilder, BookContents, BookError, BookFilter, BookMove, CanonicalKey, encode, reached,
};
use juzhong_engine::container::LoadError;
use sources::{BookSource, BookSourceError};
use variety::OpeningVariety;
use xiangqi::board::{FenError, Position};
use xiangqi::notation::{self, Notation, chinese};

/// What `juzhong book` is asked to do.
#[derive(Debug, Subcommand)]
pub enum BookTask {
    /// Make a book from games (PGN, XQF, lines `result TAB moves`), from lines of play (moves and nothing else) or
    /// from other books (`FEN TAB move TAB weight`, `move weight FEN`, BOOK.DAT of ElephantEye); also compressed
    /// with gzip
    Build {
        /// The files
        #[arg(required = true)]
        games: Vec<PathBuf>,
        /// The book to write
        #[arg(long, short)]
        out: PathBuf,
        /// Plies of each game that go into the book
        #[arg(long, default_value_t = 30)]
        plies: usize,
        /// Games in which a move must have been played
        #[arg(long, default_value_t = 5)]
        min_games: u32,
        /// Smallest share of the games of its position, in per cent
        #[arg(long, default_value_t = 4.0)]
        min_share: f64,
        /// Smallest share of points that a move must have earned, in per cent
        #[arg(long, default_value_t = 38.0)]
        min_score: f64,
        /// Nodes with which the engine searches every move, to drop the bad ones; 0 for no search
        #[arg(long, default_value_t = 0)]
        nodes: u64,
        /// By how many centipawns a move may be worse than the best
        #[arg(long, default_value_t = 90)]
        margin: u16,
        /// Games from which on the engine does not judge a move
        #[arg(long, default_value_t = 100)]
        trust: u32,
        /// How to read the files
        #[command(flatten)]
        reading: ReadingArgs,
    },
    /// Show the moves a book has for a position
    Show {
        /// The position; the start position if not given
        fen: Option<String>,
        /// The book file; the one of the program if not given
        #[arg(long)]
        book: Option<PathBuf>,
    },
    /// Put the games of several books together
    Merge {
        /// The books
        #[arg(required = true)]
        books: Vec<PathBuf>,
        /// The book to write
        #[arg(long, short)]
        out: PathBuf,
    },
    /// Count the different opening lines of games, to measure the variety of a book
    Variety {
        /// The files of games: PGN, XQF, as for `build`
        #[arg(required = true)]
        games: Vec<PathBuf>,
        /// Plies after which lines are compared
        #[arg(long, default_value_t = 12)]
        plies: usize,
        /// How to read the files
        #[command(flatten)]
        reading: ReadingArgs,
    },
    /// Check a book: its bytes, and the legality of its moves as far as they can be reached
    Verify {
        /// The book file; the one of the program if not given
        book: Option<PathBuf>,
    },
}

/// Why a task of `juzhong book` could not be done.
#[derive(Debug, Error)]
pub enum BookToolError {
    /// A file of games is invalid.
    #[error(transparent)]
    Source(#[from] BookSourceError),
    /// A file is not a book.
    #[error(transparent)]
    Book(#[from] LoadError<BookError>),
    /// The games leave no move for a book.
    #[error("no move to make a book of: no game with a result, or none played often and well enough")]
    Empty,
    /// A file stands where a position is wanted.
    #[error("`{0}` is a file, not a position: give it behind --book")]
    FileAsPosition(String),
    /// The text is not a position.
    #[error("{0}")]
    Fen(#[from] FenError),
    /// The book could not be written.
    #[error("{}: {fault}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        fault: io::Error,
    },
    /// The book holds moves that cannot be played.
    #[error("{name}: {moves} moves are not legal, the first of them in {fen}")]
    Illegal {
        /// The book.
        name: String,
        /// How many.
        moves: usize,
        /// The position of the first.
        fen: String,
    },
}

/// Does the work; `write` gets each line of the report, `warn` one for each invalid part of a file, which is left out.
pub fn run(
    task: &BookTask,
    mut write: impl FnMut(String),
    warn: &mut dyn FnMut(String),
) -> Result<(), BookToolError> {
    match task {
        BookTask::Build {
            games,
            out,
            plies,
            min_games,
            min_share,
            min_score,
            nodes,
            margin,
            trust,
            reading,
        } => {
            let read: Vec<&Path> = games.iter().map(PathBuf::as_path).collect();
            files::keep_apart(&[out], &read)
                .map_err(|(path, fault)| BookToolError::Unwritable { path, fault })?;
            let sieve = BookFilter { games: *min_games, share: min_share / 100.0, score: min_score / 100.0 };
            let mut contents = collect(games, *plies, &sieve, &mut write, (reading, warn))?;
            if *nodes > 0 {
                let standard =
                    check::MoveStandard { nodes: *nodes, margin: (*margin).into(), trusted: *trust };
                let report = check::drop_bad(&mut contents, &standard);
                write(format!(
                    "{} moves of {} positions looked at, {} dropped",
                    report.searched, report.positions, report.dropped
                ));
            }
            if contents.values().all(Vec::is_empty) {
                return Err(BookToolError::Empty);
            }
            save(out, &encode(&contents))?;
            write(summary(&Book::read(out)?));
        }
        BookTask::Show { fen, book } => {
            let position = match fen.as_deref() {
                Some(name) if Path::new(name).is_file() => {
                    return Err(BookToolError::FileAsPosition(name.to_owned()));
                }
                fen => fen.map_or_else(|| Ok(Position::startpos()), Position::from_fen)?,
            };
            show(&open(book.as_deref())?, &position).into_iter().for_each(write);
        }
        BookTask::Merge { books, out } => {
            let mut builder = BookBuilder::new(0);
            for path in books {
                builder.add_book(&Book::read(path)?);
            }
            save(out, &encode(&builder.contents(&BookFilter::OPEN)))?;
            write(summary(&Book::read(out)?));
        }
        BookTask::Variety { games, plies, reading } => {
            for path in games {
                let games = BookSource::read(path)?.games(reading, warn)?;
                write(format!("{}: {}", path.display(), OpeningVariety::of(&games, *plies)));
            }
        }
        BookTask::Verify { book } => verify(book.as_deref(), write)?,
    }
    Ok(())
}

fn open(path: Option<&Path>) -> Result<Book, BookToolError> {
    Ok(path.map_or_else(|| Ok(Book::embedded().clone()), Book::read)?)
}

/// The games of the files, sieved.
fn collect(
    files: &[PathBuf],
    plies: usize,
    sieve: &BookFilter,
    write: &mut impl FnMut(String),
    (reading, warn): (&ReadingArgs, &mut dyn FnMut(String)),
) -> Result<BookContents, BookToolError> {
    let mut builder = BookBuilder::new(plies);
    for path in files {
        let counts = BookSource::read(path)?.add_to(&mut builder, reading, warn)?;
        write(format!("{}: {counts}", path.display()));
    }
    Ok(builder.contents(sieve))
}

fn save(path: &Path, book: &[u8]) -> Result<(), BookToolError> {
    files::replace(path, book).map_err(|fault| BookToolError::Unwritable { path: path.to_owned(), fault })
}

fn summary(book: &Book) -> String {
    format!("{} positions, {} moves, {} bytes", book.positions(), book.moves(), book.bytes().len())
}

/// One line a move, best first.
fn show(book: &Book, position: &Position) -> Vec<String> {
    let entries: Vec<BookMove> = book.probe(position).collect();
    if entries.is_empty() {
        return vec!["the book does not know this position".to_owned()];
    }
    let all: f64 = entries.iter().map(BookMove::weight).sum();
    let line = |entry: &BookMove| {
        let share = |number: u32| 100.0 * f64::from(number) / f64::from(entry.games);
        format!(
            "{} {} {:>6} games, won {:>3.0}%, drawn {:>3.0}%, played {:>5.1}%",
            entry.mv,
            notation::write(position, entry.mv, Notation::Chinese(chinese::ChineseStyle::SIMPLIFIED)),
            entry.games,
            share(entry.wins),
            share(entry.draws),
            100.0 * entry.weight() / all,
        )
    };
    entries.iter().map(line).collect()
}

fn verify(path: Option<&Path>, mut write: impl FnMut(String)) -> Result<(), BookToolError> {
    let book = open(path)?;
    let contents = book.contents();
    let positions = reached(&book);
    let held = |position: &Position| contents.get(&CanonicalKey::of(position).key).map_or(0, Vec::len);
    let illegal = |position: &Position| held(position) - book.probe(position).count();
    let moves = positions.iter().map(illegal).sum();
    if let Some(position) = positions.iter().find(|position| illegal(position) > 0) {
        let name = path.map_or("the book of the program".to_owned(), |path| path.display().to_string());
        return Err(BookToolError::Illegal { name, moves, fen: position.to_fen() });
    }
    write(summary(&book));
    write(format!(
        "the checksum is right; {} positions are reached from the start, all their moves are legal",
        positions.len()
    ));
    Ok(())
}
