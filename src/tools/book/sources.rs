//! Files of games, whatever their form.

use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use thiserror::Error;

use crate::board::{FenError, PlayError, Position};
use crate::book::Builder;
use crate::notation::{self, FileError, encoding};
use crate::rules::Outcome;
use crate::types::{Move, MoveError, Side};

/// The first bytes of what gzip makes.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// A file of games in memory, uncompressed.
pub struct Source {
    path: PathBuf,
    bytes: Vec<u8>,
}

/// What was found in a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Counts {
    games: usize,
    unfinished: usize,
    recommendations: usize,
}

/// A file of games that makes no sense.
#[derive(Debug, Error)]
pub struct SourceError {
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
}

impl SourceError {
    fn new(path: &Path, line: Option<usize>, fault: impl Into<Fault>) -> SourceError {
        SourceError { path: path.to_owned(), line, fault: Box::new(fault.into()) }
    }
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        self.fault.fmt(f)
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} games", self.games)?;
        if self.unfinished > 0 {
            write!(f, ", {} without a result left out", self.unfinished)?;
        }
        if self.recommendations > 0 {
            write!(f, ", {} recommended moves", self.recommendations)?;
        }
        Ok(())
    }
}

impl Source {
    /// Reads a file and unpacks it if it is compressed.
    pub fn read(path: &Path) -> Result<Source, SourceError> {
        let read = || {
            let packed = fs::read(path)?;
            if !packed.starts_with(&GZIP) {
                return Ok(packed);
            }
            let mut bytes = Vec::new();
            MultiGzDecoder::new(&packed[..]).read_to_end(&mut bytes).map(|_| bytes)
        };
        let bytes = read().map_err(|error: io::Error| SourceError::new(path, None, error))?;
        Ok(Source { path: path.to_owned(), bytes })
    }

    /// Adds everything in the file to a book in the making.
    pub fn add_to(&self, builder: &mut Builder) -> Result<Counts, SourceError> {
        let (text, _) = encoding::decode(&self.bytes);
        let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        if first.contains('\t') { self.add_lines(&text, builder) } else { self.add_games(builder) }
    }

    fn add_games(&self, builder: &mut Builder) -> Result<Counts, SourceError> {
        let mut counts = Counts::default();
        let games = notation::read_games(&self.bytes);
        for game in games.map_err(|fault| SourceError::new(&self.path, None, fault))? {
            let Some(outcome) = game.outcome else {
                counts.unfinished += 1;
                continue;
            };
            let added = builder.add_game(&game.start, game.moves(), outcome);
            added.map_err(|fault| SourceError::new(&self.path, None, fault))?;
            counts.games += 1;
        }
        Ok(counts)
    }

    fn add_lines(&self, text: &str, builder: &mut Builder) -> Result<Counts, SourceError> {
        let mut counts = Counts::default();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            add_line(line, builder, &mut counts)
                .map_err(|fault| SourceError::new(&self.path, Some(number), fault))?;
        }
        Ok(counts)
    }
}

/// A game, `result TAB moves [TAB FEN]`, or a recommendation, `FEN TAB move [TAB weight]`.
fn add_line(line: &str, builder: &mut Builder, counts: &mut Counts) -> Result<(), Fault> {
    let mut fields = line.split('\t').map(str::trim);
    let (first, second) = (fields.next().unwrap_or_default(), fields.next());
    // A position has nine of them, a drawn game two.
    if first.matches('/').count() > 2 {
        let weight = match fields.next() {
            Some(text) => text.parse().map_err(|_| Fault::Weight(text.to_owned()))?,
            None => 1,
        };
        let mv = second.ok_or(Fault::NoMove)?.parse()?;
        builder.add_move(&Position::from_fen(first)?, mv, weight)?;
        counts.recommendations += 1;
        return Ok(());
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

fn result(sign: &str) -> Result<Option<Outcome>, Fault> {
    match sign {
        "1-0" => Ok(Some(Outcome::Win(Side::Red))),
        "0-1" => Ok(Some(Outcome::Win(Side::Black))),
        "1/2-1/2" => Ok(Some(Outcome::Draw)),
        "*" => Ok(None),
        other => Err(Fault::Result(other.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::book::{Contents, Sieve};

    fn added(bytes: &[u8]) -> Result<(Counts, Contents), String> {
        let source = Source { path: "games".into(), bytes: bytes.to_vec() };
        let mut builder = Builder::new(40);
        let counts = source.add_to(&mut builder).map_err(|error| error.to_string())?;
        Ok((counts, builder.contents(&Sieve::OPEN)))
    }

    const LINES: &str = "1-0\th2e2 h9g7\n*\th2e2\n\n1/2-1/2\th2e2 h9g7\n";

    #[test]
    fn each_form_gives_the_same_book() {
        let (counts, lines) = added(LINES.as_bytes()).unwrap();
        assert_eq!(counts, Counts { games: 2, unfinished: 1, recommendations: 0 });
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
        assert_eq!(Source::read(&path).unwrap().bytes, LINES.as_bytes());
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
        ] {
            let error = added(text.as_bytes()).unwrap_err();
            assert!(error.starts_with(wanted), "{error}");
        }
        let error = Source::read(Path::new("/nowhere/games")).err().unwrap();
        assert!(error.to_string().starts_with("/nowhere/games: "));
    }
}
