//! Scripted sessions with the real program: each line of the checklist of both protocols.

#[path = "../client/mod.rs"]
mod client;

mod banmoves;
mod batch;
mod composed;
mod end_of_game;
mod extras;
mod fen;
mod go;
mod greeting;
mod habits;
mod idle;
mod options;
mod ponder;
mod races;
mod scores;
mod thinking;
mod uci;

use std::time::{Duration, Instant};

use client::*;
use xiangqi::board::Position;
use xiangqi::types::Move;

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
