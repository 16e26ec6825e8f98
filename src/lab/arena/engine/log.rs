//! The log of what passes between the runner and the engines.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Why the log cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", path.display())]
pub struct LogError {
    path: PathBuf,
    source: io::Error,
}

/// A log of all lines to and from engines.
#[derive(Debug, Clone)]
pub struct EngineLog {
    file: Arc<Mutex<File>>,
    since: Instant,
}

impl EngineLog {
    /// Opens a log file and empties it.
    ///
    /// # Errors
    /// Returns an error if the file cannot be created.
    pub fn create(path: &Path) -> Result<EngineLog, LogError> {
        let file = File::create(path).map_err(|source| LogError { path: path.to_owned(), source })?;
        Ok(EngineLog { file: Arc::new(Mutex::new(file)), since: Instant::now() })
    }
}

/// The log as one engine writes to it.
#[derive(Debug, Clone)]
pub(super) struct LogWriter {
    log: EngineLog,
    name: Arc<str>,
}

impl LogWriter {
    /// The entries of the engine called `name`.
    pub fn new(log: EngineLog, name: &str) -> LogWriter {
        LogWriter { log, name: name.into() }
    }

    /// Writes one line: seconds since the start, name of the engine, direction (`<` to the engine, `>` from it, `!`
    /// its standard error), text.
    pub fn note(&self, at: Instant, direction: char, text: &str) {
        let time = at.saturating_duration_since(self.log.since).as_secs_f64();
        let line = format!("{time:.6} {} {direction} {text}\n", self.name);
        let mut file = self.log.file.lock().unwrap_or_else(PoisonError::into_inner);
        // A full disk must not stop the match; the log is an aid.
        let _ = file.write_all(line.as_bytes());
    }
}
