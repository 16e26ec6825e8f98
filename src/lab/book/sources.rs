//! Files of games, whatever their form.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::elephanteye::ElephantBook;
use crate::support::games::{self, ReadingArgs, shown};
use juzhong_engine::book::BookBuilder;
use xiangqi::board::{FenError, PlayError, Position};
use xiangqi::notation::pgn::RecordedGame;
use xiangqi::notation::{self, FileError, NotationError, encoding, wxf_file};
use xiangqi::types::{Move, MoveError, Outcome, Side};

/// A file of games in memory, uncompressed.
pub struct BookSource {
    path: PathBuf,
    bytes: Vec<u8>,
}

/// What was found in a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct SourceCounts {
    games: usize,
    unfinished: usize,
    recommendations: usize,
    /// Positions of a foreign book that are not reached from the start.
    unreached: usize,
}

/// The error for an invalid file of games.
#[derive(Debug, Error)]
pub struct BookSourceError {
    path: PathBuf,
    /// The line, from 1, where the fault does not name it itself.
    line: Option<usize>,
    fault: Box<Fault>,
}

/// What is wrong with a file of games.
#[derive(Debug, Error)]
enum Fault {
    #[error(transparent)]
    Unreadable(#[from] io::Error),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error(transparent)]
    Move(#[from] MoveError),
    #[error(transparent)]
    Play(#[from] PlayError),
    #[error("a whole number is wanted as weight, not `{0}`")]
    Weight(String),
    #[error("the result is 1-0, 0-1, 1/2-1/2 or *, not `{0}`")]
    Result(String),
    #[error("a move is missing behind the position")]
    NoMove,
    #[error(transparent)]
    Word(#[from] NotationError),
}

impl BookSourceError {
    fn new(path: &Path, line: Option<usize>, fault: impl Into<Fault>) -> BookSourceError {
        BookSourceError { path: path.to_owned(), line, fault: Box::new(fault.into()) }
    }
}

impl fmt::Display for BookSourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        self.fault.fmt(f)
    }
}

impl fmt::Display for SourceCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} games", self.games)?;
        if self.unfinished > 0 {
            write!(f, ", {} without a result left out", self.unfinished)?;
        }
        if self.recommendations > 0 {
            write!(f, ", {} recommended moves", self.recommendations)?;
        }
        if self.unreached > 0 {
            write!(f, ", {} positions not reached from the start left out", self.unreached)?;
        }
        Ok(())
    }
}

impl BookSource {
    /// Reads a file and unpacks it if it is compressed; `-` is standard input.
    pub fn read(path: &Path) -> Result<BookSource, BookSourceError> {
        let bytes = games::bytes(path).map_err(|error| BookSourceError::new(&shown(path), None, error))?;
        Ok(BookSource { path: shown(path), bytes })
    }

    /// Adds everything in the file to a book in the making.
    ///
    /// `warn` gets a line for each invalid part of the file, which is left out.
    pub fn add_to(
        &self,
        builder: &mut BookBuilder,
        reading: &ReadingArgs,
        warn: &mut dyn FnMut(String),
    ) -> Result<SourceCounts, BookSourceError> {
        if let Some(book) = ElephantBook::read(&self.bytes) {
            let taken = book.add_to(builder);
            return Ok(SourceCounts {
                recommendations: taken.moves,
                unreached: taken.unreached,
                ..SourceCounts::default()
            });
        }
        if !encoding::is_text(&self.bytes) {
            return self.add_games(builder, reading, warn);
        }
        let (text, _) = encoding::decode(&self.bytes);
        let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        match Form::of(first) {
            Some(form) if !wxf_file::is_wxf(&text) => self.add_lines(&text, form, builder, reading, warn),
            _ => self.add_games(builder, reading, warn),
        }
    }

    /// The games in the file, which holds nothing else.
    pub fn games(
        &self,
        reading: &ReadingArgs,
        warn: &mut dyn FnMut(String),
    ) -> Result<Vec<RecordedGame>, BookSourceError> {
        let games = reading.games(&self.path, &self.bytes, warn);
        games.map_err(|fault| BookSourceError::new(&self.path, None, fault))
    }

    fn add_games(
        &self,
        builder: &mut BookBuilder,
        reading: &ReadingArgs,
        warn: &mut dyn FnMut(String),
    ) -> Result<SourceCounts, BookSourceError> {
        let mut counts = SourceCounts::default();
        for game in self.games(reading, warn)? {
            let Some(outcome) = game.outcome else {
                counts.unfinished += 1;
                continue;
            };
            let added = builder.add_game(&game.start, game.moves(), outcome);
            added.map_err(|fault| BookSourceError::new(&self.path, None, fault))?;
            counts.games += 1;
        }
        Ok(counts)
    }

    fn add_lines(
        &self,
        text: &str,
        form: Form,
        builder: &mut BookBuilder,
        reading: &ReadingArgs,
        warn: &mut dyn FnMut(String),
    ) -> Result<SourceCounts, BookSourceError> {
        let mut counts = SourceCounts::default();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let added = match form {
                Form::Tabs => add_line(line, builder, &mut counts),
                Form::Weighted => add_weighted(line, builder, &mut counts),
                Form::Moves => add_moves(line, builder, &mut counts),
            };
            if let Err(fault) = added {
                let error = BookSourceError::new(&self.path, Some(number), fault);
                // Nothing is good in a file whose first line is bad.
                if reading.strict || counts == SourceCounts::default() {
                    return Err(error);
                }
                warn(error.to_string());
            }
        }
        Ok(counts)
    }
}

/// The forms of a text with a line for each game or move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `result TAB moves [TAB FEN]` or `FEN TAB move [TAB weight]`.
    Tabs,
    /// `move weight FEN`, as the text books of early ElephantEye.
    Weighted,
    /// Moves from the start position, in any notation, and nothing else.
    Moves,
}

impl Form {
    /// The form of a text that begins with this line; `None` if it looks like none of them.
    fn of(line: &str) -> Option<Form> {
        if line.contains('\t') {
            Some(Form::Tabs)
        } else if line.matches('/').count() > 2 && line.split_whitespace().nth(1)?.parse::<u32>().is_ok() {
            Some(Form::Weighted)
        } else {
            line_of_play(line).is_ok_and(|line| !line.is_empty()).then_some(Form::Moves)
        }
    }
}

/// Recommends a move as a line `move weight FEN` says.
fn add_weighted(line: &str, builder: &mut BookBuilder, counts: &mut SourceCounts) -> Result<(), Fault> {
    let mut words = line.trim().splitn(3, char::is_whitespace);
    let mv = words.next().unwrap_or_default().parse()?;
    let weight = words.next().unwrap_or_default();
    let weight = weight.parse().map_err(|_| Fault::Weight(quoted(weight)))?;
    let position = Position::from_fen(words.next().unwrap_or_default().trim())?;
    recommend(&position, mv, weight, builder, counts)
}

/// Recommends each move of a line of play once.
fn add_moves(line: &str, builder: &mut BookBuilder, counts: &mut SourceCounts) -> Result<(), Fault> {
    let mut position = Position::startpos();
    for mv in line_of_play(line)? {
        recommend(&position, mv, 1, builder, counts)?;
        position.play(mv)?;
    }
    Ok(())
}

/// The moves of a line from the start position.
fn line_of_play(line: &str) -> Result<Vec<Move>, Fault> {
    let mut position = Position::startpos();
    let mut read = |word| {
        let mv = notation::read(&position, word)?;
        position.play(mv)?;
        Ok(mv)
    };
    line.split_whitespace().map(&mut read).collect()
}

fn recommend(
    position: &Position,
    mv: Move,
    weight: u32,
    builder: &mut BookBuilder,
    counts: &mut SourceCounts,
) -> Result<(), Fault> {
    builder.add_move(position, mv, weight)?;
    counts.recommendations += 1;
    Ok(())
}

/// A game, `result TAB moves [TAB FEN]`, or a recommendation, `FEN TAB move [TAB weight]`.
fn add_line(line: &str, builder: &mut BookBuilder, counts: &mut SourceCounts) -> Result<(), Fault> {
    let mut fields = line.split('\t').map(str::trim);
    let (first, second) = (fields.next().unwrap_or_default(), fields.next());
    // A position has nine of them, a drawn game two.
    if first.matches('/').count() > 2 {
        let weight = match fields.next() {
            Some(text) => text.parse().map_err(|_| Fault::Weight(quoted(text)))?,
            None => 1,
        };
        let mv = second.ok_or(Fault::NoMove)?.parse()?;
        return recommend(&Position::from_fen(first)?, mv, weight, builder, counts);
    }
    let Some(outcome) = result(first)? else {
        counts.unfinished += 1;
        return Ok(());
    };
    let start = fields.next().map_or_else(|| Ok(Position::startpos()), Position::from_fen)?;
    let moves: Vec<Move> =
        second.unwrap_or_default().split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    builder.add_game(&start, moves, outcome)?;
    counts.games += 1;
    Ok(())
}

/// As much of a text as a message quotes.
fn quoted(text: &str) -> String {
    text.chars().take(40).collect()
}

fn result(sign: &str) -> Result<Option<Outcome>, Fault> {
    match sign {
        "1-0" => Ok(Some(Outcome::Win(Side::Red))),
        "0-1" => Ok(Some(Outcome::Win(Side::Black))),
        "1/2-1/2" => Ok(Some(Outcome::Draw)),
        "*" => Ok(None),
        other => Err(Fault::Result(quoted(other))),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;
    use juzhong_engine::book::{BookContents, BookFilter};

    const STRICT: ReadingArgs = ReadingArgs { strict: true, from_encoding: None };

    #[test]
    fn a_bad_line_costs_only_itself() {
        let bytes = "1-0\th2e2 h9g7\n1-0\th2e2 a0a5\n1-0\th2e2 h9g7\n".as_bytes().to_vec();
        let source = BookSource { path: "games".into(), bytes };
        let (mut builder, mut warnings) = (BookBuilder::new(40), Vec::new());
        let counts = source.add_to(&mut builder, &ReadingArgs::default(), &mut |line| warnings.push(line));
        assert_eq!(counts.unwrap().games, 2);
        assert_eq!(warnings.len(), 1);
        assert!(warnings[0].starts_with("games: line 2: "), "{}", warnings[0]);
    }

    fn added(bytes: &[u8]) -> Result<(SourceCounts, BookContents), String> {
        let source = BookSource { path: "games".into(), bytes: bytes.to_vec() };
        let mut builder = BookBuilder::new(40);
        let counts = source
            .add_to(&mut builder, &STRICT, &mut |line| panic!("{line}"))
            .map_err(|error| error.to_string())?;
        Ok((counts, builder.contents(&BookFilter::OPEN)))
    }

    const LINES: &str = "1-0\th2e2 h9g7\n*\th2e2\n\n1/2-1/2\th2e2 h9g7\n";

    #[test]
    fn each_form_gives_the_same_book() {
        let (counts, lines) = added(LINES.as_bytes()).unwrap();
        assert_eq!(counts, SourceCounts { games: 2, unfinished: 1, ..SourceCounts::default() });
        assert_eq!(counts.to_string(), "2 games, 1 without a result left out");
        let pgn = "1. 炮二平五 马8进7 1-0\n\n[Red \"A\"]\n1. C2=5 H8+7 1/2-1/2\n";
        assert_eq!(added(pgn.as_bytes()).unwrap().1, lines);
    }

    #[test]
    fn compressed_files_are_unpacked() {
        let path = std::env::temp_dir().join(format!("juzhong-source-{}.gz", std::process::id()));
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(LINES.as_bytes()).unwrap();
        fs::write(&path, packer.finish().unwrap()).unwrap();
        assert_eq!(BookSource::read(&path).unwrap().bytes, LINES.as_bytes());
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn recommendations_are_read_with_and_without_weight() {
        let fen = Position::startpos().to_fen();
        let (counts, contents) = added(format!("{fen}\th2e2\t40\n{fen}\tg3g4\n").as_bytes()).unwrap();
        assert_eq!(counts.recommendations, 2);
        let games: Vec<u32> = contents.values().flatten().map(|entry| entry.games).collect();
        assert_eq!(games.iter().sum::<u32>(), 41);
    }

    #[test]
    fn text_books_and_lists_of_lines_are_read() {
        let fen = Position::startpos().to_fen();
        let (counts, contents) = added(format!("b2e2 5895 {fen}\ng3g4 12 {fen}\n").as_bytes()).unwrap();
        let games: Vec<u32> = contents.values().flatten().map(|entry| entry.games).collect();
        assert_eq!((counts.recommendations, games), (2, vec![5895, 12]));
        let (counts, contents) = added("h2e2 h9g7\n炮二平五 马8进7 H2+3\nb2e2\n".as_bytes()).unwrap();
        let games: u32 = contents[&start_key()].iter().map(|entry| entry.games).sum();
        assert_eq!((counts.recommendations, contents.len(), games), (6, 3, 3));
    }

    fn start_key() -> u64 {
        juzhong_engine::book::CanonicalKey::of(&Position::startpos()).key
    }

    #[test]
    fn faults_are_named_with_their_place() {
        let fen = Position::startpos().to_fen();
        for (text, wanted) in [
            ("1-0\th2e2\n2-0\th2e2", "games: line 2: the result is 1-0, 0-1, 1/2-1/2 or *, not `2-0`"),
            ("1-0\th2e2 h2e2", "games: line 1: "),
            ("1-0\th2x2", "games: line 1: `h2x2` is not a move"),
            ("1-0\th2e2\t9/9", "games: line 1: "),
            (&format!("{fen}\th2e2\tmany"), "games: line 1: a whole number is wanted"),
            ("9/9/9/9 w\t", "games: line 1: "),
            ("1. 车一平五 1-0", "games: line 1, column "),
            ("h2e2\nh2e2 h2e2", "games: line 2: `h2e2` is not legal"),
            (&format!("h2e2 1 {fen}\nh2e2 x {fen}"), "games: line 2: a whole number is wanted"),
            (&format!("h2e2 1 {fen}\nh2e9 1 {fen}"), "games: line 2: h2e9: the piece on h2"),
            ("\u{1}\0\u{2}", "games: neither text nor"),
        ] {
            let error = added(text.as_bytes()).unwrap_err();
            assert!(error.starts_with(wanted), "{error}");
        }
        let error = BookSource::read(Path::new("/nowhere/games")).err().unwrap();
        assert!(error.to_string().starts_with("/nowhere/games: "));
    }
}
