//! Files named by the user, to be read whole and parsed: a network, a book, tables of endings, a checkpoint.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a file is not read.
#[derive(Debug, Error)]
pub enum InputError {
    /// The system refuses to read the file.
    #[error(transparent)]
    System(#[from] io::Error),
    /// The path leads to a folder, a pipe or a device.
    #[error("not a regular file")]
    NotAFile,
    /// The file is far larger than anything of its kind.
    #[error("too large: more than {} MB", .0 >> 20)]
    TooLarge(u64),
}

/// Why a file could not be loaded.
#[derive(Debug, Error)]
#[error("{}: {fault}", path.display())]
pub struct LoadError<E: std::error::Error + 'static> {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    #[source]
    pub fault: LoadFault<E>,
}

/// What is wrong with a file that could not be loaded.
#[derive(Debug, Error)]
pub enum LoadFault<E: std::error::Error + 'static> {
    /// The file cannot be read.
    #[error(transparent)]
    Unreadable(InputError),
    /// The file holds something else, or is damaged.
    #[error(transparent)]
    Format(E),
}

/// Reads a file of at most `largest` bytes and parses it.
///
/// # Errors
/// Returns an error that names the file if it cannot be read or parsed.
pub fn load<T, E: std::error::Error + 'static>(
    path: &Path,
    largest: u64,
    parse: impl FnOnce(Vec<u8>) -> Result<T, E>,
) -> Result<T, LoadError<E>> {
    let loaded = read_file(path, largest).map_err(LoadFault::Unreadable);
    let parsed = loaded.and_then(|bytes| parse(bytes).map_err(LoadFault::Format));
    parsed.map_err(|fault| LoadError { path: path.to_owned(), fault })
}

/// The bytes of a file of at most `largest` bytes.
///
/// Pipes and devices are not opened, because they might never end.
///
/// # Errors
/// Returns an error if the file cannot be read, is not a regular file or is too large.
pub fn read_file(path: &Path, largest: u64) -> Result<Vec<u8>, InputError> {
    if !fs::metadata(path)?.is_file() {
        return Err(InputError::NotAFile);
    }
    let (file, mut bytes) = (File::open(path)?, Vec::new());
    // What the system says of the length need not be true.
    file.take(largest.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > largest { Err(InputError::TooLarge(largest)) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::super::Format;
    use super::*;

    const FORMAT: Format = Format { magic: *b"JZTEST\r\n", versions: 2..=3, name: "test" };

    #[test]
    fn regular_files_of_fair_size_are_read_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, b"123").unwrap();
        assert_eq!(read_file(&path, 3).unwrap(), b"123");
        assert_eq!(read_file(&path, 3 << 20).unwrap(), b"123");
        assert!(matches!(read_file(&path, 2), Err(InputError::TooLarge(2))));
        assert!(matches!(read_file(folder.path(), 3), Err(InputError::NotAFile)));
        assert!(matches!(read_file(&folder.path().join("b"), 3), Err(InputError::System(_))));
        assert_eq!(InputError::TooLarge(3 << 20).to_string(), "too large: more than 3 MB");
    }

    #[test]
    fn what_cannot_be_loaded_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, Format { versions: 9..=9, ..FORMAT }.seal(9, b"")).unwrap();
        let parse = |bytes: Vec<u8>| FORMAT.open(&bytes).map(|sealed| sealed.version);
        let error = load(&path, 99, parse).unwrap_err().to_string();
        assert_eq!(error, format!("{}: version 9 of the format is unknown, 3 is wanted", path.display()));
        assert!(load(folder.path(), 99, parse).unwrap_err().to_string().ends_with(": not a regular file"));
    }

    #[cfg(unix)]
    #[test]
    fn what_has_no_end_is_not_begun() {
        for endless in ["/dev/zero", "/dev/null"] {
            assert!(matches!(read_file(Path::new(endless), 3), Err(InputError::NotAFile)), "{endless}");
        }
    }
}
