//! Steps about what may be said when: while thinking, while pondering, while idle, and at the end.

use std::time::{Duration, Instant};

use super::conversation::{Conversation, SEARCH, SOON, board, is_search_end};
use super::endings::{MATE_IN_ONE, ONLY_MOVE};
use super::{CheckStep, Checked, Examination, PASS, StepFailure, StepProtocols, ensure, step};
use crate::arena::engine::Protocol;

pub(super) const STEPS: &[CheckStep] = &[
    step(StepProtocols::Both, "answers `isready` while thinking", ready_while_thinking),
    step(StepProtocols::Both, "is not confused by commands while thinking", commands_while_thinking),
    step(StepProtocols::Ucci, "answers `probe`, idle and thinking", probe),
    step(StepProtocols::Both, "is silent on a mate in one until `ponderhit`", ponder_on_mate),
    step(StepProtocols::Both, "is silent on a forced move until `stop`", ponder_on_forced_move),
    step(StepProtocols::Ucci, "takes `ponderhit draw`", ponderhit_draw),
    step(StepProtocols::Both, "survives `ponderhit` while not pondering", stray_ponderhit),
    step(StepProtocols::Ucci, "answers `stop` while idle with `nobestmove`", idle_stop),
    step(StepProtocols::Uci, "is silent on `stop` while idle", silent_idle_stop),
    step(StepProtocols::Both, "survives rubbish", rubbish),
    step(StepProtocols::Both, "uses no processor time while idle", idle_cost),
    step(StepProtocols::Both, "quits while idle", quit_idle),
    step(StepProtocols::Both, "quits while thinking", quit_thinking),
    step(StepProtocols::Both, "ends at the end of its input", end_of_input),
    step(StepProtocols::Both, "ends at the end of its input while thinking", end_of_input_thinking),
    step(StepProtocols::Ucci, "works off a script in batch mode", batch),
];

fn think(exam: &Examination<'_>) -> Checked<Conversation> {
    let mut engine = exam.engine()?;
    let position = engine.position("startpos", "");
    engine.say(&format!("{position}\ngo infinite"))?;
    engine.listen(Duration::from_millis(100));
    Ok(engine)
}

/// The words of a search on the opponent's time.
fn ponder_words(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Ucci => "go ponder time 1000 increment 0",
        Protocol::Uci => "go ponder wtime 1000 btime 1000 winc 0 binc 0",
    }
}

fn ready_while_thinking(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = think(exam)?;
    let lines = engine.sync()?;
    ensure(!lines.iter().any(|line| is_search_end(line)), || "the search ended".to_owned())?;
    engine.search("stop", SOON)?;
    PASS
}

fn commands_while_thinking(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = think(exam)?;
    let option = engine.dialect.set_option("Hash", "8");
    let position = engine.position("startpos", "b2e2");
    engine.say(&format!("{position}\n{option}\ngo depth 2\nbanmoves\nxyzzy"))?;
    let mut lines = engine.lines_in(Duration::from_millis(200));
    engine.say("stop")?;
    // How many searches there were is the engine's choice; that it is idle and whole afterwards is not.
    lines.extend(engine.lines_in(Duration::from_millis(300)));
    lines.extend(engine.sync()?);
    let answers = lines.iter().filter(|line| is_search_end(line) && line.starts_with("bestmove")).count();
    ensure(answers == 1, || format!("{answers} moves for one search"))?;
    let line = engine.position("startpos", "h2e2");
    let lines = engine.search(&format!("{line}\ngo depth 2"), SEARCH)?;
    engine.legal_move(&lines, &board("startpos", "h2e2")?)?;
    PASS
}

fn probe(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    let is_answer = |line: &str| line.split(' ').next() == Some("pophash");
    engine.say("probe startpos")?;
    engine.until("pophash", SOON, is_answer)?;
    let mut engine = think(exam)?;
    engine.say("probe startpos moves h2e2")?;
    engine.until("pophash", SOON, is_answer)?;
    engine.search("stop", SOON)?;
    PASS
}

/// Ponders on a position and sees that no move comes out by itself.
fn ponder_silently(exam: &Examination<'_>, fen: &str) -> Checked<Conversation> {
    let mut engine = exam.engine()?;
    let option =
        engine.dialect.set_option(if exam.protocol == Protocol::Ucci { "ponder" } else { "Ponder" }, "true");
    let line = engine.position(fen, "");
    engine.say(&format!("{option}\n{line}\n{}", ponder_words(exam.protocol)))?;
    let early = engine.lines_in(Duration::from_millis(1500));
    match early.iter().find(|line| is_search_end(line)) {
        Some(line) => Err(StepFailure::new(format!("`{line}` before it was asked"))),
        None => Ok(engine),
    }
}

fn ponder_on_mate(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = ponder_silently(exam, MATE_IN_ONE)?;
    let lines = engine.search("ponderhit", Duration::from_millis(1100))?;
    engine.legal_move(&lines, &board(MATE_IN_ONE, "")?)?;
    PASS
}

fn ponder_on_forced_move(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = ponder_silently(exam, ONLY_MOVE)?;
    let lines = engine.search("stop", SOON)?;
    engine.legal_move(&lines, &board(ONLY_MOVE, "")?)?;
    PASS
}

fn ponderhit_draw(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = ponder_silently(exam, "startpos")?;
    let lines = engine.search("ponderhit draw", Duration::from_millis(1100))?;
    engine.legal_move(&lines, &board("startpos", "")?)?;
    PASS
}

fn stray_ponderhit(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    engine.say("ponderhit")?;
    engine.sync()?;
    let position = engine.position("startpos", "");
    engine.say(&format!("{position}\ngo infinite\nponderhit"))?;
    let early = engine.lines_in(Duration::from_millis(200));
    ensure(!early.iter().any(|line| is_search_end(line)), || "`ponderhit` ended a plain search".to_owned())?;
    engine.search("stop", SOON)?;
    PASS
}

fn idle_stop(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    engine.say("stop")?;
    engine.until("nobestmove", SOON, |line| line.trim() == "nobestmove")?;
    PASS
}

fn silent_idle_stop(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    engine.say("stop")?;
    let lines = engine.sync()?;
    ensure(!lines.iter().any(|line| is_search_end(line)), || "answers with a move".to_owned())?;
    PASS
}

fn rubbish(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    let long = "x".repeat(20_000);
    engine.say(&format!(
        "\n   \nxyzzy\nbestmove h2e2\n\u{1}\u{7f}\u{e9}\n{long}\nGO\nposition\t\nsetoption\ngo depth"
    ))?;
    engine.say("stop")?;
    engine.listen(Duration::from_millis(300));
    engine.sync()?;
    let position = engine.position("startpos", "");
    let lines = engine.search(&format!("{position}\ngo depth 2"), SEARCH)?;
    engine.legal_move(&lines, &board("startpos", "")?)?;
    PASS
}

/// Processor time used by a process so far, in clock ticks (hundredths of a second), where the system reports it.
fn ticks(process: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
}

fn idle_cost(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    let position = engine.position("startpos", "");
    engine.search(&format!("{position}\ngo depth 3"), SEARCH)?;
    engine.sync()?;
    let Some(before) = ticks(engine.process_id()) else { return Ok(Some("the system does not tell")) };
    engine.listen(Duration::from_millis(700));
    let used = ticks(engine.process_id()).map_or(0, |after| after - before);
    ensure(used <= 2, || format!("{used} % of a core in 0.7 s of idleness"))?;
    PASS
}

/// Sends `quit` and waits for the end.
fn quits(mut engine: Conversation, protocol: Protocol) -> Checked<Option<&'static str>> {
    let began = Instant::now();
    engine.say("quit")?;
    let lines = engine.ends_within(SOON)?;
    let time = began.elapsed();
    ensure(time <= Duration::from_millis(250), || format!("{} ms", time.as_millis()))?;
    let said = lines.iter().any(|line| line.trim() == "bye");
    ensure(protocol == Protocol::Uci || said, || "no `bye`".to_owned())?;
    PASS
}

fn quit_idle(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    quits(exam.engine()?, exam.protocol)
}

fn quit_thinking(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    quits(think(exam)?, exam.protocol)
}

fn end_of_input(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    engine.end_input();
    engine.ends_within(SOON)?;
    PASS
}

fn end_of_input_thinking(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = think(exam)?;
    engine.end_input();
    engine.ends_within(SOON)?;
    PASS
}

fn batch(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    if !exam.engine()?.has("batch") {
        return Ok(Some("batch is not declared"));
    }
    let mut engine = Conversation::open(exam.spec, exam.protocol)?;
    let (first, second) = (engine.position("startpos", ""), engine.position("startpos", "h2e2"));
    engine.say(&format!("ucci\nsetoption batch true\n{first}\ngo depth 3\n{second}\ngo depth 3\nquit"))?;
    engine.end_input();
    let lines = engine.ends_within(SEARCH)?;
    let moves = lines.iter().filter(|line| line.starts_with("bestmove")).count();
    let bye = lines.iter().any(|line| line.trim() == "bye");
    ensure(moves == 2 && bye, || format!("{moves} moves, {} `bye`", if bye { "a" } else { "no" }))?;
    PASS
}
