//! The exact tables of endings against those that others computed.

#![allow(clippy::print_stderr)] // The times of the long runs are worth seeing.

use std::collections::{BTreeMap, HashMap};
use std::time::Instant;

use juzhong_engine::endgame::{
    EndgameClass, EndgameLayout, EndgameTables, ExactResult, ResultCounts, SolvedClass, closure, solve_all,
};
use xiangqi::board::Position;
use xiangqi::rules::is_bare;
use xiangqi::types::Side;

/// The sums of every class and side to move.
fn published() -> BTreeMap<(String, Side), ResultCounts> {
    let row = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let number = |at: usize| fields[at].parse::<u64>().unwrap();
        let side = if fields[1] == "w" { Side::Red } else { Side::Black };
        let tally = ResultCounts {
            positions: number(2),
            won: number(3),
            drawn: number(4),
            lost: number(5),
            longest: number(6) as u8,
        };
        ((fields[0].to_owned(), side), tally)
    };
    include_str!("data/endgame_classes.tsv").lines().skip(1).map(row).collect()
}

fn solved(classes: &[EndgameClass]) -> HashMap<EndgameClass, SolvedClass> {
    let start = Instant::now();
    let tell = |table: &SolvedClass| {
        let (layout, seconds) = (table.layout(), start.elapsed().as_secs_f64());
        eprintln!("{}: {} numbers, after {seconds:.1} s", layout.class(), layout.size());
    };
    solve_all(classes, tell).unwrap()
}

/// Solves the published classes of at most so many numbers, and compares all their sums, and all positions with those
/// of the tables in the program.
fn compare(largest: usize) {
    let published = published();
    let classes: Vec<EndgameClass> = published.keys().map(|(name, _)| name.parse().unwrap()).collect();
    let fits = |class: &EndgameClass| EndgameLayout::new(*class).unwrap().size() <= largest;
    let classes: Vec<EndgameClass> = classes.into_iter().filter(fits).collect();
    let solved = solved(&classes);
    for table in solved.values() {
        let (positions, wrong) = EndgameTables::embedded().compare(table);
        assert!(wrong == 0 && positions > 0, "{}: {wrong} of {positions}", table.layout().class());
    }
    for ((name, side), tally) in &published {
        if let Some(table) = solved.get(&name.parse().unwrap()) {
            assert_eq!(table.tally(*side), *tally, "{name} {side:?}");
        }
    }
}

#[test]
fn small_classes_come_out_as_published() {
    compare(120_000);
}

#[test]
#[ignore = "minutes in a release build"]
fn all_classes_come_out_as_published() {
    compare(usize::MAX);
}

/// Over 2,000 positions of 58 classes, with their results and the plies to the end.
#[test]
fn single_positions_come_out_as_published() {
    let mut bare = 0;
    for line in include_str!("data/endgames.tsv").lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let position = Position::from_fen(fields[0]).unwrap();
        let plies: u8 = fields[2].parse().unwrap();
        let expected = match (fields[1], position.side()) {
            ("draw", _) => ExactResult::Draw,
            ("win", Side::Red) | ("loss", Side::Black) => ExactResult::Win(plies),
            _ => ExactResult::Loss(plies),
        };
        let found = EndgameTables::embedded().probe(&position);
        if is_bare(&position) {
            bare += 1;
            assert_eq!((found, expected), (None, ExactResult::Draw), "{line}");
        } else {
            assert_eq!(found, Some(expected), "{line}");
        }
    }
    assert_eq!(bare, 1);
}

#[test]
fn the_tables_of_the_program_are_sound() {
    let tables = EndgameTables::embedded();
    assert_eq!(tables.check(), Ok(()));
    let known = tables.classes();
    for class in closure(&known) {
        assert!(known.contains(&class), "{class} is missing");
    }
    for (name, _) in published().keys() {
        assert!(known.contains(&name.parse().unwrap()), "{name} is missing");
    }
}
