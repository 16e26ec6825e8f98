//! Files that exist either as a whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::NamedTempFile;

/// How long a file that another program holds open is waited for.
const PATIENCE: Duration = Duration::from_secs(2);
/// The pause between two attempts to replace such a file.
const PAUSE: Duration = Duration::from_millis(50);

/// A file in the making: it has a random name beside its place until it is finished, and is gone if it never is.
#[derive(Debug)]
pub struct Draft {
    target: PathBuf,
    file: NamedTempFile,
}

impl Draft {
    /// Begins a file that will stand at `path`, or where a link of this name leads.
    ///
    /// # Errors
    /// Returns an error if the path leads to something other than a regular file, or nothing can be written
    /// beside it.
    pub fn new(path: &Path) -> io::Result<Draft> {
        let target = target(path)?;
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
        let file = scratch_file(folder.unwrap_or(Path::new(".")))?;
        if let Ok(old) = fs::metadata(&target) {
            file.as_file().set_permissions(old.permissions())?;
        }
        Ok(Draft { target, file })
    }

    /// Puts the file in its place, where it replaces an older one.
    ///
    /// On Windows nobody can replace a file that another program holds open: that program is given two seconds.
    ///
    /// # Errors
    /// Returns an error if the system refuses; an older file is then kept, and the new one stays beside it
    /// under the name given in the message.
    pub fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        let until = Instant::now() + PATIENCE;
        loop {
            let refusal = match self.file.persist(&self.target) {
                Ok(_) => return Ok(()),
                Err(refusal) => refusal,
            };
            if !is_held(&refusal.error) || Instant::now() >= until {
                let spare = put_aside(refusal.file, &self.target)?;
                let message = format!("{}; the new content is in {}", refusal.error, spare.display());
                return Err(io::Error::new(refusal.error.kind(), message));
            }
            self.file = refusal.file;
            thread::sleep(PAUSE);
        }
    }
}

/// An empty file with a random name. By default only its owner could read it; this one gets the usual permissions.
#[cfg(unix)]
fn scratch_file(folder: &Path) -> io::Result<NamedTempFile> {
    let everybody = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    tempfile::Builder::new().permissions(everybody).tempfile_in(folder)
}

/// An empty file with a random name.
#[cfg(not(unix))]
fn scratch_file(folder: &Path) -> io::Result<NamedTempFile> {
    NamedTempFile::new_in(folder)
}

/// Whether a file may be replaced later because only another program that holds it open stands in the way.
fn is_held(error: &io::Error) -> bool {
    // Access denied, sharing violation, lock violation.
    cfg!(windows) && matches!(error.raw_os_error(), Some(5 | 32 | 33))
}

/// Keeps a finished file beside the place that it cannot take, and returns its name: `game.pgn.new`, `game.pgn.new2`.
fn put_aside(mut file: NamedTempFile, target: &Path) -> io::Result<PathBuf> {
    for number in 1..100 {
        let mut name = target.as_os_str().to_owned();
        name.push(if number == 1 { ".new".to_owned() } else { format!(".new{number}") });
        let spare = PathBuf::from(name);
        match file.persist_noclobber(&spare) {
            Ok(_) => return Ok(spare),
            Err(refusal) => file = refusal.file,
        }
    }
    // Its random name is better than nothing.
    Ok(file.keep()?.1)
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Writes a file as a [`Draft`], so that no half of it is ever left.
///
/// # Errors
/// Returns an error if the file cannot be written; an older file of this name is then kept. A new file that is
/// complete but cannot take its place is kept under another name, given in the message.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut draft = Draft::new(path)?;
    draft.write_all(content)?;
    draft.finish()
}

/// Refuses what is there but cannot be replaced by a file, such as a folder, a pipe or a device.
///
/// # Errors
/// `path` leads to something that is no regular file.
pub fn regular(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(there) if !there.is_file() => Err(refused("not a regular file")),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Refuses to write over what is read, or two results into one file. Links are followed.
///
/// # Errors
/// The first of the `written` files that would do so, and why it must not.
pub fn keep_apart(written: &[&Path], read: &[&Path]) -> Result<(), (PathBuf, io::Error)> {
    let place = |path: &Path| target(path).ok().and_then(|path| place_of(&path));
    let mut taken: Vec<PathBuf> = Vec::new();
    let sources: Vec<PathBuf> = read.iter().filter_map(|path| place(path)).collect();
    for path in written {
        let Some(place) = place(path) else { continue };
        if sources.contains(&place) {
            return Err((path.to_path_buf(), refused("this would be written over what is read")));
        }
        if taken.contains(&place) {
            return Err((path.to_path_buf(), refused("two results cannot be one file")));
        }
        taken.push(place);
    }
    Ok(())
}

/// The one path by which a file is known, whether it is there or not.
fn place_of(path: &Path) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
}

/// Where a file of this name is, links followed, or will be.
fn target(path: &Path) -> io::Result<PathBuf> {
    regular(path)?;
    match fs::canonicalize(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if path.is_symlink() {
                Err(refused("a link that leads nowhere"))
            } else {
                Ok(path.to_owned())
            }
        }
        found => found,
    }
}

fn refused(cause: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, cause)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_touched_or_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.book");
        let other = folder.path().join("a.tmp");
        fs::write(&other, "mine").unwrap();
        for content in ["old", "new"] {
            replace(&path, content.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
        }
        assert_eq!(fs::read_to_string(&other).unwrap(), "mine");
        assert_eq!(entries(folder.path()), 2);
        assert!(replace(&folder.path().join("no/a.book"), b"x").is_err());
    }

    #[test]
    fn a_draft_that_is_not_finished_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.book");
        replace(&path, b"old").unwrap();
        let mut draft = Draft::new(&path).unwrap();
        draft.write_all(b"half").unwrap();
        drop(draft);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(entries(folder.path()), 1);
    }

    #[test]
    fn what_cannot_take_its_place_is_kept_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.book");
        for (spare, content) in [("a.book.new", "first"), ("a.book.new2", "second")] {
            let _ = fs::remove_dir_all(&path);
            let mut draft = Draft::new(&path).unwrap();
            draft.write_all(content.as_bytes()).unwrap();
            fs::create_dir_all(path.join("inner")).unwrap();
            let error = draft.finish().unwrap_err().to_string();
            let spare = folder.path().join(spare);
            assert!(error.ends_with(&format!("; the new content is in {}", spare.display())), "{error}");
            assert_eq!(fs::read_to_string(spare).unwrap(), content);
        }
        assert_eq!(entries(folder.path()), 3);
    }

    /// Opens a file with exclusive access, as some programs do.
    #[cfg(windows)]
    fn hold(path: &Path) -> fs::File {
        use std::os::windows::fs::OpenOptionsExt;
        fs::OpenOptions::new().read(true).share_mode(0).open(path).unwrap()
    }

    #[cfg(windows)]
    #[test]
    fn a_file_held_for_a_moment_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.book");
        fs::write(&path, "old").unwrap();
        let held = hold(&path);
        let holder = thread::spawn(move || {
            thread::sleep(Duration::from_millis(500));
            drop(held);
        });
        replace(&path, b"new").unwrap();
        holder.join().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(entries(folder.path()), 1);
    }

    #[cfg(windows)]
    #[test]
    fn a_file_held_for_long_stays_and_the_new_one_stands_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.book");
        fs::write(&path, "old").unwrap();
        let held = hold(&path);
        let began = Instant::now();
        let error = replace(&path, b"new").unwrap_err().to_string();
        assert!(began.elapsed() >= PATIENCE && error.contains("a.book.new"), "{error}");
        drop(held);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read(folder.path().join("a.book.new")).unwrap(), b"new");
        assert_eq!(entries(folder.path()), 2);
    }

    #[test]
    fn folders_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).unwrap();
        assert_eq!(replace(&inner, b"x").unwrap_err().to_string(), "not a regular file");
        assert!(inner.is_dir() && entries(folder.path()) == 1);
    }

    #[test]
    fn what_is_read_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("a"), "mine").unwrap();
        let apart = |written: &[&str], read: &[&str]| {
            let [written, read] =
                [written, read].map(|names| names.iter().map(|name| path(name)).collect::<Vec<_>>());
            let (written, read): (Vec<&Path>, Vec<&Path>) =
                (written.iter().map(PathBuf::as_path).collect(), read.iter().map(PathBuf::as_path).collect());
            keep_apart(&written, &read).map_err(|(_, error)| error.to_string())
        };
        assert_eq!(apart(&["b", "c"], &["a", "a"]), Ok(()));
        assert_eq!(apart(&["b", "a"], &["a"]).unwrap_err(), "this would be written over what is read");
        assert_eq!(apart(&["./b", "b"], &["a"]).unwrap_err(), "two results cannot be one file");
        assert!(apart(&[".."], &["a"]).is_ok(), "a folder is refused elsewhere");
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("a", path("link")).unwrap();
            assert!(apart(&["link"], &["a"]).is_err());
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_pipes_refused() {
        use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let [real, link, lost, pipe] = ["real", "link", "lost", "pipe"].map(|name| folder.path().join(name));
        fs::write(&real, "old").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&real, &link).unwrap();
        symlink("nowhere", &lost).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        replace(&link, b"new").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(replace(&lost, b"x").unwrap_err().to_string(), "a link that leads nowhere");
        assert_eq!(replace(&pipe, b"x").unwrap_err().to_string(), "not a regular file");
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
        assert_eq!(entries(folder.path()), 4);
    }
}
