//! Arguments to a subcommand; none start the protocol loop.

use std::process::ExitCode;

/// Runs before `main`: with link-time optimisation even the start of the runtime is built for this processor.
#[ctor::ctor(unsafe)]
fn check_processor() {
    juzhong::cpu::require();
}

fn main() -> ExitCode {
    juzhong::cli::run(std::env::args_os())
}
