//! The playing levels as a whole: legal, quick, of one mind with a seed, natural in their errors, in order of strength.

use std::time::{Duration, Instant};

use juzhong_engine::search::handicap::{LEAST_ELO, MOST_ELO};
use juzhong_engine::search::{Handicap, SearchLimits, SearchReport, ThreadPool};
use xiangqi::board::Position;
use xiangqi::rules::Referee;
use xiangqi::types::{Move, Outcome, Side};

const MIDDLE: &str = "r1bakab1r/9/1cn1c1n2/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKAB1R w - - 0 1";
/// The rook can take a rook that nothing protects, half a board away.
const HANGING: &str = "2bakab2/8r/9/p3p1p2/9/9/P3P1P2/6N2/8R/2BAKAB2 w - - 0 1";

fn ratings() -> impl Iterator<Item = u32> {
    (LEAST_ELO..=MOST_ELO).step_by(200)
}

fn think(pool: &mut ThreadPool, position: &Position, elo: u32, seed: u64) -> SearchReport {
    (pool.options().handicap, pool.options().seed) = (Some(Handicap::of_elo(elo)), seed);
    pool.think(position, &SearchLimits::default()).expect("memory for a table")
}

/// How many of a hundred seeds play one of these moves.
fn share(fen: &str, elo: u32, wanted: &[&str]) -> usize {
    let (mut pool, position) = (ThreadPool::new(1, 1), Position::from_fen(fen).unwrap());
    let played = |seed| think(&mut pool, &position, elo, seed).best.map(|mv| mv.to_string());
    (0..100).map(played).filter(|mv| mv.as_deref().is_some_and(|mv| wanted.contains(&mv))).count()
}

#[test]
fn every_level_plays_a_legal_move_within_its_budget() {
    let mut pool = ThreadPool::new(1, 1);
    for line in include_str!("data/perft.csv").lines().skip(1) {
        let position = Position::from_fen(line.split(',').next().unwrap()).unwrap();
        let legal = position.legal_moves();
        for elo in ratings().take(6) {
            let report = think(&mut pool, &position, elo, 3);
            assert_eq!(report.best.is_none(), legal.is_empty(), "{line}");
            assert!(report.best.is_none_or(|best| legal.contains(&best)), "{line}: {report:?}");
            assert!(report.nodes <= Handicap::of_elo(elo).nodes, "{line}: {report:?}");
        }
    }
}

#[test]
fn a_level_depends_on_nothing_but_position_and_seed() {
    let position = Position::from_fen(MIDDLE).unwrap();
    let (mut idle, mut busy) = (ThreadPool::new(1, 1), ThreadPool::new(3, 4));
    busy.think(&position, &SearchLimits { nodes: Some(20_000), ..SearchLimits::default() });
    let mut played: Vec<Option<Move>> = Vec::new();
    for seed in 0..20 {
        let (first, second) =
            (think(&mut idle, &position, 1200, seed), think(&mut busy, &position, 1200, seed));
        assert_eq!((first.best, first.score, first.nodes), (second.best, second.score, second.nodes));
        played.push(first.best);
    }
    played.dedup();
    assert!(played.len() > 3, "another seed sees other moves: {played:?}");
}

#[test]
fn a_short_clock_is_kept_and_a_long_one_not_used() {
    let (mut pool, position) = (ThreadPool::new(1, 1), Position::from_fen(MIDDLE).unwrap());
    for movetime in [Duration::from_millis(1), Duration::from_secs(20)] {
        pool.options().handicap = Some(Handicap::of_elo(MOST_ELO));
        let started = Instant::now();
        let limits = SearchLimits { movetime: Some(movetime), ..SearchLimits::default() };
        assert!(pool.think(&position, &limits).unwrap().best.is_some());
        assert!(started.elapsed() < Duration::from_secs(10), "{movetime:?}: {:?}", started.elapsed());
    }
}

#[test]
fn an_analysis_knows_no_level() {
    let (mut pool, position) = (ThreadPool::new(1, 4), Position::from_fen(MIDDLE).unwrap());
    pool.options().handicap = Some(Handicap::of_elo(LEAST_ELO));
    let limits = SearchLimits { infinite: true, nodes: Some(20_000), ..SearchLimits::default() };
    let (sender, receiver) = std::sync::mpsc::channel();
    pool.start(&position, limits, move |event| {
        if let juzhong_engine::search::Event::Info(info) = event {
            let _ = sender.send(info.nodes);
        }
    });
    let most = receiver.into_iter().find(|&nodes| nodes > 2 * Handicap::of_elo(LEAST_ELO).nodes);
    pool.stop();
    assert!(most.is_some(), "the search ended after the nodes of the level");
}

#[test]
fn a_hanging_rook_is_taken_and_a_mate_given_at_most_levels() {
    let suite = include_str!("data/mates-suite.jsonl").lines();
    let mates: Vec<String> = suite.filter_map(mate_in_one).take(12).collect();
    for (elo, rooks, mated) in [(800, 50, 50), (1200, 70, 70), (1600, 80, 80), (2200, 90, 90)] {
        let taken = share(HANGING, elo, &["i1i8"]);
        let given: usize = mates.iter().map(|fen| share(fen, elo, &mating(fen))).sum::<usize>() / mates.len();
        assert!(taken >= rooks && given >= mated, "{elo}: {taken} rooks and {given} mates of a hundred");
    }
}

/// The FEN of a line of the suite whose mate takes one move.
fn mate_in_one(line: &str) -> Option<String> {
    let mate: serde_json::Value = serde_json::from_str(line).unwrap();
    (mate["mate"] == 1).then(|| mate["fen"].as_str().unwrap().to_owned())
}

/// The moves that mate at once.
fn mating(fen: &str) -> Vec<&'static str> {
    let mut position = Position::from_fen(fen).unwrap();
    let mut found = Vec::new();
    for &mv in position.legal_moves().iter() {
        position.make(mv);
        if !position.has_legal_move() {
            found.push(&*mv.to_string().leak());
        }
        position.unmake();
    }
    found
}

/// Plays a game between two levels and says who won.
fn game(pool: &mut ThreadPool, fen: &str, elo: [u32; 2], seed: u64) -> Option<Side> {
    let (mut position, mut referee) =
        (Position::from_fen(fen).unwrap(), Referee::new(&xiangqi::rules::CXA2020));
    while position.plies() < 300 {
        if let Some((outcome, _)) = referee.game_over(&position, Some(120)) {
            return match outcome {
                Outcome::Win(side) => Some(side),
                Outcome::Draw => None,
            };
        }
        let best = think(pool, &position, elo[position.side().index()], seed).best.unwrap();
        position.play(best).unwrap();
    }
    None
}

#[test]
fn four_hundred_points_win_most_games_all_over_the_range() {
    let mut pool = ThreadPool::new(1, 1);
    let openings: Vec<_> =
        include_str!("data/openings.fen").lines().filter(|line| line.contains('/')).collect();
    for elo in (LEAST_ELO..1900).step_by(400) {
        let mut balance = 0;
        for (seed, fen) in openings.iter().step_by(20).enumerate() {
            for (sides, stronger) in [([elo, elo + 400], Side::Black), ([elo + 400, elo], Side::Red)] {
                let winner = game(&mut pool, fen, sides, seed as u64);
                balance += winner.map_or(0, |side| if side == stronger { 1 } else { -1 });
            }
        }
        // 18 of 20 are expected; fewer than 14 in one of a thousand runs.
        assert!(balance >= 8, "{elo}: {balance}");
    }
}
