//! The Asian chase: captures that stand on the board after the move (paragraphs 15, 19, 29, 32).
//!
//! Only direct legal captures count, by pieces other than the general and the pawns, of a piece that cannot
//! be retaken, or of a rook by a horse or cannon. Like pieces that can take each other are not chased.

use crate::board::Position;
use crate::types::{Bitboard, Kind, Move, Piece, Square};

use super::super::captures::{can_retake, is_playable};
use super::super::context::MoveContext;
use super::super::cxa::crossed;

/// What a move newly attacks.
#[derive(Debug, Clone, Default)]
pub(super) struct Pursuit {
    /// The new attacks, one for each victim.
    pub attacks: Vec<Move>,
    /// The victims.
    pub victims: Bitboard,
    /// Those victims that are rooks which may not leave because a horse would give check.
    pub frozen: Bitboard,
}

/// The new attacks of a move. In check the attacks of before are taken by the way the pieces move alone,
/// for only answers to the check were legal there.
pub(super) fn pursuit(context: &mut MoveContext) -> Pursuit {
    let before = attacks(&mut context.before);
    let after = attacks(&mut context.passed);
    let origin = |square: Square| if square == context.mv.to() { context.mv.from() } else { square };
    let mut found = Pursuit::default();
    for attack in after {
        let stood = before.iter().any(|old| old.from() == origin(attack.from()) && old.to() == attack.to());
        if !stood && !found.victims.has(attack.to()) {
            found.victims = found.victims.with(attack.to());
            found.attacks.push(attack);
        }
    }
    let frozen = found.victims.into_iter().filter(|&square| is_frozen(&context.passed, square));
    found.frozen = frozen.collect();
    found
}

/// Attacks by the side to move that count.
fn attacks(position: &mut Position) -> Vec<Move> {
    let in_check = position.in_check();
    let side = position.side();
    let mut found = Vec::new();
    let hunters = [Kind::Advisor, Kind::Elephant, Kind::Horse, Kind::Rook, Kind::Cannon];
    for from in hunters.iter().fold(Bitboard::EMPTY, |set, &kind| set | position.pieces(side, kind)) {
        let Some(hunter) = position.piece_on(from) else { continue };
        for to in position.reach(hunter, from) & position.pieces_of(!side) {
            let Some(victim) = position.piece_on(to) else { continue };
            let Some(attack) = Move::new(from, to) else { continue };
            let legal = position.is_legal(attack);
            if is_victim(victim, to)
                && (legal || in_check)
                && !is_mutual(position, attack, hunter, victim)
                && is_exposed(position, attack, hunter, victim)
            {
                found.push(attack);
            }
        }
    }
    found
}

/// The general is no victim, nor is a pawn that has not crossed the river (D60; a crossed one is, D59, D75).
fn is_victim(victim: Piece, square: Square) -> bool {
    match victim.kind() {
        Kind::King => false,
        Kind::Pawn => crossed(victim.side(), square),
        _ => true,
    }
}

/// A like piece that could itself take the hunter, if it were its turn, is offered an exchange (D51-53).
fn is_mutual(position: &Position, attack: Move, hunter: Piece, victim: Piece) -> bool {
    if hunter.kind() != victim.kind() {
        return false;
    }
    if position.in_check() {
        return position.reach(victim, attack.to()).has(attack.from());
    }
    let mut turned = position.without_past();
    turned.make_null();
    is_playable(&turned, attack.reversed())
}

/// The victim cannot be retaken, judged after the capture; a rook hit by a horse or cannon is always exposed.
/// A capture that is not legal now, because of a check, is judged by the way the pieces move.
fn is_exposed(position: &mut Position, attack: Move, hunter: Piece, victim: Piece) -> bool {
    if victim.kind() == Kind::Rook && matches!(hunter.kind(), Kind::Horse | Kind::Cannon) {
        true
    } else if position.is_legal(attack) {
        !can_retake(position, attack)
    } else {
        !position.attackers_to(attack.to()).meets(position.pieces_of(victim.side()))
    }
}

/// Whether a rook keeps a horse from giving check: with the rook lifted, the horse checks its general.
fn is_frozen(position: &Position, square: Square) -> bool {
    let Some(piece) = position.piece_on(square).filter(|piece| piece.kind() == Kind::Rook) else {
        return false;
    };
    let king = position.king(piece.side());
    let horses = position.pieces(!piece.side(), Kind::Horse);
    let seen = |occupied: Bitboard| crate::board::attacks::horses_to(king, horses, occupied);
    seen(position.occupied()).is_empty() && !seen(position.occupied().without(square)).is_empty()
}
