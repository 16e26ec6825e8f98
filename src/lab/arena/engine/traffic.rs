//! The log of what passes between the runner and the engines.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// A log of all lines to and from engines.
#[derive(Debug, Clone)]
pub struct Traffic {
    sink: Arc<Mutex<File>>,
    since: Instant,
}

impl Traffic {
    /// Opens a log file, emptying it.
    pub fn create(path: &Path) -> io::Result<Traffic> {
        Ok(Traffic { sink: Arc::new(Mutex::new(File::create(path)?)), since: Instant::now() })
    }
}

/// The log as one engine writes to it.
#[derive(Debug, Clone)]
pub(super) struct Log {
    traffic: Traffic,
    name: Arc<str>,
}

impl Log {
    /// The entries of the engine called `name`.
    pub fn new(traffic: Traffic, name: &str) -> Log {
        Log { traffic, name: name.into() }
    }

    /// Writes one line: seconds since the start, name of the engine, direction (`<` to the engine, `>` from it, `!`
    /// its standard error), text.
    pub fn note(&self, at: Instant, direction: char, text: &str) {
        let time = at.saturating_duration_since(self.traffic.since).as_secs_f64();
        let line = format!("{time:.6} {} {direction} {text}\n", self.name);
        let mut sink = self.traffic.sink.lock().unwrap_or_else(PoisonError::into_inner);
        // A full disk must not stop the match; the log is an aid.
        let _ = sink.write_all(line.as_bytes());
    }
}
