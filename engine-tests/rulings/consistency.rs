//! The same case seen from elsewhere: mirrored, colours swapped, entered at another ply, looped more often.

use super::corpus::{BOOKS, Case, Turn, cases, clauses};
use xiangqi::rules::{Arbiter, MoveClass, Ruling, VerdictStatus};

fn all() -> impl Iterator<Item = Case> {
    cases().into_iter().chain(clauses())
}

/// Classes by move, in an order that does not depend on where the loop was entered.
fn classes(
    ruling: &Ruling,
    turn: impl Fn(xiangqi::types::Move) -> xiangqi::types::Move,
) -> Vec<(String, MoveClass)> {
    let mut classes: Vec<_> = ruling
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
            let ruling = arbiter.judge(&game);
            for turn in [Turn::Mirror, Turn::Swap] {
                let turned = arbiter.judge(&turn.game(&game));
                let wanted = ruling.outcome().map(|outcome| turn.outcome(outcome));
                assert_eq!(turned.outcome(), wanted, "{} {book} {turn:?}", case.id);
                assert_eq!(turned.status(), ruling.status());
                assert_eq!(
                    classes(&turned, |mv| turn.mv(mv)),
                    classes(&ruling, |mv| mv),
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
            let ruling = arbiter.judge(&case.game(3, 0));
            for entry in 1..case.cycle.len() {
                let later = arbiter.judge(&case.game(3, entry));
                assert_eq!(later.outcome(), ruling.outcome(), "{} {book} entry {entry}", case.id);
                assert_eq!(later.status(), ruling.status());
                assert_eq!(classes(&later, |mv| mv), classes(&ruling, |mv| mv), "{} {book}", case.id);
            }
        }
    }
}

#[test]
fn more_loops_only_ripen_the_status() {
    for case in all() {
        for (book, rules) in BOOKS {
            let arbiter = Arbiter::new(rules);
            let rulings: Vec<_> = (0..=4).map(|loops| arbiter.judge(&case.game(loops, 0))).collect();
            assert_eq!(rulings[0].outcome(), None);
            for (loops, ruling) in rulings.iter().enumerate().skip(1) {
                assert_eq!(ruling.outcome(), rulings[1].outcome(), "{} {book} loops {loops}", case.id);
                let count = ruling.looped.unwrap().count as usize;
                // A loop that passes its own start half-way is seen as two until it is played again.
                assert!(count == loops || loops == 1 && count == 2, "{} {book}", case.id);
                let ripe = match loops {
                    1 | 2 => ruling.status() == VerdictStatus::None,
                    3 => ruling.status() != VerdictStatus::None,
                    _ => ruling.status() == VerdictStatus::Final,
                };
                assert!(ripe, "{} {book} loops {loops}: {:?}", case.id, ruling.status());
            }
        }
    }
}
