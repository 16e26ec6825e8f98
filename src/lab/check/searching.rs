//! Steps about `go`: its many forms, its limits, and what is said during a search.

use std::time::{Duration, Instant};

use super::conversation::{Conversation, SEARCH, SOON, board, is_search_end};
use super::endings::{MATE_IN_ONE, ONLY_MOVE};
use super::{CheckStep, Checked, Examination, PASS, StepFailure, StepProtocols, ensure, step};
use crate::arena::engine::{Protocol, SearchInfo};

pub(super) const STEPS: &[CheckStep] = &[
    step(StepProtocols::Both, "gives one answer to each `go`", one_answer),
    step(
        StepProtocols::Both,
        "says depth, score and line before its move, the line beginning with it",
        line_before_move,
    ),
    step(StepProtocols::Both, "writes moves in lower case and nothing else in their place", lower_case),
    step(StepProtocols::Ucci, "`go depth 0` gives a score and no move", depth_zero),
    step(StepProtocols::Both, "moves at once with no time left", no_time),
    step(StepProtocols::Both, "keeps to a time for one move", time_for_one_move),
    step(StepProtocols::Both, "reads the words of the clock in any order", words_in_any_order),
    step(StepProtocols::Both, "keeps to a depth beside a clock", depth_beside_clock),
    step(StepProtocols::Both, "keeps to a time for the move beside a clock", movetime_beside_clock),
    step(StepProtocols::Both, "keeps to a number of nodes", nodes),
    step(StepProtocols::Both, "passes over unknown words and blanks in `go`", unknown_words),
    step(StepProtocols::Ucci, "takes a draw offer with a clock", draw_with_clock),
    step(StepProtocols::Ucci, "answers a draw offer without any mode", bare_draw),
    step(StepProtocols::Both, "searches without limit until `stop`, then answers within 50 ms", infinite),
    step(StepProtocols::Both, "takes a bare `go` and `stop`", bare_go),
    step(StepProtocols::Ucci, "counts in seconds after `usemillisec false`", seconds),
    step(StepProtocols::Ucci, "never plays a banned move", banned_moves),
    step(StepProtocols::Ucci, "forgets banned moves at the next `position`", bans_end),
    step(StepProtocols::Ucci, "moves though every move is banned", all_banned),
    step(StepProtocols::Uci, "`go perft 1` counts 44 moves", perft),
    step(StepProtocols::Uci, "plays only `searchmoves`", search_moves),
    step(StepProtocols::Uci, "`go mate 1` finds the mate", mate),
    step(StepProtocols::Uci, "shows as many lines as MultiPV says", multi_pv),
    step(StepProtocols::Uci, "shows win, draw and loss that sum to 1000", win_draw_loss),
];

/// Time over a limit that a busy machine may cost.
const SLACK: Duration = Duration::from_millis(100);

fn one_answer(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    let position = engine.position("startpos", "");
    for _ in 0..8 {
        engine.search(&format!("{position}\ngo depth 2"), SEARCH)?;
        let more = engine.sync()?;
        ensure(!more.iter().any(|line| is_search_end(line)), || "a second answer".to_owned())?;
    }
    PASS
}

fn line_before_move(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    let position = engine.position("startpos", "");
    let lines = engine.search(&format!("{position}\ngo depth 4"), SEARCH)?;
    let mv = Conversation::move_text(&lines)?;
    let info = lines.iter().rev().find(|line| line.starts_with("info depth") && line.contains(" score "));
    let info = info.ok_or_else(|| StepFailure::new("no line `info depth … score …`"))?;
    let first = info.split_once(" pv ").and_then(|(_, line)| line.split_whitespace().next());
    ensure(first == Some(mv.as_str()), || format!("plays {mv} after `{info}`"))?;
    PASS
}

fn lower_case(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    let position = engine.position("startpos", "");
    let lines = engine.search(&format!("{position}\ngo depth 2"), SEARCH)?;
    let last = lines.last().map_or("", String::as_str);
    let lower = !last.bytes().any(|b| b.is_ascii_uppercase());
    ensure(lower && last.starts_with("bestmove ") && !last.starts_with("bestmove  "), || {
        format!("`{last}`")
    })?;
    engine.legal_move(&lines, &board("startpos", "")?)?;
    PASS
}

fn depth_zero(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    let position = engine.position("startpos", "");
    let lines = engine.search(&format!("{position}\ngo depth 0"), SEARCH)?;
    let last = lines.last().map_or("", String::as_str);
    ensure(last.trim() == "nobestmove", || format!("`{last}` where `nobestmove` is wanted"))?;
    let score = lines.iter().any(|line| line.starts_with("info depth 0 score "));
    ensure(score, || "no line `info depth 0 score …`".to_owned())?;
    PASS
}

/// Sends `go` in the start position and checks the time that the answer takes: the best of three tries, since the
/// machine may be busy with something else.
fn within(exam: &Examination<'_>, go: &str, limit: Duration) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    engine.sync()?;
    let position = engine.position("startpos", "");
    let mut best = Duration::MAX;
    for _ in 0..3 {
        let (lines, time) = engine.timed_search(&format!("{position}\n{go}"), limit + SEARCH)?;
        engine.legal_move(&lines, &board("startpos", "")?)?;
        best = best.min(time);
        if best <= limit + SLACK {
            return PASS;
        }
    }
    Err(StepFailure::new(format!("`{go}` took {} ms", best.as_millis())))
}

fn no_time(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let limit = Duration::from_millis(300);
    match exam.protocol {
        Protocol::Ucci => within(exam, "go time 0 increment 0", limit),
        Protocol::Uci => within(exam, "go wtime 0 btime 0 winc 0 binc 0", limit),
    }
}

fn time_for_one_move(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let limit = Duration::from_millis(500);
    match exam.protocol {
        Protocol::Ucci => within(exam, "go time 500", limit),
        Protocol::Uci => within(exam, "go movetime 500", limit),
    }
}

fn words_in_any_order(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let limit = Duration::from_secs(1);
    match exam.protocol {
        Protocol::Ucci => within(exam, "go time 1000 opptime 900 oppincrement 0 increment 0", limit),
        Protocol::Uci => within(exam, "go binc 0 winc 0 movestogo 10 btime 900 wtime 1000", limit),
    }
}

fn depth_beside_clock(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let limit = Duration::from_secs(2);
    match exam.protocol {
        Protocol::Ucci => within(exam, "go time 3600000 increment 0 depth 3", limit),
        Protocol::Uci => within(exam, "go wtime 3600000 btime 3600000 depth 3", limit),
    }
}

fn movetime_beside_clock(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let limit = Duration::from_millis(100);
    match exam.protocol {
        Protocol::Ucci => within(exam, "go time 3600000 increment 0 movetime 100", limit),
        Protocol::Uci => within(exam, "go wtime 3600000 btime 3600000 movetime 100", limit),
    }
}

fn nodes(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    let position = engine.position("startpos", "h2e2");
    let lines = engine.search(&format!("{position}\ngo nodes 20000"), SEARCH)?;
    engine.legal_move(&lines, &board("startpos", "h2e2")?)?;
    let mut report = SearchInfo::default();
    lines.iter().filter(|line| line.starts_with("info")).for_each(|line| report.hear(line));
    let nodes = report.nodes.ok_or_else(|| StepFailure::new("says no `nodes`"))?;
    ensure(nodes <= 20_000, || format!("{nodes} nodes instead of 20000"))?;
    PASS
}

fn unknown_words(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    within(exam, "go  quickly depth  3  please ", Duration::from_secs(2))
}

fn draw_with_clock(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    within(exam, "go draw time 1000 increment 0", Duration::from_secs(1))
}

fn bare_draw(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    within(exam, "go draw", Duration::from_secs(10))
}

/// Starts an unlimited search, checks that it keeps running, stops it, and returns the time that the answer took.
fn stop_time(engine: &mut Conversation, go: &str) -> Checked<Duration> {
    engine.say(go)?;
    let early = engine.lines_in(Duration::from_millis(250));
    ensure(!early.iter().any(|line| is_search_end(line)), || format!("`{go}` ended by itself"))?;
    let began = Instant::now();
    engine.say("stop")?;
    engine.search_end(SOON)?;
    Ok(began.elapsed())
}

fn infinite(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    let position = engine.position("startpos", "");
    engine.say(&position)?;
    // The best of three: the machine may be busy with something else.
    let mut best = Duration::MAX;
    for _ in 0..3 {
        best = best.min(stop_time(&mut engine, "go infinite")?);
    }
    ensure(best <= Duration::from_millis(50), || format!("`stop` took {} ms", best.as_millis()))?;
    let more = engine.sync()?;
    ensure(!more.iter().any(|line| is_search_end(line)), || "a second answer".to_owned())?;
    PASS
}

fn bare_go(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    let position = engine.position("startpos", "");
    engine.say(&format!("{position}\ngo"))?;
    engine.listen(Duration::from_millis(200));
    engine.say("stop")?;
    // It may have ended by itself before: then `stop` came while idle.
    let more = engine.sync()?;
    let next = engine.search("go depth 2", SEARCH)?;
    let answers = more.iter().chain(&next).filter(|line| is_search_end(line)).count();
    ensure((1..=2).contains(&answers), || format!("{answers} answers"))?;
    engine.legal_move(&next, &board("startpos", "")?)?;
    PASS
}

fn seconds(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    if !engine.has("usemillisec") {
        return Ok(Some("usemillisec is not declared"));
    }
    let position = engine.position("startpos", "");
    engine.say("setoption usemillisec false")?;
    let (_, time) = engine.timed_search(&format!("{position}\ngo time 2 increment 0"), SEARCH)?;
    let fits = (Duration::from_millis(15)..=Duration::from_secs(2) + SLACK).contains(&time);
    ensure(fits, || format!("`go time 2 increment 0` took {} ms", time.as_millis()))?;
    PASS
}

fn banned_moves(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    let position = engine.position("startpos", "");
    let mut banned: Vec<String> = Vec::new();
    for _ in 0..4 {
        let bans = if banned.is_empty() { String::new() } else { format!("banmoves {}\n", banned.join(" ")) };
        let lines = engine.search(&format!("{position}\n{bans}go depth 3"), SEARCH)?;
        let mv = Conversation::move_text(&lines)?;
        ensure(!banned.contains(&mv), || format!("plays {mv} after `banmoves {}`", banned.join(" ")))?;
        banned.push(mv);
    }
    PASS
}

fn bans_end(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    let position = engine.position(MATE_IN_ONE, "");
    let lines = engine.search(&format!("{position}\ngo depth 3"), SEARCH)?;
    let mate = Conversation::move_text(&lines)?;
    let lines = engine.search(&format!("{position}\nbanmoves {mate}\ngo depth 3"), SEARCH)?;
    let other = Conversation::move_text(&lines)?;
    ensure(other != mate, || format!("plays {mate} after `banmoves {mate}`"))?;
    let lines = engine.search(&format!("{position}\ngo depth 3"), SEARCH)?;
    let again = Conversation::move_text(&lines)?;
    ensure(again == mate, || format!("plays {again} and no longer the mate {mate}"))?;
    PASS
}

fn all_banned(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    let position = board(ONLY_MOVE, "")?;
    let moves: Vec<String> = position.legal_moves().iter().map(ToString::to_string).collect();
    let line = engine.position(ONLY_MOVE, "");
    let lines = engine.search(&format!("{line}\nbanmoves {}\ngo depth 3", moves.join(" ")), SEARCH)?;
    engine.legal_move(&lines, &position)?;
    PASS
}

fn perft(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    let position = engine.position("startpos", "");
    engine.say(&format!("{position}\ngo perft 1"))?;
    let lines = engine.until("Nodes searched: 44", SOON, |line| line.trim() == "Nodes searched: 44")?;
    let moves = lines.iter().filter(|line| line.trim().ends_with(": 1")).count();
    ensure(moves == 44, || format!("{moves} root moves shown"))?;
    PASS
}

fn search_moves(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    let position = engine.position("startpos", "");
    let wanted = engine.words("a3a4 i0i1");
    let lines = engine.search(&format!("{position}\ngo depth 3 searchmoves {wanted}"), SEARCH)?;
    let mv = Conversation::move_text(&lines)?;
    ensure(wanted.split(' ').any(|word| word == mv), || format!("plays {mv} and not one of {wanted}"))?;
    PASS
}

fn mate(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    let line = engine.position(MATE_IN_ONE, "");
    let lines = engine.search(&format!("{line}\ngo mate 1"), SEARCH)?;
    let mut position = board(MATE_IN_ONE, "")?;
    let mv = engine.legal_move(&lines, &position)?;
    position.make(mv);
    ensure(!position.has_legal_move(), || format!("plays {mv}, which does not mate"))?;
    PASS
}

fn multi_pv(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    if !engine.has("MultiPV") {
        return Ok(Some("MultiPV is not declared"));
    }
    let position = engine.position("startpos", "");
    let lines = engine.search(&format!("setoption name MultiPV value 3\n{position}\ngo depth 4"), SEARCH)?;
    for number in 1..=3 {
        let found = lines.iter().any(|line| line.contains(&format!(" multipv {number} ")));
        ensure(found, || format!("no line {number}"))?;
    }
    PASS
}

fn win_draw_loss(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    if !engine.has("UCI_ShowWDL") {
        return Ok(Some("UCI_ShowWDL is not declared"));
    }
    let position = engine.position("startpos", "");
    let lines =
        engine.search(&format!("setoption name UCI_ShowWDL value true\n{position}\ngo depth 4"), SEARCH)?;
    let shown: Vec<u32> = lines
        .iter()
        .filter_map(|line| line.split_once(" wdl "))
        .map(|(_, rest)| rest.split(' ').take(3).filter_map(|n| n.parse::<u32>().ok()).sum())
        .collect();
    ensure(!shown.is_empty(), || "no `wdl`".to_owned())?;
    ensure(shown.iter().all(|&sum| sum == 1000), || format!("sums {shown:?}"))?;
    PASS
}
