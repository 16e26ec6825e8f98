//! A pending ruling is no result: the side that must change still has its moves, and either side may decline a
//! draw that is not final.

use super::corpus::{BOOKS, Case, Turn, cases, clauses};
use juzhong_engine::score::{MATE_BOUND, RULED_BOUND, Value};
use juzhong_engine::search::{SearchLimits, SearchReport, ThreadPool};
use xiangqi::board::{Position, STARTPOS};
use xiangqi::rules::{Arbiter, CXA2020, Ruleset};
use xiangqi::types::{Move, Outcome};

fn played(fen: &str, moves: &str) -> Position {
    let mut game = Position::from_fen(fen).unwrap();
    for mv in moves.split_whitespace() {
        game.play(mv.parse().unwrap()).unwrap();
    }
    game
}

fn think(
    pool: &mut ThreadPool,
    game: &Position,
    rules: &'static Ruleset,
    depth: u32,
    banned: Vec<Move>,
) -> SearchReport {
    pool.clear();
    pool.options().rules = rules;
    let limits = SearchLimits { depth: Some(depth), banned, ..SearchLimits::default() };
    pool.think(game, &limits).unwrap()
}

/// Whether a score claims that the game ends by a ruling.
fn is_ruled(score: Value) -> bool {
    (RULED_BOUND..MATE_BOUND).contains(&score.abs())
}

/// Games in which the innocent side is to move and can close the loop once more, which decides nothing yet.
const GAMES: [(&str, &str); 4] = [
    ("r2ak4/9/9/9/N8/2c6/9/9/2R6/3K5 b - - 0 1", "c4b4 c1b1 b4c4 b1c1 c4b4 c1b1 b4c4 b1c1"),
    (STARTPOS, "a0a1 a9a8 a1b1 h9g7 h0g2 g7h9 g2h0 h9g7 h0g2 g7h9 g2h0 h9g7 h0g2"),
    ("4k4/4a4/9/9/9/2c1p1N2/9/9/2R6/5K3 b - - 0 1", "c4b4 c1b1 b4c4 b1c1 c4b4 c1b1 b4c4 b1c1"),
    (STARTPOS, "h0g2 h9g7 g2h0 g7h9 h0g2 h9g7 g2h0"),
];

#[test]
fn nobody_counts_on_a_ruling_that_is_pending() {
    let mut pool = ThreadPool::new(1, 2);
    for (fen, moves) in GAMES {
        let game = played(fen, moves);
        for game in [game.clone(), Turn::Mirror.game(&game)] {
            let report = think(&mut pool, &game, &CXA2020, 8, Vec::new());
            assert!(!is_ruled(report.score), "{game:?} {:?} {}", report.best, report.score);
        }
    }
}

#[test]
fn what_is_there_to_take_is_taken_instead() {
    let mut pool = ThreadPool::new(1, 2);
    let mut best = |index: usize| {
        let (fen, moves) = GAMES[index];
        think(&mut pool, &played(fen, moves), &CXA2020, 9, Vec::new()).best.unwrap().to_string()
    };
    assert_eq!(best(0), "a9a5", "a horse");
    assert_ne!(best(1), "g7h9", "a rook hangs");
    assert_ne!(best(2), "c4b4", "a horse hangs");
}

/// The figures and clauses whose loop one side must leave.
fn decided() -> impl Iterator<Item = (Case, &'static Ruleset, Outcome)> {
    let books = |case: Case| BOOKS.map(|(_, rules)| (case.clone(), rules));
    cases().into_iter().step_by(5).chain(clauses()).flat_map(books).filter_map(|(case, rules)| {
        let outcome = Arbiter::new(rules).judge(&case.game(3, 0)).outcome()?;
        matches!(outcome, Outcome::Win(_)).then_some((case, rules, outcome))
    })
}

#[test]
fn the_innocent_side_does_not_win_while_the_other_may_leave() {
    let mut pool = ThreadPool::new(1, 2);
    let (mut tried, mut faults) = (0, Vec::new());
    for (case, rules, outcome) in decided() {
        // Entered so that the innocent side's next move closes the loop for the third occurrence.
        for entry in 0..2 {
            let mut game = case.game(2, entry);
            let closing: Move =
                case.cycle[(entry + case.cycle.len() - 1) % case.cycle.len()].parse().unwrap();
            game.unmake();
            if outcome != Outcome::Win(game.side()) {
                continue;
            }
            let innocent = think(&mut pool, &game, rules, 5, Vec::new());
            game.play(closing).unwrap();
            // The other side may stay in the loop, and then loses; or it may leave.
            let offender = think(&mut pool, &game, rules, 5, Vec::new());
            let lost_anyway = offender.score <= -RULED_BOUND;
            tried += 1;
            if innocent.best == Some(closing) && is_ruled(innocent.score) && !lost_anyway {
                faults.push((case.id.clone(), rules.name, innocent.score, offender.score));
            }
            if is_ruled(offender.score) {
                let stay: Move = case.cycle[entry % case.cycle.len()].parse().unwrap();
                let leave = think(&mut pool, &game, rules, 5, vec![stay]);
                if leave.score > offender.score {
                    faults.push((case.id.clone(), rules.name, offender.score, leave.score));
                }
            }
        }
    }
    assert!(tried >= 20, "{tried}");
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn a_side_that_is_ahead_leaves_a_loop_that_would_draw_and_one_behind_hopes_for_it_in_vain() {
    let mut pool = ThreadPool::new(1, 2);
    // Red is a rook up and both shuffle: the repetition is no draw as long as Red may play on.
    let (fen, round) = ("3k5/4a4/9/9/9/9/9/4B4/R8/4K4 w - - 0 1", "a1b1 d9d8 b1a1 d8d9 ");
    for rules in [&CXA2020, &xiangqi::rules::CHECKBAN] {
        let game = played(fen, &round.repeat(2));
        let ahead = think(&mut pool, &game, rules, 6, Vec::new());
        assert!(ahead.score > 300, "{rules}: {}", ahead.score);
        assert_ne!(ahead.best.map(|mv| mv.to_string()).as_deref(), Some("a1b1"), "{rules}");
        let mut game = played(fen, &round.repeat(2));
        game.unmake();
        let behind = think(&mut pool, &game, rules, 6, Vec::new());
        assert!(behind.score < -300, "{rules}: {}", behind.score);
    }
}
