//! The commands of the program: what they print, and how they refuse what makes no sense.

use std::process::{Command, Output, Stdio};

fn juzhong(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_juzhong"));
    command.args(arguments).stdin(Stdio::null()).output().expect("the program runs")
}

/// The output of a command that must succeed without a word on standard error.
fn printed(arguments: &[&str]) -> String {
    let output = juzhong(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    assert!(output.stderr.is_empty(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn perft_divides_and_sums_with_any_number_of_threads() {
    for threads in ["0", "1", "2"] {
        let text = printed(&["perft", "3", "--threads", threads]);
        assert_eq!(text.lines().filter(|line| line.contains(": ")).count(), 45);
        assert!(text.contains("h2e2: 1564\n") && text.contains("\nNodes searched: 79666\n"), "{text}");
        assert!(text.lines().last().unwrap().starts_with("79666 nodes "), "{text}");
    }
    let text = printed(&["perft", "1", "--fen", "4k4/9/9/9/9/9/9/9/4R4/3K5 b"]);
    assert!(text.starts_with("e9f9: 1\n"), "{text}");
}

#[test]
fn bench_ends_with_its_signature_and_repeats() {
    let nodes = || {
        let text = printed(&["bench", "--depth", "2", "--hash", "1"]);
        let last: Vec<&str> = text.lines().last().unwrap().split(' ').collect();
        assert_eq!((last.len(), last[1], last[3]), (4, "nodes", "nps"), "{text}");
        last[0].parse::<u64>().unwrap()
    };
    assert_eq!(nodes(), nodes());
}

#[test]
fn eval_shows_its_terms() {
    assert!(printed(&["eval"]).contains("evaluation"));
    let rook = printed(&["eval", "--fen", "4k4/9/9/9/9/9/9/9/R8/3K5 w"]);
    assert_ne!(rook, printed(&["eval"]));
}

#[test]
fn help_shows_examples_and_version_a_number() {
    let help = printed(&["--help"]);
    for word in ["Examples:", "bench", "perft", "eval"] {
        assert!(help.contains(word), "{help}");
    }
    assert_eq!(printed(&["--version"]).trim(), concat!("juzhong ", env!("CARGO_PKG_VERSION")));
}

#[test]
fn no_command_and_no_input_is_a_short_conversation() {
    assert_eq!(printed(&[]), "");
}

#[test]
fn bad_arguments_get_one_line_and_status_2() {
    for arguments in [
        &["nonsense"][..],
        &["perft"],
        &["perft", "x"],
        &["perft", "0"],
        &["perft", "21"],
        &["perft", "2", "--fen", "9/9 w"],
        &["perft", "2", "--threads", "-1"],
        &["bench", "--depth", "0"],
        &["bench", "--threads", "none"],
        &["bench", "--hash", "33554432"],
        &["bench", "more"],
        &["eval", "--fen", "4k4/9/9/9/9/9/9/9/9/4K4 w"],
        &["--nonsense"],
    ] {
        let output = juzhong(arguments);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
        assert!(errors.starts_with("juzhong: "), "{arguments:?}: {errors}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}
