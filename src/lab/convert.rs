//! `convert`: games of any format as PGN, in any notation and in either encoding.

use std::io;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use encoding_rs::GB18030;
use thiserror::Error;

use crate::support::files;
use crate::support::games::{self, GamesError};
use crate::support::notation_name::NotationName;
use xiangqi::board::PlayError;
use xiangqi::notation::pgn::{self, RecordedGame};
use xiangqi::notation::{self, Notation};

/// Write games anew.
#[derive(Debug, Args)]
pub struct ConvertArgs {
    /// The games: PGN, XQF, or a list of moves in any notation; `-` for standard input
    games: PathBuf,
    /// The notation to write
    #[arg(long, value_enum, default_value_t = NotationName::Chinese)]
    to: NotationName,
    /// The encoding to write
    #[arg(long, value_enum, default_value_t = Encoding::Utf8)]
    encoding: Encoding,
    /// Only the moves, a line a game
    #[arg(long)]
    moves: bool,
    /// The file to write; the output if not given
    #[arg(long, short)]
    out: Option<PathBuf>,
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
    /// The file cannot be written.
    #[error("{}: {fault}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        fault: io::Error,
    },
}

/// The games as the args want them: what to print, which is nothing if a file was written.
///
/// # Errors
/// The games cannot be read, or the file not written.
pub fn run(args: &ConvertArgs) -> Result<Vec<u8>, ConvertError> {
    let games = games::read(&args.games)?;
    if games.is_empty() {
        return Err(ConvertError::Empty(games::shown(&args.games)));
    }
    let notation = args.to.notation();
    let write = |game: &RecordedGame| {
        if args.moves { line(game, notation) } else { pgn::write(game, notation) }
    };
    let text: String = games.iter().map(write).collect();
    let bytes = match args.encoding {
        Encoding::Utf8 => text.into_bytes(),
        Encoding::Gbk => GB18030.encode(&text).0.into_owned(),
    };
    let Some(path) = &args.out else { return Ok(bytes) };
    files::replace(path, &bytes).map_err(|fault| ConvertError::Unwritable { path: path.clone(), fault })?;
    Ok(Vec::new())
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

    use super::*;

    fn converted(bytes: &[u8], to: NotationName, moves: bool, encoding: Encoding) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let games = folder.path().join("game");
        fs::write(&games, bytes).unwrap();
        run(&ConvertArgs { games, to, encoding, moves, out: None }).unwrap()
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
        let args =
            ConvertArgs { games, to: NotationName::Wxf, encoding: Encoding::Utf8, moves: false, out: None };
        assert!(run(&args).unwrap_err().to_string().ends_with("empty: no game in this file"));
    }
}
