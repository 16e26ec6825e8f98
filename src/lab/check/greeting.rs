//! Steps about the greeting and the options.

use std::time::{Duration, Instant};

use super::talk::{SEARCH, SOON, Talk, is_search_end};
use super::{Bench, Failure, In, Outcome, PASS, Step, ensure, step};
use crate::arena::engine::{Answer, Declared, Heard, Protocol};

pub(super) const STEPS: &[Step] = &[
    step(In::Both, "answers the greeting and gives its name", names_itself),
    step(In::Both, "greets in fewer than 40 lines", few_lines),
    step(In::Both, "keeps lines under 1000 characters", short_lines),
    step(In::Both, "declares options that can be read", readable_options),
    step(In::Both, "lists the default of a combo first among its values", default_first),
    step(In::Both, "writes an empty string default as <empty>", empty_default),
    step(In::Ucci, "greets without the words draw, resign and UCI_Variant", no_loaded_words),
    step(In::Ucci, "declares usemillisec, default true", milliseconds),
    step(In::Both, "writes nothing to standard error", silent_errors),
    step(In::Both, "survives the greeting of the other protocol", other_greeting),
    step(In::Both, "works off what comes in one burst with the greeting", burst),
    step(In::Both, "survives unknown options and bad values", unknown_options),
    step(In::Both, "understands commands that end in CR LF", carriage_returns),
];

fn names_itself(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let talk = bench.talk()?;
    let named =
        talk.greeting.iter().any(|line| matches!(Answer::read(line), Answer::Name(name) if !name.is_empty()));
    ensure(named, || "no `id name …` line".to_owned())?;
    PASS
}

fn few_lines(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let lines = bench.talk()?.greeting.len();
    ensure(lines < 40, || format!("{lines} lines"))?;
    PASS
}

fn short_lines(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = bench.talk()?;
    let mut lines = talk.greeting.clone();
    let position = talk.position("startpos", "");
    lines.extend(talk.search(&format!("{position}\ngo depth 4"), SEARCH)?);
    match lines.iter().find(|line| line.len() >= 1000) {
        Some(line) => {
            let start: String = line.chars().take(30).collect();
            Err(Failure::new(format!("{} characters in `{start}…`", line.len())))
        }
        None => PASS,
    }
}

fn readable_options(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    for line in bench.talk()?.greeting.iter().filter(|line| line.starts_with("option")) {
        let option = Declared::read(line).ok_or_else(|| Failure::new(format!("`{line}`")))?;
        let fault = match option.kind.as_str() {
            "label" | "button" | "string" => None,
            "check" => (!matches!(option.default.as_deref(), Some("true" | "false"))).then_some("default"),
            "combo" => {
                let default = option.default.clone().unwrap_or_default();
                (!option.values.contains(&default)).then_some("default is none of its values")
            }
            "spin" => {
                let default = option.default.as_deref().and_then(|d| d.parse::<i64>().ok());
                let fits = default.is_some_and(|d| {
                    option.min.is_none_or(|min| min <= d) && option.max.is_none_or(|max| d <= max)
                });
                (!fits).then_some("default out of range")
            }
            _ => Some("unknown type"),
        };
        if let Some(fault) = fault {
            return Err(Failure::new(format!("option {}: {fault}", option.name)));
        }
    }
    PASS
}

fn default_first(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let talk = bench.talk()?;
    let mut combos = talk.declared.iter().filter(|option| option.kind == "combo").peekable();
    if combos.peek().is_none() {
        return Ok(Some("no combo"));
    }
    match combos.find(|option| option.values.first() != option.default.as_ref()) {
        Some(option) => Err(Failure::new(format!("option {}", option.name))),
        None => PASS,
    }
}

fn empty_default(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let talk = bench.talk()?;
    let empty = |option: &&Declared| option.kind == "string" && option.default.as_deref() == Some("");
    match talk.declared.iter().find(empty) {
        Some(option) => Err(Failure::new(format!("option {}", option.name))),
        None => PASS,
    }
}

fn no_loaded_words(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let talk = bench.talk()?;
    for line in &talk.greeting {
        if let Some(word) = ["draw", "resign", "UCI_Variant"].into_iter().find(|word| line.contains(word)) {
            return Err(Failure::new(format!(
                "`{word}` makes some clients end the game or change the protocol"
            )));
        }
    }
    PASS
}

fn milliseconds(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let talk = bench.talk()?;
    let line = talk.greeting.iter().find(|line| line.starts_with("option usemillisec "));
    let line = line.ok_or_else(|| Failure::new("not declared: clients count in seconds"))?;
    let option = Declared::read(line).unwrap_or_default();
    ensure(option.kind == "check" && option.default.as_deref() == Some("true"), || format!("`{line}`"))?;
    PASS
}

fn silent_errors(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = Talk::open(bench.spec, bench.protocol)?;
    let position = talk.position("startpos", "");
    talk.say(&format!("{}\nisready\n{position}\ngo depth 3", bench.protocol.greeting()))?;
    let until = Instant::now() + SEARCH;
    let mut heard = Vec::new();
    while !heard.iter().any(|what| matches!(what, Heard::Line(line) if is_search_end(line))) {
        ensure(Instant::now() < until, || "no answer".to_owned())?;
        heard.extend(talk.listen(Duration::from_millis(100)));
    }
    match heard.into_iter().find_map(|what| if let Heard::Error(line) = what { Some(line) } else { None }) {
        Some(line) => Err(Failure::new(format!("`{line}`"))),
        None => PASS,
    }
}

fn other_greeting(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = bench.talk()?;
    let other = match bench.protocol {
        Protocol::Ucci => Protocol::Uci,
        Protocol::Uci => Protocol::Ucci,
    };
    talk.say(other.greeting())?;
    talk.sync()?;
    talk.say(bench.protocol.greeting())?;
    talk.until(bench.protocol.greeting_end(), SOON, |line| line.trim() == bench.protocol.greeting_end())?;
    PASS
}

fn burst(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = Talk::open(bench.spec, bench.protocol)?;
    let mut lines = vec![bench.protocol.greeting().to_owned()];
    for (name, value) in [
        ("newgame", ""),
        ("idle", "large"),
        ("style", "risky"),
        ("knowledge", "none"),
        ("pruning", " large"),
        ("randomness", "none"),
        ("usebook", "false"),
    ] {
        lines.push(talk.speech.set_option(name, value));
    }
    if bench.protocol == Protocol::Uci {
        lines.push("setoption name UCI_Variant value xiangqi".to_owned());
    }
    lines.push(talk.position("startpos", ""));
    lines.push("go depth 3".to_owned());
    talk.search(&lines.join("\n"), SEARCH)?;
    let more = talk.sync()?;
    ensure(!more.iter().any(|line| is_search_end(line)), || "more than one answer to one `go`".to_owned())?;
    PASS
}

fn unknown_options(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = bench.talk()?;
    for (name, value) in [("nonsense", "3"), ("hashsize", "many"), ("Hash", "-5"), ("Threads", ""), ("x", "")]
    {
        let line = talk.speech.set_option(name, value);
        talk.say(&line)?;
    }
    talk.say("setoption\nsetoption name\nsetoption name Hash value")?;
    talk.sync()?;
    PASS
}

fn carriage_returns(bench: &Bench<'_>) -> Outcome<Option<&'static str>> {
    let mut talk = bench.talk()?;
    let position = talk.position("startpos", "h2e2");
    talk.send(&format!("isready\r\n{position}\r\ngo depth 2\r\n"))?;
    let lines = talk.search_end(SEARCH)?;
    talk.legal_move(&lines, &super::talk::board("startpos", "h2e2")?)?;
    PASS
}
