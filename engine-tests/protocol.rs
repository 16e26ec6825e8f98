//! Scripted sessions with the real program: each line of the checklist of both protocols.

mod client;

use std::time::{Duration, Instant};

use client::*;
use juzhong::board::Position;
use juzhong::types::Move;

/// What `stop` and `quit` may take.
const AT_ONCE: Duration = Duration::from_millis(50);

/// What a limit in milliseconds may be overrun by on a busy machine.
const SLACK: Duration = Duration::from_millis(250);

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// Sets a position up and asks for one move at a small depth; checks that it is legal there.
fn assert_plays(client: &mut Client, setup: &str, position: &Position) {
    client.send(setup);
    client.send("go depth 2");
    let mv = client.best_move();
    assert!(position.legal_moves().contains(&mv), "{mv} after {setup}");
    assert_eq!(client.fen(), position.to_fen(), "{setup}");
}

mod greeting {
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
        assert!(lines.contains(&"option name UCI_Variant type combo default xiangqi var xiangqi".into()));
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

mod fen {
    use super::*;

    #[test]
    fn all_that_clients_write_is_understood() {
        let mut client = Client::ucci();
        let start = position(&format!("{START} w"), &[]);
        for tail in ["w", "r", "w - - 0 1", "w -- 0 1", "w -- 0 1  moves ", "w - - 0 1 moves", "w moves"] {
            assert_plays(&mut client, &format!("position fen {START} {tail}"), &start);
        }
        let played = position(&format!("{START} w"), &["h2e2"]);
        assert_plays(&mut client, &format!("position fen {START} w -- 0 1  moves h2e2"), &played);
        assert_plays(&mut client, &format!("fen {START} r moves h2e2"), &played);
        assert_plays(&mut client, "startpos moves h2e2", &played);
        assert_plays(&mut client, "POSITION  STARTPOS\tMOVES  H2E2 \r", &played);
        let named = START.replace('N', "H").replace('n', "h").replace('B', "E").replace('b', "e");
        assert_plays(&mut client, &format!("position fen {named} r"), &start);
        assert_plays(&mut client, "position startpos moves ", &start);
    }

    #[test]
    fn a_comment_of_any_bytes_does_no_harm() {
        let mut client = Client::ucci();
        let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/4P4/P1P3P1P/1C5C1/9/RNBAKABNR";
        client.send_bytes(format!("position fen {fen} b - - 0 4   ;").as_bytes());
        client.send_bytes(b"\xd6\xd0\xc5\xda - - 0 1 moves i9i8\n");
        let expected = position(&format!("{fen} b - - 0 4"), &["i9i8"]);
        assert_eq!(client.fen(), expected.to_fen());
        client.send("go depth 2");
        assert!(expected.legal_moves().contains(&client.best_move()));
    }

    #[test]
    fn four_hundred_moves_fit_into_a_line() {
        let mut client = Client::uci();
        let shuffle = ["h0g2", "h9g7", "g2h0", "g7h9"].repeat(100);
        client.send(&format!("position startpos moves {}", shuffle.join(" ")));
        let expected = position(&format!("{START} w"), &shuffle);
        assert_eq!(client.fen(), expected.to_fen());
        client.send("go depth 2");
        assert!(expected.legal_moves().contains(&client.best_move()), "a drawn game has moves too");
    }

    #[test]
    fn the_first_bad_move_ends_the_list_and_is_named() {
        let mut client = Client::ucci();
        for (list, kept) in [
            ("h2e2 h9g7 h9g7 h0g2", 2), // the same move twice
            ("h2e2 z9z9 h0g2", 1),
            ("e0e5", 0),
            ("h2e2 h0g2", 1), // not Red's turn
            ("h2e2 h10g8", 1),
        ] {
            client.send(&format!("position startpos moves {list}"));
            let notes = client.settle();
            assert_eq!(notes.len(), 1, "{list}: {notes:?}");
            assert!(notes[0].starts_with(&format!("info message move {} ", kept + 1)), "{notes:?}");
            let played: Vec<&str> = list.split(' ').take(kept).collect();
            assert_eq!(client.fen(), position(&format!("{START} w"), &played).to_fen(), "{list}");
        }
    }

    #[test]
    fn nonsense_is_refused_with_one_message_and_the_old_position_stays() {
        let mut client = Client::uci();
        client.send("position startpos moves h2e2");
        let before = client.fen();
        for setup in [
            "position",
            "position fen",
            "position fen x",
            "position h2e2",
            "position fen 9/9/9/9/9/9/9/9/9/9 w - - 0 1",
            "position fen 4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
            "position fen 4k4/9/9/9/9/9/9/9/4R4/3K5 w",
            "position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR x",
            "fen 9/9",
            "position fen 3k5/9/9/9/9/9/9/9/9/3KK4 w moves d0d1",
        ] {
            client.send(setup);
            let notes = client.settle();
            assert_eq!(notes.len(), 1, "{setup}: {notes:?}");
            assert!(notes[0].starts_with("info string "), "{setup}: {notes:?}");
            assert_eq!(client.fen(), before, "{setup}");
        }
    }
}

mod go {
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
            assert!(!lines.iter().any(|line| line.starts_with("info message")), "{form}: {lines:?}");
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
        for form in ["go depth x", "go movetime", "go nodes 1.5 depth 2", "go wtime soon btime later depth 1"]
        {
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
}

mod thinking {
    use super::*;

    /// gmchess throws away each full block of 1024 bytes unread, and a `bestmove` in it is lost.
    #[test]
    fn a_quick_search_in_ucci_says_little() {
        let mut client = Client::ucci();
        client.send("isready");
        client.until("readyok");
        // On a busy machine the search may be slow, and then it may say more.
        let quick = (0..20).any(|_| {
            client.send("setoption newgame");
            let start = Instant::now();
            client.send("go depth 6");
            let said: usize = client.answer().iter().map(|line| line.len() + 1).sum();
            start.elapsed() < ms(250) && said < 1000
        });
        assert!(quick);
    }

    #[test]
    fn questions_are_answered_during_a_search() {
        let mut client = Client::ucci();
        client.send("go infinite");
        client.send("isready");
        client.until("readyok");
        client.send("probe startpos");
        client.until("pophash");
        client.send("d");
        client.until("Checkers:");
        client.no_answer_for(ms(50));
        client.send("stop");
        client.best_move();
        client.send("probe startpos");
        let answer = client.until("pophash").pop().unwrap();
        assert!(answer.contains(" depth "), "the searched position is stored: {answer}");
        client.send("probe fen 3k5/9/9/9/9/9/9/9/9/5K3 w");
        assert_eq!(client.until("pophash").pop().unwrap(), "pophash");
    }

    #[test]
    fn what_does_not_belong_into_a_search_changes_nothing() {
        let mut client = Client::ucci();
        client.send_all(&["position startpos moves h2e2", "go infinite"]);
        client.send_all(&[
            "position startpos",
            "setoption usemillisec false",
            "go depth 1",
            "banmoves h9g7",
            "go",
        ]);
        client.no_answer_for(ms(100));
        client.send("stop");
        let mv = client.best_move();
        assert!(position(&format!("{START} w"), &["h2e2"]).legal_moves().contains(&mv));
        assert!(client.settle().is_empty(), "one answer");
        assert!(client.fen().contains(" b - - 1 1"), "the position stays");
    }

    #[test]
    fn uci_lets_settings_wait_and_refuses_a_second_search() {
        let mut client = Client::uci();
        client.send_all(&["go infinite", "go depth 1", "position startpos moves h2e2"]);
        client.no_answer_for(ms(50));
        client.send("stop");
        client.best_move();
        assert!(client.settle().is_empty(), "one answer");
        assert!(client.fen().contains(" b - - 1 1"), "the position came into force after the search");
    }

    #[test]
    fn the_next_position_may_follow_stop_at_once() {
        for mut client in [Client::ucci(), Client::uci()] {
            client.send("go infinite");
            client.no_answer_for(ms(30));
            client.send_all(&["stop", "position startpos moves h2e2", "go depth 2"]);
            client.best_move();
            let mv = client.best_move();
            assert!(position(&format!("{START} w"), &["h2e2"]).legal_moves().contains(&mv));
            assert!(client.settle().is_empty());
        }
    }

    #[test]
    fn quit_is_obeyed_at_once() {
        for (greeted, farewell) in [(Client::ucci as fn() -> Client, Some("bye")), (Client::uci, None)] {
            assert_takes(AT_ONCE, || {
                let mut client = greeted();
                client.send("go infinite");
                client.no_answer_for(ms(50));
                let start = Instant::now();
                client.send("quit");
                let (lines, used) = client.farewell(start);
                let last = lines.last().map(String::as_str);
                assert!(farewell.is_none_or(|word| last == Some(word)), "{lines:?}");
                assert_eq!(lines.iter().filter(|line| is_answer(line)).count(), 1, "{lines:?}");
                used
            });
        }
    }
}

mod ponder {
    use super::*;

    #[test]
    fn no_answer_before_the_hit_or_the_miss() {
        for mut client in [Client::ucci(), Client::uci()] {
            for fen in [MATE_IN_ONE, ONE_REPLY, MATED, &format!("{START} w")] {
                let legal = position(fen, &[]).legal_moves();
                for (go, end) in [
                    ("go ponder time 1000 increment 0", "ponderhit"),
                    ("go ponder time 1000 increment 0", "stop"),
                    ("go ponder wtime 1000 btime 1000", "ponderhit draw"),
                    ("go ponder depth 1", "ponderhit"),
                    ("go ponder", "ponderhit"),
                    ("go ponder infinite", "stop"),
                ] {
                    client.send(&format!("position fen {fen}"));
                    client.send(go);
                    client.no_answer_for(ms(60));
                    client.send(end);
                    let answer = client.answer().pop().unwrap();
                    match moved(&answer) {
                        Some(mv) => assert!(legal.contains(&mv), "{fen}: {mv}"),
                        None => assert!(legal.is_empty(), "{fen}: {answer}"),
                    }
                    assert!(client.settle().is_empty());
                }
            }
        }
    }

    #[test]
    fn a_hit_outside_pondering_is_harmless() {
        let mut client = Client::ucci();
        client.send_all(&["ponderhit", "ponderhit draw"]);
        assert!(client.settle().is_empty());
        client.send("go infinite");
        client.send_all(&["ponderhit draw", "ponderhit"]);
        client.no_answer_for(ms(60));
        client.send("stop");
        client.best_move();
        assert!(client.settle().is_empty());
    }

    #[test]
    fn the_clock_starts_at_the_hit() {
        let mut client = Client::uci();
        client.send("go ponder movetime 300");
        client.no_answer_for(ms(400));
        let start = Instant::now();
        client.send("ponderhit");
        client.best_move();
        assert!(start.elapsed() < ms(300) + SLACK, "{:?}", start.elapsed());
    }
}

mod idle {
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
}

mod end_of_game {
    use super::*;

    #[test]
    fn mate_and_stalemate_have_no_move() {
        let (mut ucci, mut uci) = (Client::ucci(), Client::uci());
        for fen in [MATED, STALEMATED] {
            for go in ["go depth 3", "go time 1000 increment 0", "go nodes 100"] {
                ucci.send(&format!("position fen {fen}"));
                ucci.send(go);
                let lines = ucci.answer();
                assert_eq!(lines.last().unwrap(), "nobestmove", "{fen}");
                uci.send(&format!("position fen {fen}"));
                uci.send(go);
                let lines = uci.answer();
                assert_eq!(
                    lines[lines.len() - 2..],
                    ["info depth 0 score mate 0", "bestmove (none)"],
                    "{fen}"
                );
            }
        }
    }

    #[test]
    fn a_drawn_game_has_a_move_all_the_same() {
        let mut client = Client::ucci();
        for setup in [
            // Bare generals and advisors.
            "position fen 3ak4/9/9/9/9/9/9/9/9/3AK4 w".to_owned(),
            // The no-capture limit is reached.
            "position fen 3ak4/4a4/9/9/9/9/4R4/9/4A4/3AK4 w - - 120 200".to_owned(),
            // Repetition.
            format!("position startpos moves {}", ["h0g2", "h9g7", "g2h0", "g7h9"].repeat(4).join(" ")),
        ] {
            client.send(&setup);
            client.send("go depth 3");
            client.best_move();
        }
    }
}

mod banmoves {
    use super::*;

    #[test]
    fn banned_moves_are_never_played() {
        let mut client = Client::ucci();
        let legal = position(&format!("{START} w"), &[]).legal_moves();
        let mut banned: Vec<Move> = Vec::new();
        // Ban whatever it wants to play, again and again.
        for _ in 0..10 {
            client.send("position startpos");
            let list: Vec<String> = banned.iter().map(Move::to_string).collect();
            client.send(&format!("banmoves {}", list.join(" ")));
            client.send("go depth 2");
            let mv = client.best_move();
            assert!(legal.contains(&mv) && !banned.contains(&mv), "{mv} of {banned:?}");
            banned.push(mv);
        }
    }

    #[test]
    fn a_new_list_replaces_the_old_one_and_a_new_position_ends_it() {
        let mut client = Client::ucci();
        client.send("position startpos");
        let legal = position(&format!("{START} w"), &[]).legal_moves();
        let all_but = |kept: &Move| {
            let list: Vec<String> = legal.iter().filter(|mv| *mv != kept).map(Move::to_string).collect();
            format!("banmoves {}", list.join(" "))
        };
        for kept in [legal[0], legal[legal.len() - 1]] {
            client.send(&all_but(&kept));
            for go in ["go depth 2", "go ponder depth 2"] {
                client.send(go);
                client.send("stop");
                assert_eq!(client.best_move(), kept, "{go}");
                // `stop` may have come when the search was over.
                client.settle();
            }
        }
        client.send("position startpos");
        client.send("go depth 3");
        let free = client.best_move();
        client.send("position startpos");
        client.send(&all_but(&legal[0]));
        client.send("position startpos");
        client.send("go depth 3");
        assert_eq!(client.best_move(), free, "the position lifted the bans");
    }

    #[test]
    fn all_moves_banned_is_none_banned() {
        let mut client = Client::ucci();
        client.send(&format!("position fen {ONE_REPLY}"));
        client.send("banmoves e9f9");
        client.send("go depth 2");
        assert_eq!(client.best_move().to_string(), "e9f9");
    }
}

mod batch {
    use super::*;

    #[test]
    fn a_script_is_worked_off() {
        for quit in [&["quit"][..], &[]] {
            let mut client = Client::start();
            client.send_all(&[
                "ucci",
                "setoption batch true",
                "position startpos",
                "go depth 3",
                "position startpos moves h2e2",
                "go depth 3",
            ]);
            if !quit.is_empty() {
                client.send_all(quit);
            }
            client.close();
            let (lines, _) = client.farewell(Instant::now());
            let moves: Vec<Move> = lines.iter().filter_map(|line| moved(line)).collect();
            assert_eq!(moves.len(), 2, "{lines:?}");
            assert!(position(&format!("{START} w"), &["h2e2"]).legal_moves().contains(&moves[1]));
            assert_eq!(lines.last().unwrap() == "bye", !quit.is_empty(), "{lines:?}");
        }
    }

    #[test]
    fn one_move_and_goodbye_in_one_write() {
        let mut client = Client::ucci();
        client.send_all(&["setoption batch true", "go time 200", "quit"]);
        let (lines, _) = client.farewell(Instant::now());
        assert_eq!(lines.iter().filter(|line| is_answer(line)).count(), 1, "{lines:?}");
        assert_eq!(lines.last().unwrap(), "bye");
    }
}

mod uci {
    use super::*;

    #[test]
    fn perft_counts_by_move() {
        let mut client = Client::uci();
        for command in ["go perft 2", "perft 2"] {
            client.send(command);
            let lines = client.until("Nodes searched:");
            assert_eq!(lines.last().unwrap(), "Nodes searched: 1920");
            assert_eq!(lines[lines.len() - 2], "");
            let counts: Vec<u64> =
                lines.iter().filter_map(|line| line.split_once(": ")?.1.parse().ok()).collect();
            assert_eq!((counts.len(), counts.iter().sum::<u64>()), (45, 2 * 1920));
            assert_eq!(client.line(), "");
            assert!(client.settle().is_empty(), "no bestmove");
        }
    }

    #[test]
    fn tools_can_be_interrupted() {
        let mut client = Client::uci();
        for command in ["perft 12", "bench 60"] {
            client.send(command);
            client.send("isready");
            client.until("readyok");
            client.send("stop");
            let lines = client.until(&command[..5]);
            assert!(lines.last().unwrap().ends_with("stopped"), "{lines:?}");
            client.send("go depth 2");
            client.best_move();
        }
    }

    #[test]
    fn searchmoves_confines_the_search() {
        let mut client = Client::uci();
        client.send("go searchmoves a0a1 A0A2 depth 3");
        assert!(["a0a1", "a0a2"].contains(&client.best_move().to_string().as_str()));
        client.send("go depth 2 searchmoves i0i1");
        assert_eq!(client.best_move().to_string(), "i0i1");
        client.send("go searchmoves e0e9 depth 2");
        let lines = client.answer();
        assert!(lines[0].starts_with("info string no legal moves here"), "{lines:?}");
        assert!(moved(lines.last().unwrap()).is_some());
    }

    #[test]
    fn mate_in_one_is_announced_and_played() {
        let mut client = Client::uci();
        client.send(&format!("position fen {MATE_IN_ONE}"));
        client.send("go mate 1");
        let lines = client.answer();
        assert!(lines.iter().any(|line| line.contains(" score mate 1 ")), "{lines:?}");
        let mut after = position(MATE_IN_ONE, &[]);
        after.play(moved(lines.last().unwrap()).unwrap()).unwrap();
        assert!(!after.has_legal_move());
        client.send("ucci");
        client.until("ucciok");
        client.send("go depth 3");
        let lines = client.answer();
        assert!(lines.iter().any(|line| line.contains(" score 9999 ")), "{lines:?}");
    }

    #[test]
    fn several_lines_are_numbered_and_different() {
        let mut client = Client::uci();
        client.send("setoption name MultiPV value 3");
        client.send("go depth 4");
        let lines = client.answer();
        let last: Vec<&String> =
            lines.iter().rev().filter(|line| line.contains(" multipv ")).take(3).collect();
        let mut firsts: Vec<&str> =
            last.iter().map(|line| line.split(" pv ").nth(1).unwrap().split(' ').next().unwrap()).collect();
        let best = lines.last().unwrap().split(' ').nth(1).unwrap();
        assert_eq!(firsts[2], best, "{lines:?}");
        assert!(last[2].contains(" multipv 1 ") && last[0].contains(" multipv 3 "), "{lines:?}");
        firsts.sort();
        firsts.dedup();
        assert_eq!(firsts.len(), 3, "{lines:?}");
    }

    #[test]
    fn wdl_sums_to_a_thousand() {
        let mut client = Client::uci();
        client.send("setoption name UCI_ShowWDL value true");
        client.send("go depth 4");
        let lines = client.answer();
        let shares = |line: &String| -> Option<u32> {
            let words = line.split(" wdl ").nth(1)?.split(' ').take(3);
            Some(words.map(|word| word.parse::<u32>().unwrap()).sum())
        };
        let sums: Vec<u32> = lines.iter().filter_map(shares).collect();
        assert!(!sums.is_empty());
        assert!(sums.iter().all(|&sum| sum == 1000), "{sums:?}");
    }

    #[test]
    fn bad_options_are_named_once_and_change_nothing() {
        let mut client = Client::uci();
        for line in [
            "setoption name No Such Option value 1",
            "setoption name Hash value many",
            "setoption name Hash",
            "setoption name MultiPV value 0",
            "setoption name Threads value 99999",
            "setoption name UCI_Variant value chess",
            "setoption name Ponder value perhaps",
        ] {
            client.send(line);
            let notes = client.settle();
            assert_eq!(notes.len(), 1, "{line}: {notes:?}");
            assert!(notes[0].starts_with("info string "), "{notes:?}");
        }
        client.send("go depth 1");
        client.best_move();
    }

    #[test]
    fn ranks_count_from_one_after_the_variant_is_set() {
        let mut client = Client::uci();
        client.send("setoption name UCI_Variant value xiangqi");
        client.send("position startpos moves h3e3 h10g8");
        assert_eq!(client.fen(), position(&format!("{START} w"), &["h2e2", "h9g7"]).to_fen());
        client.send("go depth 2 searchmoves h1g3");
        let lines = client.answer();
        assert!(lines.last().unwrap().starts_with("bestmove h1g3"), "{lines:?}");
        assert!(lines.iter().any(|line| line.contains(" pv h1g3")), "{lines:?}");
        // UCCI knows one spelling only.
        client.send_all(&["ucci", "position startpos moves h2e2"]);
        client.until("ucciok");
        assert!(client.settle().is_empty());
    }

    /// uci2wb sets the variant because it is announced, and then writes ranks from 0 in lines of its own form.
    #[test]
    fn a_bare_position_means_ranks_from_zero() {
        for line in [format!("fen {START} r moves h2e2"), "startpos moves h2e2".to_owned()] {
            let mut client = Client::uci();
            client.send("setoption name UCI_Variant value xiangqi");
            client.send(&line);
            assert_eq!(client.fen(), position(&format!("{START} w"), &["h2e2"]).to_fen());
            client.send("go depth 2 searchmoves h9g7");
            assert!(client.answer().last().unwrap().starts_with("bestmove h9g7"), "{line}");
        }
    }

    /// A list of moves that makes sense in the other spelling only shows how the client spells.
    #[test]
    fn the_clients_spelling_is_recognised() {
        let moved = position(&format!("{START} w"), &["h2e2", "h9g7"]);
        for (variant, list, answer) in
            [(true, "h2e2 h9g7", "bestmove h0g2"), (false, "h3e3 h10g8", "bestmove h1g3")]
        {
            let mut client = Client::uci();
            if variant {
                client.send("setoption name UCI_Variant value xiangqi");
            }
            client.send(&format!("position startpos moves {list}"));
            assert!(client.settle().is_empty(), "{list}");
            assert_eq!(client.fen(), moved.to_fen(), "{list}");
            client.send(&format!("go depth 2 searchmoves {}", &answer[9..]));
            assert!(client.answer().last().unwrap().starts_with(answer), "{list}");
            // A list that makes sense in neither changes nothing about that.
            client.send("position startpos moves h2e2 h10g8");
            assert_eq!(client.settle().len(), 1);
        }
    }

    #[test]
    fn a_line_of_one_move_never_says_zero() {
        let mut client = Client::uci();
        client.send("position fen 3ak4/9/9/9/9/9/9/9/9/3AK4 w");
        client.send("go depth 3");
        for line in client.answer() {
            let one_move = line.split(" pv ").nth(1).is_some_and(|pv| !pv.trim().contains(' '));
            assert!(!(line.contains(" score cp 0 ") && one_move), "{line}");
        }
    }
}

mod extras {
    use super::*;

    #[test]
    fn both_protocols_have_them() {
        for mut client in [Client::ucci(), Client::uci()] {
            client.send("d");
            let drawing = client.until("Checkers:");
            assert!(drawing.iter().any(|line| line.contains("K帅")), "{drawing:?}");
            client.send("eval");
            assert!(client.settle().iter().any(|line| line.contains("evaluation")));
            client.send("help");
            assert!(client.settle().len() > 10);
            client.send("flip");
            assert!(client.fen().ends_with(" b - - 0 1"));
            client.send("bench 1");
            assert!(client.until("40/40").len() == 40);
            let last = client.line();
            let words: Vec<&str> = last.split(' ').collect();
            assert_eq!((words.len(), words[1], words[3]), (4, "nodes", "nps"), "{last}");
        }
    }
}
