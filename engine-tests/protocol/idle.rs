//! What is said and obeyed while the engine waits.

use super::*;

#[test]
fn stop_is_answered_in_ucci_only() {
    let mut ucci = Client::ucci();
    ucci.send("stop");
    assert_eq!(ucci.settle(), ["nobestmove"]);
    let mut uci = Client::uci();
    uci.send("stop");
    assert!(uci.settle().is_empty());
}

#[test]
fn unknown_lines_are_noted_and_ignored() {
    let mut client = Client::ucci();
    client.send("position startpos moves h2e2");
    let before = client.fen();
    for line in [
        "nonsense",
        "stopped",
        "ucinonsense",
        "draw",
        "setoption nothing 1",
        "setoption",
        "炮二平五",
        "perft x",
    ] {
        client.send(line);
        let notes = client.settle();
        assert_eq!(notes.len(), 1, "{line}: {notes:?}");
        assert!(notes[0].starts_with("info message "), "{notes:?}");
        // gmchess ends the game when it finds one of these anywhere.
        for word in ["draw", "resign", "bestmove"] {
            assert!(!notes[0].to_lowercase().contains(word), "{notes:?}");
        }
    }
    client.send_all(&["", "   ", "# remark", "\r"]);
    assert!(client.settle().is_empty());
    assert_eq!(client.fen(), before);
}

#[test]
fn the_end_of_the_input_is_the_end() {
    for go in [None, Some("go infinite"), Some("go ponder"), Some("perft 12"), Some("bench 60")] {
        let mut client = Client::uci();
        client.send("isready");
        client.until("readyok");
        if let Some(go) = go {
            client.send(go);
            client.no_answer_for(ms(50));
        }
        client.close();
        let (_, used) = client.farewell(Instant::now());
        assert!(used < Duration::from_secs(2), "{go:?}: {used:?}");
    }
}

/// Processor time used so far, in clock ticks of a hundredth of a second.
#[cfg(target_os = "linux")]
fn ticks(client: &Client) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", client.process_id())).unwrap();
    let after_name: Vec<&str> = stat.rsplit(") ").next().unwrap().split(' ').collect();
    after_name[11].parse::<u64>().unwrap() + after_name[12].parse::<u64>().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn waiting_costs_no_processor_time() {
    let mut client = Client::ucci();
    client.send_all(&["setoption threads 2", "go depth 3"]);
    client.best_move();
    let before = ticks(&client);
    std::thread::sleep(ms(1000));
    assert!(ticks(&client) <= before + 1, "{} ticks", ticks(&client) - before);
    // A ponder search that has come to its end waits as quietly.
    client.send(&format!("position fen {MATED}"));
    client.send("go infinite");
    client.settle();
    let before = ticks(&client);
    std::thread::sleep(ms(1000));
    assert!(ticks(&client) <= before + 5, "{} ticks", ticks(&client) - before);
}
