//! What the program tells shells and `man` of itself.

use std::error::Error;
use std::io::Write;

use clap::{Command, Subcommand};
use clap_complete::Shell;

#[derive(Debug, Subcommand)]
pub(super) enum ManualCommand {
    /// Print the script by which a shell completes the commands and options of juzhong
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual as a page for `man`
    Man {
        /// The command to explain; the program as a whole if not given
        command: Option<String>,
    },
}

/// Writes what is wanted of the manual of `program`.
///
/// # Errors
/// The program has no such command, or the output cannot be written.
pub(super) fn perform(
    command: ManualCommand,
    program: Command,
    output: &mut impl Write,
) -> Result<(), Box<dyn Error>> {
    match command {
        ManualCommand::Completions { shell } => output.write_all(&completions(shell, program))?,
        ManualCommand::Man { command } => output.write_all(&page(program, command.as_deref())?)?,
    }
    Ok(())
}

fn completions(shell: Shell, mut program: Command) -> Vec<u8> {
    let name = program.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut program, name, &mut script);
    script
}

fn page(mut program: Command, command: Option<&str>) -> Result<Vec<u8>, Box<dyn Error>> {
    // It gives the commands their full names, as `juzhong match`.
    program.build();
    let explained = match command {
        None => &program,
        Some(word) => program.find_subcommand(word).ok_or_else(|| format!("there is no command `{word}`"))?,
    };
    let title = explained.get_bin_name().unwrap_or(super::PROGRAM).replace(' ', "-");
    let mut page = Vec::new();
    clap_mangen::Man::new(explained.clone()).title(title).render(&mut page)?;
    Ok(page)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::Arguments;

    #[test]
    fn every_shell_learns_every_command() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell, Shell::Elvish] {
            let script = String::from_utf8(completions(shell, Arguments::command())).unwrap();
            for command in Arguments::command().get_subcommands() {
                assert!(script.contains(command.get_name()), "{shell}: {}", command.get_name());
            }
        }
    }

    #[test]
    fn every_command_has_a_page() {
        let whole = String::from_utf8(page(Arguments::command(), None).unwrap()).unwrap();
        for command in Arguments::command().get_subcommands() {
            let name = command.get_name();
            assert!(whole.contains(&format!("juzhong\\-{}(1)", name.replace('-', "\\-"))), "{name}: {whole}");
            let page = String::from_utf8(page(Arguments::command(), Some(name)).unwrap()).unwrap();
            assert!(page.contains(&format!(".TH juzhong-{name} 1")), "{name}: {page}");
        }
        assert!(page(Arguments::command(), Some("matches")).is_err());
    }
}
