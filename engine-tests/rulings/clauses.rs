//! Clauses of the books, each with a loop to which it applies and one to which it does not. The positions are
//! our own, as bare as the clause allows.

use super::corpus::word;
use juzhong::board::{Position, STARTPOS};
use juzhong::rules::{ALWAYSDRAW, ASIAN, Arbiter, CHECKBAN, CXA1999, CXA2020, Judgement, Ruleset, Status};

/// The clause, the start, one loop, the classes of its moves, and the verdicts of the Chinese book of 2020 and
/// of the Asian rules.
#[rustfmt::skip]
const CLAUSES: [(&str, &str, &str, &str, &str, &str); 12] = [
    ("24.3: a rook hits a cannon that nothing protects",
     "3ak4/9/9/9/9/2c6/9/9/2R6/3K5 b", "c4b4 c1b1 b4c4 b1c1", "idle chase idle chase", "black_wins", "black_wins"),
    ("24.15, 24.7: the same cannon has a root, so the rook follows it",
     "3ak4/9/9/9/9/r1c6/9/9/2R6/3K5 b", "c4b4 c1b1 b4c4 b1c1", "idle follow idle follow", "draw", "draw"),
    ("24.16: a rook pinned against its general is a false root",
     "3k1ab2/4a4/4b4/9/1c1r5/9/9/9/1R2A4/3RK4 b", "b5a5 b1a1 a5b5 a1b1", "idle chase idle chase", "black_wins", "black_wins"),
    ("24.16: off the pin it is a true one",
     "4kab2/4a4/4b4/9/1c1r5/9/9/9/1R2A4/3RK4 b", "b5a5 b1a1 a5b5 a1b1", "idle follow idle follow", "draw", "draw"),
    ("24.3: a rook that keeps a mate away does not chase: taking would let it in",
     "5k3/9/r8/9/1c7/9/9/9/8r/1R2K4 b", "b5c5 b0c0 c5b5 c0b0", "kill idle kill idle", "red_wins", "black_wins"),
    ("24.3: without the second rook there is no mate to keep away",
     "5k3/9/r8/9/1c7/9/9/9/9/1R2K4 b", "b5c5 b0c0 c5b5 c0b0", "idle chase idle chase", "black_wins", "black_wins"),
    ("26.7: pawns on their own side of the river are no wood",
     "3ak4/4a4/9/p1p6/9/R8/9/9/9/3K5 w", "a4c4 e9f9 c4a4 f9e9", "idle idle idle idle", "draw", "draw"),
    ("26.7, 24.11: crossed ones are, and hitting one after the other is a chase; Asian 32 allows two victims",
     "3ak4/4a4/9/9/9/9/p1p6/9/R8/3K5 w", "a1c1 e9f9 c1a1 f9e9", "chase idle chase idle", "black_wins", "draw"),
    ("26.1: a pawn may hit for ever",
     "3k5/9/3c5/4P4/9/9/9/9/9/5K3 w", "e6d6 d7e7 d6e6 e7d7", "idle idle idle idle", "draw", "draw"),
    ("24.2: a mate threatened with every move is forbidden, in the Asian rules it is not",
     "4k4/R8/7r1/9/7R1/4P4/9/4B4/4A4/2BAK4 w", "h5i5 h7i7 i5h5 i7h7", "kill exchange kill exchange", "black_wins", "draw"),
    ("24.9: nothing but checks",
     "R2k5/9/9/9/9/9/9/9/9/4K4 b", "d9d8 a9a8 d8d9 a8a9", "idle check idle check", "black_wins", "black_wins"),
    ("25: one idle move a loop is enough",
     "3k2b2/R8/9/9/9/9/9/9/9/4K4 w", "a8a9 d9d8 a9a8 d8d9 a8b8 g9i7 b8a8 i7g9",
     "check idle check idle chase idle idle idle", "draw", "draw"),
];

fn judge(start: &str, cycle: &str, loops: usize, rules: &'static Ruleset) -> Judgement {
    let mut game = Position::from_fen(start).unwrap();
    for mv in cycle.split(' ').collect::<Vec<_>>().repeat(loops) {
        game.play(mv.parse().unwrap()).unwrap();
    }
    Arbiter::new(rules).judge(&game)
}

#[test]
fn clauses_apply_where_they_should() {
    for (clause, start, cycle, classes, chinese, asian) in CLAUSES {
        for (rules, verdict) in [(&CXA2020, chinese), (&ASIAN, asian)] {
            let judgement = judge(start, cycle, 3, rules);
            assert_eq!(word(judgement.verdict), verdict, "{clause}: {rules}");
            if rules == &CXA2020 {
                let found: Vec<_> = judgement.moves.iter().map(|judged| judged.effect.class.name()).collect();
                assert_eq!(found.join(" "), classes, "{clause}");
            }
        }
    }
}

#[test]
fn red_has_to_break_a_drawn_loop_in_the_first_rounds() {
    const IDLE: &str = "h0g2 h9g7 g2h0 g7h9";
    let pending = judge(STARTPOS, IDLE, 3, &CXA2020);
    assert_eq!((word(pending.verdict), pending.status), ("black_wins", Status::Pending));
    for loops in [4, 20] {
        let kept_on = judge(STARTPOS, IDLE, loops, &CXA2020);
        assert_eq!((word(kept_on.verdict), kept_on.status), ("black_wins", Status::Final));
    }
    for rules in [&CXA1999, &ASIAN, &CHECKBAN, &ALWAYSDRAW] {
        let drawn = judge(STARTPOS, IDLE, 3, rules);
        assert_eq!((word(drawn.verdict), drawn.status), ("draw", Status::Final), "{rules}");
    }
}

#[test]
fn the_loop_in_which_a_prohibited_side_may_change_comes_after_the_third() {
    let (_, start, cycle, ..) = CLAUSES[0];
    for (rules, after_three) in
        [(&CXA2020, Status::Pending), (&CXA1999, Status::Pending), (&ASIAN, Status::Final)]
    {
        assert_eq!(judge(start, cycle, 2, rules).status, Status::None);
        assert_eq!(judge(start, cycle, 3, rules).status, after_three, "{rules}");
        assert_eq!(judge(start, cycle, 4, rules).status, Status::Final, "{rules}");
    }
}
