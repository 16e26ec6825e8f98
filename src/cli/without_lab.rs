//! What a build of the engine alone answers to the commands of the laboratory.

use clap::error::{ContextKind, ContextValue};

/// The commands that need the laboratory, in the order of the help.
pub(super) const LAB_COMMANDS: [&str; 11] = [
    "match",
    "tune",
    "check-engine",
    "datagen",
    "data",
    "train",
    "judge",
    "book",
    "endgames",
    "analyse",
    "convert",
];

/// Says why this build refuses a command of the laboratory, and which build has it.
#[cfg(not(feature = "lab"))]
pub(super) const EXPLANATION: &str = "this build is the engine alone; `cargo build --release` makes one with matches, \
     training, analysis and conversion";

/// Whether clap refused a command only because it belongs to the laboratory.
pub(super) fn is_lab_command(error: &clap::Error) -> bool {
    match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(word)) => LAB_COMMANDS.contains(&word.as_str()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use clap::Subcommand;

    use super::*;
    use crate::cli::engine::EngineCommand;

    #[test]
    fn commands_of_the_laboratory_are_told_from_misspelt_ones() {
        let refused = |word| {
            let command = EngineCommand::augment_subcommands(clap::Command::new("juzhong"));
            is_lab_command(&command.try_get_matches_from(["juzhong", word]).unwrap_err())
        };
        assert!(LAB_COMMANDS.into_iter().all(refused));
        assert!(!["matches", "perft", "--match"].into_iter().any(refused));
    }
}
