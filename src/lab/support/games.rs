//! Games out of a file or standard input, whatever their format.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use encoding_rs::Encoding;
use flate2::read::MultiGzDecoder;
use thiserror::Error;

use xiangqi::notation::pgn::RecordedGame;
use xiangqi::notation::{self, FileError};

/// The first bytes of a gzip file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The name that stands for standard input.
const STANDARD_INPUT: &str = "-";

/// Why there are no games.
#[derive(Debug, Error)]
pub enum GamesError {
    /// The file cannot be read.
    #[error("{}: {fault}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        fault: io::Error,
    },
    /// The file holds something other than games.
    #[error("{}: {fault}", path.display())]
    Nonsense {
        /// The file.
        path: PathBuf,
        /// The place, and what is wrong there.
        fault: Box<FileError>,
    },
}

/// How a command reads files of games.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct ReadingArgs {
    /// Refuse a file with a fault in it, instead of taking its valid parts
    #[arg(long)]
    pub strict: bool,
    /// The encoding of the texts in the files, such as gbk, big5 or windows-1258; detected if not given
    #[arg(long, value_name = "NAME", value_parser = encoding_named)]
    pub from_encoding: Option<&'static Encoding>,
}

impl ReadingArgs {
    /// Reads every game of a file in any of the formats [`notation::read_file`] knows; `-` is standard input.
    ///
    /// `warn` gets a line for each invalid part of the file, which is left out.
    ///
    /// # Errors
    /// The file cannot be read, nothing in it makes sense, or, if strict, the first place that does not.
    pub fn read(&self, path: &Path, warn: &mut dyn FnMut(String)) -> Result<Vec<RecordedGame>, GamesError> {
        let bytes = bytes(path).map_err(|fault| GamesError::Unreadable { path: shown(path), fault })?;
        self.games(path, &bytes, warn)
            .map_err(|fault| GamesError::Nonsense { path: shown(path), fault: Box::new(fault) })
    }

    /// Reads every game of the bytes of a file as [`ReadingArgs::read`] does.
    ///
    /// # Errors
    /// Nothing in the file makes sense, or, if strict, the first place that does not.
    pub fn games(
        &self,
        path: &Path,
        bytes: &[u8],
        warn: &mut dyn FnMut(String),
    ) -> Result<Vec<RecordedGame>, FileError> {
        let file = notation::read_file(bytes, self.from_encoding)?;
        if self.strict {
            return file.strict();
        }
        let path = shown(path);
        file.skipped.iter().for_each(|skipped| warn(format!("{}: {skipped}", path.display())));
        Ok(file.games)
    }
}

/// Reads a file, unpacked if it is compressed with gzip; `-` is standard input.
///
/// # Errors
/// Whatever the system says.
pub fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let packed = if is_standard_input(path) {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    }?;
    if !packed.starts_with(&GZIP) {
        return Ok(packed);
    }
    let mut bytes = Vec::new();
    MultiGzDecoder::new(&packed[..]).read_to_end(&mut bytes).map(|_| bytes)
}

/// The encoding of a name.
fn encoding_named(name: &str) -> Result<&'static Encoding, String> {
    Encoding::for_label(name.as_bytes()).ok_or_else(|| "no encoding of this name is known".to_owned())
}

/// Whether a path stands for standard input.
pub fn is_standard_input(path: &Path) -> bool {
    path == Path::new(STANDARD_INPUT)
}

/// The file as a message names it.
pub fn shown(path: &Path) -> PathBuf {
    if is_standard_input(path) { PathBuf::from("standard input") } else { path.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &Path) -> Result<Vec<RecordedGame>, GamesError> {
        ReadingArgs { strict: true, ..ReadingArgs::default() }.read(path, &mut |line| panic!("{line}"))
    }

    #[test]
    fn what_is_bad_is_left_out_with_a_warning() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.pgn");
        fs::write(&path, "1. h2e2 h9g7 *\n\n[Red \"b\"]\n1. h2e2 a0a5 *\n").unwrap();
        let mut warnings = Vec::new();
        let games = ReadingArgs::default().read(&path, &mut |line| warnings.push(line)).unwrap();
        assert_eq!(games.iter().map(|game| game.main.moves.len()).collect::<Vec<_>>(), [2, 1]);
        let [warning] = &warnings[..] else { panic!("one warning") };
        assert!(warning.contains("game.pgn: game 2: line 4, column 9: move 1 of Black: `a0a5`"), "{warning}");
        assert!(read(&path).unwrap_err().to_string().contains("game.pgn: line 4, column 9"));
    }

    #[test]
    fn encodings_have_the_names_of_the_web() {
        assert_eq!(encoding_named("GBK").map(Encoding::name).as_deref(), Ok("GBK"));
        assert!(encoding_named("klingon").is_err());
    }

    #[test]
    fn faults_name_the_file() {
        let missing = read(Path::new("/nowhere/game.pgn")).unwrap_err().to_string();
        assert!(missing.starts_with("/nowhere/game.pgn: "), "{missing}");
        assert_eq!(shown(Path::new("-")), Path::new("standard input"));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.pgn");
        fs::write(&path, "1. C2=5 H5+9").unwrap();
        let bad = read(&path).unwrap_err().to_string();
        assert!(bad.contains("game.pgn: line 1, column "), "{bad}");
        fs::write(&path, "h2e2 h9g7").unwrap();
        assert_eq!(read(&path).unwrap().len(), 1);
    }
}
