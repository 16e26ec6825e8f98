//! Steps about `go`: its many forms, its limits, and what is said during a search.

use std::time::{Duration, Instant};

use super::endings::{MATE_IN_ONE, ONLY_MOVE};
use super::talk::{SEARCH, SOON, Talk, board, is_search_end};
use super::{Bench, Failure, In, Outcome, PASS, Step, ensure, step};
use crate::arena::engine::{Protocol, Report};

pub(super) const STEPS: &[Step] = &[
    step(In::Both, "gives one answer to each `go`", one_answer),
    step(
        In::Both,
        "says depth, score and line before its move, the line beginning with it",
        line_before_move,
    ),
    step(In::Both, "writes moves in lower case and nothing else in their place", lower_case),
    step(In::Ucci, "`go depth 0` gives a score and no move", depth_zero),
    step(In::Both, "moves at once with no time left", no_time),
    step(In::Both, "keeps to a time for one move", time_for_one_move),
    step(In::Both, "reads the words of the clock in any order", words_in_any_order),
    step(In::Both, "keeps to a depth beside a clock", depth_beside_clock),
    step(In::Both, "keeps to a time for the move beside a clock", movetime_beside_clock),
    step(In::Both, "keeps to a number of nodes", nodes),
    step(In::Both, "passes over unknown words and blanks in `go`", unknown_words),
    step(In::Ucci, "takes a draw offer with a clock", draw_with_clock),
    step(In::Ucci, "answers a draw offer without any mode", bare_draw),
    step(In::Both, "searches without limit until `stop`, then answers within 50 ms", infinite),
    step(In::Both, "takes a bare `go` and `stop`", bare_go),
    step(In::Ucci, "counts in seconds after `usemillisec false`", seconds),
    step(In::Ucci, "never plays a banned move", banned_moves),
    step(In::Ucci, "forgets banned moves at the next `position`", bans_end),
    step(In::Ucci, "moves though every move is banned", all_banned),
    step(In::Uci, "`go perft 1` counts 44 moves", perft),
    step(In::Uci, "plays only `searchmoves`", search_moves),
    step(In::Uci, "`go mate 1` finds the mate", mate),
    step(In::Uci, "shows as many lines as MultiPV says", multi_pv),
    step(In::Uci, "shows win, draw and loss that sum to 1000", win_draw_loss),
];

/// Time over a limit that a busy machine may cost.
const SLACK: Duration = Duration::from_millis(100);

fn one_answer(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = bench.talk()?;
    let position = talk.position("startpos", "");
    for _ in 0..8 {
        talk.search(&format!("{position}\ngo depth 2"), SEARCH)?;
        let more = talk.sync()?;
        ensure(!more.iter().any(|line| is_search_end(line)), || "a second answer".to_owned())?;
    }
    PASS
}

fn line_before_move(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = bench.talk()?;
    let position = talk.position("startpos", "");
    let lines = talk.search(&format!("{position}\ngo depth 4"), SEARCH)?;
    let mv = Talk::move_text(&lines)?;
    let info = lines.iter().rev().find(|line| line.starts_with("info depth") && line.contains(" score "));
    let info = info.ok_or_else(|| Failure::new("no line `info depth … score …`"))?;
    let first = info.split_once(" pv ").and_then(|(_, line)| line.split_whitespace().next());
    ensure(first == Some(mv.as_str()), || format!("plays {mv} after `{info}`"))?;
    PASS
}

fn lower_case(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = bench.talk()?;
    let position = talk.position("startpos", "");
    let lines = talk.search(&format!("{position}\ngo depth 2"), SEARCH)?;
    let last = lines.last().map_or("", String::as_str);
    let lower = !last.bytes().any(|b| b.is_ascii_uppercase());
    ensure(lower && last.starts_with("bestmove ") && !last.starts_with("bestmove  "), || {
        format!("`{last}`")
    })?;
    talk.legal_move(&lines, &board("startpos", "")?)?;
    PASS
}

fn depth_zero(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = bench.talk()?;
    let position = talk.position("startpos", "");
    let lines = talk.search(&format!("{position}\ngo depth 0"), SEARCH)?;
    let last = lines.last().map_or("", String::as_str);
    ensure(last.trim() == "nobestmove", || format!("`{last}` where `nobestmove` is wanted"))?;
    let score = lines.iter().any(|line| line.starts_with("info depth 0 score "));
    ensure(score, || "no line `info depth 0 score …`".to_owned())?;
    PASS
}

/// Sends `go` in the start position and checks the time that the answer takes: the best of three tries, since the
/// machine may be busy with something else.
fn within(bench: &Bench<'_>, go: &str, limit: Duration) -> Outcome<Option<&'static str>> {
    let mut talk = bench.talk()?;
    talk.sync()?;
    let position = talk.position("startpos", "");
    let mut best = Duration::MAX;
    for _ in 0..3 {
        let (lines, time) = talk.timed_search(&format!("{position}\n{go}"), limit + SEARCH)?;
        talk.legal_move(&lines, &board("startpos", "")?)?;
        best = best.min(time);
        if best <= limit + SLACK {
            return PASS;
        }
    }
    Err(Failure::new(format!("`{go}` took {} ms", best.as_millis())))
}

fn no_time(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let limit = Duration::from_millis(300);
    match bench.protocol {
        Protocol::Ucci => within(bench, "go time 0 increment 0", limit),
        Protocol::Uci => within(bench, "go wtime 0 btime 0 winc 0 binc 0", limit),
    }
}

fn time_for_one_move(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let limit = Duration::from_millis(500);
    match bench.protocol {
        Protocol::Ucci => within(bench, "go time 500", limit),
        Protocol::Uci => within(bench, "go movetime 500", limit),
    }
}

fn words_in_any_order(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let limit = Duration::from_secs(1);
    match bench.protocol {
        Protocol::Ucci => within(bench, "go time 1000 opptime 900 oppincrement 0 increment 0", limit),
        Protocol::Uci => within(bench, "go binc 0 winc 0 movestogo 10 btime 900 wtime 1000", limit),
    }
}

fn depth_beside_clock(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let limit = Duration::from_secs(2);
    match bench.protocol {
        Protocol::Ucci => within(bench, "go time 3600000 increment 0 depth 3", limit),
        Protocol::Uci => within(bench, "go wtime 3600000 btime 3600000 depth 3", limit),
    }
}

fn movetime_beside_clock(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let limit = Duration::from_millis(100);
    match bench.protocol {
        Protocol::Ucci => within(bench, "go time 3600000 increment 0 movetime 100", limit),
        Protocol::Uci => within(bench, "go wtime 3600000 btime 3600000 movetime 100", limit),
    }
}

fn nodes(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = bench.talk()?;
    let position = talk.position("startpos", "h2e2");
    let lines = talk.search(&format!("{position}\ngo nodes 20000"), SEARCH)?;
    talk.legal_move(&lines, &board("startpos", "h2e2")?)?;
    let mut report = Report::default();
    lines.iter().filter(|line| line.starts_with("info")).for_each(|line| report.hear(line));
    let nodes = report.nodes.ok_or_else(|| Failure::new("says no `nodes`"))?;
    ensure(nodes <= 20_000, || format!("{nodes} nodes instead of 20000"))?;
    PASS
}

fn unknown_words(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    within(bench, "go  quickly depth  3  please ", Duration::from_secs(2))
}

fn draw_with_clock(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    within(bench, "go draw time 1000 increment 0", Duration::from_secs(1))
}

fn bare_draw(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    within(bench, "go draw", Duration::from_secs(10))
}

/// Starts an unlimited search, sees that it goes on, stops it; the time that the answer took.
fn stop_time(talk: &mut Talk, go: &str) -> Outcome<Duration> {
    talk.say(go)?;
    let early = talk.lines_in(Duration::from_millis(250));
    ensure(!early.iter().any(|line| is_search_end(line)), || format!("`{go}` ended by itself"))?;
    let began = Instant::now();
    talk.say("stop")?;
    talk.search_end(SOON)?;
    Ok(began.elapsed())
}

fn infinite(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = bench.talk()?;
    let position = talk.position("startpos", "");
    talk.say(&position)?;
    // The best of three: the machine may be busy with something else.
    let mut best = Duration::MAX;
    for _ in 0..3 {
        best = best.min(stop_time(&mut talk, "go infinite")?);
    }
    ensure(best <= Duration::from_millis(50), || format!("`stop` took {} ms", best.as_millis()))?;
    let more = talk.sync()?;
    ensure(!more.iter().any(|line| is_search_end(line)), || "a second answer".to_owned())?;
    PASS
}

fn bare_go(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = bench.talk()?;
    let position = talk.position("startpos", "");
    talk.say(&format!("{position}\ngo"))?;
    talk.listen(Duration::from_millis(200));
    talk.say("stop")?;
    // It may have ended by itself before: then `stop` came while idle.
    let more = talk.sync()?;
    let next = talk.search("go depth 2", SEARCH)?;
    let answers = more.iter().chain(&next).filter(|line| is_search_end(line)).count();
    ensure((1..=2).contains(&answers), || format!("{answers} answers"))?;
    talk.legal_move(&next, &board("startpos", "")?)?;
    PASS
}

fn seconds(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = bench.talk()?;
    if !talk.has("usemillisec") {
        return Ok(Some("usemillisec is not declared"));
    }
    let position = talk.position("startpos", "");
    talk.say("setoption usemillisec false")?;
    let (_, time) = talk.timed_search(&format!("{position}\ngo time 2 increment 0"), SEARCH)?;
    let fits = (Duration::from_millis(15)..=Duration::from_secs(2) + SLACK).contains(&time);
    ensure(fits, || format!("`go time 2 increment 0` took {} ms", time.as_millis()))?;
    PASS
}

fn banned_moves(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = bench.talk()?;
    let position = talk.position("startpos", "");
    let mut banned: Vec<String> = Vec::new();
    for _ in 0..4 {
        let bans = if banned.is_empty() { String::new() } else { format!("banmoves {}\n", banned.join(" ")) };
        let lines = talk.search(&format!("{position}\n{bans}go depth 3"), SEARCH)?;
        let mv = Talk::move_text(&lines)?;
        ensure(!banned.contains(&mv), || format!("plays {mv} after `banmoves {}`", banned.join(" ")))?;
        banned.push(mv);
    }
    PASS
}

fn bans_end(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = bench.talk()?;
    let position = talk.position(MATE_IN_ONE, "");
    let lines = talk.search(&format!("{position}\ngo depth 3"), SEARCH)?;
    let mate = Talk::move_text(&lines)?;
    let lines = talk.search(&format!("{position}\nbanmoves {mate}\ngo depth 3"), SEARCH)?;
    let other = Talk::move_text(&lines)?;
    ensure(other != mate, || format!("plays {mate} after `banmoves {mate}`"))?;
    let lines = talk.search(&format!("{position}\ngo depth 3"), SEARCH)?;
    let again = Talk::move_text(&lines)?;
    ensure(again == mate, || format!("plays {again} and no longer the mate {mate}"))?;
    PASS
}

fn all_banned(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = bench.talk()?;
    let position = board(ONLY_MOVE, "")?;
    let moves: Vec<String> = position.legal_moves().iter().map(ToString::to_string).collect();
    let line = talk.position(ONLY_MOVE, "");
    let lines = talk.search(&format!("{line}\nbanmoves {}\ngo depth 3", moves.join(" ")), SEARCH)?;
    talk.legal_move(&lines, &position)?;
    PASS
}

fn perft(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = bench.talk()?;
    let position = talk.position("startpos", "");
    talk.say(&format!("{position}\ngo perft 1"))?;
    let lines = talk.until("Nodes searched: 44", SOON, |line| line.trim() == "Nodes searched: 44")?;
    let moves = lines.iter().filter(|line| line.trim().ends_with(": 1")).count();
    ensure(moves == 44, || format!("{moves} root moves shown"))?;
    PASS
}

fn search_moves(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = bench.talk()?;
    let position = talk.position("startpos", "");
    let wanted = talk.words("a3a4 i0i1");
    let lines = talk.search(&format!("{position}\ngo depth 3 searchmoves {wanted}"), SEARCH)?;
    let mv = Talk::move_text(&lines)?;
    ensure(wanted.split(' ').any(|word| word == mv), || format!("plays {mv} and not one of {wanted}"))?;
    PASS
}

fn mate(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = bench.talk()?;
    let line = talk.position(MATE_IN_ONE, "");
    let lines = talk.search(&format!("{line}\ngo mate 1"), SEARCH)?;
    let mut position = board(MATE_IN_ONE, "")?;
    let mv = talk.legal_move(&lines, &position)?;
    position.make(mv);
    ensure(!position.has_legal_move(), || format!("plays {mv}, which does not mate"))?;
    PASS
}

fn multi_pv(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = bench.talk()?;
    if !talk.has("MultiPV") {
        return Ok(Some("MultiPV is not declared"));
    }
    let position = talk.position("startpos", "");
    let lines = talk.search(&format!("setoption name MultiPV value 3\n{position}\ngo depth 4"), SEARCH)?;
    for number in 1..=3 {
        let found = lines.iter().any(|line| line.contains(&format!(" multipv {number} ")));
        ensure(found, || format!("no line {number}"))?;
    }
    PASS
}

fn win_draw_loss(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = bench.talk()?;
    if !talk.has("UCI_ShowWDL") {
        return Ok(Some("UCI_ShowWDL is not declared"));
    }
    let position = talk.position("startpos", "");
    let lines =
        talk.search(&format!("setoption name UCI_ShowWDL value true\n{position}\ngo depth 4"), SEARCH)?;
    let shown: Vec<u32> = lines
        .iter()
        .filter_map(|line| line.split_once(" wdl "))
        .map(|(_, rest)| rest.split(' ').take(3).filter_map(|n| n.parse::<u32>().ok()).sum())
        .collect();
    ensure(!shown.is_empty(), || "no `wdl`".to_owned())?;
    ensure(shown.iter().all(|&sum| sum == 1000), || format!("sums {shown:?}"))?;
    PASS
}
