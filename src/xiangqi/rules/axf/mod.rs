//! The Asian definitions of the classes (paragraphs 15, 19, 29, 32).

mod chase;
mod names;

use crate::types::Bitboard;

use super::captures::protection;
use super::context::MoveContext;
use super::cxa::{contacts, heaviest, kill};
use super::effect::{Chase, Effect, Evidence, MoveClass};
use chase::pursuit;

pub(super) use names::PieceNames;

/// The effect of a move that does not check. Kills and the kinds of idle move are told by the Chinese
/// definitions, for they change no Asian verdict; only the chase is an offence.
pub(super) fn effect(mut context: MoveContext) -> Effect {
    let contacts = contacts(&mut context.moved, &mut context.passed, &context.budget);
    let found = pursuit(&mut context);
    let mut effects = Vec::new();
    if let Some(line) = kill(&mut context, Bitboard::EMPTY) {
        effects.push((MoveClass::Kill, Evidence::Mate(line)));
    }
    if let Some(&attack) = found.attacks.first() {
        let protection = protection(&mut context.passed, attack);
        let chase = Chase {
            attacker: attack.from(),
            victim: Some(attack.to()),
            protection: Some(protection),
            line: vec![attack],
            lesser: false,
        };
        effects.push((MoveClass::Chase, Evidence::Chase(chase)));
    }
    let mut effect = heaviest(effects, &mut context, &contacts);
    effect.victims = found.victims;
    effect.frozen = found.frozen;
    effect
}
