//! `check-engine` passes Juzhong in both protocols, and finds what is wrong with a poor engine.

mod dummies;

use std::process::{Command, Output};

fn check(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_juzhong")).arg("check-engine").args(arguments).output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What is asked of the system on Unix only, and what wine needs longer for: to end a process.
fn is_the_systems_fault(line: &str) -> bool {
    line.contains("uses no processor time while idle: the system does not tell")
        || line.contains("  quits while ")
}

#[test]
fn juzhong_passes_in_both_protocols() {
    for protocol in ["ucci", "uci"] {
        let output = check(&["--proto", protocol, env!("CARGO_BIN_EXE_juzhong")]);
        let text = text(&output);
        let steps = text.lines().filter(|line| line.contains("  pass  ")).count();
        assert!(steps >= 40, "{text}");
        if cfg!(windows) {
            let mut others =
                text.lines().filter(|line| line.contains("  FAIL  ") || line.contains("  skip  "));
            assert!(others.all(is_the_systems_fault), "{text}");
            continue;
        }
        assert!(output.status.success(), "{text}");
        assert!(text.ends_with(&format!("{steps} passed, 0 failed, 0 skipped\n")), "{text}");
    }
}

#[test]
fn a_poor_engine_is_found_out() {
    let dummy = dummies::arguments("capitals");
    let output = check(&["--proto", "ucci", "--failures", &dummy[0], &dummy[1], &dummy[2]]);
    let text = text(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    for fault in [
        "FAIL  says depth, score and line before its move",
        "FAIL  `go depth 0` gives a score and no move",
        "FAIL  answers `probe`",
        "FAIL  answers `stop` while idle",
        "FAIL  has no move when mated",
        "FAIL  never plays a banned move",
    ] {
        assert!(text.contains(fault), "{fault} is missing in {text}");
    }
    assert!(!text.contains("FAIL  answers the greeting"), "{text}");
}

#[test]
fn a_program_that_is_no_engine_is_bad_input() {
    let output = check(&["--proto", "uci", "/does/not/exist"]);
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(errors.starts_with("juzhong check-engine: /does/not/exist: does not start"), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
}
