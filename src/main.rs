//! Arguments to a subcommand; none start the protocol loop.

mod cli;
mod cpu;

use std::process::ExitCode;

/// Runs before `main`: with link-time optimisation even the start of the runtime is built for this processor.
#[ctor::ctor(unsafe)]
fn check_processor() {
    cpu::require();
}

fn main() -> ExitCode {
    cli::run(std::env::args_os())
}
