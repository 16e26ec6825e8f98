//! Clauses of the books, each with a loop to which it applies and one to which it does not. The positions of
//! `clauses.jsonl` are our own, as bare as the clause allows.

use super::corpus::{BOOKS, Case, clauses, word};
use xiangqi::board::{Position, STARTPOS};
use xiangqi::rules::{
    ALWAYSDRAW, ASIAN, Arbiter, CHECKBAN, CXA1999, CXA2020, Ruleset, Ruling, VerdictStatus,
};

fn judge(start: &str, cycle: &str, loops: usize, rules: &'static Ruleset) -> Ruling {
    let mut game = Position::from_fen(start).unwrap();
    for mv in cycle.split(' ').collect::<Vec<_>>().repeat(loops) {
        game.play(mv.parse().unwrap()).unwrap();
    }
    Arbiter::new(rules).judge(&game)
}

#[test]
fn clauses_apply_where_they_should() {
    let mut faults = Vec::new();
    for case in clauses() {
        for (book, rules) in BOOKS {
            let given = word(case.judged(rules).outcome());
            let wanted = case.verdict[book].as_deref().unwrap();
            if given != wanted {
                faults.push(format!("{} {book}: {given}, not {wanted}", case.id));
            }
        }
        let classes: Vec<_> =
            case.judged(&CXA2020).moves.iter().map(|judged| judged.effect.class.name()).collect();
        if classes != case.move_classes {
            faults.push(format!("{}: {classes:?}, not {:?}", case.id, case.move_classes));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn red_has_to_break_a_drawn_loop_in_the_first_rounds() {
    const IDLE: &str = "h0g2 h9g7 g2h0 g7h9";
    let pending = judge(STARTPOS, IDLE, 3, &CXA2020);
    assert_eq!((word(pending.outcome()), pending.status()), ("black_wins", VerdictStatus::Pending));
    for loops in [4, 20] {
        let kept_on = judge(STARTPOS, IDLE, loops, &CXA2020);
        assert_eq!((word(kept_on.outcome()), kept_on.status()), ("black_wins", VerdictStatus::Final));
    }
    for rules in [&CXA1999, &ASIAN, &CHECKBAN, &ALWAYSDRAW] {
        let drawn = judge(STARTPOS, IDLE, 3, rules);
        assert_eq!((word(drawn.outcome()), drawn.status()), ("draw", VerdictStatus::Final), "{rules}");
    }
}

fn clause(id: &str) -> Case {
    clauses().into_iter().find(|case| case.id == id).unwrap()
}

#[test]
fn the_loop_in_which_a_prohibited_side_may_change_comes_after_the_third() {
    let chase = clause("chase-rook-cannon");
    for (rules, after_three) in [
        (&CXA2020, VerdictStatus::Pending),
        (&CXA1999, VerdictStatus::Pending),
        (&ASIAN, VerdictStatus::Final),
    ] {
        let status = |loops| Arbiter::new(rules).judge(&chase.game(loops, 0)).status();
        assert_eq!(status(2), VerdictStatus::None);
        assert_eq!(status(3), after_three, "{rules}");
        assert_eq!(status(4), VerdictStatus::Final, "{rules}");
    }
}

#[test]
fn perpetual_check_loses_at_once_in_2020_and_after_one_more_loop_in_1999() {
    let check = clause("check-for-ever");
    for (rules, after_three) in
        [(&CXA2020, VerdictStatus::Final), (&CXA1999, VerdictStatus::Pending), (&ASIAN, VerdictStatus::Final)]
    {
        assert_eq!(Arbiter::new(rules).judge(&check.game(3, 0)).status(), after_three, "{rules}");
        assert_eq!(Arbiter::new(rules).judge(&check.game(4, 0)).status(), VerdictStatus::Final, "{rules}");
    }
}
