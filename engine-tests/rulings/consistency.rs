//! The same case seen from elsewhere: mirrored, colours swapped, entered at another ply, looped more often.

use super::corpus::{BOOKS, Case, Turn, cases, clauses};
use xiangqi::rules::{Arbiter, Class, Judgement, Status};

fn all() -> impl Iterator<Item = Case> {
    cases().into_iter().chain(clauses())
}

/// Classes by move, in an order that does not depend on where the loop was entered.
fn classes(
    judgement: &Judgement,
    turn: impl Fn(xiangqi::types::Move) -> xiangqi::types::Move,
) -> Vec<(String, Class)> {
    let mut classes: Vec<_> = judgement
        .moves
        .iter()
        .map(|judged| (format!("{} {:?}", turn(judged.mv), judged.before.key()), judged.effect.class))
        .collect();
    classes.iter_mut().for_each(|(name, _)| name.truncate(4));
    classes.sort();
    classes
}

#[test]
fn mirrors_and_colours_change_nothing() {
    for case in all() {
        for (book, rules) in BOOKS {
            let arbiter = Arbiter::new(rules);
            let game = case.game(3, 0);
            let judgement = arbiter.judge(&game);
            for turn in [Turn::Mirror, Turn::Swap] {
                let turned = arbiter.judge(&turn.game(&game));
                let wanted = judgement.verdict.map(|outcome| turn.outcome(outcome));
                assert_eq!(turned.verdict, wanted, "{} {book} {turn:?}", case.id);
                assert_eq!(turned.status, judgement.status);
                assert_eq!(
                    classes(&turned, |mv| turn.mv(mv)),
                    classes(&judgement, |mv| mv),
                    "{} {book} {turn:?}",
                    case.id
                );
            }
        }
    }
}

#[test]
fn a_loop_may_be_entered_anywhere() {
    for case in all() {
        for (book, rules) in BOOKS {
            let arbiter = Arbiter::new(rules);
            let judgement = arbiter.judge(&case.game(3, 0));
            for entry in 1..case.cycle.len() {
                let later = arbiter.judge(&case.game(3, entry));
                assert_eq!(later.verdict, judgement.verdict, "{} {book} entry {entry}", case.id);
                assert_eq!(later.status, judgement.status);
                assert_eq!(classes(&later, |mv| mv), classes(&judgement, |mv| mv), "{} {book}", case.id);
            }
        }
    }
}

#[test]
fn more_loops_only_ripen_the_status() {
    for case in all() {
        for (book, rules) in BOOKS {
            let arbiter = Arbiter::new(rules);
            let judgements: Vec<_> = (0..=4).map(|loops| arbiter.judge(&case.game(loops, 0))).collect();
            assert_eq!(judgements[0].verdict, None);
            for (loops, judgement) in judgements.iter().enumerate().skip(1) {
                assert_eq!(judgement.verdict, judgements[1].verdict, "{} {book} loops {loops}", case.id);
                let count = judgement.looped.unwrap().count as usize;
                // A loop that passes its own start half-way is seen as two until it is played again.
                assert!(count == loops || loops == 1 && count == 2, "{} {book}", case.id);
                let ripe = match loops {
                    1 | 2 => judgement.status == Status::None,
                    3 => judgement.status != Status::None,
                    _ => judgement.status == Status::Final,
                };
                assert!(ripe, "{} {book} loops {loops}: {:?}", case.id, judgement.status);
            }
        }
    }
}
