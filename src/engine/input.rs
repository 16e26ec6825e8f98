//! Files that somebody names to be read whole: a network, a book, tables.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use thiserror::Error;

/// Why a file is not read.
#[derive(Debug, Error)]
pub enum InputError {
    /// The system refuses.
    #[error(transparent)]
    System(#[from] io::Error),
    /// It is a folder, a pipe or a device.
    #[error("not a regular file")]
    NotAFile,
    /// It is far larger than anything of its kind.
    #[error("too large: more than {} MB", .0 >> 20)]
    TooLarge(u64),
}

/// The bytes of a file of at most `largest` bytes. Pipes and devices are not opened: they might never end.
///
/// # Errors
/// It cannot be read, is no regular file or too large.
pub fn read(path: &Path, largest: u64) -> Result<Vec<u8>, InputError> {
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
    use super::*;

    #[test]
    fn regular_files_of_fair_size_are_read_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, b"123").unwrap();
        assert_eq!(read(&path, 3).unwrap(), b"123");
        assert_eq!(read(&path, 3 << 20).unwrap(), b"123");
        assert!(matches!(read(&path, 2), Err(InputError::TooLarge(2))));
        assert!(matches!(read(folder.path(), 3), Err(InputError::NotAFile)));
        assert!(matches!(read(&folder.path().join("b"), 3), Err(InputError::System(_))));
        assert_eq!(InputError::TooLarge(3 << 20).to_string(), "too large: more than 3 MB");
    }

    #[cfg(unix)]
    #[test]
    fn what_has_no_end_is_not_begun() {
        for endless in ["/dev/zero", "/dev/null"] {
            assert!(matches!(read(Path::new(endless), 3), Err(InputError::NotAFile)), "{endless}");
        }
    }
}
