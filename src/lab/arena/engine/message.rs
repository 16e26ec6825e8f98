//! A message from an engine to its driver.

use std::time::Instant;

use super::dialect::SearchInfo;

/// A message from an engine to its driver.
#[derive(Debug)]
pub(super) enum EngineMessage {
    /// A line, when it arrived, and what was said of the search before it.
    Line {
        /// When it arrived.
        at: Instant,
        /// The line.
        text: String,
        /// What was said of the search.
        report: SearchInfo,
    },
    /// The output is closed.
    End,
    /// The stop signal was raised.
    Wake,
    /// Nothing in time.
    Timeout,
}
