//! The engine never plays on into a losing repetition while another move saves the game.

use super::corpus::{BOOKS, cases};
use juzhong::board::Position;
use juzhong::rules::{Arbiter, Outcome, Ruleset};
use juzhong::search::{Event, Limits, Pool, Report};
use juzhong::types::Move;
use juzhong::types::score::RULED_BOUND;
use std::sync::mpsc;

fn think(pool: &mut Pool, position: &Position, banned: Vec<Move>) -> Report {
    let (sender, receiver) = mpsc::channel();
    pool.start(position, Limits { nodes: Some(10_000), banned, ..Limits::default() }, move |event| {
        if let Event::Done(report) = event {
            let _ = sender.send(report);
        }
    });
    let report = receiver.recv().unwrap();
    pool.wait();
    report
}

/// Plays the loop on from its third time round; the prohibited side's moves are the engine's to make.
/// Returns the moves with which it stayed in the loop although another move would not have lost.
fn stayed(game: &Position, cycle: &[Move], rules: &'static Ruleset, pool: &mut Pool) -> Option<(Move, i32)> {
    let Outcome::Win(winner) = Arbiter::new(rules).judge(game).verdict? else { return None };
    let mut game = game.clone();
    for &mv in cycle {
        if game.side() != winner {
            pool.clear();
            let best = think(pool, &game, Vec::new()).best?;
            if best != mv {
                return None;
            }
            let other = think(pool, &game, vec![mv]);
            if other.best != Some(mv) && other.score > -RULED_BOUND {
                return Some((mv, other.score));
            }
        }
        game.play(mv).unwrap();
    }
    None
}

#[test]
fn the_prohibited_side_deviates_while_that_does_not_lose() {
    let mut pool = Pool::new(1, 2);
    let mut faults = Vec::new();
    for case in cases().into_iter().filter(|case| !case.disputed) {
        for (book, rules) in BOOKS {
            if case.verdict.get(book).is_none_or(Option::is_none) {
                continue;
            }
            pool.options().rules = rules;
            let cycle: Vec<Move> = case.cycle.iter().map(|text| text.parse().unwrap()).collect();
            if let Some(fault) = stayed(&case.game(2, 0), &cycle, rules, &mut pool) {
                faults.push(format!("{} {book}: {fault:?}", case.id));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
