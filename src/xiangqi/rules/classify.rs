//! The class of a move: check, kill, chase, or idle of some kind, in this order (CXA 24.1-24.8, 26.4).
//!
//! A class depends on the position before the move and on the move alone, never on the game that led there.
//! That is what lets search remember classes by position and move.

use crate::board::Position;
use crate::types::{Bitboard, Kind, Move};

use super::chase::{Plan, Scene, new_plans};
use super::contact::{Contact, contacts, invited, is_playable};
use super::effect::{Chase, Class, Effect, Evidence, Root};
use super::exchange::{Hunt, Terms};
use super::gain::{Worth, worth};
use super::idle::{idle_classes, retaker};
use super::marks::Marks;
use super::pursuit::pursuit;
use super::ruleset::{Reading, Ruleset};
use super::threat::{LONGEST_MATE, Solver};

/// The effect of the legal move `mv` in `position`.
pub(super) fn classify(position: &Position, mv: Move, rules: &Ruleset) -> Effect {
    let Some(scene) = Scene::of(position, mv, rules) else { return check(position, mv) };
    match rules.reading {
        Reading::ChecksOnly => Effect::new(Class::Idle, Evidence::None),
        Reading::Contact => by_contact(scene),
        Reading::Gain => by_gain(scene, rules),
    }
}

fn check(position: &Position, mv: Move) -> Effect {
    let mut moved = position.without_past();
    moved.make(mv);
    Effect::new(Class::Check, Evidence::Checkers(moved.checkers()))
}

/// The Asian reading: kill and chase are told by what stands on the board; only the chase is an offence.
fn by_contact(mut scene: Scene) -> Effect {
    let contacts = contacts(&mut scene.moved, &mut scene.passed, &scene.measure);
    let found = pursuit(&mut scene);
    let mut effects = Vec::new();
    if let Some(line) = kill(&mut scene, Bitboard::EMPTY) {
        effects.push((Class::Kill, Evidence::Mate(line)));
    }
    if let Some(&attack) = found.attacks.first() {
        let root = root(&mut scene.passed, attack);
        let chase = Chase {
            attacker: attack.from(),
            victim: Some(attack.to()),
            root: Some(root),
            line: vec![attack],
            lesser: false,
        };
        effects.push((Class::Chase, Evidence::Chase(chase)));
    }
    let mut effect = heaviest(effects, &mut scene, &contacts);
    effect.victims = found.victims;
    effect.frozen = found.frozen;
    effect
}

/// The CXA reading: what could be won next move.
fn by_gain(mut scene: Scene, rules: &Ruleset) -> Effect {
    if scene.before.in_check() && scene.before.king(scene.mover()) == scene.mv.from() {
        // 26.1(2): the general's answer to check is idle whatever it threatens.
        return Effect::new(Class::Idle, Evidence::KingReply);
    }
    let contacts = contacts(&mut scene.moved, &mut scene.passed, &scene.measure);
    let marked = invited(&contacts);
    let mut effects = Vec::new();
    if let Some(line) = kill(&mut scene, marked) {
        effects.push((Class::Kill, Evidence::Mate(line)));
    }
    let plans = new_plans(&mut scene, marked, rules.partners_renew_chase);
    let victims = plans.iter().map(|plan| plan.opening.to()).collect::<Bitboard>();
    if let Some(chase) = strongest(&mut scene, plans, marked) {
        effects.push((Class::Chase, Evidence::Chase(chase)));
    }
    let mut effect = heaviest(effects, &mut scene, &contacts);
    effect.victims = victims & scene.passed.pieces_of(!scene.mover());
    effect.pawn_attack = is_pawn_attack(&scene);
    effect
}

/// The attacks found, or else the kinds of idle move, made into one effect.
fn heaviest(attacks: Vec<(Class, Evidence)>, scene: &mut Scene, contacts: &[Contact]) -> Effect {
    let idle = idle_classes(scene, contacts);
    let none = attacks.is_empty();
    let mut all =
        attacks.into_iter().chain(idle.into_iter().filter(|(class, _)| none || *class != Class::Idle));
    let (class, evidence) = all.next().unwrap_or((Class::Idle, Evidence::None));
    let also = all.map(|(class, _)| class).collect();
    Effect { also, ..Effect::new(class, evidence) }
}

/// The mate that the move threatens.
fn kill(scene: &mut Scene, contacts: Bitboard) -> Option<Vec<Move>> {
    let marks = Marks { contacts, old: Bitboard::EMPTY };
    let line = Solver::new(&mut scene.passed, &scene.measure).mate(LONGEST_MATE, marks)?;
    (!is_self_inflicted(scene, &line, marks)).then_some(line)
}

/// The opponent's check left it open to a mate to which the answer adds nothing (自毙, 24.18, 26.3): its
/// first check was on the board before the answer, and it mates there once the checking pieces are lifted.
fn is_self_inflicted(scene: &Scene, line: &[Move], marks: Marks) -> bool {
    let mut unchecked = scene.before.clone();
    for checker in scene.before.checkers() {
        if let Some(lifted) = unchecked.without(checker) {
            unchecked = lifted;
        }
    }
    scene.before.in_check()
        && line.first().is_some_and(|&mv| mv.from() != scene.mv.to() && scene.before.is_pseudo_legal(mv))
        && !unchecked.opponent_in_check()
        && Solver::new(&mut unchecked, &scene.measure).mate(LONGEST_MATE, marks).is_some()
}

/// The plan to show: a single-handed one if there is any, and then the dearest victim.
fn strongest(scene: &mut Scene, plans: Vec<Plan>, contacts: Bitboard) -> Option<Chase> {
    let lesser = !plans.iter().any(|plan| plan.single);
    let value =
        |plan: &Plan| scene.passed.piece_on(plan.opening.to()).map(|victim| worth_rank(victim.kind()));
    let plan = plans.into_iter().max_by_key(|plan| (plan.single, value(plan)))?;
    let opening = plan.opening;
    let victim = scene.passed.is_capture(opening).then(|| opening.to());
    let root = victim.map(|_| root(&mut scene.passed, opening));
    let marks = Marks { contacts, old: Bitboard::EMPTY };
    let line = Hunt::new(&mut scene.passed, Terms::ON_THE_SQUARE, marks, &scene.measure).line(opening);
    Some(Chase { attacker: opening.from(), victim, root, line, lesser })
}

const fn worth_rank(kind: Kind) -> u8 {
    match kind {
        Kind::King | Kind::Pawn => 0,
        Kind::Advisor | Kind::Elephant => 1,
        Kind::Horse | Kind::Cannon => 2,
        Kind::Rook => 3,
    }
}

/// How the victim of a capture by the side to move is protected (24.15, 24.16).
fn root(position: &mut Position, capture: Move) -> Root {
    if let Some(root) = retaker(position, capture) {
        return Root::Insufficient(root);
    }
    let victims = position.pieces_of(!position.side());
    position.make(capture);
    let seeming = position.attackers_to(capture.to()) & victims;
    position.unmake();
    seeming.first().map_or(Root::Unprotected, Root::False)
}

/// The moved pawn attacks something it did not attack before (1999, 27.2 and rule 11).
fn is_pawn_attack(scene: &Scene) -> bool {
    let Some(pawn) = scene.passed.piece_on(scene.mv.to()).filter(|piece| piece.kind() == Kind::Pawn) else {
        return false;
    };
    let (before, after) = (&scene.before, &scene.passed);
    let targets = after.reach(pawn, scene.mv.to()) & !before.reach(pawn, scene.mv.from());
    targets.into_iter().any(|square| {
        after
            .piece_on(square)
            .is_some_and(|victim| victim.side() != pawn.side() && worth(victim, square) != Worth::Nothing)
            && Move::new(scene.mv.to(), square).is_some_and(|mv| is_playable(after, mv))
    })
}
