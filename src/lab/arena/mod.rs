//! Matches between engines: the runner behind `juzhong match` and `juzhong tune`.
//!
//! ```text
//! config ─▶ cli ─▶ schedule ─▶ runner ─▶ game ─▶ engine (process, dialect)
//!                     ▲           │        ├── clock, openings, adjudication
//!                     │           ▼        └── rules: legality, mate, repetition, limits
//!                  results ◀─ ledger ─▶ stats, report
//!                                 └────▶ storage (pgn, JSON lines, state)
//! ```
//! The engine driver, the game loop and the statistics stand alone and print nothing; only `cli` speaks to the
//! user. Works with any UCCI or UCI engine and judges by this project's own rules.

pub mod adjudication;
mod cli;
pub mod clock;
pub(crate) mod conditions;
pub(crate) mod config;
pub mod engine;
pub mod game;
mod key_values;
mod ledger;
mod match_run;
pub mod openings;
mod pgn;
mod plan;
pub mod record;
mod report;
pub mod runner;
pub mod schedule;
mod stats;
pub mod storage;
mod tournament;
pub(crate) mod validation;

pub use cli::{MatchArgs, MatchError, run};
