//! Endings whose results are known from tables: the won side mates in time, and a draw is scored as one.

#![allow(clippy::print_stderr)] // The tables are what the long runs are for.

use std::collections::BTreeMap;
use std::time::Duration;

use juzhong_engine::search::{SearchLimits, ThreadPool};
use xiangqi::board::Position;
use xiangqi::rules::{CXA2020, NO_CAPTURE_PLIES, Referee};
use xiangqi::types::{Outcome, Side};

struct Ending {
    /// Material, Red's in capitals: `KNPvkab`.
    class: String,
    fen: String,
    /// What it is with best play.
    result: Outcome,
    /// Plies to mate with best play; 0 for a draw.
    plies: u64,
}

/// 300 positions over 55 classes: 178 won for one side, 122 drawn.
fn endings() -> Vec<Ending> {
    let ending = |line: &str| {
        let ending: serde_json::Value = serde_json::from_str(line).unwrap();
        let result = match ending["result"].as_str().unwrap() {
            "win" => Outcome::Win(Side::Red),
            "loss" => Outcome::Win(Side::Black),
            _ => Outcome::Draw,
        };
        let text = |name: &str| ending[name].as_str().unwrap().to_owned();
        Ending { class: text("class"), fen: text("fen"), result, plies: ending["ply"].as_u64().unwrap() }
    };
    include_str!("data/endgames-sample.jsonl").lines().map(ending).collect()
}

/// Plays the position out, each side with a memory of its own.
fn play_out(fen: &str, limits: &SearchLimits) -> Outcome {
    let mut position = Position::from_fen(fen).unwrap();
    let mut players = [ThreadPool::new(1, 16), ThreadPool::new(1, 16)];
    let mut referee = Referee::new(&CXA2020);
    loop {
        if let Some((outcome, _)) = referee.game_over(&position, Some(NO_CAPTURE_PLIES)) {
            return outcome;
        }
        let player = &mut players[position.side().index()];
        let best = player.think(&position, limits).and_then(|report| report.best);
        position.play(best.expect("a move, for the game is not over")).unwrap();
    }
}

/// The score of the position for Red, in centipawns.
fn score(fen: &str, limits: &SearchLimits) -> i32 {
    let position = Position::from_fen(fen).unwrap();
    let score = ThreadPool::new(1, 16).think(&position, limits).unwrap().score;
    if position.side() == Side::Red { score } else { -score }
}

/// How many of a class are right, of how many.
type Rows = BTreeMap<String, (usize, usize)>;

/// The share that is right over all classes, in per cent; the classes with a fault are named.
fn share(what: &str, rows: &Rows) -> f64 {
    let sum = rows.values().fold((0, 0), |sum, row| (sum.0 + row.0, sum.1 + row.1));
    eprintln!("{what}: {} of {}", sum.0, sum.1);
    for (class, (right, all)) in rows.iter().filter(|(_, (right, all))| right < all) {
        eprintln!("  {class:<12} {right} of {all}");
    }
    100.0 * sum.0 as f64 / sum.1 as f64
}

/// Half a pawn, in centipawns.
const HALF_A_PAWN: i32 = 50;

/// The shares of wins that are won in time and of draws that are scored as such, in per cent. Of the wins, which take
/// long, only every `step`th is played.
fn measure(limits: &SearchLimits, step: usize) -> (f64, f64) {
    let (mut wins, mut draws) = (Rows::new(), Rows::new());
    let note = |rows: &mut Rows, class: String, right: bool| {
        let row = rows.entry(class).or_default();
        *row = (row.0 + usize::from(right), row.1 + 1);
    };
    let (drawn, won): (Vec<_>, Vec<_>) =
        endings().into_iter().partition(|ending| ending.result == Outcome::Draw);
    for Ending { class, fen, .. } in drawn {
        let score = score(&fen, limits);
        let right = score.abs() <= HALF_A_PAWN;
        if !right {
            eprintln!("{class}: a draw scored {score}: {fen}");
        }
        note(&mut draws, class, right);
    }
    for Ending { class, fen, result, plies } in won.into_iter().step_by(step) {
        let played = play_out(&fen, limits);
        if played != result {
            eprintln!("{class}: {played:?}, not won in {plies} plies: {fen}");
        }
        note(&mut wins, class, played == result);
    }
    (share("won in time", &wins), share("draws within half a pawn", &draws))
}

/// Asserts that nearly all wins are won in time and nearly all draws scored as such: more than the goal at 0.3 s a move,
/// which is 95 % of the wins and 80 % of the draws. The tables know no rules on repetition: a draw held by checks or by
/// chases of the last rook may be none for the search, and is then counted as missed.
fn assert_shares(limits: &SearchLimits, step: usize) {
    let (wins, draws) = measure(limits, step);
    assert!(wins >= 98.0 && draws >= 93.0, "{wins:.0} % of the wins, {draws:.0} % of the draws");
}

#[test]
fn every_sixth_won_ending_and_nearly_all_draws_are_right_at_few_nodes() {
    assert_shares(&SearchLimits { nodes: Some(5_000), ..SearchLimits::default() }, 6);
}

#[test]
#[ignore = "half a minute in a release build: make endings"]
fn endings_at_20000_nodes_a_move() {
    assert_shares(&SearchLimits { nodes: Some(20_000), ..SearchLimits::default() }, 1);
}

#[test]
#[ignore = "half an hour in a release build: make endings"]
fn endings_at_three_tenths_of_a_second_a_move() {
    let limits = SearchLimits { movetime: Some(Duration::from_millis(300)), ..SearchLimits::default() };
    assert_shares(&limits, 1);
}
