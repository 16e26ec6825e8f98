//! Files of games in any format: what they hold, and what in them could not be read.

use std::fmt;

use encoding_rs::Encoding;
use thiserror::Error;

use super::error::TextError;
use super::game::RecordedGame;
use super::move_tree::TreeError;
use super::{cbf, cbr, encoding, pgn, positions, ubb, wxf_file, xqf};

/// The formats of files with games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameFormat {
    /// PGN, or a bare list of moves in any notation.
    Pgn,
    /// A file of the World Xiangqi Federation.
    Wxf,
    /// DhtmlXQ, also called UBB, the records of dpxq.com.
    Ubb,
    /// Lines of FENs, EPDs or `position` commands.
    Positions,
    /// XQF of XiangQi Studio.
    Xqf,
    /// A CBR record of CCBridge.
    Cbr,
    /// A CBL library of CCBridge.
    Cbl,
    /// A CBF record of CCBridge, which is XML.
    Cbf,
}

/// Formats that are known but not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForeignFormat {
    /// A database, as OBK opening books are.
    Sqlite,
    /// A ZIP, gzip, 7z or RAR archive.
    Archive,
    /// A PDF document.
    Pdf,
    /// A picture.
    Picture,
    /// A page of the web.
    Html,
    /// XML without a record of a game.
    Xml,
}

/// What a file of games holds.
#[derive(Debug, Clone)]
pub struct GameFile {
    /// The format that the file was found to have.
    pub format: GameFormat,
    /// The games as far as they could be read, in the order of the file.
    pub games: Vec<RecordedGame>,
    /// What could not be read, in the order of the file.
    pub skipped: Vec<SkippedPart>,
}

/// A part of a file that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("game {game}: {fault}")]
pub struct SkippedPart {
    /// The number of the game in the file, counted from 1.
    pub game: usize,
    /// The place, and what is wrong there.
    pub fault: FileError,
}

/// Why a file of games, or a part of it, could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FileError {
    /// A text makes no sense at a place; PGN is what is meant where no other format is named.
    #[error("{}{error}", .format.prefix())]
    Text {
        /// The format.
        format: GameFormat,
        /// The place, and what is wrong there.
        error: TextError,
    },
    /// A binary file makes no sense at a byte.
    #[error("{}{error}", .format.prefix())]
    Tree {
        /// The format.
        format: GameFormat,
        /// The byte, and what is wrong there.
        error: TreeError,
    },
    /// A known format that is not read.
    #[error("{0}, which is not read")]
    Foreign(ForeignFormat),
    /// Bytes that are neither a text nor a known format.
    #[error("neither text nor an XQF file, a CBR record or a CBL library")]
    Binary,
}

impl GameFormat {
    /// The name of the format before an error, which PGN goes without.
    fn prefix(self) -> String {
        if self == GameFormat::Pgn { String::new() } else { format!("{self}, ") }
    }
}

impl fmt::Display for GameFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameFormat::Pgn => "PGN",
            GameFormat::Wxf => "WXF file",
            GameFormat::Ubb => "DhtmlXQ (UBB)",
            GameFormat::Positions => "positions",
            GameFormat::Xqf => "XQF",
            GameFormat::Cbr => "CBR",
            GameFormat::Cbl => "CBL",
            GameFormat::Cbf => "CBF",
        })
    }
}

impl fmt::Display for ForeignFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ForeignFormat::Sqlite => "an SQLite database, as OBK opening books are",
            ForeignFormat::Archive => "an archive; unpack it first",
            ForeignFormat::Pdf => "a PDF document",
            ForeignFormat::Picture => "a picture",
            ForeignFormat::Html => "a web page",
            ForeignFormat::Xml => "XML without a record of a game (CBF)",
        })
    }
}

/// Reads every game of a file, whichever of the formats it has, and keeps what is good.
///
/// Texts are read in `encoding`, or in the one they look like.
///
/// ```
/// use xiangqi::notation;
/// let file = notation::read_file(b"1. h2e2 h9g7 *\n\n[Red \"b\"]\n1. h2e2 a0a5 *", None).unwrap();
/// assert_eq!((file.games.len(), file.skipped.len()), (2, 1));
/// assert_eq!((file.games[1].main.moves.len(), file.skipped[0].game), (1, 2));
/// ```
///
/// # Errors
/// The file has none of the formats, or nothing in it is good.
pub fn read_file(bytes: &[u8], encoding: Option<&'static Encoding>) -> Result<GameFile, FileError> {
    if let Some(foreign) = foreign(bytes) {
        return Err(FileError::Foreign(foreign));
    }
    let file = if let Some(records) = binary(bytes, encoding) {
        records
    } else if encoding.is_some() || encoding::is_text(bytes) {
        let text = match encoding {
            Some(encoding) => encoding::text(bytes, encoding),
            None => encoding::decode(bytes).0,
        };
        read_text(&text)?
    } else {
        return Err(FileError::Binary);
    };
    match file.skipped.first() {
        Some(first) if file.games.is_empty() => Err(first.fault.clone()),
        _ => Ok(file),
    }
}

/// Reads every game of a file, in which nothing may be wrong.
///
/// ```
/// use xiangqi::notation;
/// assert_eq!(notation::read_games(b"1. h2e2 h9g7 *").unwrap().len(), 1);
/// assert!(notation::read_games(b"1. h2e2 a0a5 *").is_err());
/// ```
///
/// # Errors
/// The file has none of the formats, or the first place at which it makes no sense.
pub fn read_games(bytes: &[u8]) -> Result<Vec<RecordedGame>, FileError> {
    read_file(bytes, None)?.strict()
}

impl GameFile {
    /// The games, if nothing in the file is wrong.
    ///
    /// # Errors
    /// The first place at which the file makes no sense.
    pub fn strict(self) -> Result<Vec<RecordedGame>, FileError> {
        match self.skipped.into_iter().next() {
            Some(first) => Err(first.fault),
            None => Ok(self.games),
        }
    }

    fn new(format: GameFormat) -> GameFile {
        GameFile { format, games: Vec::new(), skipped: Vec::new() }
    }

    /// Adds the next game of a file, if anything of it is good, and what is wrong with it.
    fn add(
        &mut self,
        number: usize,
        game: Option<RecordedGame>,
        errors: impl IntoIterator<Item = FileError>,
    ) {
        self.games.extend(game);
        self.skipped.extend(errors.into_iter().map(|fault| SkippedPart { game: number, fault }));
    }

    /// Adds the next record of a binary file, which begins at byte `begin`.
    fn add_record(
        &mut self,
        number: usize,
        begin: usize,
        record: Result<(RecordedGame, Vec<TreeError>), TreeError>,
    ) {
        let format = self.format;
        let (game, errors) = match record {
            Ok((game, errors)) => (Some(game), errors),
            Err(error) => (None, vec![error]),
        };
        let place = |error: TreeError| TreeError { offset: begin + error.offset, ..error };
        self.add(
            number,
            game,
            errors.into_iter().map(|error| FileError::Tree { format, error: place(error) }),
        );
    }

    /// The games of a text, each with what is wrong with it.
    fn of_text(
        format: GameFormat,
        games: impl Iterator<Item = (Option<RecordedGame>, Vec<TextError>)>,
    ) -> GameFile {
        let mut file = GameFile::new(format);
        for (index, (game, errors)) in games.enumerate() {
            file.add(index + 1, game, errors.into_iter().map(|error| FileError::Text { format, error }));
        }
        file
    }
}

/// The games of a file in one of the binary formats; `None` if it has none of them.
fn binary(bytes: &[u8], encoding: Option<&'static Encoding>) -> Option<GameFile> {
    let mut file;
    if xqf::is_xqf(bytes) {
        file = GameFile::new(GameFormat::Xqf);
        file.add_record(1, 0, xqf::salvage(bytes, encoding));
    } else if cbr::is_cbr(bytes) {
        file = GameFile::new(GameFormat::Cbr);
        file.add_record(1, 0, cbr::salvage(bytes));
    } else if cbr::is_cbl(bytes) {
        file = GameFile::new(GameFormat::Cbl);
        for (index, (begin, record)) in cbr::records(bytes).enumerate() {
            file.add_record(index + 1, begin, cbr::salvage(record));
        }
    } else {
        return None;
    }
    Some(file)
}

/// The games of a text.
fn read_text(text: &str) -> Result<GameFile, FileError> {
    let begin = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    if ubb::is_ubb(text) {
        return Ok(GameFile::of_text(GameFormat::Ubb, ubb::salvage(text)));
    }
    if begin.starts_with("<?xml") || begin.starts_with(&format!("<{}", cbf::ROOT)) {
        if !begin.contains(cbf::ROOT) {
            return Err(FileError::Foreign(ForeignFormat::Xml));
        }
        let format = GameFormat::Cbf;
        return match cbf::salvage(begin) {
            Ok((game, errors)) => Ok(GameFile::of_text(format, [(Some(game), errors)].into_iter())),
            Err(error) => Err(FileError::Text { format, error }),
        };
    }
    let opening: String = begin.chars().take(14).collect::<String>().to_ascii_lowercase();
    if opening.starts_with("<!doctype html") || opening.starts_with("<html") {
        return Err(FileError::Foreign(ForeignFormat::Html));
    }
    Ok(if wxf_file::is_wxf(text) {
        GameFile::of_text(GameFormat::Wxf, wxf_file::salvage(text))
    } else if positions::are_positions(text) {
        GameFile::of_text(GameFormat::Positions, positions::salvage(text))
    } else {
        GameFile::of_text(GameFormat::Pgn, pgn::salvage(text).map(|found| (found.game, found.faults)))
    })
}

/// The format of a file that is known and not read.
fn foreign(bytes: &[u8]) -> Option<ForeignFormat> {
    const SIGNATURES: [(&[u8], ForeignFormat); 9] = [
        (b"SQLite format 3\0", ForeignFormat::Sqlite),
        (b"PK\x03\x04", ForeignFormat::Archive),
        (b"\x1f\x8b", ForeignFormat::Archive),
        (b"7z\xbc\xaf\x27\x1c", ForeignFormat::Archive),
        (b"Rar!\x1a\x07", ForeignFormat::Archive),
        (b"%PDF-", ForeignFormat::Pdf),
        (b"\x89PNG\r\n", ForeignFormat::Picture),
        (b"\xff\xd8\xff", ForeignFormat::Picture),
        (b"GIF8", ForeignFormat::Picture),
    ];
    SIGNATURES.iter().find(|(signature, _)| bytes.starts_with(signature)).map(|&(_, format)| format)
}
