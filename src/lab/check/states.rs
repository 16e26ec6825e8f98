//! Steps about what may be said when: while thinking, while pondering, while idle, and at the end.

use std::time::{Duration, Instant};

use super::endings::{MATE_IN_ONE, ONLY_MOVE};
use super::talk::{SEARCH, SOON, Talk, board, is_search_end};
use super::{Bench, Failure, In, Outcome, PASS, Step, ensure, step};
use crate::arena::engine::Protocol;

pub(super) const STEPS: &[Step] = &[
    step(In::Both, "answers `isready` while thinking", ready_while_thinking),
    step(In::Both, "is not confused by commands while thinking", commands_while_thinking),
    step(In::Ucci, "answers `probe`, idle and thinking", probe),
    step(In::Both, "is silent on a mate in one until `ponderhit`", ponder_on_mate),
    step(In::Both, "is silent on a forced move until `stop`", ponder_on_forced_move),
    step(In::Ucci, "takes `ponderhit draw`", ponderhit_draw),
    step(In::Both, "survives `ponderhit` while not pondering", stray_ponderhit),
    step(In::Ucci, "answers `stop` while idle with `nobestmove`", idle_stop),
    step(In::Uci, "is silent on `stop` while idle", silent_idle_stop),
    step(In::Both, "survives rubbish", rubbish),
    step(In::Both, "uses no processor time while idle", idle_cost),
    step(In::Both, "quits while idle", quit_idle),
    step(In::Both, "quits while thinking", quit_thinking),
    step(In::Both, "ends at the end of its input", end_of_input),
    step(In::Both, "ends at the end of its input while thinking", end_of_input_thinking),
    step(In::Ucci, "works off a script in batch mode", batch),
];

fn think(bench: &Bench<'_>) -> Outcome<Talk> {
    let mut talk = bench.talk()?;
    let position = talk.position("startpos", "");
    talk.say(&format!("{position}\ngo infinite"))?;
    talk.listen(Duration::from_millis(100));
    Ok(talk)
}

/// The words of a search on the opponent's time.
fn ponder_words(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Ucci => "go ponder time 1000 increment 0",
        Protocol::Uci => "go ponder wtime 1000 btime 1000 winc 0 binc 0",
    }
}

fn ready_while_thinking(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = think(bench)?;
    let lines = talk.sync()?;
    ensure(!lines.iter().any(|line| is_search_end(line)), || "the search ended".to_owned())?;
    talk.search("stop", SOON)?;
    PASS
}

fn commands_while_thinking(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = think(bench)?;
    let option = talk.speech.set_option("Hash", "8");
    let position = talk.position("startpos", "b2e2");
    talk.say(&format!("{position}\n{option}\ngo depth 2\nbanmoves\nxyzzy"))?;
    let mut lines = talk.lines_in(Duration::from_millis(200));
    talk.say("stop")?;
    // How many searches there were is the engine's choice; that it is idle and whole afterwards is not.
    lines.extend(talk.lines_in(Duration::from_millis(300)));
    lines.extend(talk.sync()?);
    let answers = lines.iter().filter(|line| is_search_end(line) && line.starts_with("bestmove")).count();
    ensure(answers == 1, || format!("{answers} moves for one search"))?;
    let line = talk.position("startpos", "h2e2");
    let lines = talk.search(&format!("{line}\ngo depth 2"), SEARCH)?;
    talk.legal_move(&lines, &board("startpos", "h2e2")?)?;
    PASS
}

fn probe(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = bench.talk()?;
    let is_answer = |line: &str| line.split(' ').next() == Some("pophash");
    talk.say("probe startpos")?;
    talk.until("pophash", SOON, is_answer)?;
    let mut talk = think(bench)?;
    talk.say("probe startpos moves h2e2")?;
    talk.until("pophash", SOON, is_answer)?;
    talk.search("stop", SOON)?;
    PASS
}

/// Ponders on a position and sees that no move comes out by itself.
fn ponder_silently(bench: &Bench<'_>, fen: &str) -> Outcome<Talk> {
    let mut talk = bench.talk()?;
    let option =
        talk.speech.set_option(if bench.protocol == Protocol::Ucci { "ponder" } else { "Ponder" }, "true");
    let line = talk.position(fen, "");
    talk.say(&format!("{option}\n{line}\n{}", ponder_words(bench.protocol)))?;
    let early = talk.lines_in(Duration::from_millis(1500));
    match early.iter().find(|line| is_search_end(line)) {
        Some(line) => Err(Failure::new(format!("`{line}` before it was asked"))),
        None => Ok(talk),
    }
}

fn ponder_on_mate(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = ponder_silently(bench, MATE_IN_ONE)?;
    let lines = talk.search("ponderhit", Duration::from_millis(1100))?;
    talk.legal_move(&lines, &board(MATE_IN_ONE, "")?)?;
    PASS
}

fn ponder_on_forced_move(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = ponder_silently(bench, ONLY_MOVE)?;
    let lines = talk.search("stop", SOON)?;
    talk.legal_move(&lines, &board(ONLY_MOVE, "")?)?;
    PASS
}

fn ponderhit_draw(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = ponder_silently(bench, "startpos")?;
    let lines = talk.search("ponderhit draw", Duration::from_millis(1100))?;
    talk.legal_move(&lines, &board("startpos", "")?)?;
    PASS
}

fn stray_ponderhit(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = bench.talk()?;
    talk.say("ponderhit")?;
    talk.sync()?;
    let position = talk.position("startpos", "");
    talk.say(&format!("{position}\ngo infinite\nponderhit"))?;
    let early = talk.lines_in(Duration::from_millis(200));
    ensure(!early.iter().any(|line| is_search_end(line)), || "`ponderhit` ended a plain search".to_owned())?;
    talk.search("stop", SOON)?;
    PASS
}

fn idle_stop(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = bench.talk()?;
    talk.say("stop")?;
    talk.until("nobestmove", SOON, |line| line.trim() == "nobestmove")?;
    PASS
}

fn silent_idle_stop(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = bench.talk()?;
    talk.say("stop")?;
    let lines = talk.sync()?;
    ensure(!lines.iter().any(|line| is_search_end(line)), || "answers with a move".to_owned())?;
    PASS
}

fn rubbish(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = bench.talk()?;
    let long = "x".repeat(20_000);
    talk.say(&format!(
        "\n   \nxyzzy\nbestmove h2e2\n\u{1}\u{7f}\u{e9}\n{long}\nGO\nposition\t\nsetoption\ngo depth"
    ))?;
    talk.say("stop")?;
    talk.listen(Duration::from_millis(300));
    talk.sync()?;
    let position = talk.position("startpos", "");
    let lines = talk.search(&format!("{position}\ngo depth 2"), SEARCH)?;
    talk.legal_move(&lines, &board("startpos", "")?)?;
    PASS
}

/// Processor time used by a process so far, in clock ticks (hundredths of a second), where the system tells.
fn ticks(process: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
}

fn idle_cost(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = bench.talk()?;
    let position = talk.position("startpos", "");
    talk.search(&format!("{position}\ngo depth 3"), SEARCH)?;
    talk.sync()?;
    let Some(before) = ticks(talk.process_id()) else { return Ok(Some("the system does not tell")) };
    talk.listen(Duration::from_millis(700));
    let used = ticks(talk.process_id()).map_or(0, |after| after - before);
    ensure(used <= 2, || format!("{used} % of a core in 0.7 s of idleness"))?;
    PASS
}

/// Sends `quit` and waits for the end.
fn quits(mut talk: Talk, protocol: Protocol) -> Outcome<Option<&'static str>> {
    let began = Instant::now();
    talk.say("quit")?;
    let lines = talk.ends_within(SOON)?;
    let time = began.elapsed();
    ensure(time <= Duration::from_millis(250), || format!("{} ms", time.as_millis()))?;
    let said = lines.iter().any(|line| line.trim() == "bye");
    ensure(protocol == Protocol::Uci || said, || "no `bye`".to_owned())?;
    PASS
}

fn quit_idle(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    quits(bench.talk()?, bench.protocol)
}

fn quit_thinking(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    quits(think(bench)?, bench.protocol)
}

fn end_of_input(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = bench.talk()?;
    talk.end_input();
    talk.ends_within(SOON)?;
    PASS
}

fn end_of_input_thinking(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = think(bench)?;
    talk.end_input();
    talk.ends_within(SOON)?;
    PASS
}

fn batch(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    if !bench.talk()?.has("batch") {
        return Ok(Some("batch is not declared"));
    }
    let mut talk = Talk::open(bench.spec, bench.protocol)?;
    let (first, second) = (talk.position("startpos", ""), talk.position("startpos", "h2e2"));
    talk.say(&format!("ucci\nsetoption batch true\n{first}\ngo depth 3\n{second}\ngo depth 3\nquit"))?;
    talk.end_input();
    let lines = talk.ends_within(SEARCH)?;
    let moves = lines.iter().filter(|line| line.starts_with("bestmove")).count();
    let bye = lines.iter().any(|line| line.trim() == "bye");
    ensure(moves == 2 && bye, || format!("{moves} moves, {} `bye`", if bye { "a" } else { "no" }))?;
    PASS
}
