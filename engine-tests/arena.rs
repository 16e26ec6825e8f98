//! Matches with engines that misbehave: each fault is charged to its engine, no run stops, no process stays.

mod dummies;

use std::sync::Arc;
use std::time::{Duration, Instant};

use juzhong_lab::arena::clock::Limits;
use juzhong_lab::arena::engine::{EngineLog, EngineSpec, StopSignal};
use juzhong_lab::arena::game::GameRules;
use juzhong_lab::arena::openings::Opening;
use juzhong_lab::arena::record::{GameRecord, Termination};
use juzhong_lab::arena::runner::Runner;
use juzhong_lab::arena::schedule::{Encounters, ScheduledGame};
use xiangqi::rules::{CXA1999, CXA2020};
use xiangqi::types::{Outcome, Side};

/// A dummy engine; `mark` ends its command line, so that its processes can be found.
fn dummy(mode: &str, mark: &str) -> EngineSpec {
    let mut spec = EngineSpec::new(&format!("{} {mark}", dummies::command_line(mode)));
    spec.start_timeout = 3.0 * f64::from(dummies::PACE);
    spec.stop_timeout = 0.3 * f64::from(dummies::PACE);
    spec
}

fn runner(modes: [&str; 2], mark: &str) -> Runner {
    Runner {
        engines: modes.iter().map(|mode| dummy(mode, mark)).collect(),
        names: modes.iter().map(|&mode| mode.to_owned()).collect(),
        limits: [0, 1]
            .map(|_| Limits { movetime: Some(150 * u64::from(dummies::PACE)), ..Limits::default() }),
        openings: vec![Opening::startpos()],
        // The rules of 2020 make red break a repetition in the first 25 rounds; these call it a draw.
        rules: GameRules {
            ruleset: &CXA1999,
            margin: Duration::from_millis(100) * dummies::PACE,
            ..GameRules::default()
        },
        concurrency: 2,
        log: None,
        stop: Arc::new(StopSignal::default()),
    }
}

fn play(runner: &Runner, games: u32) -> Vec<(ScheduledGame, GameRecord)> {
    let mut records = Vec::new();
    let result: Result<(), ()> = runner.run(&mut Encounters::gauntlet(2, games), |task, record| {
        records.push((*task, record));
        Ok(true)
    });
    result.unwrap();
    records
}

/// Processes whose command line ends with `mark`.
fn processes(mark: &str) -> usize {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|line| line.strip_suffix(b"\0").is_some_and(|l| l.ends_with(mark.as_bytes()))).count()
}

fn assert_nobody_left(mark: &str) {
    if !cfg!(target_os = "linux") {
        return;
    }
    let until = Instant::now() + Duration::from_secs(5) * dummies::PACE;
    while processes(mark) > 0 {
        assert!(Instant::now() < until, "{mark}: {} processes left", processes(mark));
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Plays a dummy against a good one, both colours twice, and checks that it loses each game in the way named.
fn charged(mode: &str, termination: Termination) {
    let mark = format!("mark-charged-{mode}");
    let records = play(&runner(["good", mode], &mark), 4);
    assert_eq!(records.len(), 4, "{mode}");
    for (task, record) in records {
        let culprit = if task.red == 1 { Side::Red } else { Side::Black };
        assert_eq!(record.termination, termination, "{mode}: {record:?}");
        assert_eq!(record.outcome, Outcome::Win(!culprit), "{mode}: {record:?}");
    }
    assert_nobody_left(&mark);
}

/// Plays a dummy whose oddity is no fault.
fn forgiven(mode: &str) {
    let mark = format!("mark-forgiven-{mode}");
    let records = play(&runner(["good", mode], &mark), 4);
    assert_eq!(records.len(), 4, "{mode}");
    for (_, record) in records {
        assert_eq!((record.termination, record.outcome), (Termination::Repetition, Outcome::Draw), "{mode}");
    }
    assert_nobody_left(&mark);
}

#[test]
fn crashes_are_charged() {
    charged("crash", Termination::Crash);
    charged("fail", Termination::Crash);
    charged("torn", Termination::Crash);
}

#[test]
fn leaving_is_charged() {
    charged("leave", Termination::Disconnect);
}

#[test]
fn hanging_is_charged_and_ended_with_all_children() {
    charged("hang", Termination::Hang);
    charged("hang-with-child", Termination::Hang);
}

#[test]
fn not_starting_is_charged() {
    let mark = "mark-mute";
    let mut runner = runner(["good", "mute"], mark);
    runner.engines[1].start_timeout = 0.2;
    let records = play(&runner, 2);
    assert!(records.iter().all(|(_, record)| record.termination == Termination::Crash));
    let losers: Vec<_> = records.iter().map(|(task, record)| (task.number, record.loser())).collect();
    assert!(losers.contains(&(0, Some(Side::Black))) && losers.contains(&(1, Some(Side::Red))), "{losers:?}");
    assert_nobody_left(mark);
}

#[test]
fn wrong_moves_are_charged() {
    charged("illegal", Termination::IllegalMove);
    charged("unreadable", Termination::IllegalMove);
    charged("none", Termination::NoMove);
    charged("resign", Termination::Resignation);
}

#[test]
fn lateness_is_charged() {
    charged("late", Termination::TimeForfeit);
    // Told to stop after 0.25 s, it answers long after its stopping time of 0.3 s: late all the same.
    charged("very-late", Termination::TimeForfeit);
}

#[test]
fn known_endings_are_adjudicated() {
    let mut runner = runner(["good", "good"], "mark-tables");
    runner.openings = vec![Opening::read("3k5/9/9/9/9/9/9/9/9/R3K4 w").unwrap()];
    runner.rules.tables = true;
    for (_, record) in play(&runner, 2) {
        assert_eq!(
            (record.termination, record.outcome),
            (Termination::TableAdjudication, Outcome::Win(Side::Red))
        );
        assert_eq!(record.plies.len(), 1);
    }
}

#[test]
fn oddities_are_forgiven() {
    for mode in ["good", "garbage", "capitals", "flood", "stay"] {
        forgiven(mode);
    }
}

#[test]
fn red_breaks_an_early_repetition_or_loses_by_the_book_of_2020() {
    let mut runner = runner(["good", "good"], "mark-2020");
    runner.rules.ruleset = &CXA2020;
    for (_, record) in play(&runner, 2) {
        assert_eq!((record.termination, record.loser()), (Termination::Repetition, Some(Side::Red)));
        assert!(record.detail.starts_with("cxa2020 "), "{record:?}");
    }
}

#[test]
fn early_draw_offers_are_void_under_the_rule_book() {
    forgiven("draws");
    let mark = "mark-draws";
    let mut runner = runner(["draws", "draws"], mark);
    runner.rules.offers = juzhong_lab::arena::adjudication::Offers::Free;
    let records = play(&runner, 2);
    assert!(records.iter().all(|(_, record)| record.termination == Termination::Agreement));
}

/// Plays a pondering dummy against a good one and returns the log of all traffic.
fn pondering(mode: &str) -> String {
    let mark = format!("mark-{mode}");
    let log = tempfile::NamedTempFile::new().unwrap();
    let mut runner = runner(["good", mode], &mark);
    runner.engines[1].ponder = true;
    runner.log = Some(EngineLog::create(log.path()).unwrap());
    for (_, record) in play(&runner, 2) {
        assert_eq!((record.termination, record.outcome), (Termination::Repetition, Outcome::Draw), "{mode}");
    }
    assert_nobody_left(&mark);
    std::fs::read_to_string(log.path()).unwrap()
}

#[test]
fn pondering_is_hit_or_stopped() {
    let hits = pondering("ponder-hit");
    assert!(hits.contains("ponder-hit < ponderhit"), "{hits}");
    let misses = pondering("ponder-miss");
    assert!(misses.contains("ponder-miss < stop") && !misses.contains("ponderhit"), "{misses}");
    // Every search on the opponent's time is followed by a proper one.
    let count = |text: &str| misses.matches(text).count();
    assert!(count("ponder-miss < go time") >= count("ponder-miss < go ponder") - 2, "{misses}");
}

#[test]
fn a_raised_stop_signal_ends_everything_at_once() {
    let mark = "mark-stop";
    let mut runner = runner(["good", "hang"], mark);
    runner.limits = [0, 1].map(|_| Limits { depth: Some(1), ..Limits::default() });
    let stop = runner.stop.clone();
    let began = Instant::now();
    let interrupter = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(400));
        stop.raise();
    });
    assert_eq!(play(&runner, 2).len(), 0);
    interrupter.join().unwrap();
    assert!(began.elapsed() < Duration::from_secs(5) * dummies::PACE);
    assert_nobody_left(mark);
}
