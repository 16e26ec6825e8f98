//! How a session begins: greetings, options, first words of many clients.

use super::*;

fn greeting(word: &str, ok: &str) -> Vec<String> {
    let mut client = Client::start();
    client.send(word);
    client.until(ok)
}

#[test]
fn ucci_is_short_safe_and_complete() {
    let lines = greeting("ucci", "ucciok");
    assert!(lines.len() < 40, "{} lines", lines.len());
    assert_eq!(lines.last().unwrap(), "ucciok");
    assert!(lines[0].starts_with("id name "));
    assert!(lines.contains(&"option usemillisec type check default true".into()));
    assert!(lines.contains(&"option bookfiles type string default <empty>".into()));
    for line in &lines {
        let low = line.to_lowercase();
        for word in ["draw", "resign", "uci_variant"] {
            assert!(!low.contains(word), "{line}");
        }
        assert!(!line.trim().is_empty() && !line.ends_with("default"), "`{line}`");
    }
    assert_defaults_come_first(&lines);
}

#[test]
fn uci_is_short_and_names_the_variant() {
    let lines = greeting("uci", "uciok");
    assert!(lines.len() < 40, "{} lines", lines.len());
    assert_eq!(lines.last().unwrap(), "uciok");
    let variant =
        "option name UCI_Variant type combo default xiangqi-ranks-0-9 var xiangqi-ranks-0-9 var xiangqi";
    assert!(lines.contains(&variant.into()));
    assert!(lines.iter().all(|line| !line.ends_with("default")));
    for name in [
        "Threads",
        "Hash",
        "Clear Hash",
        "Ponder",
        "MultiPV",
        "Move Overhead",
        "UCI_ShowWDL",
        "UCI_LimitStrength",
        "UCI_Elo",
        "Skill Level",
    ] {
        let start = format!("option name {name} type ");
        assert!(lines.iter().any(|line| line.starts_with(&start)), "{name}");
    }
    assert_defaults_come_first(&lines);
}

/// uci2wb loses the default of a combo, and xboard then takes the first choice for it.
fn assert_defaults_come_first(lines: &[String]) {
    let combos: Vec<&String> = lines.iter().filter(|line| line.contains(" type combo ")).collect();
    assert!(!combos.is_empty());
    for line in combos {
        let after = |word: &str| line.split(&format!(" {word} ")).nth(1).unwrap().split(' ').next();
        assert_eq!(after("default"), after("var"), "{line}");
    }
}

#[test]
fn each_protocol_is_answered_also_after_the_other() {
    let mut client = Client::start();
    for (word, ok) in [("ucci", "ucciok"), ("uci", "uciok"), ("ucci", "ucciok"), ("UCI", "uciok")] {
        client.send(word);
        assert_eq!(client.until("uc").last().unwrap(), ok);
    }
    // The last one counts: no answer to an idle stop in UCI.
    client.send("stop");
    assert!(client.settle().is_empty());
    client.send("ucci");
    client.until("ucciok");
    client.send("stop");
    assert_eq!(client.settle(), ["nobestmove"]);
}

#[test]
fn nothing_is_said_before_the_first_command() {
    let mut client = Client::start();
    assert!(client.line_within(ms(200)).is_err());
    client.send("uci");
    assert!(client.line().starts_with("id name "));
}

#[test]
fn options_sent_before_the_greeting_are_not_lost() {
    let mut client = Client::start();
    client.send_all(&["setoption usemillisec false", "position startpos moves h2e2", "ucci"]);
    client.until("ucciok");
    assert!(client.fen().contains(" b - - 1 1"));
}

#[test]
fn a_burst_gives_one_answer() {
    let mut client = Client::start();
    // gmchess, blanks and all.
    client.send_all(&[
        "ucci",
        "setoption newgame",
        "setoption idle large",
        "setoption style risky",
        "setoption knowledge none",
        "setoption pruning  large",
        "setoption randomness none",
        "setoption usebook false",
        &format!("position fen {START} w -- 0 1  moves h2e2"),
        "go depth 3 ",
    ]);
    let lines = client.answer();
    assert!(lines.contains(&"ucciok".into()));
    assert!(!lines.iter().any(|line| line.starts_with("info message")), "{lines:?}");
    assert!(
        position(&format!("{START} w"), &["h2e2"])
            .legal_moves()
            .contains(&moved(lines.last().unwrap()).unwrap())
    );
    assert!(client.settle().is_empty());
}
