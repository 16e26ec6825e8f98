//! Tournaments on the command line: who meets whom, who wins, and what the tables say.

mod dummies;

use std::process::Command;

/// Holds a tournament between dummies (name and way of playing) and returns what is printed.
fn hold(engines: &[(&str, &str)], arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_juzhong"));
    // By the rules of 1999 the dummies, which only move to and fro, draw.
    let common = ["match", "--movetime", "1000", "--concurrency", "2", "--rules", "cxa1999"];
    command.args(common).args(arguments);
    for (name, mode) in engines {
        let (cmd, name) = (format!("cmd={}", dummies::command_line(mode)), format!("name={name}"));
        command.args(["--engine", &cmd, &name, "proto=ucci"]);
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Words of the first line that begins with `start`, blanks before it and between left out.
fn words<'a>(text: &'a str, start: &str) -> Vec<&'a str> {
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let wanted: Vec<&str> = start.split_whitespace().collect();
    lines
        .into_iter()
        .find(|words| words.starts_with(&wanted))
        .unwrap_or_else(|| panic!("no {start} in {text}"))
}

const FIELD: [(&str, &str); 4] = [("A", "good"), ("B", "illegal"), ("C", "good"), ("D", "crash")];

#[test]
fn a_round_robin_is_placed_by_the_book() {
    let text = hold(&FIELD, &["--format", "round-robin", "--games", "2"]);
    // A and C draw with each other and win all other games. B and D lose those; of their own two games whoever has
    // red misbehaves first.
    let places = text.split("Places by article 15.1").nth(1).unwrap();
    assert_eq!(words(places, "1 A")[2..6], ["5", "4", "2", "0"], "{text}");
    assert_eq!(words(places, "1 C")[2..6], ["5", "4", "2", "0"], "{text}");
    assert_eq!(words(places, "3 B")[2..6], ["1", "1", "0", "5"], "{text}");
}

#[test]
fn a_swiss_tournament_has_byes() {
    let text =
        hold(&FIELD[..3], &["--format", "swiss", "--games", "1", "--rounds", "3", "--scoring", "2-1-0"]);
    let places = text.split("Places by article 15.2").nth(1).unwrap();
    // Everybody meets everybody and is free once, which counts 2.
    assert_eq!(words(places, "1 A")[2], "5", "{text}");
    assert_eq!(words(places, "3 B")[2], "2", "{text}");
}

#[test]
fn a_knockout_has_a_winner() {
    let text = hold(&FIELD, &["--format", "knockout"]);
    assert!(text.contains("Round 1: A - D 2 : 0, A goes on"), "{text}");
    assert!(text.contains("Round 1: B - C 0 : 2, C goes on"), "{text}");
    // All draws: two games, two extra pairs, and one game in which the draw counts for black.
    assert!(text.contains("Round 2: A - C 3½ : 3½, C goes on"), "{text}");
}

#[test]
fn options_that_do_not_fit_are_refused_before_the_first_game() {
    let engine = format!("cmd={}", dummies::command_line("resign-if-bold"));
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().join("match");
    for (option, wanted) in [
        (
            "option.bold_nes=60",
            "juzhong match: B: the engine has no option `bold_nes`; did you mean `bold_ness`?\n",
        ),
        ("option.bold_ness=101", "juzhong match: B: option bold_ness: `101`: 100 at most is wanted\n"),
        ("option.usemillisec=yes", "juzhong match: B: option usemillisec: `yes`: true or false is wanted\n"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_juzhong"));
        command.args(["match", "--movetime", "1000", "--games", "2", "--engine", &engine, "name=A"]);
        command.args(["--engine", &engine, "name=B", option, "--out", base.to_str().unwrap()]);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), wanted);
        // Nothing is left that the corrected command would have to take up.
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

#[test]
fn every_game_has_a_line_and_identical_games_are_told() {
    let text = hold(&[("A", "good"), ("B", "good")], &["--games", "4"]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("No openings: "), "{text}");
    let games: Vec<&&str> = lines.iter().filter(|line| line.starts_with("Game ")).collect();
    assert_eq!(games.len(), 4, "{text}");
    assert!(games.iter().any(|line| line.starts_with("Game 2: B - A 1/2-1/2, repetition, ")), "{text}");
    assert!(text.contains("Identical games: 3 of 4 repeat an earlier one"), "{text}");
    let alone = hold(&[("A", "good"), ("B", "illegal")], &["--games", "2", "--every", "2"]);
    assert!(!alone.contains("No openings") && !alone.contains("Game 1"), "{alone}");
}

#[test]
fn bad_descriptions_are_one_line() {
    for (arguments, start) in [
        (vec!["--games", "1"], "juzhong match: a match needs at least two engines"),
        (vec!["--config", "/does/not/exist"], "juzhong match: /does/not/exist: "),
        (vec!["--engine", "cmd=a", "x"], "juzhong match: --engine: `x` is not of the form key=value"),
        (
            vec!["--engine", "cmd=a", "--engine", "cmd=b", "--depth", "1", "--rules", "mine"],
            "juzhong match: --rules",
        ),
        (
            vec!["--engine", "cmd=/does/not/exist", "--engine", "cmd=b", "--depth", "1"],
            "juzhong match: /does/not",
        ),
    ] {
        let output =
            Command::new(env!("CARGO_BIN_EXE_juzhong")).arg("match").args(&arguments).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(errors.starts_with(start) && errors.lines().count() == 1, "{arguments:?}: {errors}");
    }
}
