//! What each side did over a whole loop.

use crate::board::Position;
use crate::types::{Bitboard, Side};

use super::axf::PieceNames;
use super::classify::PlyEffect;
use super::effect::{Effect, MoveClass};
use super::ruleset::{Classifier, Conduct, Ruleset};

/// The conduct of Red and of Black over these plies.
pub(super) fn conducts(rules: &Ruleset, plies: &[PlyEffect<'_>]) -> [Conduct; 2] {
    match rules.classifier {
        Classifier::ChecksOnly => Side::ALL.map(|side| checking(plies, side)),
        Classifier::Axf => Side::ALL.map(|side| pursuing(plies, side)),
        Classifier::Cxa => {
            let plain = Side::ALL.map(|side| attacking(rules, plies, side, false));
            if !rules.pawns_chase_in_mutual_attack {
                return plain;
            }
            // Pawns count for a side whose opponent attacks all along.
            let with_pawns = Side::ALL.map(|side| attacking(rules, plies, side, true));
            match plain.map(|conduct| conduct > Conduct::Allowed) {
                [true, false] => [plain[0], with_pawns[1]],
                [false, true] => [with_pawns[0], plain[1]],
                [true, true] => plain,
                [false, false] if with_pawns.iter().all(|&conduct| conduct > Conduct::Allowed) => with_pawns,
                [false, false] => plain,
            }
        }
    }
}

/// The conducts over the last `back` plies where the record's checks alone tell them well enough: one side checks
/// all along and the other does not, which no other conduct outweighs, or the rules look at nothing else.
pub(super) fn conducts_by_checks(rules: &Ruleset, game: &Position, back: usize) -> Option<[Conduct; 2]> {
    // `was_check(0)` is the last ply, made by the side that is not to move now.
    let checks = |first: usize| (first..back).step_by(2).all(|ply| game.was_check(ply));
    let perpetual = |checks: bool| if checks { Conduct::PerpetualCheck } else { Conduct::Allowed };
    let (waiting, moving) = (perpetual(checks(0)), perpetual(checks(1)));
    let is_decided = waiting != moving || rules.classifier == Classifier::ChecksOnly;
    is_decided.then_some(match game.side() {
        Side::Red => [moving, waiting],
        Side::Black => [waiting, moving],
    })
}

fn own<'a>(plies: &'a [PlyEffect<'a>], side: Side) -> impl Iterator<Item = &'a Effect> + 'a {
    plies.iter().filter(move |ply| ply.side == side).map(|ply| ply.effect)
}

fn checking(plies: &[PlyEffect<'_>], side: Side) -> Conduct {
    if own(plies, side).all(|effect| effect.class == MoveClass::Check) {
        Conduct::PerpetualCheck
    } else {
        Conduct::Allowed
    }
}

/// The Chinese reading: every move an attack; one of the lesser grade puts the loop in the lesser grade.
fn attacking(rules: &Ruleset, plies: &[PlyEffect<'_>], side: Side, pawns: bool) -> Conduct {
    if checking(plies, side) == Conduct::PerpetualCheck {
        return Conduct::PerpetualCheck;
    }
    if !own(plies, side).all(|effect| effect.class.is_attack() || pawns && effect.pawn_attack) {
        return Conduct::Allowed;
    }
    if rules.offence(Conduct::LesserAttack).is_some() && own(plies, side).any(Effect::is_lesser) {
        Conduct::LesserAttack
    } else {
        Conduct::Attack
    }
}

/// The Asian reading: one and the same piece newly attacked by every move. Two that every move attacks are no
/// chase, for several victims are allowed (para. 32).
fn pursuing(plies: &[PlyEffect<'_>], side: Side) -> Conduct {
    if checking(plies, side) == Conduct::PerpetualCheck {
        return Conduct::PerpetualCheck;
    }
    let mut names = PieceNames::at_start();
    let (mut chased, mut frozen) = (Bitboard::ALL, true);
    for ply in plies {
        names.follow(ply.mv);
        if ply.side == side {
            chased &= names.of(ply.effect.victims);
            frozen &= !ply.effect.frozen.is_empty();
        }
    }
    match (chased.len() == 1, frozen) {
        (false, _) => Conduct::Allowed,
        (true, true) => Conduct::FrozenRook,
        (true, false) => Conduct::Attack,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{CHECKBAN, CXA2020};

    fn after(moves: &str) -> Position {
        let mut position = Position::from_fen("3k5/9/9/9/9/9/9/9/R8/4K4 w - - 0 1").unwrap();
        for mv in moves.split(' ') {
            position.play(mv.parse().unwrap()).unwrap();
        }
        position
    }

    #[test]
    fn perpetual_check_is_seen_alike_whoever_closes_the_loop() {
        let checks = "a1a9 d9d8 a9a8 d8d9 a8a9";
        for moves in [checks, &format!("{checks} d9d8")] {
            for rules in [&CXA2020, &CHECKBAN] {
                let expected = Some([Conduct::PerpetualCheck, Conduct::Allowed]);
                assert_eq!(conducts_by_checks(rules, &after(moves), 4), expected);
            }
        }
    }

    #[test]
    fn what_the_checks_do_not_decide_is_left_to_the_book() {
        let idle = after("a1b1 d9d8 b1a1 d8d9");
        assert_eq!(conducts_by_checks(&CXA2020, &idle, 4), None);
        assert_eq!(conducts_by_checks(&CHECKBAN, &idle, 4), Some([Conduct::Allowed; 2]));
    }
}
