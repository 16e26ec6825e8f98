//! Engines as programs: how they are started, spoken to, timed, and ended.

mod dialect;
mod driver;
mod group;
mod input;
mod lines;
mod log;
mod messages;
mod options;
mod output;
#[cfg(unix)]
mod polled;
mod process;
mod spec;
mod stop;

pub use dialect::{Answer, ClockView, EngineDialect, Go, Score, SearchInfo};
pub use driver::{Engine, EngineMove, Fault};
pub use log::{EngineLog, LogError};
pub use options::DeclaredOption;
pub use output::{OutputEvent, OutputReader};
pub use process::Process;
pub use spec::{EngineSpec, OptionValue, OptionValues, Protocol, Ranks, Restart, SpecError, TimeUnit};
pub use stop::StopSignal;
