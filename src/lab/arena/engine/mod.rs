//! Engines as programs: how they are started, spoken to, timed, and ended.

mod dialect;
mod driver;
mod group;
mod input;
mod lines;
mod log;
mod message;
mod messages;
mod options;
mod output;
#[cfg(unix)]
mod polled;
mod process;
mod spec;
mod stop;

pub(crate) use dialect::{Answer, ClockView, EngineDialect, Go, ReportedScore, SearchInfo};
pub(crate) use driver::{EngineFault, ExternalEngine};
pub use log::EngineLog;
pub(crate) use log::LogError;
pub(crate) use options::DeclaredOption;
pub use output::{OutputEvent, OutputReader};
pub use process::Process;
pub use spec::EngineSpec;
pub(crate) use spec::{ClockUnit, OptionValue, OptionValues, Protocol, RankNumbering, Restart, SpecError};
pub use stop::StopSignal;
