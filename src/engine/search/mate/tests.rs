//! The prover against positions with a known solution, and against a plain search that leaves nothing out.

use super::*;
use rand::{Rng, SeedableRng, rngs::StdRng};

/// A stalemate in one: the pawn goes beside the general, which the open file keeps from the centre.
const STALEMATE: &str = "3k5/1P7/9/9/9/9/9/9/9/4K4 w - - 0 1";
/// The rook checks as long as it likes, and that is all: with a full guard the ending is drawn.
const PERPETUAL: &str = "2bak4/4a4/4b4/9/9/9/9/9/9/R3K4 w - - 0 1";

fn solve(position: &Position, moves: u32) -> Solution {
    let root: Vec<Move> = position.legal_moves().to_vec();
    let problem =
        Problem { position, root: &root, moves, no_capture_limit: Some(120), hash_mb: 4, nodes: 3_000_000 };
    search(&problem, &mut || false).0
}

fn solve_fen(fen: &str, moves: u32) -> Solution {
    solve(&Position::from_fen(fen).unwrap(), moves)
}

/// The moves to mate, if there is one; the line is checked.
fn mate(position: &Position, moves: u32) -> Option<u32> {
    match solve(position, moves) {
        Solution::Mate { plies, line } => {
            assert_eq!(plies, line.len(), "{position:?} {line:?}");
            let mut after = position.clone();
            line.iter().for_each(|&mv| after.play(mv).unwrap());
            assert!(!after.has_legal_move(), "{position:?} {line:?}");
            Some(plies.div_ceil(2) as u32)
        }
        Solution::None(certainty) => {
            assert_eq!(certainty, Refuted::All, "{position:?}");
            None
        }
    }
}

/// The shortest mate, by trying everything.
fn plain(position: &mut Position, moves: u32) -> bool {
    let legal = position.legal_moves();
    legal.iter().any(|&mv| {
        position.make(mv);
        let replies = position.legal_moves();
        let mates = replies.is_empty()
            || moves > 1
                && !xiangqi::rules::is_bare(position)
                && replies.iter().all(|&reply| {
                    position.make(reply);
                    let mates = !xiangqi::rules::is_bare(position) && plain(position, moves - 1);
                    position.unmake();
                    mates
                });
        position.unmake();
        mates
    })
}

#[test]
fn known_mates_are_proved_and_shorter_ones_refuted() {
    let suite = include_str!("../../../../engine-tests/data/mates-suite.jsonl");
    let mut proved = 0;
    for line in suite.lines().step_by(3) {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let (fen, moves) = (case["fen"].as_str().unwrap(), case["mate"].as_u64().unwrap() as u32);
        let position = Position::from_fen(fen).unwrap();
        if moves <= 10 {
            let found = mate(&position, moves);
            assert!(found.is_some_and(|found| found <= moves), "{fen}: {found:?}");
            proved += 1;
        }
        if moves <= 4 && case["how"] == "checks-only proof" {
            assert_eq!(mate(&position, moves - 1), None, "{fen}");
        }
    }
    assert!(proved >= 50, "{proved}");
}

#[test]
fn the_answer_is_that_of_a_plain_search() {
    let mut rng = StdRng::seed_from_u64(21);
    let (mut mates, mut none) = (0, 0);
    while none < 150 || mates < 60 {
        let mut position = Position::startpos();
        // Random games soon leave a general open to attack.
        for _ in 0..rng.random_range(20..160) {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            position.make(legal[rng.random_range(0..legal.len())]);
        }
        let mut position = position.without_past();
        if !position.has_legal_move() {
            continue;
        }
        let truth = (1..=2).find(|&moves| plain(&mut position, moves));
        let (limit, count) = if truth.is_some() { (60, &mut mates) } else { (150, &mut none) };
        *count += 1;
        if *count <= limit {
            assert_eq!(mate(&position, 2), truth, "{position:?}");
        }
    }
}

#[test]
fn stalemate_wins_and_its_last_move_need_not_check() {
    let position = Position::from_fen(STALEMATE).unwrap();
    assert_eq!(mate(&position, 1), Some(1));
    assert_eq!(mate(&position, 5), Some(1));
}

#[test]
fn checks_without_end_are_no_mate() {
    assert_eq!(mate(&Position::from_fen(PERPETUAL).unwrap(), 4), None);
}

#[test]
fn a_mirrored_or_turned_board_has_the_same_answer() {
    for (fen, moves) in [(STALEMATE, 2), (PERPETUAL, 3), ("3k5/4P4/4b3b/p1N6/9/9/9/4B4/3nA4/3K2B2 w", 2)] {
        let answers: Vec<_> =
            variants(fen).iter().map(|fen| mate(&Position::from_fen(fen).unwrap(), moves)).collect();
        assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "{fen}: {answers:?}");
    }
}

/// The position as it is, mirrored left to right, and with the colours exchanged.
fn variants(fen: &str) -> [String; 3] {
    let (board, rest) = fen.split_once(' ').unwrap();
    let mirrored: Vec<String> = board.split('/').map(|rank| rank.chars().rev().collect()).collect();
    let exchange = |c: char| if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    let turned: Vec<String> = board.rsplit('/').map(|rank| rank.chars().map(exchange).collect()).collect();
    let other = if rest.starts_with('w') { "b" } else { "w" };
    [
        fen.to_owned(),
        format!("{} {rest}", mirrored.join("/")),
        format!("{} {other}{}", turned.join("/"), &rest[1..]),
    ]
}

#[test]
fn the_no_capture_limit_ends_what_comes_too_late() {
    // A mate in two by the two rooks: b-file first, then the back rank.
    let rooks = "3k5/9/9/9/9/9/9/R8/1R7/5K3 w - -";
    assert_eq!(mate(&Position::from_fen(&format!("{rooks} 0 1")).unwrap(), 3), Some(2));
    assert_eq!(mate(&Position::from_fen(&format!("{rooks} 117 99")).unwrap(), 3), Some(2));
    assert_eq!(mate(&Position::from_fen(&format!("{rooks} 118 99")).unwrap(), 3), None);
}

#[test]
fn a_mate_through_a_worn_position_does_not_count() {
    let mut position = Position::from_fen("3k5/9/9/9/9/9/9/R8/1R7/5K3 w - - 0 1").unwrap();
    let solution = |position: &Position, mv: &str| {
        let root = [mv.parse().unwrap()];
        let problem =
            Problem { position, root: &root, moves: 2, no_capture_limit: None, hash_mb: 1, nodes: u64::MAX };
        search(&problem, &mut || false).0
    };
    assert!(matches!(solution(&position, "a2a8"), Solution::Mate { plies: 3, .. }));
    for _ in 0..2 {
        for mv in ["a2a8", "d9e9", "a8a2", "e9d9"] {
            position.make(mv.parse().unwrap());
        }
    }
    assert_eq!(solution(&position, "a2a8"), Solution::None(Refuted::All));
    assert!(
        matches!(solution(&position, "b1b8"), Solution::Mate { plies: 3, .. }),
        "another way is still open"
    );
}

#[test]
fn a_search_that_is_cut_short_claims_nothing() {
    let position = Position::startpos();
    let root: Vec<Move> = position.legal_moves().to_vec();
    let problem = |nodes| Problem {
        position: &position,
        root: &root,
        moves: 30,
        no_capture_limit: None,
        hash_mb: 1,
        nodes,
    };
    for nodes in [0, 1, 100, 4999] {
        let (solution, spent) = search(&problem(nodes), &mut || false);
        assert_eq!(spent, nodes);
        assert!(matches!(solution, Solution::None(Refuted::Nothing | Refuted::Checks)), "{solution:?}");
    }
    let (solution, spent) = search(&problem(u64::MAX), &mut || true);
    assert!(
        matches!(solution, Solution::None(Refuted::Nothing | Refuted::Checks)) && spent < 2000,
        "{solution:?}"
    );
    assert_eq!(solve_fen(STALEMATE, 0), Solution::None(Refuted::All));
}
