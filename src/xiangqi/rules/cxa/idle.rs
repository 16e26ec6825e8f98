//! The idle moves told apart: exchange, offer, block and follow (CXA 24.4-24.8).

use crate::types::{Bitboard, Kind, Move, Square};

use super::super::captures::retaker;
use super::super::context::MoveContext;
use super::super::effect::{Evidence, MoveClass};
use super::contact::{Contact, accepting_is_safe};

/// Every idle class that fits the move, heaviest first; [`MoveClass::Idle`] if none does.
pub(super) fn idle_classes(context: &mut MoveContext, contacts: &[Contact]) -> Vec<(MoveClass, Evidence)> {
    let found: Vec<(MoveClass, Evidence)> = [
        exchange(context, contacts).map(|c| (MoveClass::Exchange, Evidence::Contact(c.offered, c.invited))),
        offer(context).map(|taker| (MoveClass::Offer, Evidence::Offer(taker))),
        block(context).map(|blocked| (MoveClass::Block, Evidence::Block(blocked))),
        follow(context).map(|(victim, root)| (MoveClass::Follow, Evidence::Follow(victim, root))),
    ]
    .into_iter()
    .flatten()
    .collect();
    if found.is_empty() { vec![(MoveClass::Idle, Evidence::None)] } else { found }
}

/// The contact that the move made: the moved piece's own, or one that could not be taken up before.
fn exchange(context: &MoveContext, contacts: &[Contact]) -> Option<Contact> {
    let moved = context.mv.to();
    let stood = |contact: &Contact| {
        Move::new(contact.offered, contact.invited).is_some_and(|mv| context.before.is_pseudo_legal(mv))
    };
    contacts
        .iter()
        .find(|contact| contact.offered == moved)
        .or_else(|| contacts.iter().find(|contact| !stood(contact)))
        .copied()
}

/// A piece that may take the moved one without being mated or losing by it (24.5).
fn offer(context: &mut MoveContext) -> Option<Square> {
    let target = context.mv.to();
    let takers: Vec<Move> =
        context.moved.legal_moves().iter().copied().filter(|mv| mv.to() == target).collect();
    takers
        .into_iter()
        .find(|&taker| accepting_is_safe(&mut context.moved, taker, &context.budget))
        .map(Move::from)
}

/// An enemy piece that lost squares because the moved piece stands in its way, without being attacked (24.6).
fn block(context: &MoveContext) -> Option<Square> {
    let enemy = !context.mover();
    let movers = [Kind::Rook, Kind::Cannon, Kind::Horse, Kind::Elephant];
    let pieces = movers.iter().fold(Bitboard::EMPTY, |set, &kind| set | context.moved.pieces(enemy, kind));
    let moved = context.moved.piece_on(context.mv.to())?;
    let attacked = context.moved.reach(moved, context.mv.to());
    (pieces & !attacked).into_iter().find(|&square| {
        let Some(piece) = context.moved.piece_on(square) else { return false };
        let ends = Bitboard::of(context.mv.from()).with(context.mv.to());
        let lost = context.before.reach(piece, square) & !context.moved.reach(piece, square);
        !(lost & !ends).is_empty()
    })
}

/// A protected enemy piece that the moved piece attacks, and its protector (24.7).
fn follow(context: &mut MoveContext) -> Option<(Square, Square)> {
    let from = context.mv.to();
    let piece = context.passed.piece_on(from)?;
    if matches!(piece.kind(), Kind::King | Kind::Pawn) {
        return None;
    }
    let targets = context.passed.reach(piece, from) & context.passed.pieces_of(!piece.side());
    let captures: Vec<Move> = targets.into_iter().filter_map(|to| Move::new(from, to)).collect();
    captures.into_iter().find_map(|mv| {
        let root = context.passed.is_legal(mv).then(|| retaker(&mut context.passed, mv))??;
        Some((mv.to(), root))
    })
}
