//! The files of a match: games as PGN, games as JSON lines, and the state that a killed match is taken up from.
//!
//! A game counts once the state file says so. It holds the lengths of both other files and is replaced as a
//! whole after each game; what a killed run wrote beyond those lengths is cut off when the match is taken up, and
//! the game played again. So no game is lost and none counted twice.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::ledger::GameLine;
use crate::support::files;

/// Version of the state file.
const VERSION: u32 = 1;

/// What is taken up after an interruption: a file of JSON that is replaced as a whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct State<T> {
    version: u32,
    /// Everything that decides which games are played.
    plan: serde_json::Value,
    /// How far they are.
    #[serde(flatten)]
    pub progress: T,
}

/// How far a match is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Lengths {
    games: u64,
    pgn_bytes: u64,
    results_bytes: u64,
}

/// Open files of a match.
#[derive(Debug)]
pub struct Storage {
    paths: Paths,
    pgn: File,
    results: File,
    state: State<Lengths>,
}

#[derive(Debug, Clone)]
struct Paths {
    pgn: PathBuf,
    results: PathBuf,
    state: PathBuf,
}

/// Why the files of a match cannot be used.
#[derive(Debug, Error)]
pub enum StorageError {
    /// The system refuses.
    #[error("{}: {source}", path.display())]
    File {
        /// Path of the file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Files of an earlier run would be overwritten.
    #[error("{}: exists; --resume takes it up, another {option} starts anew", path.display())]
    Exists {
        /// The first of them.
        path: PathBuf,
        /// The option that names them.
        option: &'static str,
    },
    /// A file does not hold what it should.
    #[error("{}:{line}: {source}", path.display())]
    Damaged {
        /// Path of the file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// What the reader says.
        source: serde_json::Error,
    },
    /// The files are shorter than the state says.
    #[error("{}: shorter than the state file says: a part of the match is missing", .0.display())]
    Short(PathBuf),
    /// The match is another one.
    #[error("{}: written for another run: {what} differs", path.display())]
    OtherPlan {
        /// Path of the state file.
        path: PathBuf,
        /// The part of the plan that differs.
        what: String,
    },
}

impl Storage {
    /// Opens `base`.pgn, `base`.jsonl and `base`.state.json for a match that `plan` describes. With `resume` an
    /// interrupted match is taken up: its games so far are returned. Without, no file may exist yet. Folders that
    /// are missing on the way are made.
    pub fn open(
        base: &Path,
        plan: serde_json::Value,
        resume: bool,
    ) -> Result<(Storage, Vec<GameLine>), StorageError> {
        let with = |ending: &str| {
            let mut name = base.as_os_str().to_owned();
            name.push(ending);
            PathBuf::from(name)
        };
        let paths = Paths { pgn: with(".pgn"), results: with(".jsonl"), state: with(".state.json") };
        if !resume {
            let paths = [&paths.state, &paths.pgn, &paths.results];
            refuse_existing(paths.into_iter(), "--out")?;
        }
        if let Some(folder) = base.parent() {
            std::fs::create_dir_all(folder)
                .map_err(|source| StorageError::File { path: folder.to_owned(), source })?;
        }
        let state = State::open(&paths.state, plan, Lengths::default())?;
        let pgn = open_at(&paths.pgn, state.progress.pgn_bytes)?;
        let results = open_at(&paths.results, state.progress.results_bytes)?;
        let games = read_results(&paths.results)?;
        state.write(&paths.state)?;
        let storage = Storage { paths, pgn, results, state };
        Ok((storage, games))
    }

    /// Appends a game to both files and makes it count.
    pub fn add(&mut self, pgn: &str, line: &GameLine) -> Result<(), StorageError> {
        let fail = |path: &Path| {
            let path = path.to_owned();
            move |source| StorageError::File { path, source }
        };
        let mut json = serde_json::to_string(line)
            .map_err(|e| StorageError::File { path: self.paths.results.clone(), source: e.into() })?;
        json.push('\n');
        self.pgn.write_all(pgn.as_bytes()).map_err(fail(&self.paths.pgn))?;
        self.results.write_all(json.as_bytes()).map_err(fail(&self.paths.results))?;
        let lengths = &mut self.state.progress;
        lengths.games += 1;
        lengths.pgn_bytes += pgn.len() as u64;
        lengths.results_bytes += json.len() as u64;
        self.state.write(&self.paths.state)
    }
}

impl<T: Serialize + DeserializeOwned> State<T> {
    /// The state of the file if it is there, else the one at the beginning.
    ///
    /// # Errors
    /// The file cannot be read, or belongs to another plan.
    pub fn open(path: &Path, plan: serde_json::Value, beginning: T) -> Result<State<T>, StorageError> {
        let fresh = State { version: VERSION, plan, progress: beginning };
        if !path.exists() {
            return Ok(fresh);
        }
        let text = std::fs::read_to_string(path)
            .map_err(|source| StorageError::File { path: path.to_owned(), source })?;
        let state: State<T> =
            serde_json::from_str(&text).map_err(|source| StorageError::damaged(path, source))?;
        let other = |what: &str| StorageError::OtherPlan { path: path.to_owned(), what: what.to_owned() };
        if state.version != fresh.version {
            return Err(other("its version"));
        }
        if let (Some(old), Some(new)) = (state.plan.as_object(), fresh.plan.as_object())
            && let Some((key, _)) = new.iter().find(|(key, value)| old.get(*key) != Some(value))
        {
            return Err(other(key));
        }
        Ok(state)
    }

    /// Writes it; an older file is replaced.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), StorageError> {
        let fail = |source| StorageError::File { path: path.to_owned(), source };
        let text = serde_json::to_string(self).map_err(|e| fail(e.into()))?;
        files::replace(path, (text + "\n").as_bytes()).map_err(fail)
    }
}

impl StorageError {
    /// A state file that makes no sense.
    pub(crate) fn damaged(path: &Path, source: serde_json::Error) -> StorageError {
        StorageError::Damaged { path: path.to_owned(), line: source.line().max(1), source }
    }
}

/// Refuses to begin where files of an earlier run are; `option` names them.
///
/// # Errors
/// The first of them.
pub(crate) fn refuse_existing<'a>(
    mut paths: impl Iterator<Item = &'a PathBuf>,
    option: &'static str,
) -> Result<(), StorageError> {
    let found = paths.find(|path| path.exists());
    found.map_or(Ok(()), |path| Err(StorageError::Exists { path: path.clone(), option }))
}

/// Opens a file for appending at `length`, cutting off what stands behind.
fn open_at(path: &Path, length: u64) -> Result<File, StorageError> {
    let fail = |source| StorageError::File { path: path.to_owned(), source };
    files::regular(path).map_err(fail)?;
    let mut file =
        OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(fail)?;
    if file.metadata().map_err(fail)?.len() < length {
        return Err(StorageError::Short(path.to_owned()));
    }
    file.set_len(length).map_err(fail)?;
    file.seek(SeekFrom::End(0)).map_err(fail)?;
    Ok(file)
}

/// Reads the games of a result file.
pub fn read_results(path: &Path) -> Result<Vec<GameLine>, StorageError> {
    let fail = |source| StorageError::File { path: path.to_owned(), source };
    let file = File::open(path).map_err(fail)?;
    let mut games = Vec::new();
    for (i, line) in BufReader::new(file).lines().enumerate() {
        let line = line.map_err(fail)?;
        let game = serde_json::from_str(&line).map_err(|source| StorageError::Damaged {
            path: path.to_owned(),
            line: i + 1,
            source,
        })?;
        games.push(game);
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_folders_are_made() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().join("results/today/m1");
        let (_, games) = Storage::open(&base, serde_json::json!({}), false).unwrap();
        assert!(games.is_empty());
        assert_eq!(std::fs::read_dir(base.parent().unwrap()).unwrap().count(), 3);
    }
}
