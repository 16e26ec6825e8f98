//! `juzhong check-engine`: does a program keep to its protocol?
//!
//! Each step restarts the program, has one conversation with it and reports pass or fail. The steps come from the UCCI
//! 3.0 text, from UCI as xiangqi programs use it, and from what the clients in use need to work.

mod cli;
mod conversation;
mod endings;
mod greeting;
mod positions;
mod searching;
mod states;

use std::fmt;

use crate::arena::engine::{EngineSpec, Protocol};
use conversation::Conversation;

pub use cli::{CheckArgs, run};

/// Why a step failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepFailure(String);

impl StepFailure {
    fn new(text: impl Into<String>) -> StepFailure {
        StepFailure(text.into())
    }
}

impl fmt::Display for StepFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

type Checked<T> = Result<T, StepFailure>;

/// The result of one step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepResult {
    /// As it should be.
    Pass,
    /// Not as it should be, and how.
    Fail(StepFailure),
    /// Does not apply to this program, and why.
    Skip(&'static str),
}

/// Protocols that a step belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StepProtocols {
    Both,
    Ucci,
    Uci,
}

impl StepProtocols {
    fn covers(self, protocol: Protocol) -> bool {
        match self {
            StepProtocols::Both => true,
            StepProtocols::Ucci => protocol == Protocol::Ucci,
            StepProtocols::Uci => protocol == Protocol::Uci,
        }
    }
}

/// What a step has to work with.
struct Examination<'a> {
    spec: &'a EngineSpec,
    protocol: Protocol,
}

impl Examination<'_> {
    fn engine(&self) -> Checked<Conversation> {
        Conversation::start(self.spec, self.protocol)
    }
}

/// One examination. The function returns a reason where the step does not apply.
struct CheckStep {
    title: &'static str,
    protocols: StepProtocols,
    run: fn(&Examination<'_>) -> Checked<Option<&'static str>>,
}

const fn step(
    protocols: StepProtocols,
    title: &'static str,
    run: fn(&Examination<'_>) -> Checked<Option<&'static str>>,
) -> CheckStep {
    CheckStep { title, protocols, run }
}

/// A pass.
const PASS: Checked<Option<&'static str>> = Ok(None);

/// `Ok` if the condition holds, else the failure.
fn ensure(holds: bool, failure: impl FnOnce() -> String) -> Checked<()> {
    if holds { Ok(()) } else { Err(StepFailure::new(failure())) }
}

/// All steps in order, numbered from 1.
fn steps() -> impl Iterator<Item = (usize, &'static CheckStep)> {
    let groups: [&'static [CheckStep]; 5] =
        [greeting::STEPS, positions::STEPS, searching::STEPS, states::STEPS, endings::STEPS];
    groups.into_iter().flatten().zip(1..).map(|(step, number)| (number, step))
}

/// Examines an engine in one protocol; `tell` is called with number, title and verdict of each step as it ends.
pub fn examine(
    spec: &EngineSpec,
    protocol: Protocol,
    mut tell: impl FnMut(usize, &'static str, &StepResult),
) {
    let exam = Examination { spec, protocol };
    for (number, step) in steps().filter(|(_, step)| step.protocols.covers(protocol)) {
        let verdict = match (step.run)(&exam) {
            Ok(None) => StepResult::Pass,
            Ok(Some(reason)) => StepResult::Skip(reason),
            Err(failure) => StepResult::Fail(failure),
        };
        tell(number, step.title, &verdict);
    }
}
