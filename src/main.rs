//! Arguments to a subcommand; none start the protocol loop.

mod cli;
mod cpu;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run(std::env::args_os())
}
