//! Tuning by games: what is played, what is kept, and how it is taken up again.

mod dummies;

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A dummy engine. `resign-if-bold` announces two knobs and resigns when the first is above its default.
fn dummy(mode: &str) -> String {
    format!("cmd={}", dummies::command_line(mode))
}

fn command(folder: &Path, mode: &str, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_juzhong"));
    let file = |name: &str| folder.join(name).display().to_string();
    // By the rules of 1999 the dummies, which only move to and fro, draw.
    command.args(["tune", "--rules", "cxa1999", "--movetime", "1000", "--concurrency", "2", "--every", "10"]);
    command.args(["--engine", &dummy(mode), "proto=ucci", "--state", &file("state.json")]);
    command.args(more).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn output(folder: &Path, mode: &str, more: &[&str]) -> Output {
    command(folder, mode, more).output().unwrap()
}

fn state(folder: &Path) -> serde_json::Value {
    let text = fs::read_to_string(folder.join("state.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// How far a tuning is and where.
fn progress(state: &serde_json::Value) -> (u64, serde_json::Value, serde_json::Value) {
    (state["iterations"].as_u64().unwrap(), state["centres"].clone(), state["course"].clone())
}

#[test]
fn a_tuning_ends_with_a_table_values_and_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let plot = folder.path().join("plot.svg");
    let more = ["--games", "20", "--knobs", "all", "--plot", plot.to_str().unwrap()];
    let output = output(folder.path(), "resign-if-bold", &more);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("10 games: ") && text.contains("\n20 games\n"), "{text}");
    let row = |name: &str| -> Vec<String> {
        let line = text.lines().find(|line| line.split_whitespace().next() == Some(name)).unwrap();
        line.split_whitespace().map(str::to_owned).collect()
    };
    let (boldness, other) = (row("bold_ness"), row("other_knob"));
    assert_eq!([&boldness[1], &boldness[3], &boldness[5]], ["50", "0", "100"], "{text}");
    assert_eq!(other[1], "7", "{text}");
    let now: f64 = boldness[2].parse().unwrap();
    assert!(now < 50.0, "boldness loses: {text}");
    assert!(text.contains(&format!("\nbold_ness = {now:.0} in 0 to 100;\n")), "{text}");
    assert!(
        text.lines().last().unwrap().starts_with(&format!("option.bold_ness={now:.0} option.")),
        "{text}"
    );
    let picture = fs::read_to_string(plot).unwrap();
    assert!(picture.contains("bold_ness") && picture.matches("<polyline").count() == 2, "{picture}");
    assert_eq!(state(folder.path())["iterations"], 10);
}

#[test]
fn a_killed_tuning_goes_on_as_if_nothing_had_happened() {
    let [whole, killed] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let more = ["--games", "60", "--knob", "bold_ness=50:10:90:4:0.1", "--seed", "5"];
    assert!(output(whole.path(), "resign-if-bold", &more).status.success());
    let resumed = [&more[..], &["--resume"]].concat();
    let until = Instant::now() + Duration::from_secs(60);
    for iterations in [5, 15] {
        let mut child = command(killed.path(), "resign-if-bold", &resumed).spawn().unwrap();
        let path = killed.path().join("state.json");
        while !path.exists() || state(killed.path())["iterations"].as_u64().unwrap() < iterations {
            assert!(Instant::now() < until, "no progress");
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let refused = output(killed.path(), "resign-if-bold", &more);
    assert_eq!(refused.status.code(), Some(2));
    let text = String::from_utf8(refused.stderr).unwrap();
    assert!(
        text.ends_with("state.json: exists; --resume takes it up, another --state starts anew\n"),
        "{text}"
    );
    let other = output(killed.path(), "resign-if-bold", &[&resumed[..], &["--nodes", "9"]].concat());
    assert_eq!(other.status.code(), Some(2));
    assert!(String::from_utf8(other.stderr).unwrap().contains("differs"));
    assert!(output(killed.path(), "resign-if-bold", &resumed).status.success());
    assert_eq!(progress(&state(killed.path())), progress(&state(whole.path())));
}

#[test]
fn what_cannot_be_tuned_is_named_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let error = |mode: &str, more: &[&str]| {
        let output = output(folder.path(), mode, more);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(!folder.path().join("state.json").exists());
        text
    };
    let unknown = error("resign-if-bold", &["--knobs", "bold_ness,courage"]);
    assert_eq!(unknown, "juzhong tune: the engine has no option `courage`\n");
    assert!(error("good", &[]).contains("has no knobs among its options"));
    assert!(error("resign-if-bold", &["--knob", "bold_ness=120"]).contains("no range within"));
    assert!(error("mute", &["--engine", "cmd=false"]).contains("one engine is tuned, not 2"));
    assert!(error("resign-if-bold", &["--games", "0"]).contains("0"));
}

#[test]
fn an_engine_that_fails_ends_the_tuning() {
    let folder = tempfile::tempdir().unwrap();
    let output = output(folder.path(), "crash-with-knobs", &["--games", "20"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.starts_with("juzhong tune: game ") && text.contains("lost by crash"), "{text}");
    assert_eq!((state(folder.path())["iterations"].as_u64(), text.lines().count()), (Some(0), 1), "{text}");
}

#[test]
fn a_damaged_state_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let more = ["--games", "4", "--resume"];
    assert!(output(folder.path(), "resign-if-bold", &more).status.success());
    let path = folder.path().join("state.json");
    let text = fs::read_to_string(&path).unwrap();
    for (damage, complaint) in [
        (text.replace("\"lag\":8", "\"lag\":0"), "no tuning can be in this state"),
        (text[..text.len() / 2].to_owned(), "EOF"),
        (text.replace("\"version\":1", "\"version\":2"), "version"),
    ] {
        assert_ne!(damage, text);
        fs::write(&path, damage).unwrap();
        let output = output(folder.path(), "resign-if-bold", &more);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains("state.json") && message.contains(complaint), "{message}");
    }
}
