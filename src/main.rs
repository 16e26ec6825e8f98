//! Arguments to a subcommand; none start the protocol loop.

use std::process::ExitCode;

fn main() -> ExitCode {
    juzhong::cpu::require();
    juzhong::cli::run(std::env::args_os())
}
