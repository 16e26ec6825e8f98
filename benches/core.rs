//! Times of what the search does at every node: attack sets, legal moves, making moves, the evaluation.
//!
//! `cargo bench` runs all; `cargo bench -- evaluate` some. A figure is for all the positions below together.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use juzhong_engine::book::Book;
use juzhong_engine::eval::arch::output_bucket;
use juzhong_engine::eval::{Accumulator, Evaluator, Network};
use xiangqi::board::{Position, attacks};
use xiangqi::perft::perft;
use xiangqi::types::{Bitboard, Square};

/// An opening, two middle games, an endgame and one with checks in the air.
const POSITIONS: [&str; 5] = [
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
    "1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w - - 0 1",
    "5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w - - 0 1",
    "CRN1k1b2/3ca4/4ba3/9/2nr5/9/9/4B4/4A4/4KA3 w - - 0 1",
];

fn positions() -> Vec<Position> {
    POSITIONS.iter().map(|fen| Position::from_fen(fen).expect("a legal position")).collect()
}

fn attack_sets(criterion: &mut Criterion) {
    let positions = positions();
    let mut time = |name: &str, set: fn(Square, &attacks::Lines) -> Bitboard| {
        criterion.bench_function(name, |bencher| {
            bencher.iter(|| {
                for position in &positions {
                    for square in Square::all() {
                        black_box(set(black_box(square), position.lines()));
                    }
                }
            })
        });
    };
    time("rook attacks of 450 squares", attacks::rook);
    time("cannon attacks of 450 squares", attacks::cannon);
    time("horse attacks of 450 squares", attacks::horse);
}

fn moves(criterion: &mut Criterion) {
    let mut positions = positions();
    criterion.bench_function("legal moves of 5 positions", |bencher| {
        bencher.iter(|| positions.iter().map(|position| position.legal_moves().len()).sum::<usize>())
    });
    criterion.bench_function("make and unmake every move of 5 positions", |bencher| {
        bencher.iter(|| {
            for position in &mut positions {
                for &mv in position.legal_moves().iter() {
                    position.make(mv);
                    position.unmake();
                }
            }
        })
    });
    criterion.bench_function("perft 3 of the opening position", |bencher| {
        let mut position = Position::startpos();
        bencher.iter(|| perft(&mut position, 3))
    });
}

fn evaluation(criterion: &mut Criterion) {
    let (network, mut positions) = (Network::embedded(), positions());
    criterion.bench_function("accumulators of 5 positions, afresh", |bencher| {
        bencher.iter(|| positions.iter().map(|position| network.accumulator(position).0[0][0].0[0]).max())
    });
    let accumulators: Vec<_> = positions.iter().map(|position| network.accumulator(position)).collect();
    criterion.bench_function("values of 5 positions from their accumulators", |bencher| {
        bencher.iter(|| {
            let value = |(accumulator, position): (&Accumulator, &Position)| {
                let bucket = output_bucket(position.occupied().len());
                network.value(black_box(accumulator), position.side(), bucket)
            };
            accumulators.iter().zip(&positions).map(value).sum::<i32>()
        })
    });
    criterion.bench_function("make, evaluate and unmake every move of 5 positions", |bencher| {
        bencher.iter(|| {
            let mut sum = 0;
            for position in &mut positions {
                let mut evaluator = Evaluator::new(&network, position);
                for &mv in position.legal_moves().iter() {
                    position.make_observed(mv, &mut evaluator);
                    sum += evaluator.evaluate(position);
                    position.unmake_observed(&mut evaluator);
                }
            }
            sum
        })
    });
}

fn book(criterion: &mut Criterion) {
    let (book, positions) = (Book::embedded(), positions());
    criterion.bench_function("look 5 positions up in the book", |bencher| {
        bencher.iter(|| positions.iter().map(|position| book.probe(position).count()).sum::<usize>())
    });
}

criterion_group!(benches, attack_sets, moves, evaluation, book);
criterion_main!(benches);
