//! Games out of a file or standard input, whatever their format.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

use xiangqi::notation::pgn::RecordedGame;
use xiangqi::notation::{self, FileError};

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
    /// The file holds something else than games.
    #[error("{}: {fault}", path.display())]
    Nonsense {
        /// The file.
        path: PathBuf,
        /// The place, and what is wrong there.
        fault: Box<FileError>,
    },
}

/// Every game of a file in any of the formats [`notation::read_games`] knows; `-` is standard input.
///
/// # Errors
/// The file cannot be read, or the first place at which it makes no sense.
pub fn read(path: &Path) -> Result<Vec<RecordedGame>, GamesError> {
    let bytes = if is_standard_input(path) {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    let bytes = bytes.map_err(|fault| GamesError::Unreadable { path: shown(path), fault })?;
    notation::read_games(&bytes)
        .map_err(|fault| GamesError::Nonsense { path: shown(path), fault: Box::new(fault) })
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
