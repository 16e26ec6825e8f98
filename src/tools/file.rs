//! Files that are there as a whole or not at all.

use std::fs;
use std::io;
use std::path::Path;

/// Writes a file under another name and then gives it its own, so that no half of it is ever left.
///
/// # Errors
/// It cannot be written; an older file of this name is then still there.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let unfinished = path.with_extension("tmp");
    fs::write(&unfinished, content)?;
    fs::rename(&unfinished, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left() {
        let folder = std::env::temp_dir().join(format!("juzhong-file-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a.book");
        for content in ["old", "new"] {
            replace(&path, content.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
        }
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        assert!(replace(&folder.join("no/a.book"), b"x").is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}
