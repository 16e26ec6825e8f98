//! Move generation on the perft corpus, whose node counts were computed by independent programs.

use rand::{Rng, SeedableRng, rngs::StdRng};
use xiangqi::board::{Gen, Position};
use xiangqi::perft::perft;
use xiangqi::types::{Move, MoveList};

const CORPUS: &str = include_str!("data/perft.csv");

/// Counts every known depth whose node count is at most `ceiling`.
fn run(ceiling: u64) {
    let mut counted = 0;
    for line in CORPUS.lines().skip(1) {
        let mut fields = line.split(',');
        let fen = fields.next().unwrap();
        let mut position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        for (depth, field) in (1..).zip(fields).filter(|(_, field)| !field.is_empty()) {
            let expected: u64 = field.parse().unwrap();
            if expected <= ceiling {
                assert_eq!(perft(&mut position, depth), expected, "depth {depth} of {fen}");
                counted += 1;
            }
        }
    }
    assert!(counted > 140, "only {counted} counts were in reach");
}

#[test]
fn every_count_up_to_the_start_position_at_depth_5() {
    run(140_000_000);
}

/// All counts, 5.4 thousand million nodes from the start position among them: `make perft-all`.
#[test]
#[ignore = "minutes in a release build, more in a debug build"]
fn every_count() {
    run(u64::MAX);
}

/// The checks among the generated moves, in a fixed order.
fn checks(position: &Position, generate: impl FnOnce(&mut MoveList)) -> Vec<Move> {
    let mut list = MoveList::new();
    generate(&mut list);
    let mut checks: Vec<_> = list.iter().copied().filter(|&mv| position.gives_check(mv)).collect();
    checks.sort_by_key(|mv| mv.word());
    checks
}

#[test]
fn quiet_checks_are_those_among_all_quiet_moves() {
    let mut dice = StdRng::seed_from_u64(7);
    let mut seen = 0;
    for line in CORPUS.lines().skip(1) {
        for _ in 0..20 {
            let mut position = Position::from_fen(line.split(',').next().unwrap()).unwrap();
            for _ in 0..60 {
                let found = checks(&position, |list| position.generate_quiet_checks(list));
                let wanted = checks(&position, |list| position.generate(Gen::Quiets, list));
                seen += wanted.len();
                assert_eq!(found, wanted, "{}", position.to_fen());
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                // Checks are played more often than at random, so that the generals leave their shelter.
                let mv = match wanted.first() {
                    Some(&check) if dice.random_ratio(1, 4) => check,
                    _ => moves[dice.random_range(0..moves.len())],
                };
                position.make(mv);
            }
        }
    }
    assert!(seen > 1000, "{seen}");
}
