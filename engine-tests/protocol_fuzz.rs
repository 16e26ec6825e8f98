//! Whatever a client sends, the session answers, ends, and keeps its position.

mod client;

use std::io::Cursor;
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use client::{Client, PATIENCE, START};
use juzhong_engine::protocol;
use proptest::prelude::*;
use xiangqi::board::Position;

/// Panics of threads that belong to no test: searches, tools, readers.
static PANICS: AtomicUsize = AtomicUsize::new(0);

fn count_panics() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let default = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if thread::current().name().is_none_or(|name| ["reader", "tool", "session"].contains(&name)) {
                PANICS.fetch_add(1, Ordering::SeqCst);
            }
            default(info);
        }));
    });
}

/// Holds a whole conversation in memory and gives back what was said. It must end by itself.
fn converse(input: Vec<u8>) -> Vec<String> {
    count_panics();
    let (sender, receiver) = mpsc::channel();
    let talk = move || {
        let mut output = Vec::new();
        protocol::run(Cursor::new(input), &mut output, false).expect("memory can be written");
        sender.send(output).ok();
    };
    thread::Builder::new().name("session".into()).spawn(talk).unwrap();
    let output = receiver.recv_timeout(PATIENCE).expect("the conversation ends");
    assert_eq!(PANICS.load(Ordering::SeqCst), 0, "a thread panicked");
    let text = String::from_utf8(output).expect("the engine writes UTF-8");
    assert!(text.lines().all(|line| line.len() < 1000));
    text.lines().map(str::to_owned).collect()
}

/// The FEN shown at the end of a conversation of these lines.
fn final_fen(lines: &[&[u8]]) -> String {
    let mut input = b"setoption hashsize 1\n".to_vec();
    for line in lines {
        input.extend_from_slice(line);
        input.push(b'\n');
    }
    input.extend(b"stop\nd\n");
    let said = converse(input);
    let fen = said.iter().rev().find_map(|line| line.strip_prefix("Fen: "));
    fen.unwrap_or_else(|| panic!("no board at the end of {said:?}")).to_owned()
}

/// Words that clients use, numbers good and bad, and rubbish.
fn word() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "go",
        "depth",
        "nodes",
        "time",
        "movetime",
        "increment",
        "movestogo",
        "opptime",
        "wtime",
        "btime",
        "winc",
        "infinite",
        "ponder",
        "draw",
        "mate",
        "searchmoves",
        "perft",
        "moves",
        "h2e2",
        "h9g7",
        "a0a0",
        "setoption",
        "name",
        "value",
        "Threads",
        "MultiPV",
        "UCI_Variant",
        "xiangqi",
        "usemillisec",
        "false",
        "true",
        "batch",
        "debug",
        "Skill",
        "Level",
        "UCI_ShowWDL",
        "idle",
        "large",
        "newgame",
        "banmoves",
        "probe",
        "startpos",
        "fen",
        "isready",
        "stop",
        "ponderhit",
        "ucinewgame",
        "uci",
        "ucci",
        "eval",
        "d",
        "help",
        "bench",
        "0",
        "1",
        "2",
        "-1",
        "50",
        "99999999999999999999",
        "1.5",
        "#",
    ]);
    prop_oneof![4 => known.prop_map(str::to_owned), 1 => "\\PC{1,6}"]
}

/// A line of a few such words, most often beginning with a command.
fn jumbled_line() -> impl Strategy<Value = String> {
    let command = prop::sample::select(vec![
        "go",
        "setoption",
        "banmoves",
        "probe",
        "perft",
        "bench",
        "stop",
        "ponderhit",
        "debug",
        "isready",
        "go depth",
        "go ponder",
        "go nodes",
        "setoption name",
        "ucci",
        "uci",
    ]);
    (command, prop::collection::vec(word(), 0..6))
        .prop_map(|(command, words)| format!("{command} {}", words.join(" ")))
}

/// A FEN with a few characters changed, added or lost.
fn damaged_fen() -> impl Strategy<Value = String> {
    let letters = "rnbakcpRNBAKCPehEH123456789//  wrb-0x帅";
    let letters: Vec<char> = letters.chars().collect();
    let change = (any::<prop::sample::Index>(), prop::sample::select(letters), 0..3u8);
    prop::collection::vec(change, 0..5).prop_map(|changes| {
        let mut fen: Vec<char> = format!("{START} w - - 0 1").chars().collect();
        for (place, letter, how) in changes {
            let place = place.index(fen.len());
            match how {
                0 => fen[place] = letter,
                1 => fen.insert(place, letter),
                _ => drop(fen.remove(place)),
            }
        }
        fen.into_iter().collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    /// Bytes of any kind are no position.
    #[test]
    fn bytes_change_nothing(lines in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..60), 0..12)) {
        let mut session: Vec<&[u8]> = vec![b"position startpos moves h2e2"];
        let lines: Vec<Vec<u8>> =
            lines.into_iter().map(|line| line.into_iter().filter(|&byte| byte != b'\n').collect()).collect();
        session.extend(lines.iter().map(Vec::as_slice));
        let expected = client::position(&format!("{START} w"), &["h2e2"]);
        prop_assert_eq!(final_fen(&session), expected.to_fen());
    }

    /// Words of the protocols in any order, but none that sets a position up.
    #[test]
    fn jumbled_commands_change_no_position(lines in prop::collection::vec(jumbled_line(), 0..8)) {
        let mut session: Vec<&[u8]> = vec![b"position startpos moves h2e2"];
        session.extend(lines.iter().map(String::as_bytes));
        let expected = client::position(&format!("{START} w"), &["h2e2"]);
        prop_assert_eq!(final_fen(&session), expected.to_fen());
    }

    /// A FEN is taken exactly when its position can be played; else the old position stays.
    #[test]
    fn a_fen_is_taken_or_left(fen in damaged_fen(), moves in prop::collection::vec(word(), 0..3)) {
        let line = format!("position fen {fen} moves {}", moves.join(" "));
        // In UCCI moves are spelt in one way only.
        let shown = final_fen(&[b"ucci", b"position startpos moves b0c2", line.as_bytes()]);
        // The word `moves` never comes up by damage, so the FEN is what stands before it.
        let board = |fen: &str| fen.split(' ').next().unwrap_or_default().to_owned();
        match Position::from_composed_fen(&fen) {
            Err(_) => prop_assert_eq!(&shown, &client::position(&format!("{START} w"), &["b0c2"]).to_fen()),
            Ok((mut position, _)) => {
                for text in moves {
                    match text.parse() {
                        Ok(mv) if position.play(mv).is_ok() => {}
                        _ => break,
                    }
                }
                prop_assert_eq!(board(&shown), board(&position.to_fen()));
            }
        }
    }

    /// Searches begin, are interrupted and begun again in any order: each accepted `go` is answered once.
    #[test]
    fn answers_and_searches_match(
        lines in prop::collection::vec(
            prop::sample::select(vec![
                "go depth 2", "go infinite", "go ponder depth 2", "stop", "ponderhit", "isready", "position startpos",
                "setoption name MultiPV value 2", "ucinewgame", "go nodes 100", "go movetime 5",
            ]),
            0..20,
        )
    ) {
        let mut input = b"uci\nsetoption name Hash value 1\n".to_vec();
        lines.iter().for_each(|line| input.extend(format!("{line}\n").bytes()));
        let said = converse(input);
        let count = |start: &str| said.iter().filter(|line| line.starts_with(start)).count();
        let asked = lines.iter().filter(|line| line.starts_with("go")).count();
        prop_assert_eq!(count("bestmove ") + count("info string not during a search"), asked);
        prop_assert_eq!(count("readyok"), lines.iter().filter(|line| **line == "isready").count());
    }
}

/// The same through real pipes, with the bytes of a fixed generator.
#[test]
fn the_program_survives_rubbish() {
    let mut client = Client::ucci();
    client.send("position startpos moves h2e2");
    let before = client.fen();
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    for _ in 0..200 {
        let bytes: Vec<u8> = (0..64)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                state as u8
            })
            .collect();
        client.send_bytes(&bytes);
    }
    client.send_bytes(b"\n");
    client.settle();
    assert_eq!(client.fen(), before);
    client.send("go depth 2");
    client.best_move();
    // A line longer than anything sensible.
    client.send(&"x".repeat(3_000_000));
    client.send("isready");
    client.until("readyok");
    assert_eq!(client.fen(), before);
}
