//! Exchange contacts (邀兑): like pieces that can take each other, where accepting costs nothing (CXA 24.4, 26.10).

use crate::board::Position;
use crate::types::{Bitboard, Kind, Move, Square};

use super::super::budget::TryBudget;
use super::super::captures::{can_retake, is_playable};
use super::exempt::Exempt;
use super::hunt::{Hunt, Terms};

/// Kinds that can stand in mutual contact. Horses can, rooks and cannons always do along a line.
const MEETING: [Kind; 3] = [Kind::Rook, Kind::Cannon, Kind::Horse];

/// A pair of like pieces in contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Contact {
    /// The piece of the side that just moved.
    pub offered: Square,
    /// The like piece of the other side.
    pub invited: Square,
}

/// The pairs in exchange contact after a move. `moved` has the other side to move, `passed` is the same
/// board with the turn handed back to the mover; both are left as they were found.
pub(in super::super) fn contacts(
    moved: &mut Position,
    passed: &mut Position,
    budget: &TryBudget,
) -> Vec<Contact> {
    let mover = passed.side();
    let mut found = Vec::new();
    for kind in MEETING {
        for offered in moved.pieces(mover, kind) {
            for invited in moved.pieces(!mover, kind) {
                let contact = Contact { offered, invited };
                let mutual = is_mutual(contact, moved, passed);
                if mutual && is_exchange(contact, kind, moved, passed, budget) {
                    found.push(contact);
                }
            }
        }
    }
    found
}

/// The squares of the invited pieces.
pub(super) fn invited(contacts: &[Contact]) -> Bitboard {
    contacts.iter().map(|contact| contact.invited).collect()
}

/// Both captures are legal.
fn is_mutual(contact: Contact, moved: &Position, passed: &Position) -> bool {
    let Some(offer) = Move::new(contact.offered, contact.invited) else { return false };
    is_playable(passed, offer) && is_playable(moved, offer.reversed())
}

/// Accepting neither mates nor loses at once; and a horse or cannon has to be protected, else it is chased
/// rather than invited (26.11(1)).
fn is_exchange(
    contact: Contact,
    kind: Kind,
    moved: &mut Position,
    passed: &mut Position,
    budget: &TryBudget,
) -> bool {
    let Some(offer) = Move::new(contact.offered, contact.invited) else { return false };
    (kind == Kind::Rook || can_retake(passed, offer)) && accepting_is_safe(moved, offer.reversed(), budget)
}

/// Whether the side to move can take by `capture` without being mated next move and without losing wood.
pub(super) fn accepting_is_safe(position: &mut Position, capture: Move, budget: &TryBudget) -> bool {
    let Some(victim) = position.piece_on(capture.to()) else { return true };
    position.make(capture);
    let punished = mates_at_once(position)
        || Hunt::new(position, Terms::ON_THE_SQUARE, Exempt::default(), budget)
            .recovers(victim, capture.to());
    position.unmake();
    !punished
}

/// Whether the side to move has a mating check.
fn mates_at_once(position: &mut Position) -> bool {
    let moves = position.legal_moves();
    moves.iter().any(|&mv| {
        position.gives_check(mv) && {
            position.make(mv);
            let mated = !position.has_legal_move();
            position.unmake();
            mated
        }
    })
}
