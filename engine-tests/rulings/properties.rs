//! What must hold of any loop, tried on loops found by playing at random.

use super::corpus::Turn;
use rand::{Rng, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use xiangqi::board::Position;
use xiangqi::rules::{Arbiter, Conduct, Evidence, MoveClass, Ruleset, Ruling};
use xiangqi::types::{Move, Side};

/// A game that ends with two loops of moves out and back, if one can be made here.
fn looped(position: &Position, rng: &mut ChaCha8Rng) -> Option<Position> {
    // As a study: the first rounds of a game have a rule of their own, which is not the same for both sides.
    let fen = position.to_fen();
    let mut game = Position::from_fen(&format!("{} 0 1", fen.rsplitn(3, ' ').last()?)).ok()?;
    for _ in 0..2 {
        let out: Vec<Move> = game.legal_moves().iter().copied().filter(|&mv| !game.is_capture(mv)).collect();
        game.play(*out.choose(rng)?).ok()?;
    }
    let out: Vec<Move> = game.record().filter_map(|ply| ply.mv).collect();
    let round = [out[0], out[1], out[0].reversed(), out[1].reversed()];
    for mv in round.into_iter().cycle().skip(2).take(10) {
        game.play(mv).ok()?;
    }
    Some(game)
}

/// Loops from random games: the first plies at random, then captures preferred, so that boards thin out.
fn loops(seed: u64, wanted: usize) -> Vec<Position> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut found = Vec::new();
    while found.len() < wanted {
        let mut game = Position::startpos();
        for _ in 0..rng.random_range(10..120) {
            let moves = game.legal_moves();
            let captures: Vec<Move> = moves.iter().copied().filter(|&mv| game.is_capture(mv)).collect();
            let pool = if captures.is_empty() || rng.random_bool(0.6) { &moves[..] } else { &captures[..] };
            let Some(&mv) = pool.choose(&mut rng) else { break };
            game.play(mv).unwrap();
        }
        found.extend((0..4).filter_map(|_| looped(&game, &mut rng)));
    }
    found
}

fn each_ruling(mut check: impl FnMut(&Position, &Arbiter, &Ruling)) {
    for game in loops(SEED, 150) {
        for rules in Ruleset::ALL {
            let arbiter = Arbiter::new(rules);
            check(&game, &arbiter, &arbiter.judge(&game));
        }
    }
}

const SEED: u64 = 2020;

#[test]
fn swapping_the_colours_swaps_the_verdict() {
    let mut decided = 0;
    each_ruling(|game, arbiter, ruling| {
        decided += u32::from(ruling.must_change().is_some());
        for turn in [Turn::Swap, Turn::Mirror] {
            let turned = arbiter.judge(&turn.game(game));
            assert_eq!(turned.outcome(), ruling.outcome().map(|outcome| turn.outcome(outcome)), "{game:?}");
        }
    });
    assert!(decided > 20, "only {decided} loops put any rule to the test");
}

#[test]
fn an_idle_move_clears_its_side() {
    each_ruling(|game, _, ruling| {
        for side in Side::ALL {
            let idle = ruling.moves.iter().any(|judged| {
                judged.side == side && !judged.effect.class.is_attack() && !judged.effect.pawn_attack
            });
            if idle {
                assert_eq!(ruling.conduct[side.index()], Conduct::Allowed, "{game:?}");
            }
        }
    });
}

#[test]
fn evidence_stands_on_the_board() {
    let mut seen = [0; 3];
    each_ruling(|game, _, ruling| {
        for judged in &ruling.moves {
            let mut passed = judged.before.clone();
            passed.make(judged.mv);
            assert_eq!(judged.effect.class == MoveClass::Check, passed.in_check(), "{game:?}");
            let line = match &judged.effect.evidence {
                Evidence::Mate(line) => line,
                Evidence::Chase(chase) => &chase.line,
                Evidence::Checkers(checkers) => {
                    seen[0] += 1;
                    assert_eq!(*checkers, passed.checkers());
                    continue;
                }
                _ => continue,
            };
            passed.make_null();
            assert!(passed.is_capture(line[0]) || passed.gives_check(line[0]), "{game:?} {line:?}");
            for &mv in line {
                passed.play(mv).unwrap();
            }
            let mates = judged.effect.class == MoveClass::Kill;
            seen[1 + usize::from(mates)] += 1;
            assert!(!mates || !passed.has_legal_move(), "{game:?} {line:?}");
        }
    });
    assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
}

#[test]
fn the_reasons_are_never_empty() {
    each_ruling(|_, _, ruling| {
        assert!(!ruling.reason().english.is_empty() && !ruling.reason().chinese.is_empty());
        for judged in &ruling.moves {
            let reason = judged.reason();
            assert!(reason.chinese.starts_with(judged.effect.class.hanzi()) && !reason.english.is_empty());
        }
    });
}
