//! The files of a match: games as PGN, games as JSON lines, and the state from which a killed match continues.
//!
//! A game counts once the state file says so. It holds the lengths of both other files and is replaced as a whole after
//! each game; what a killed run wrote beyond those lengths is cut off when the match is continued, and the game played
//! again. So no game is lost and none counted twice.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::config::MatchConfig;
use super::ledger::GameLine;
use crate::support::files;
use crate::support::state::{SavedState, StateError, refuse_existing};

/// How the name of the state file ends.
const STATE: &str = ".state.json";

/// How far a match is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct MatchProgress {
    /// The description of the match, so that its name alone is enough to continue; older files lack it.
    #[serde(default)]
    description: Option<MatchConfig>,
    games: u64,
    pgn_bytes: u64,
    results_bytes: u64,
}

/// Open files of a match.
#[derive(Debug)]
pub struct MatchFiles {
    paths: Paths,
    pgn: File,
    results: File,
    state: SavedState<MatchProgress>,
}

#[derive(Debug, Clone)]
struct Paths {
    pgn: PathBuf,
    results: PathBuf,
    state: PathBuf,
}

impl MatchFiles {
    /// Opens `base`.pgn, `base`.jsonl and `base`.state.json for a match that `plan` describes. With `resume` an
    /// interrupted match is continued: its games so far are returned. Without it, no file may exist yet. Missing
    /// folders on the path are created.
    pub fn open(
        base: &Path,
        config: &MatchConfig,
        plan: serde_json::Value,
        resume: bool,
    ) -> Result<(MatchFiles, Vec<GameLine>), StateError> {
        let with = |ending| with_ending(base, ending);
        let paths = Paths { pgn: with(".pgn"), results: with(".jsonl"), state: with(STATE) };
        if !resume {
            let paths = [&paths.state, &paths.pgn, &paths.results];
            refuse_existing(paths.into_iter(), "--out")?;
        }
        if let Some(folder) = base.parent() {
            std::fs::create_dir_all(folder)
                .map_err(|source| StateError::File { path: folder.to_owned(), source })?;
        }
        let description = Some(config.clone());
        let beginning = MatchProgress { description, ..MatchProgress::default() };
        let state = SavedState::open(&paths.state, plan, beginning)?;
        let pgn = open_at(&paths.pgn, state.progress.pgn_bytes)?;
        let results = open_at(&paths.results, state.progress.results_bytes)?;
        let games = read_results(&paths.results)?;
        state.write(&paths.state)?;
        let storage = MatchFiles { paths, pgn, results, state };
        Ok((storage, games))
    }

    /// Appends a game to both files and makes it count.
    pub fn add(&mut self, pgn: &str, line: &GameLine) -> Result<(), StateError> {
        let fail = |path: &Path| {
            let path = path.to_owned();
            move |source| StateError::File { path, source }
        };
        let mut json = serde_json::to_string(line)
            .map_err(|e| StateError::File { path: self.paths.results.clone(), source: e.into() })?;
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

/// The description of the match whose files are called `base`, as it was begun.
///
/// # Errors
/// Returns an error if there is no such match, or its state file holds no description.
pub fn read_description(base: &Path) -> Result<MatchConfig, StateError> {
    let path = with_ending(base, STATE);
    let text =
        std::fs::read_to_string(&path).map_err(|source| StateError::File { path: path.clone(), source })?;
    let progress: MatchProgress =
        serde_json::from_str(&text).map_err(|source| StateError::damaged(&path, source))?;
    let missing =
        || StateError::damaged(&path, serde::de::Error::custom("the description of the match is missing"));
    progress.description.ok_or_else(missing)
}

fn with_ending(base: &Path, ending: &str) -> PathBuf {
    let mut name = base.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Opens a file for appending at `length`, cutting off what stands behind.
fn open_at(path: &Path, length: u64) -> Result<File, StateError> {
    let fail = |source| StateError::File { path: path.to_owned(), source };
    files::regular(path).map_err(fail)?;
    let mut file =
        OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(fail)?;
    if file.metadata().map_err(fail)?.len() < length {
        return Err(StateError::Short(path.to_owned()));
    }
    file.set_len(length).map_err(fail)?;
    file.seek(SeekFrom::End(0)).map_err(fail)?;
    Ok(file)
}

/// Reads the games of a result file.
pub fn read_results(path: &Path) -> Result<Vec<GameLine>, StateError> {
    let fail = |source| StateError::File { path: path.to_owned(), source };
    let file = File::open(path).map_err(fail)?;
    let mut games = Vec::new();
    for (i, line) in BufReader::new(file).lines().enumerate() {
        let line = line.map_err(fail)?;
        let game = serde_json::from_str(&line).map_err(|source| StateError::Damaged {
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
    fn missing_folders_are_made_and_the_match_is_described() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().join("results/today/m1");
        let config = MatchConfig { tc: "1:30+1".parse().ok(), ..MatchConfig::default() };
        let (_, games) = MatchFiles::open(&base, &config, serde_json::json!({}), false).unwrap();
        assert!(games.is_empty());
        assert_eq!(std::fs::read_dir(base.parent().unwrap()).unwrap().count(), 3);
        assert_eq!(read_description(&base).unwrap(), config);
        assert!(read_description(folder.path()).is_err());
    }
}
