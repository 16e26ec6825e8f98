//! The command line of the examination.

use std::io::{self, Write};
use std::time::Duration;

use clap::Args;

use super::{StepResult, examine};
use crate::arena::engine::{EngineSpec, Protocol};

/// Arguments of `juzhong check-engine`.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  juzhong check-engine ./engine
  juzhong check-engine --proto uci ./engine --its-own-argument
Exit status: 0 all steps passed, 1 some failed, 2 the program does not start or speaks neither protocol.")]
pub struct CheckArgs {
    /// Protocol to examine; by default each that the program answers to
    #[arg(long, value_enum)]
    proto: Option<Protocol>,
    /// Show only the steps that failed
    #[arg(long)]
    failures: bool,
    /// The program and its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "CMD")]
    command: Vec<String>,
}

/// Examines the program that the arguments name, and writes a line for each step to `out`: whether all passed.
///
/// # Errors
/// The program does not start or speaks neither protocol, or the output cannot be written.
pub fn run(args: &CheckArgs, out: &mut impl Write) -> io::Result<bool> {
    let command = shlex::try_join(args.command.iter().map(String::as_str)).map_err(io::Error::other)?;
    let mut spec = EngineSpec::new(&command);
    let asked: &[Protocol] = match args.proto {
        Some(Protocol::Ucci) => &[Protocol::Ucci],
        Some(Protocol::Uci) => &[Protocol::Uci],
        None => {
            spec.start_timeout = 3.0;
            &[Protocol::Ucci, Protocol::Uci]
        }
    };
    let mut spoken = Vec::new();
    let mut silence = None;
    for &protocol in asked {
        match super::Conversation::start(&spec, protocol) {
            Ok(_) => spoken.push(protocol),
            Err(failure) => silence = Some(failure),
        }
    }
    if let (true, Some(failure)) = (spoken.is_empty(), silence) {
        return Err(io::Error::other(format!("{command}: {failure}")));
    }
    spec.start_timeout = Duration::from_secs(10).as_secs_f64();
    let mut failed = 0;
    for protocol in spoken {
        failed += examine_and_tell(&spec, protocol, args.failures, out)?;
    }
    Ok(failed == 0)
}

/// Prints a line a step and the sum; the number of failures.
fn examine_and_tell(
    spec: &EngineSpec,
    protocol: Protocol,
    failures_only: bool,
    out: &mut impl Write,
) -> io::Result<u32> {
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    let mut trouble = Ok(());
    writeln!(out, "{}", protocol.greeting().to_uppercase())?;
    examine(spec, protocol, |number, title, verdict| {
        let line = match verdict {
            StepResult::Pass => {
                passed += 1;
                format!("{number:3}  pass  {title}")
            }
            StepResult::Skip(reason) => {
                skipped += 1;
                format!("{number:3}  skip  {title}: {reason}")
            }
            StepResult::Fail(failure) => {
                failed += 1;
                format!("{number:3}  FAIL  {title}: {failure}")
            }
        };
        if trouble.is_ok() && (!failures_only || matches!(verdict, StepResult::Fail(_))) {
            trouble = writeln!(out, "{line}").and_then(|()| out.flush());
        }
    });
    trouble?;
    writeln!(out, "{passed} passed, {failed} failed, {skipped} skipped")?;
    Ok(failed)
}
