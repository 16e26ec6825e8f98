//! Every node count of the perft corpus, computed by independent programs.

use xiangqi::board::Position;
use xiangqi::perft::perft;

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
