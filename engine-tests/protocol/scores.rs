//! What the lines of a search say of scores: several lines, known endings, the no-capture limit, and how soon.

use super::*;
use xiangqi::types::Kind;

/// `multipv-stop`: after a stop all lines come once more, distinct and sorted.
#[test]
fn stopped_lines_are_distinct_and_sorted() {
    let mut client = Client::uci();
    client.send_all(&["setoption name MultiPV value 3", "setoption name Hash value 4"]);
    for round in 0..40 {
        client.send_all(&["ucinewgame", "position startpos moves h2e2 h9g7", "go infinite"]);
        std::thread::sleep(ms(20 + 7 * round));
        client.send("stop");
        let lines = client.answer();
        let best = lines.last().unwrap().split(' ').nth(1).unwrap();
        let after = |line: &str, word: &str| -> String {
            line.split(&format!(" {word} ")).nth(1).unwrap().split(' ').next().unwrap().to_owned()
        };
        let shown: Vec<&String> = lines.iter().filter(|line| line.contains(" multipv ")).collect();
        if shown.len() < 4 {
            continue; // the machine was too busy for two iterations
        }
        let last = &shown[shown.len() - 3..];
        let numbers: Vec<String> = last.iter().map(|line| after(line, "multipv")).collect();
        assert_eq!(numbers, ["1", "2", "3"], "{lines:?}");
        let mut firsts: Vec<String> = last.iter().map(|line| after(line, "pv")).collect();
        assert_eq!(firsts[0], best, "{lines:?}");
        firsts.sort();
        firsts.dedup();
        assert_eq!(firsts.len(), 3, "{last:?}");
        let scores: Vec<i32> = last.iter().map(|line| after(line, "cp").parse().unwrap()).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "{last:?}");
        let depths: Vec<u32> = last.iter().map(|line| after(line, "depth").parse().unwrap()).collect();
        let (least, most) = (depths.iter().min().unwrap(), depths.iter().max().unwrap());
        assert!(most - least <= 1, "{last:?}");
    }
}

/// `wdl-dead-draw`: an ending that the tables know as drawn is a certain draw.
#[test]
fn a_known_draw_is_a_certain_one() {
    let mut client = Client::uci();
    client.send("setoption name UCI_ShowWDL value true");
    for fen in ["3ak1b2/4a4/4b4/9/9/9/8R/9/9/4K4 b", "3ak4/9/9/9/9/9/9/9/9/3KA4 w"] {
        client.send_all(&[&format!("position fen {fen}"), "go depth 10"]);
        let lines = client.answer();
        let last = lines.iter().rev().find(|line| line.contains(" wdl ")).unwrap();
        assert!(last.contains(" wdl 0 1000 0 "), "{fen}: {last}");
    }
}

/// `past-quiet-limit`: a program that did not end the game at the limit wants a sensible move.
#[test]
fn a_game_beyond_the_limit_has_a_sensible_move() {
    let mut client = Client::uci();
    client.send("setoption name OwnBook value false");
    for counter in [119, 120, 121, 400] {
        client.send_all(&["ucinewgame", &format!("position fen {START} w - - {counter} 80"), "go depth 8"]);
        let lines = client.answer();
        let best = moved(lines.last().unwrap()).unwrap();
        let mover = Position::startpos().piece_on(best.from()).unwrap();
        assert_ne!(mover.kind(), Kind::King, "{counter}: {best}");
        let score = lines.iter().rev().find(|line| line.contains(" score cp ")).unwrap();
        assert!(!score.contains(" score cp 0 "), "{counter}: {score}");
    }
}

/// UCCI's lines are as prompt as UCI's: none is kept for longer than a moment.
#[test]
fn the_first_lines_come_at_once() {
    for mut client in [Client::ucci(), Client::uci()] {
        client.send_all(&["setoption usebook false", "isready"]);
        client.until("readyok");
        assert_takes(ms(100), || {
            let start = Instant::now();
            client.send("go infinite");
            client.until("info depth 4 ");
            let used = start.elapsed();
            client.send("stop");
            client.answer();
            client.send("setoption newgame");
            used
        });
    }
}
