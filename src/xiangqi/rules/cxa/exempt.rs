//! Sets of pieces that are remembered by their squares while a line is played out.

use crate::types::{Bitboard, Move};

/// Pieces of the hunted side that a line of captures treats apart.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Exempt {
    /// Pieces that stand in exchange contact, for as long as they stay on their squares (24.4).
    pub contacts: Bitboard,
    /// Pieces that could already be won before the judged move, wherever they go since (29.2 of 1999).
    pub old: Bitboard,
}

impl Exempt {
    /// The exempt after `mv` was played: a taken piece loses its exempt, a moving one keeps only its age.
    pub fn after(self, mv: Move) -> Exempt {
        let contacts = self.contacts.without(mv.from()).without(mv.to());
        let old = self.old.without(mv.from()).without(mv.to());
        Exempt { contacts, old: if self.old.has(mv.from()) { old.with(mv.to()) } else { old } }
    }
}
