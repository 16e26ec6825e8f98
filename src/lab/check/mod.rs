//! `juzhong check-engine`: does a program keep to its protocol?
//!
//! Each step starts the program anew, has one conversation with it and says pass or fail. The steps come from the
//! UCCI 3.0 text, from UCI as xiangqi programs use it, and from what the clients in use need to work.

mod cli;
mod endings;
mod greeting;
mod positions;
mod searching;
mod states;
mod talk;

use std::fmt;

use crate::arena::engine::{EngineSpec, Protocol};
use talk::Talk;

pub use cli::{CheckArgs, run};

/// Why a step failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure(String);

impl Failure {
    fn new(text: impl Into<String>) -> Failure {
        Failure(text.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

type Outcome<T> = Result<T, Failure>;

/// The result of one step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// As it should be.
    Pass,
    /// Not as it should be, and how.
    Fail(Failure),
    /// Does not apply to this program, and why.
    Skip(&'static str),
}

/// Protocols that a step belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum In {
    Both,
    Ucci,
    Uci,
}

impl In {
    fn covers(self, protocol: Protocol) -> bool {
        match self {
            In::Both => true,
            In::Ucci => protocol == Protocol::Ucci,
            In::Uci => protocol == Protocol::Uci,
        }
    }
}

/// What a step has to work with.
struct Bench<'a> {
    spec: &'a EngineSpec,
    protocol: Protocol,
}

impl Bench<'_> {
    fn talk(&self) -> Outcome<Talk> {
        Talk::start(self.spec, self.protocol)
    }
}

/// One examination. The function returns a reason where the step does not apply.
struct Step {
    title: &'static str,
    protocols: In,
    run: fn(&Bench<'_>) -> Outcome<Option<&'static str>>,
}

const fn step(
    protocols: In,
    title: &'static str,
    run: fn(&Bench<'_>) -> Outcome<Option<&'static str>>,
) -> Step {
    Step { title, protocols, run }
}

/// A pass.
const PASS: Outcome<Option<&'static str>> = Ok(None);

/// `Ok` if the condition holds, else the failure.
fn ensure(holds: bool, failure: impl FnOnce() -> String) -> Outcome<()> {
    if holds { Ok(()) } else { Err(Failure::new(failure())) }
}

/// All steps in order, numbered from 1.
fn steps() -> impl Iterator<Item = (usize, &'static Step)> {
    let groups: [&'static [Step]; 5] =
        [greeting::STEPS, positions::STEPS, searching::STEPS, states::STEPS, endings::STEPS];
    groups.into_iter().flatten().zip(1..).map(|(step, number)| (number, step))
}

/// Examines an engine in one protocol; `tell` hears number, title and verdict of each step as it ends.
pub fn examine(spec: &EngineSpec, protocol: Protocol, mut tell: impl FnMut(usize, &'static str, &Verdict)) {
    let bench = Bench { spec, protocol };
    for (number, step) in steps().filter(|(_, step)| step.protocols.covers(protocol)) {
        let verdict = match (step.run)(&bench) {
            Ok(None) => Verdict::Pass,
            Ok(Some(reason)) => Verdict::Skip(reason),
            Err(failure) => Verdict::Fail(failure),
        };
        tell(number, step.title, &verdict);
    }
}
