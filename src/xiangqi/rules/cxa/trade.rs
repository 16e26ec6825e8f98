//! When an even complete exchange is a chase all the same (CXA 26.5).
//!
//! A complete exchange has to gain (24.3). But where each side takes its own (各吃各子), and where a root or a
//! piece pinned in front of another takes at the price of what it held (做根子和被牵子捉子), an even outcome is
//! enough. A captor that is itself retaken has only exchanged itself, unless the price is what it held.

use crate::board::Position;
use crate::types::{Bitboard, Move, Square};

/// Who took what, as far as an even outcome depends on it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Trade {
    /// Where the first capture was made.
    target: Option<Square>,
    /// Where the piece that took first stands, if it took and was not retaken.
    captor: Option<Square>,
    /// The hunter's pieces that could be taken already and that the captor did not hold.
    loose: Bitboard,
    /// The hunted side took on another square than the hunter's.
    elsewhere: bool,
    /// And there it took a loose piece.
    took_loose: bool,
}

impl Trade {
    /// The trade that the first capture of a line opens.
    pub fn opened_by(position: &Position, capture: Move) -> Trade {
        let (own, enemies) = (position.side(), position.pieces_of(!position.side()));
        let attacked = position.pieces_of(own).into_iter().filter(|&square| {
            let around = position.attackers_to(square);
            around.meets(enemies) && !around.has(capture.from())
        });
        let target = Some(capture.to());
        Trade { target, captor: target, loose: attacked.collect(), ..Trade::default() }
    }

    /// The trade after the hunter played on with `mv`.
    pub fn continued_by(self, mv: Move) -> Trade {
        match self.captor {
            Some(square) if square == mv.from() => Trade { captor: Some(mv.to()), ..self },
            _ => self,
        }
    }

    /// The trade after the hunted side took by `mv`, retaking on the square of the hunter's capture or not.
    pub fn answered_by(mut self, mv: Move, retakes: bool) -> Trade {
        if self.captor == Some(mv.to()) {
            self.captor = None;
        }
        if !retakes {
            self.elsewhere = true;
            self.took_loose |= self.loose.has(mv.to());
        }
        self
    }

    /// Whether the first capture was made on `square`.
    pub fn began_on(self, square: Square) -> bool {
        self.target == Some(square)
    }

    /// Whether an even outcome is a chase.
    pub fn may_be_even(self) -> bool {
        self.elsewhere && (self.captor.is_some() || !self.took_loose)
    }
}
