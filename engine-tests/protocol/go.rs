//! Every form of `go`, and the limits it sets.

use super::*;

#[test]
fn every_form_gives_one_legal_move() {
    let mut client = Client::ucci();
    client.send("setoption usebook false");
    let legal = position(&format!("{START} w"), &[]).legal_moves();
    for form in [
        "go depth 3",
        "go depth 3 ",
        "GO DEPTH 3",
        "go nodes 500",
        "go time 300 increment 0",
        "go time 0 increment 0",
        "go time 500",
        "go time 0",
        "go time 300 movestogo 5",
        "go time 2000 opptime 2000 oppincrement 10 increment 10",
        "go time 2000 opptime 2000 oppmovestogo 10 movestogo 10",
        "go time 60000 increment 0 depth 3",
        "go time 60000 increment 0 movetime 100",
        "go draw time 300 increment 0",
        "go draw depth 2",
        "go draw",
        "go movetime 50",
        "go wtime 300 btime 300",
        "go btime 1 wtime 300 binc 0 winc 5 movestogo 40",
        "go depth 2 strange words 7",
        "go mate 1 movetime 50",
        "go searchmoves b2e2 depth 2",
        "go depth 2 searchmoves b2e2 h2e2",
        "go wtime -5 btime 10",
        "go btime 1000",
    ] {
        client.send("position startpos");
        client.send(form);
        let lines = client.answer();
        let mv = moved(lines.last().unwrap()).unwrap_or_else(|| panic!("{form}: {lines:?}"));
        assert!(legal.contains(&mv), "{form}: {mv}");
        // A line with a score whose first move is the one played stands before the answer.
        let pv = format!(" pv {mv}");
        let mut scored =
            lines.iter().rev().filter(|line| line.starts_with("info depth ") && line.contains(" score "));
        assert!(scored.next().is_some_and(|line| line.contains(&pv)), "{form}: {lines:?}");
        // What became of a mate asked for is said in words.
        let says = lines.iter().any(|line| line.starts_with("info message"));
        assert_eq!(says, form.contains("mate"), "{form}: {lines:?}");
        assert!(client.settle().is_empty(), "{form}");
    }
}

#[test]
fn depth_0_is_the_static_score_in_ucci() {
    let mut client = Client::ucci();
    client.send("go depth 0");
    let lines = client.answer();
    assert_eq!(lines.len(), 2, "{lines:?}");
    let score = lines[0].strip_prefix("info depth 0 score ").unwrap();
    assert!(score.parse::<i32>().is_ok(), "{score}");
    assert_eq!(lines[1], "nobestmove");
    client.send("uci");
    client.until("uciok");
    client.send("go depth 0");
    client.best_move();
}

#[test]
fn a_bad_limit_is_noted_and_a_move_comes_all_the_same() {
    let mut client = Client::uci();
    client.send("setoption name OwnBook value false");
    for form in ["go depth x", "go movetime", "go nodes 1.5 depth 2", "go wtime soon btime later depth 1"] {
        client.send(form);
        let lines = client.answer();
        let notes: Vec<&String> = lines.iter().filter(|line| line.starts_with("info string")).collect();
        assert_eq!(notes.len(), 1, "{form}: {notes:?}");
        assert!(moved(lines.last().unwrap()).is_some(), "{form}");
    }
}

#[test]
fn a_time_alone_is_never_overrun() {
    let mut client = Client::ucci();
    client.send("setoption usebook false");
    for form in ["go time 500", "go movetime 500"] {
        let start = Instant::now();
        client.send(form);
        client.best_move();
        assert!(start.elapsed() < ms(500) + SLACK, "{form}: {:?}", start.elapsed());
    }
    for form in ["go time 0 increment 0", "go time 0", "go wtime 0 btime 0"] {
        assert_takes(ms(100), || {
            let start = Instant::now();
            client.send(form);
            client.best_move();
            start.elapsed()
        });
    }
}

#[test]
fn seconds_are_seconds_when_the_client_says_so() {
    let mut client = Client::ucci();
    client.send_all(&["setoption usemillisec false", "setoption usebook false"]);
    // Two seconds for the game, not two milliseconds: worth a few iterations, and never more than it all.
    let start = Instant::now();
    client.send("go time 1");
    let time = info_time(&client.answer());
    assert!((ms(500)..ms(1000) + SLACK).contains(&start.elapsed()), "{:?}", start.elapsed());
    assert!(time >= 500, "info time stays in milliseconds: {time}");
    client.send("go time 2 increment 0");
    client.best_move();
    assert!(start.elapsed() < ms(3000) + SLACK);
    client.send("setoption usemillisec true");
    assert_takes(ms(100), || {
        let start = Instant::now();
        client.send("go time 2");
        client.best_move();
        start.elapsed()
    });
}

fn info_time(lines: &[String]) -> u64 {
    let last = lines.iter().rev().find_map(|line| line.split(" time ").nth(1)).expect("a time");
    last.split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn a_node_limit_is_kept() {
    let mut client = Client::uci();
    for limit in [1, 100, 5000, 20000] {
        client.send("ucinewgame");
        client.send(&format!("go nodes {limit}"));
        let lines = client.answer();
        let nodes = |line: &String| line.split(" nodes ").nth(1)?.split(' ').next()?.parse::<u64>().ok();
        for nodes in lines.iter().filter_map(nodes) {
            assert!(nodes <= limit, "{nodes} of {limit}");
        }
    }
}

#[test]
fn infinite_ends_with_stop_and_only_then() {
    let mut client = Client::uci();
    // Also where the search runs out of depth, of moves, or finds the mate.
    for fen in ["3k5/9/9/9/9/9/9/9/9/5K3 w", MATE_IN_ONE, MATED, ONE_REPLY, &format!("{START} w")] {
        client.send(&format!("position fen {fen}"));
        client.send("go infinite");
        client.no_answer_for(ms(150));
        let used = stop(&mut client);
        assert!(used < Duration::from_secs(1), "{fen}: {used:?}");
        assert!(client.settle().is_empty());
    }
}

#[test]
fn stop_is_heard_within_50_ms() {
    for mut client in [Client::uci(), Client::ucci()] {
        assert_takes(AT_ONCE, || {
            client.send("go infinite");
            client.no_answer_for(ms(100));
            stop(&mut client)
        });
    }
}

/// Sends `stop` and says how long the answer took.
fn stop(client: &mut Client) -> Duration {
    let start = Instant::now();
    client.send("stop");
    loop {
        let (at, line) = client.line_within(PATIENCE).expect("an answer").expect("an answer");
        if is_answer(&line) {
            return at - start;
        }
    }
}

/// A back-rank mate in one, which is not there once Black has both advisors.
const MATE: &str = "3k5/R8/9/9/9/9/9/9/1R7/4K4 w";
const NONE: &str = "3aka3/9/9/9/9/9/9/9/1R7/3K5 w";

#[test]
fn a_mate_is_found_or_refuted_in_the_words_of_each_protocol() {
    for (mut client, mate, word) in [(Client::ucci(), "9999", "message"), (Client::uci(), "mate 1", "string")]
    {
        client.send(&format!("position fen {MATE}"));
        client.send("go mate 3");
        let lines = client.answer();
        assert_eq!(lines.last().unwrap().split(' ').nth(1), Some("b1b9"), "{lines:?}");
        assert!(lines.iter().any(|line| line.contains(&format!(" score {mate} "))), "{lines:?}");
        client.send(&format!("position fen {NONE}"));
        client.send("go mate 2");
        let lines = client.answer();
        assert!(lines.contains(&format!("info {word} no mate in 2")), "{lines:?}");
        assert!(moved(lines.last().unwrap()).is_some(), "{lines:?}");
        client.send("go mate 30 nodes 5000");
        let lines = client.answer();
        let open = format!("info {word} mate in 30 neither found nor refuted");
        assert!(lines.iter().any(|line| line.starts_with(&open)), "{lines:?}");
        assert!(moved(lines.last().unwrap()).is_some(), "{lines:?}");
    }
}

#[test]
fn a_search_for_mate_stops_at_once() {
    let mut client = Client::uci();
    client.send("position startpos");
    client.send("go mate 50");
    std::thread::sleep(ms(200));
    let asked = Instant::now();
    client.send("stop");
    let lines = client.answer();
    assert!(asked.elapsed() < AT_ONCE + SLACK, "{:?}", asked.elapsed());
    assert!(lines.iter().any(|line| line.starts_with("info string mate in 50 neither found")), "{lines:?}");
    assert!(moved(lines.last().unwrap()).is_some());
}
