//! Times of rulings: the shared cases after three loops each, the costliest of them alone, and what the
//! search pays at a node.
//!
//! `cargo bench --bench rulings`.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use xiangqi::board::Position;
use xiangqi::rules::{ASIAN, Arbiter, CXA2020, Referee, Ruleset};
use xiangqi::types::Move;

fn game(case: &serde_json::Value) -> Position {
    let moves = |key: &str| -> Vec<Move> {
        let texts = case[key].as_array().expect("a list of moves");
        texts.iter().map(|text| text.as_str().expect("a move").parse().expect("a move")).collect()
    };
    let mut game = Position::from_fen(case["fen"].as_str().expect("a position")).expect("a position");
    for mv in moves("prefix").into_iter().chain(moves("cycle").repeat(3)) {
        game.play(mv).expect("a legal move");
    }
    game
}

/// All cases, cheapest first.
fn games(rules: &'static Ruleset) -> Vec<Position> {
    let cases = include_str!("../engine-tests/data/rulings.jsonl");
    let parsed = cases.lines().map(|line| serde_json::from_str(line).expect("a case a line"));
    let mut timed: Vec<(Duration, Position)> = parsed
        .map(|case: serde_json::Value| {
            let game = game(&case);
            let cost = |_| {
                let start = Instant::now();
                black_box(Arbiter::new(rules).judge(&game));
                start.elapsed()
            };
            ((0..5).map(cost).min().unwrap_or_default(), game)
        })
        .collect();
    timed.sort_by_key(|(cost, _)| *cost);
    timed.into_iter().map(|(_, game)| game).collect()
}

fn judgements(criterion: &mut Criterion) {
    for rules in [&CXA2020, &ASIAN] {
        let arbiter = Arbiter::new(rules);
        let games = games(rules);
        for (name, at) in [("median", games.len() / 2), ("worst", games.len() - 1)] {
            criterion.bench_function(&format!("judge the {name} case under {rules}"), |bencher| {
                bencher.iter(|| arbiter.judge(black_box(&games[at])))
            });
        }
    }
}

fn nodes(criterion: &mut Criterion) {
    let games = games(&CXA2020);
    let mut referee = Referee::new(&CXA2020);
    criterion.bench_function("ask at a node that repeats a played loop", |bencher| {
        bencher.iter(|| referee.at_node(black_box(&games[games.len() / 2]), 1))
    });
    let start = Position::startpos();
    criterion.bench_function("ask at a node that repeats nothing", |bencher| {
        bencher.iter(|| referee.at_node(black_box(&start), 1))
    });
}

criterion_group!(rulings, judgements, nodes);
criterion_main!(rulings);
