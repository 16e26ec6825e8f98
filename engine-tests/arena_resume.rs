//! A match that is killed and taken up again has exactly the games it should have.

mod dummies;
#[path = "dummies/system.rs"]
mod system;

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use juzhong_lab::arena::record::Termination;
use juzhong_lab::arena::storage::read_results;

const GAMES: u32 = 60;

fn command(base: &Path, more: &[&str]) -> Command {
    between(["good", "crash"], base, more)
}

fn between(modes: [&str; 2], base: &Path, more: &[&str]) -> Command {
    let [a, b] = modes.map(|mode| format!("cmd={}", dummies::command_line(mode)));
    let mut command = Command::new(env!("CARGO_BIN_EXE_juzhong"));
    command.args(["match", "--games", &GAMES.to_string(), "--concurrency", "2", "--movetime", "500"]);
    command.args(["--engine", &a, "name=A", "--engine", &b, "name=B"]);
    command.arg("--out").arg(base).args(more);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn with_ending(base: &Path, ending: &str) -> PathBuf {
    PathBuf::from(format!("{}{ending}", base.display()))
}

fn lines(path: &Path) -> usize {
    fs::read(path).map_or(0, |bytes| bytes.iter().filter(|&&b| b == b'\n').count())
}

/// Starts the match and kills it without warning once `games` more games are recorded.
fn run_and_kill(base: &Path, more: &[&str], games: usize) {
    let results = with_ending(base, ".jsonl");
    let wanted = lines(&results) + games;
    let mut child = command(base, more).spawn().unwrap();
    let until = Instant::now() + Duration::from_secs(60);
    while lines(&results) < wanted {
        assert!(Instant::now() < until, "no progress");
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

fn run(base: &Path, more: &[&str]) -> Output {
    command(base, more).output().unwrap()
}

/// Starts a match and interrupts it, as Ctrl-C in its terminal does, when five games are recorded.
fn interrupt(command: &mut Command, base: &Path) {
    let child = system::spawn_apart(command);
    let until = Instant::now() + Duration::from_secs(60);
    while lines(&with_ending(base, ".jsonl")) < 5 {
        assert!(Instant::now() < until, "no progress");
        std::thread::sleep(Duration::from_millis(2));
    }
    system::interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "juzhong match: interrupted\n");
}

/// The engines do not hear an interruption: a game that they would leave by it would count as lost.
#[test]
#[cfg_attr(windows, ignore = "wine sends Ctrl-C to whole consoles only: dist/check-windows types it")]
fn an_interruption_costs_no_engine_its_game() {
    let folder = tempfile::tempdir().unwrap();
    for attempt in 0..5 {
        let base = folder.path().join(attempt.to_string());
        interrupt(&mut between(["good", "good"], &base, &["--rules", "cxa1999"]), &base);
        for game in read_results(&with_ending(&base, ".jsonl")).unwrap() {
            assert_eq!(game.termination, Termination::Repetition, "{game:?}");
        }
    }
}

#[test]
#[cfg_attr(windows, ignore = "wine sends Ctrl-C to whole consoles only: dist/check-windows types it")]
fn an_interrupted_match_ends_at_once_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().join("match");
    interrupt(&mut command(&base, &[]), &base);
    let finished = run(&base, &["--resume", "--every", "20"]);
    let text = String::from_utf8(finished.stdout).unwrap();
    assert!(text.starts_with("20 ") || text.starts_with("40 "), "{text}");
    assert!(text.contains("60 games"), "{text}");
}

#[test]
fn killed_twice_and_taken_up() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().join("match");
    let (pgn, results) = (with_ending(&base, ".pgn"), with_ending(&base, ".jsonl"));
    run_and_kill(&base, &[], 7);
    // What a kill between two writes leaves behind.
    fs::OpenOptions::new().append(true).open(&pgn).unwrap().write_all(b"[Event \"torn").unwrap();
    fs::OpenOptions::new().append(true).open(&results).unwrap().write_all(b"{\"number\":").unwrap();
    run_and_kill(&base, &["--resume"], 11);

    let refused = run(&base, &[]);
    assert_eq!(refused.status.code(), Some(2));
    let text = String::from_utf8(refused.stderr).unwrap();
    assert!(text.contains("match.state.json: exists; --resume"), "{text}");
    let other = run(&base, &["--resume", "--nodes", "7"]);
    assert_eq!(other.status.code(), Some(2));
    assert!(String::from_utf8(other.stderr).unwrap().contains("another run: limits differs"));

    // The name of the match is enough.
    let mut command = Command::new(env!("CARGO_BIN_EXE_juzhong"));
    let finished = command.args(["match", "--resume"]).arg(&base).output().unwrap();
    assert!(finished.status.success(), "{finished:?}");
    let text = String::from_utf8(finished.stdout).unwrap();
    assert!(text.contains("A against B: 60 - 0 - 0 (won - lost - drawn), 60 games"), "{text}");
    let games = read_results(&results).unwrap();
    let numbers: BTreeSet<u32> = games.iter().map(|game| game.task.number).collect();
    assert_eq!((games.len(), numbers), (GAMES as usize, (0..GAMES).collect()));
    let rounds: Vec<String> = fs::read_to_string(&pgn)
        .unwrap()
        .lines()
        .filter_map(|line| line.strip_prefix("[Round \"")?.strip_suffix("\"]").map(str::to_owned))
        .collect();
    let expected: Vec<String> =
        games.iter().map(|game| format!("{}.{}", game.task.round, game.task.number + 1)).collect();
    assert_eq!(rounds, expected);

    let again = run(&base, &["--resume"]);
    assert!(again.status.success());
    assert_eq!(lines(&results), GAMES as usize);
}
