//! Steps about the greeting and the options.

use std::time::{Duration, Instant};

use super::conversation::{Conversation, SEARCH, SOON, is_search_end};
use super::{CheckStep, Checked, Examination, PASS, StepFailure, StepProtocols, ensure, step};
use crate::arena::engine::{Answer, DeclaredOption, OutputEvent, Protocol};

pub(super) const STEPS: &[CheckStep] = &[
    step(StepProtocols::Both, "answers the greeting and gives its name", names_itself),
    step(StepProtocols::Both, "greets in fewer than 40 lines", few_lines),
    step(StepProtocols::Both, "keeps lines under 1000 characters", short_lines),
    step(StepProtocols::Both, "declares options that can be read", readable_options),
    step(StepProtocols::Both, "lists the default of a combo first among its values", default_first),
    step(StepProtocols::Both, "writes an empty string default as <empty>", empty_default),
    step(StepProtocols::Ucci, "greets without the words draw, resign and UCI_Variant", no_loaded_words),
    step(StepProtocols::Ucci, "declares usemillisec, default true", milliseconds),
    step(StepProtocols::Both, "writes nothing to standard error", silent_errors),
    step(StepProtocols::Both, "survives the greeting of the other protocol", other_greeting),
    step(StepProtocols::Both, "works off what comes in one burst with the greeting", burst),
    step(StepProtocols::Both, "survives unknown options and bad values", unknown_options),
    step(StepProtocols::Both, "understands commands that end in CR LF", carriage_returns),
];

fn names_itself(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let engine = exam.engine()?;
    let named = engine
        .greeting
        .iter()
        .any(|line| matches!(Answer::read(line), Answer::Name(name) if !name.is_empty()));
    ensure(named, || "no `id name …` line".to_owned())?;
    PASS
}

fn few_lines(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let lines = exam.engine()?.greeting.len();
    ensure(lines < 40, || format!("{lines} lines"))?;
    PASS
}

fn short_lines(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    let mut lines = engine.greeting.clone();
    let position = engine.position("startpos", "");
    lines.extend(engine.search(&format!("{position}\ngo depth 4"), SEARCH)?);
    match lines.iter().find(|line| line.len() >= 1000) {
        Some(line) => {
            let start: String = line.chars().take(30).collect();
            Err(StepFailure::new(format!("{} characters in `{start}…`", line.len())))
        }
        None => PASS,
    }
}

fn readable_options(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    for line in exam.engine()?.greeting.iter().filter(|line| line.starts_with("option")) {
        let option = DeclaredOption::read(line).ok_or_else(|| StepFailure::new(format!("`{line}`")))?;
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
            return Err(StepFailure::new(format!("option {}: {fault}", option.name)));
        }
    }
    PASS
}

fn default_first(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let engine = exam.engine()?;
    let mut combos = engine.declared.iter().filter(|option| option.kind == "combo").peekable();
    if combos.peek().is_none() {
        return Ok(Some("no combo"));
    }
    match combos.find(|option| option.values.first() != option.default.as_ref()) {
        Some(option) => Err(StepFailure::new(format!("option {}", option.name))),
        None => PASS,
    }
}

fn empty_default(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let engine = exam.engine()?;
    let empty = |option: &&DeclaredOption| option.kind == "string" && option.default.as_deref() == Some("");
    match engine.declared.iter().find(empty) {
        Some(option) => Err(StepFailure::new(format!("option {}", option.name))),
        None => PASS,
    }
}

fn no_loaded_words(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let engine = exam.engine()?;
    for line in &engine.greeting {
        if let Some(word) = ["draw", "resign", "UCI_Variant"].into_iter().find(|word| line.contains(word)) {
            return Err(StepFailure::new(format!(
                "`{word}` makes some clients end the game or change the protocol"
            )));
        }
    }
    PASS
}

fn milliseconds(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let engine = exam.engine()?;
    let line = engine.greeting.iter().find(|line| line.starts_with("option usemillisec "));
    let line = line.ok_or_else(|| StepFailure::new("not declared: clients count in seconds"))?;
    let option = DeclaredOption::read(line).unwrap_or_default();
    ensure(option.kind == "check" && option.default.as_deref() == Some("true"), || format!("`{line}`"))?;
    PASS
}

fn silent_errors(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = Conversation::open(exam.spec, exam.protocol)?;
    let position = engine.position("startpos", "");
    engine.say(&format!("{}\nisready\n{position}\ngo depth 3", exam.protocol.greeting()))?;
    let until = Instant::now() + SEARCH;
    let mut heard = Vec::new();
    while !heard.iter().any(|what| matches!(what, OutputEvent::Line(line) if is_search_end(line))) {
        ensure(Instant::now() < until, || "no answer".to_owned())?;
        heard.extend(engine.listen(Duration::from_millis(100)));
    }
    match heard
        .into_iter()
        .find_map(|what| if let OutputEvent::Error(line) = what { Some(line) } else { None })
    {
        Some(line) => Err(StepFailure::new(format!("`{line}`"))),
        None => PASS,
    }
}

fn other_greeting(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    let other = match exam.protocol {
        Protocol::Ucci => Protocol::Uci,
        Protocol::Uci => Protocol::Ucci,
    };
    engine.say(other.greeting())?;
    engine.sync()?;
    engine.say(exam.protocol.greeting())?;
    engine.until(exam.protocol.greeting_end(), SOON, |line| line.trim() == exam.protocol.greeting_end())?;
    PASS
}

fn burst(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = Conversation::open(exam.spec, exam.protocol)?;
    let mut lines = vec![exam.protocol.greeting().to_owned()];
    for (name, value) in [
        ("newgame", ""),
        ("idle", "large"),
        ("style", "risky"),
        ("knowledge", "none"),
        ("pruning", " large"),
        ("randomness", "none"),
        ("usebook", "false"),
    ] {
        lines.push(engine.dialect.set_option(name, value));
    }
    if exam.protocol == Protocol::Uci {
        lines.push("setoption name UCI_Variant value xiangqi".to_owned());
    }
    lines.push(engine.position("startpos", ""));
    lines.push("go depth 3".to_owned());
    engine.search(&lines.join("\n"), SEARCH)?;
    let more = engine.sync()?;
    ensure(!more.iter().any(|line| is_search_end(line)), || "more than one answer to one `go`".to_owned())?;
    PASS
}

fn unknown_options(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    for (name, value) in [("nonsense", "3"), ("hashsize", "many"), ("Hash", "-5"), ("Threads", ""), ("x", "")]
    {
        let line = engine.dialect.set_option(name, value);
        engine.say(&line)?;
    }
    engine.say("setoption\nsetoption name\nsetoption name Hash value")?;
    engine.sync()?;
    PASS
}

fn carriage_returns(exam: &Examination<'_>) -> Checked<Option<&'static str>> {
    let mut engine = exam.engine()?;
    let position = engine.position("startpos", "h2e2");
    engine.send(&format!("isready\r\n{position}\r\ngo depth 2\r\n"))?;
    let lines = engine.search_end(SEARCH)?;
    engine.legal_move(&lines, &super::conversation::board("startpos", "h2e2")?)?;
    PASS
}
