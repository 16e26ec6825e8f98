//! Engines as processes: they cannot make us wait, they have their own folder and priority, and none outlives its match.

#[path = "dummies/system.rs"]
mod system;

mod dummies;

use std::io::ErrorKind;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use juzhong_lab::arena::engine::{EngineSpec, OutputEvent, Process};

const PATIENCE: Duration = Duration::from_secs(20);

fn start(spec: &EngineSpec) -> (Process, Receiver<OutputEvent>) {
    let (process, output) = Process::spawn(spec, "dummy", None, None).unwrap();
    let (sender, heard) = channel();
    output.listen(move |_, message| {
        let _ = sender.send(message);
    });
    (process, heard)
}

fn dummy(mode: &str) -> EngineSpec {
    EngineSpec::new(&dummies::command_line(mode))
}

fn line(heard: &Receiver<OutputEvent>) -> String {
    match heard.recv_timeout(PATIENCE).unwrap() {
        OutputEvent::Line(line) => line,
        other => panic!("{other:?} instead of a line"),
    }
}

/// A program that does not read is noticed and not waited for, whether it is told much at once or little by little.
#[test]
fn a_deaf_program_is_noticed() {
    for length in [1 << 17, 1 << 10] {
        let (mut process, _heard) = start(&dummy("mute"));
        let text = format!("{}\n", "x".repeat(length));
        let began = Instant::now();
        let error = (0..1000).find_map(|_| process.say(&text).err()).expect("the pipe is full");
        assert_eq!(error.kind(), ErrorKind::WouldBlock);
        process.kill().unwrap();
        assert!(began.elapsed() < PATIENCE);
    }
}

#[test]
fn what_is_said_arrives_in_order_and_whole() {
    let (mut process, heard) = start(&dummy("good"));
    for moves in ["", " moves h2e2 h9g7", " moves h2e2 h9g7 h0g2"] {
        process.say(&format!("position startpos{moves}\nisready\n")).unwrap();
        assert_eq!(line(&heard), "readyok");
    }
    process.say("go depth 1\nquit\n").unwrap();
    process.close_input();
    for wanted in ["info depth 3 score 5 nodes 100 pv", "bestmove a8a9", "bye"] {
        assert_eq!(line(&heard), wanted);
    }
    assert_eq!(heard.recv_timeout(PATIENCE), Ok(OutputEvent::End));
    assert!(process.kill().unwrap().success());
}

#[test]
fn the_folder_is_the_programs_own() {
    let folder = tempfile::tempdir().unwrap();
    let spec = EngineSpec { dir: Some(folder.path().to_owned()), ..dummy("where") };
    let (_process, heard) = start(&spec);
    let found = std::fs::canonicalize(line(&heard)).unwrap();
    assert_eq!(found, folder.path().canonicalize().unwrap());
}

#[cfg(any(target_os = "linux", windows))]
#[test]
fn the_priority_is_the_programs_own() {
    let mine = system::priority(std::process::id());
    // On Windows: normal as we are, below normal, idle.
    let wanted = if cfg!(windows) { [mine, mine, 0x4000, 0x40] } else { [mine, 0, 5, 17] };
    for (nice, wanted) in [None, Some(0), Some(5), Some(17)].into_iter().zip(wanted) {
        let (process, _heard) = start(&EngineSpec { nice, ..dummy("mute") });
        assert_eq!(system::priority(process.id()), wanted, "{nice:?}");
    }
}

#[test]
fn killing_reaches_what_the_program_started() {
    let (mut process, heard) = start(&dummy("parent"));
    let grandchild = line(&heard);
    process.kill().unwrap();
    // The output is closed only when the last holder of the pipe is gone.
    assert_eq!(heard.recv_timeout(Duration::from_secs(5)), Ok(OutputEvent::End));
    let runs = || {
        let stat = std::fs::read_to_string(format!("/proc/{grandchild}/stat")).unwrap_or_default();
        cfg!(target_os = "linux") && !stat.is_empty() && !stat.contains(") Z ")
    };
    let until = Instant::now() + Duration::from_secs(5);
    while runs() {
        assert!(Instant::now() < until, "the grandchild lives on");
        std::thread::sleep(Duration::from_millis(5));
    }
}
