//! The search: iterative deepening principal variation search over a shared transposition table.
//!
//! It takes [`Limits`] and reports [`Event`]s; it never prints and never reads a line of any protocol.
//! A search is one coordinating thread and its helpers ([`Pool`]), each a `Worker` with a private
//! position, evaluation and history. They share the table, the stop flag and the clock, and, while one of
//! them is idle, the moves of the node at which another is (`split`).

mod crew;
mod history;
mod iterative;
pub mod level;
mod limits;
mod mate;
mod memory;
mod move_loop;
mod node;
mod params;
mod picker;
mod pool;
mod pruning;
mod quiescence;
mod report;
mod root;
mod seats;
mod sight;
mod signal;
mod split;
mod stats;
mod time;
pub mod tt;
mod variety;
mod worker;

pub use level::Level;
pub use limits::{Clock, Limits, SearchOptions};
pub use params::{Knob, knobs};
pub use pool::Pool;
pub use report::{Event, Info, NoMate, Refuted, Report};
pub use stats::{Counts, Iteration, Stats};
pub use tt::{Bound, HashError};
