//! Engines as programs: how they are started, spoken to, timed, and ended.

mod brake;
mod dialect;
mod driver;
mod options;
mod process;
mod spec;

pub use brake::Brake;
pub use dialect::{Answer, ClockView, Go, Report, Score, Speech};
pub use driver::{Engine, Fault, Thought};
pub use options::Declared;
pub use process::{Heard, Process, Traffic};
pub use spec::{EngineSpec, OptionValue, Protocol, Ranks, Restart, SpecError, TimeUnit};
