//! The Chinese definitions of the classes (CXA 24.1-24.8, 26.4).
//!
//! Everything is judged on the board after the move with the turn handed back to the mover.

mod chase;
mod contact;
mod exempt;
mod gain;
mod hunt;
mod idle;
mod kill;
mod trade;

use crate::types::{Bitboard, Kind, Move};

use super::captures::{is_playable, protection};
use super::context::MoveContext;
use super::effect::{Chase, Effect, Evidence, MoveClass};
use super::ruleset::Ruleset;
use chase::{Threat, new_threats};
use contact::{Contact, invited};
use exempt::Exempt;
use gain::{Worth, worth};
use hunt::{Hunt, Terms};
use idle::idle_classes;

pub(super) use contact::contacts;
pub(super) use gain::crossed;
pub(super) use kill::kill;

/// The effect of a move that does not check: kill, chase, or idle of some kind, in this order (26.4).
pub(super) fn effect(mut context: MoveContext, rules: &Ruleset) -> Effect {
    if context.before.in_check() && context.before.king(context.mover()) == context.mv.from() {
        // 26.1(2): the general's answer to check is idle whatever it threatens.
        return Effect::new(MoveClass::Idle, Evidence::KingReply);
    }
    let contacts = contacts(&mut context.moved, &mut context.passed, &context.budget);
    let marked = invited(&contacts);
    let mut effects = Vec::new();
    if let Some(line) = kill(&mut context, marked) {
        effects.push((MoveClass::Kill, Evidence::Mate(line)));
    }
    let threats = new_threats(&mut context, marked, rules.partners_renew_chase);
    let victims = threats.iter().map(|threat| threat.opening.to()).collect::<Bitboard>();
    if let Some(chase) = strongest(&mut context, threats, marked) {
        effects.push((MoveClass::Chase, Evidence::Chase(chase)));
    }
    let mut effect = heaviest(effects, &mut context, &contacts);
    effect.victims = victims & context.passed.pieces_of(!context.mover());
    effect.pawn_attack = is_pawn_attack(&context);
    effect
}

/// The attacks found, or else the kinds of idle move, made into one effect.
pub(super) fn heaviest(
    attacks: Vec<(MoveClass, Evidence)>,
    context: &mut MoveContext,
    contacts: &[Contact],
) -> Effect {
    let idle = idle_classes(context, contacts);
    let none = attacks.is_empty();
    let mut all =
        attacks.into_iter().chain(idle.into_iter().filter(|(class, _)| none || *class != MoveClass::Idle));
    let (class, evidence) = all.next().unwrap_or((MoveClass::Idle, Evidence::None));
    let also = all.map(|(class, _)| class).collect();
    Effect { also, ..Effect::new(class, evidence) }
}

/// The threat to show: a single-handed one if there is any, and then the dearest victim.
fn strongest(context: &mut MoveContext, threats: Vec<Threat>, contacts: Bitboard) -> Option<Chase> {
    let lesser = !threats.iter().any(|threat| threat.single);
    let value = |threat: &Threat| {
        context.passed.piece_on(threat.opening.to()).map(|victim| worth_rank(victim.kind()))
    };
    let threat = threats.into_iter().max_by_key(|threat| (threat.single, value(threat)))?;
    let opening = threat.opening;
    let victim = context.passed.is_capture(opening).then(|| opening.to());
    let protection = victim.map(|_| protection(&mut context.passed, opening));
    let exempt = Exempt { contacts, old: Bitboard::EMPTY };
    let line = Hunt::new(&mut context.passed, Terms::ON_THE_SQUARE, exempt, &context.budget).line(opening);
    Some(Chase { attacker: opening.from(), victim, protection, line, lesser })
}

const fn worth_rank(kind: Kind) -> u8 {
    match kind {
        Kind::King | Kind::Pawn => 0,
        Kind::Advisor | Kind::Elephant => 1,
        Kind::Horse | Kind::Cannon => 2,
        Kind::Rook => 3,
    }
}

/// The moved pawn attacks something it did not attack before (1999, 27.2 and rule 11).
fn is_pawn_attack(context: &MoveContext) -> bool {
    let Some(pawn) = context.passed.piece_on(context.mv.to()).filter(|piece| piece.kind() == Kind::Pawn)
    else {
        return false;
    };
    let (before, after) = (&context.before, &context.passed);
    let targets = after.reach(pawn, context.mv.to()) & !before.reach(pawn, context.mv.from());
    targets.into_iter().any(|square| {
        after
            .piece_on(square)
            .is_some_and(|victim| victim.side() != pawn.side() && worth(victim, square) != Worth::Nothing)
            && Move::new(context.mv.to(), square).is_some_and(|mv| is_playable(after, mv))
    })
}
