//! Checks and pins: which targets leave the general of the side to move safe.
//!
//! Each enemy piece that attacks the general, or would after one change of the board, puts one condition on the
//! moves of the other pieces. Every condition is a set of allowed targets, and a move is legal if its target is
//! in all of them. This covers evasions, pinned pieces, screens of cannons and blockers of horses alike.

use super::attacks;
use super::placement::Board;
use crate::types::{Bitboard, Kind, Side, Square};

/// A condition that allows some pieces other targets than the rest.
#[derive(Clone, Copy, Default)]
struct Pin {
    /// The pieces that are pinned: in the strict sense, as a screen of a cannon, or as the blocker of a horse.
    pinned: Bitboard,
    /// The targets of the pinned pieces.
    allowed: Bitboard,
    /// The targets of all other pieces.
    free: Bitboard,
}

/// The checks on the general of one side and the targets that they leave to its other pieces.
#[derive(Clone)]
pub(super) struct CheckInfo {
    /// The enemy pieces that give check.
    checkers: Bitboard,
    /// The targets that the conditions without pinned pieces leave to all pieces.
    base: Bitboard,
    /// The targets of pieces that no condition pins.
    free: Bitboard,
    /// The pieces that some condition pins.
    pinned: Bitboard,
    /// At most seven conditions pin: four sliders and the general on its lines, and two horses near it.
    pins: [Pin; 8],
    len: usize,
}

impl CheckInfo {
    /// No checks and no conditions.
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
    pub(super) fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// The targets that leave the general safe, for a piece on `from` other than the general itself.
    #[inline]
    pub(super) fn targets(&self, from: Square) -> Bitboard {
        if !self.pinned.has(from) {
            return self.free;
        }
        self.pins[..self.len]
            .iter()
            .fold(self.base, |set, pin| set & if pin.pinned.has(from) { pin.allowed } else { pin.free })
    }

    /// Adds a condition that treats all pieces alike.
    #[inline]
    fn forbid_all_but(&mut self, targets: Bitboard) {
        self.base &= targets;
        self.free &= targets;
    }

    /// Adds a condition that treats some pieces differently.
    #[inline]
    fn pin(&mut self, pinned: Bitboard, allowed: Bitboard, free: Bitboard) {
        self.pins[self.len & 7] = Pin { pinned, allowed, free };
        self.len += 1;
        self.pinned |= pinned;
        self.free &= free;
    }

    /// Replaces everything by the checks and conditions for `side` on `board`.
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

    /// Adds the conditions of rooks, of cannons, and of the other general, which sees like a rook along its file.
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
                // A hollow cannon (空头炮): a piece that steps in becomes its screen.
                (true, 0) => self.forbid_all_but(!gap),
                (true, 1) => {
                    self.checkers |= target;
                    let free = gap & !screens | target;
                    if own.is_empty() { self.forbid_all_but(free) } else { self.pin(own, !gap, free) }
                }
                // Neither of two screens may leave, except for another square in between or the cannon's.
                (true, 2) if !own.is_empty() => self.pin(own, gap & !screens | target, Bitboard::ALL),
                _ => {}
            }
        }
    }

    /// Adds the conditions of horses a leap away, whose legs may be blocked.
    #[inline]
    fn add_horses(&mut self, board: &Board, side: Side) {
        let king = board.king(side);
        for horse in attacks::horse_ring(king) & board.pieces(!side, Kind::Horse) {
            let leg = attacks::leg_of_leap(horse, king);
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
