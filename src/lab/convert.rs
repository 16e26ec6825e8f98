//! `convert`: games of any format as PGN in any notation and in either encoding, as XQF, or as DhtmlXQ.

use std::io;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use encoding_rs::GB18030;
use thiserror::Error;

use crate::support::files;
use crate::support::games::{self, GamesError, ReadingArgs};
use crate::support::notation_name::NotationName;
use xiangqi::board::PlayError;
use xiangqi::notation::pgn::{self, RecordedGame};
use xiangqi::notation::{self, Notation, PiecesError, ubb, xqf};

/// Write games in another format, notation or encoding.
#[derive(Debug, Args)]
pub struct ConvertArgs {
    /// The games: PGN, XQF, DhtmlXQ, WXF, CBR, CBL, CBF, positions, or moves in any notation; `-` for standard input
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// The format to write; by default the one that the name of --out ends with, and PGN
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    reading: ReadingArgs,
    /// The notation to write
    #[arg(long, value_enum, default_value_t = NotationName::Chinese)]
    to: NotationName,
    /// The encoding to write
    #[arg(long, value_enum, default_value_t = Encoding::Utf8)]
    encoding: Encoding,
    /// Only the moves, a line a game
    #[arg(long, conflicts_with = "format")]
    moves: bool,
    /// The file to write; the output if not given
    #[arg(long, short)]
    out: Option<PathBuf>,
}

/// The formats by the names of the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// PGN
    Pgn,
    /// XQF of XiangQi Studio, one game
    Xqf,
    /// DhtmlXQ, also called UBB
    Ubb,
}

/// The encodings by the names of the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Encoding {
    /// UTF-8
    #[value(name = "utf-8")]
    Utf8,
    /// GBK, as older programs want it; GB 18030 for characters that it lacks
    Gbk,
}

/// Why games were not written.
#[derive(Debug, Error)]
pub enum ConvertError {
    /// The games cannot be read.
    #[error(transparent)]
    Games(#[from] GamesError),
    /// The file holds no game.
    #[error("{}: no game in this file", .0.display())]
    Empty(PathBuf),
    /// The name of the file to write asks for a format that is not written.
    #[error("{}: files that end so are not written; those of .pgn, .txt, .xqf and .ubb are", .0.display())]
    Ending(PathBuf),
    /// Moves alone are asked for in a format that has no place for them.
    #[error("{}: --moves are written as text", .0.display())]
    Moves(PathBuf),
    /// An XQF file holds one game.
    #[error("an XQF file holds one game, and there are {0}")]
    Several(usize),
    /// A game does not fit into the format.
    #[error("game {number}: {fault}")]
    Game {
        /// Which one, counted from 1.
        number: usize,
        /// What exceeds the format.
        fault: PiecesError,
    },
    /// The file cannot be written.
    #[error("{}: {fault}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        fault: io::Error,
    },
}

/// The games as the arguments want them: what to print, which is nothing if a file was written.
///
/// `warn` gets a line for each invalid part of the games, which is left out.
///
/// # Errors
/// The games cannot be read or do not fit into the format, or the file cannot be written.
pub fn run(args: &ConvertArgs, warn: &mut dyn FnMut(String)) -> Result<Vec<u8>, ConvertError> {
    let format = args.format()?;
    let mut games = Vec::new();
    for path in &args.games {
        let own = args.reading.read(path, warn)?;
        if own.is_empty() {
            return Err(ConvertError::Empty(games::shown(path)));
        }
        games.extend(own);
    }
    let bytes = match format {
        Format::Xqf => match &games[..] {
            [game] => xqf::write(game).map_err(|fault| ConvertError::Game { number: 1, fault })?,
            _ => return Err(ConvertError::Several(games.len())),
        },
        Format::Ubb => {
            let texts = (1..)
                .zip(&games)
                .map(|(number, game)| ubb::write(game).map_err(|fault| ConvertError::Game { number, fault }));
            args.encoded(texts.collect::<Result<String, _>>()?)
        }
        Format::Pgn => {
            let notation = args.to.notation();
            let write = |game: &RecordedGame| {
                if args.moves { line(game, notation) } else { pgn::write(game, notation) }
            };
            args.encoded(games.iter().map(write).collect())
        }
    };
    let Some(path) = &args.out else { return Ok(bytes) };
    files::replace(path, &bytes).map_err(|fault| ConvertError::Unwritable { path: path.clone(), fault })?;
    Ok(Vec::new())
}

impl ConvertArgs {
    /// The format to write.
    fn format(&self) -> Result<Format, ConvertError> {
        let named = self.out.as_ref().and_then(|path| Some((path, path.extension()?.to_ascii_lowercase())));
        let of_name = match &named {
            None => None,
            Some((path, ending)) => match ending.to_str() {
                Some("pgn" | "txt") => None,
                Some("xqf") => Some(Format::Xqf),
                Some("ubb") => Some(Format::Ubb),
                Some("cbr" | "cbl" | "cbf" | "wxf" | "che" | "png" | "svg" | "html" | "json" | "obk") => {
                    return Err(ConvertError::Ending((*path).clone()));
                }
                _ => None,
            },
        };
        match (of_name, &self.out) {
            (Some(_), Some(path)) if self.moves => Err(ConvertError::Moves(path.clone())),
            _ => Ok(self.format.or(of_name).unwrap_or(Format::Pgn)),
        }
    }

    fn encoded(&self, text: String) -> Vec<u8> {
        match self.encoding {
            Encoding::Utf8 => text.into_bytes(),
            Encoding::Gbk => GB18030.encode(&text).0.into_owned(),
        }
    }
}

/// The moves of the main line, between blanks.
fn line(game: &RecordedGame, notation: Notation) -> String {
    let mut position = game.start.clone();
    let word = |mv| -> Result<String, PlayError> {
        let word = notation::write(&position, mv, notation);
        position.play(mv)?;
        Ok(word)
    };
    // The moves of a game that was read are legal.
    let words: Vec<String> = game.moves().map(word).map_while(Result::ok).collect();
    words.join(" ") + "\n"
}

#[cfg(test)]
mod tests {
    use std::fs;

    use xiangqi::notation::GameFormat;

    use super::*;

    fn args(games: PathBuf, to: NotationName, encoding: Encoding, moves: bool) -> ConvertArgs {
        let reading = ReadingArgs::default();
        ConvertArgs { games: vec![games], format: None, reading, to, encoding, moves, out: None }
    }

    #[test]
    fn the_name_of_the_file_decides_on_the_format() {
        let folder = tempfile::tempdir().unwrap();
        let games = folder.path().join("game");
        fs::write(&games, "1. 炮二平五 {好} 马8进7 1-0").unwrap();
        let read = |name: &str| {
            let out = Some(folder.path().join(name));
            let args = ConvertArgs { out, ..args(games.clone(), NotationName::Wxf, Encoding::Utf8, false) };
            run(&args, &mut |line| panic!("{line}")).map(|_| fs::read(folder.path().join(name)).unwrap())
        };
        let file = |name| notation::read_file(&read(name).unwrap(), None).unwrap();
        for (name, format) in [
            ("a.xqf", GameFormat::Xqf),
            ("a.UBB", GameFormat::Ubb),
            ("a.pgn", GameFormat::Pgn),
            ("a", GameFormat::Pgn),
        ] {
            let file = file(name);
            assert_eq!((file.format, file.games[0].main.moves.len()), (format, 2), "{name}");
            assert_eq!(file.games[0].main.moves[0].comment, "好");
        }
        assert!(read("a.cbl").unwrap_err().to_string().contains("a.cbl: files that end so are not written"));
        fs::write(&games, "1. h2e2 1-0\n1. h0g2 0-1\n").unwrap();
        assert_eq!(read("b.xqf").unwrap_err().to_string(), "an XQF file holds one game, and there are 2");
        assert!(!folder.path().join("b.xqf").exists());
    }

    fn converted(bytes: &[u8], to: NotationName, moves: bool, encoding: Encoding) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let games = folder.path().join("game");
        fs::write(&games, bytes).unwrap();
        run(&args(games, to, encoding, moves), &mut |line| panic!("{line}")).unwrap()
    }

    #[test]
    fn each_notation_is_written() {
        for (to, wanted) in [
            (NotationName::Coordinates, "h2e2 h9g7 h0g2"),
            (NotationName::Iccs, "H2-E2 H9-G7 H0-G2"),
            (NotationName::Chinese, "炮二平五 马８进７ 马二进三"),
            (NotationName::Traditional, "炮二平五 馬８進７ 馬二進三"),
            (NotationName::Short, "炮25 马87 马23"),
            (NotationName::Wxf, "C2=5 H8+7 H2+3"),
        ] {
            let text = converted(wanted.as_bytes(), to, true, Encoding::Utf8);
            assert_eq!(String::from_utf8(text).unwrap(), format!("{wanted}\n"));
        }
    }

    #[test]
    fn both_encodings_hold_the_whole_game() {
        let text = "[Red \"許銀川\"]\n\n1. 炮二平五 {好} (1. 兵三进一) 马8进7 2. C5+4 1-0\n";
        let utf8 = converted(text.as_bytes(), NotationName::Chinese, false, Encoding::Utf8);
        let gbk = converted(&utf8, NotationName::Wxf, false, Encoding::Gbk);
        assert_ne!(utf8, gbk);
        assert_eq!(converted(&gbk, NotationName::Chinese, false, Encoding::Utf8), utf8);
        let said = String::from_utf8(utf8).unwrap();
        assert!(said.contains("許銀川") && said.contains("{好}") && said.contains("(1. 兵三进一)"), "{said}");
    }

    #[test]
    fn what_holds_no_game_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let games = folder.path().join("empty");
        fs::write(&games, "\n").unwrap();
        let args = args(games, NotationName::Wxf, Encoding::Utf8, false);
        assert!(
            run(&args, &mut |line| panic!("{line}"))
                .unwrap_err()
                .to_string()
                .ends_with("empty: no game in this file")
        );
    }
}
