//! The search: iterative deepening principal variation search over a shared transposition table.
//!
//! It takes [`SearchLimits`] and reports [`Event`]s; it never prints and never reads a line of any protocol.
//! A search is one coordinating thread and its helpers ([`ThreadPool`]), each a `ThreadData` with a private
//! position, evaluation and history. They share the table, the stop flag and the clock, and, while one of
//! them is idle, the moves of the node at which another is (`split`).

mod context;
mod coordinate;
pub mod handicap;
mod history;
mod iterate;
mod limits;
mod mate;
mod memory;
mod moves;
mod node;
mod nodes;
mod params;
mod picker;
mod pruning;
mod quiescence;
mod report;
mod root;
mod signal;
mod stats;
mod thread_data;
mod thread_group;
mod threads;
mod tiered_table;
mod time;
mod tt;
mod vote;

pub use handicap::Handicap;
pub use limits::{Clock, SearchLimits, SearchOptions};
pub use params::{Tunable, tunables};
pub use report::{Event, Info, NoMate, Refuted, SearchReport};
pub use stats::{Iteration, SearchCounts, SearchStats};
pub use threads::ThreadPool;
pub use tt::{Bound, HashError, TtEntry};
