//! The search: iterative deepening principal variation search over a shared transposition table.
//!
//! It takes [`SearchLimits`] and reports [`Event`]s; it never prints and never reads a line of any protocol.
//! Every thread of a [`ThreadPool`] searches the whole tree by itself, with its own position, evaluation and
//! histories (lazy SMP). The threads share the transposition table, the stop signal and the node counts, and in the
//! end they vote for the move.

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
