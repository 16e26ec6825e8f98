//! What the safety of the own general demands of every move.
//!
//! Each enemy piece that bears on the general, now or after one change of the board, puts one condition on
//! the moves of the others. All conditions are independent sets of allowed targets, so that a legal move is
//! one whose target lies in their intersection: check evasions, pins, cannon screens and horse legs alike.

use super::attacks;
use super::placement::Board;
use crate::types::{Bitboard, Kind, Side, Square};

/// A condition that treats some own pieces differently: those `pinned` may only go to `allowed`, all others
/// only to `free`.
#[derive(Clone, Copy, Default)]
struct Pin {
    pinned: Bitboard,
    allowed: Bitboard,
    free: Bitboard,
}

/// The checks on the general of one side, and the targets its other pieces may go to.
#[derive(Clone)]
pub struct CheckInfo {
    checkers: Bitboard,
    /// Targets that the conditions without pinned pieces leave to everybody.
    base: Bitboard,
    /// Targets of pieces that are pinned by nothing.
    free: Bitboard,
    pinned: Bitboard,
    /// At most five enemy pieces stand on the general's lines and two horses near it.
    pins: [Pin; 8],
    len: usize,
}

impl CheckInfo {
    /// No condition at all.
    pub(super) fn none() -> CheckInfo {
        CheckInfo {
            checkers: Bitboard::EMPTY,
            base: Bitboard::ALL,
            free: Bitboard::ALL,
            pinned: Bitboard::EMPTY,
            pins: [Pin::default(); 8],
            len: 0,
        }
    }

    /// The enemy pieces that give check.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Own pieces that may not go everywhere: pinned ones, screens, and those that block a horse's leg.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// The targets that leave the general safe, for a piece on `from` other than the general itself.
    #[inline]
    pub fn targets(&self, from: Square) -> Bitboard {
        if !self.pinned.has(from) {
            return self.free;
        }
        self.pins[..self.len]
            .iter()
            .fold(self.base, |set, pin| set & if pin.pinned.has(from) { pin.allowed } else { pin.free })
    }

    #[inline]
    fn forbid_all_but(&mut self, targets: Bitboard) {
        self.base &= targets;
        self.free &= targets;
    }

    #[inline]
    fn pin(&mut self, pinned: Bitboard, allowed: Bitboard, free: Bitboard) {
        self.pins[self.len & 7] = Pin { pinned, allowed, free };
        self.len += 1;
        self.pinned |= pinned;
        self.free &= free;
    }

    /// Works out the conditions for `side` afresh, in place.
    pub(super) fn recompute(&mut self, board: &Board, side: Side) {
        (self.checkers, self.base, self.free) = (Bitboard::EMPTY, Bitboard::ALL, Bitboard::ALL);
        (self.pinned, self.len) = (Bitboard::EMPTY, 0);
        self.add_sliders(board, side);
        self.add_horses(board, side);
        let king = board.king(side);
        let pawns = attacks::pawns_to(!side, king) & board.pieces(!side, Kind::Pawn);
        for pawn in pawns {
            self.checkers = self.checkers.with(pawn);
            self.forbid_all_but(Bitboard::of(pawn));
        }
    }

    /// Rooks, the other general (who sees like a rook along the file), and cannons.
    #[inline]
    fn add_sliders(&mut self, board: &Board, side: Side) {
        let king = board.king(side);
        let cannons = board.pieces(!side, Kind::Cannon);
        let straight = board.pieces(!side, Kind::Rook) | board.pieces(!side, Kind::King);
        for slider in (cannons | straight) & attacks::cross(king) {
            let gap = attacks::between(king, slider);
            let screens = gap & board.occupied();
            let own = screens & board.pieces_of(side);
            let target = Bitboard::of(slider);
            match (cannons.has(slider), screens.len()) {
                (false, 0) => {
                    self.checkers |= target;
                    self.forbid_all_but(gap | target);
                }
                (false, 1) if !own.is_empty() => self.pin(own, gap | target, Bitboard::ALL),
                // A hollow cannon (空头炮): whoever steps in becomes its screen.
                (true, 0) => self.forbid_all_but(!gap),
                (true, 1) => {
                    self.checkers |= target;
                    let free = gap & !screens | target;
                    if own.is_empty() { self.forbid_all_but(free) } else { self.pin(own, !gap, free) }
                }
                // Of two screens neither may leave, unless for another place in between or the cannon.
                (true, 2) if !own.is_empty() => self.pin(own, gap & !screens | target, Bitboard::ALL),
                _ => {}
            }
        }
    }

    #[inline]
    fn add_horses(&mut self, board: &Board, side: Side) {
        let king = board.king(side);
        for horse in attacks::horse_ring(king) & board.pieces(!side, Kind::Horse) {
            let leg = attacks::horse_leg(horse, king);
            let target = Bitboard::of(horse);
            if !board.occupied().has(leg) {
                self.checkers |= target;
                self.forbid_all_but(target.with(leg));
            } else if board.pieces_of(side).has(leg) {
                self.pin(Bitboard::of(leg), target, Bitboard::ALL);
            }
        }
    }
}
