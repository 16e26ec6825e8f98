//! Loops that real games went through three times, and who left them then: players know the rules.

use super::corpus::word;
use xiangqi::board::Position;
use xiangqi::rules::{Arbiter, CXA1999, CXA2020, Ruleset};

/// How often the side left a loop that had to, and how often the other one did.
fn leavers(rules: &'static Ruleset) -> (u32, u32) {
    let (mut obliged, mut other) = (0, 0);
    for line in include_str!("../data/loops.tsv").lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [_, start, cycle, leaver, _] = fields[..] else { panic!("five fields are wanted: {line}") };
        let mut game = Position::from_fen(start).unwrap();
        for mv in cycle.split(' ').collect::<Vec<_>>().repeat(3) {
            game.play(mv.parse().unwrap()).unwrap();
        }
        match (word(Arbiter::new(rules).judge(&game).outcome()), leaver) {
            ("black_wins", "red") | ("red_wins", "black") => obliged += 1,
            ("black_wins", "black") | ("red_wins", "red") => other += 1,
            _ => {}
        }
    }
    (obliged, other)
}

#[test]
fn the_side_that_has_to_change_is_the_one_that_does() {
    for rules in [&CXA2020, &CXA1999] {
        let (obliged, other) = leavers(rules);
        assert!(obliged > 100, "{rules}: {obliged}");
        assert!(obliged >= 19 * other, "{rules}: {obliged} against {other}");
    }
}
