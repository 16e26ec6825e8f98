//! Engines as programs: how they are started, spoken to, timed, and ended.

mod brake;
mod dialect;
mod driver;
mod options;
mod output;
mod process;
mod source;
mod spec;
mod traffic;

pub use brake::Brake;
pub use dialect::{Answer, ClockView, Go, Report, Score, Speech};
pub use driver::{Engine, Fault, Thought};
pub use options::Declared;
pub use output::{Heard, Next, Output};
pub use process::Process;
pub use spec::{EngineSpec, OptionValue, Protocol, Ranks, Restart, Settings, SpecError, TimeUnit};
pub use traffic::Traffic;
