//! The state of a run that an interruption may end: a file of JSON that is replaced as a whole.

use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::files;

/// Version of the state file.
const VERSION: u32 = 1;

/// The progress of a run, and the plan by which it is continued.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SavedState<T> {
    version: u32,
    /// Everything that decides what the run does.
    plan: serde_json::Value,
    /// How far the run is.
    #[serde(flatten)]
    pub progress: T,
}

/// Why a run cannot be started, continued or recorded.
#[derive(Debug, Error)]
pub enum StateError {
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

impl<T: Serialize + DeserializeOwned> SavedState<T> {
    /// The state in the file if it exists, otherwise the initial one.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or belongs to another plan.
    pub fn open(path: &Path, plan: serde_json::Value, beginning: T) -> Result<SavedState<T>, StateError> {
        let fresh = SavedState { version: VERSION, plan, progress: beginning };
        if !path.exists() {
            return Ok(fresh);
        }
        let text = std::fs::read_to_string(path)
            .map_err(|source| StateError::File { path: path.to_owned(), source })?;
        let state: SavedState<T> =
            serde_json::from_str(&text).map_err(|source| StateError::damaged(path, source))?;
        let other = |what: &str| StateError::OtherPlan { path: path.to_owned(), what: what.to_owned() };
        if state.version != fresh.version {
            return Err(other("its version"));
        }
        // What an older file does not mention was not in force.
        if let (Some(old), Some(new)) = (state.plan.as_object(), fresh.plan.as_object())
            && let Some((key, _)) =
                new.iter().find(|(key, value)| old.get(*key).unwrap_or(&serde_json::Value::Null) != *value)
        {
            return Err(other(key));
        }
        Ok(state)
    }

    /// Writes it; an older file is replaced.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), StateError> {
        let fail = |source| StateError::File { path: path.to_owned(), source };
        let text = serde_json::to_string(self).map_err(|e| fail(e.into()))?;
        files::replace(path, (text + "\n").as_bytes()).map_err(fail)
    }
}

impl StateError {
    /// The error for an invalid state file.
    pub fn damaged(path: &Path, source: serde_json::Error) -> StateError {
        StateError::Damaged { path: path.to_owned(), line: source.line().max(1), source }
    }
}

/// Refuses to begin where files of an earlier run are; `option` names them.
///
/// # Errors
/// The first of them.
pub fn refuse_existing<'a>(
    mut paths: impl Iterator<Item = &'a PathBuf>,
    option: &'static str,
) -> Result<(), StateError> {
    let found = paths.find(|path| path.exists());
    found.map_or(Ok(()), |path| Err(StateError::Exists { path: path.clone(), option }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_run_goes_on_only_under_its_own_plan() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.state.json");
        let open = |plan: serde_json::Value| SavedState::open(&path, plan, json!({"games": 0}));
        open(json!({"limits": "1+1"})).unwrap().write(&path).unwrap();
        assert!(
            open(json!({"limits": "1+1", "tables": null})).is_ok(),
            "an option that is off changes nothing"
        );
        for (plan, what) in
            [(json!({"limits": "2+1"}), "limits"), (json!({"limits": "1+1", "tables": true}), "tables")]
        {
            let error = open(plan).unwrap_err().to_string();
            assert!(error.ends_with(&format!("written for another run: {what} differs")), "{error}");
        }
    }
}
