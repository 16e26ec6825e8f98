//! The idle moves told apart: exchange, offer, block and follow (CXA 24.4-24.8).

use crate::board::Position;
use crate::types::{Bitboard, Kind, Move, Square};

use super::chase::Scene;
use super::contact::{Contact, accepting_is_safe};
use super::effect::{Class, Evidence};

/// Every idle class that fits the move, heaviest first; [`Class::Idle`] if none does.
pub(super) fn idle_classes(scene: &mut Scene, contacts: &[Contact]) -> Vec<(Class, Evidence)> {
    let found: Vec<(Class, Evidence)> = [
        exchange(scene, contacts).map(|c| (Class::Exchange, Evidence::Contact(c.offered, c.invited))),
        offer(scene).map(|taker| (Class::Offer, Evidence::Offer(taker))),
        block(scene).map(|blocked| (Class::Block, Evidence::Block(blocked))),
        follow(scene).map(|(victim, root)| (Class::Follow, Evidence::Follow(victim, root))),
    ]
    .into_iter()
    .flatten()
    .collect();
    if found.is_empty() { vec![(Class::Idle, Evidence::None)] } else { found }
}

/// The contact that the move made: the moved piece's own, or one that could not be taken up before.
fn exchange(scene: &Scene, contacts: &[Contact]) -> Option<Contact> {
    let moved = scene.mv.to();
    let stood = |contact: &Contact| {
        Move::new(contact.offered, contact.invited).is_some_and(|mv| scene.before.is_pseudo_legal(mv))
    };
    contacts
        .iter()
        .find(|contact| contact.offered == moved)
        .or_else(|| contacts.iter().find(|contact| !stood(contact)))
        .copied()
}

/// A piece that may take the moved one without being mated or losing by it (24.5).
fn offer(scene: &mut Scene) -> Option<Square> {
    let target = scene.mv.to();
    let takers: Vec<Move> =
        scene.moved.legal_moves().iter().copied().filter(|mv| mv.to() == target).collect();
    takers
        .into_iter()
        .find(|&taker| accepting_is_safe(&mut scene.moved, taker, &scene.measure))
        .map(Move::from)
}

/// An enemy piece that lost squares because the moved piece stands in its way, without being attacked (24.6).
fn block(scene: &Scene) -> Option<Square> {
    let enemy = !scene.mover();
    let movers = [Kind::Rook, Kind::Cannon, Kind::Horse, Kind::Elephant];
    let pieces = movers.iter().fold(Bitboard::EMPTY, |set, &kind| set | scene.moved.pieces(enemy, kind));
    let moved = scene.moved.piece_on(scene.mv.to())?;
    let attacked = scene.moved.reach(moved, scene.mv.to());
    (pieces & !attacked).into_iter().find(|&square| {
        let Some(piece) = scene.moved.piece_on(square) else { return false };
        let ends = Bitboard::of(scene.mv.from()).with(scene.mv.to());
        let lost = scene.before.reach(piece, square) & !scene.moved.reach(piece, square);
        !(lost & !ends).is_empty()
    })
}

/// A protected enemy piece that the moved piece attacks, and its protector (24.7).
fn follow(scene: &mut Scene) -> Option<(Square, Square)> {
    let from = scene.mv.to();
    let piece = scene.passed.piece_on(from)?;
    if matches!(piece.kind(), Kind::King | Kind::Pawn) {
        return None;
    }
    let targets = scene.passed.reach(piece, from) & scene.passed.pieces_of(!piece.side());
    let captures: Vec<Move> = targets.into_iter().filter_map(|to| Move::new(from, to)).collect();
    captures.into_iter().find_map(|mv| {
        let root = scene.passed.is_legal(mv).then(|| retaker(&mut scene.passed, mv))??;
        Some((mv.to(), root))
    })
}

/// A piece that can retake after `capture`.
pub(super) fn retaker(position: &mut Position, capture: Move) -> Option<Square> {
    position.make(capture);
    let root = position.legal_moves().iter().find(|mv| mv.to() == capture.to()).map(|mv| mv.from());
    position.unmake();
    root
}
