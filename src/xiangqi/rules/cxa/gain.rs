//! Counting the wood of an exchange (子力价值, CXA 25.3 of 1999, 26.5-26.8 of 2020).

use crate::types::{Kind, Piece, Side, Square};

/// The value of a rook; two minor pieces make one.
const ROOK: i32 = 10;
/// The value of a horse or cannon.
const MINOR: i32 = 5;
/// The value of an advisor or elephant. All of a side's together stay below a minor piece, so that a strong
/// piece never gains by taking several weak ones in exchange for itself (26.6).
const WEAK: i32 = 1;

/// What a piece is worth on its square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Worth {
    /// The general, or a pawn that has not crossed the river: no wood.
    Nothing,
    /// A pawn beyond the river, whose value floats.
    Crossed,
    /// Any other piece.
    Fixed(i32),
}

/// Whether `square` lies beyond the river for `side`.
pub(in super::super) const fn crossed(side: Side, square: Square) -> bool {
    match side {
        Side::Red => square.rank() >= 5,
        Side::Black => square.rank() <= 4,
    }
}

/// The worth of `piece` standing on `square`.
pub(super) const fn worth(piece: Piece, square: Square) -> Worth {
    match piece.kind() {
        Kind::King => Worth::Nothing,
        Kind::Pawn if crossed(piece.side(), square) => Worth::Crossed,
        Kind::Pawn => Worth::Nothing,
        Kind::Advisor | Kind::Elephant => Worth::Fixed(WEAK),
        Kind::Horse | Kind::Cannon => Worth::Fixed(MINOR),
        Kind::Rook => Worth::Fixed(ROOK),
    }
}

/// The value to compare captor and victim by: a pawn counts less than any other piece.
pub(super) const fn standing(piece: Piece) -> i32 {
    match piece.kind() {
        Kind::King => i32::MAX,
        Kind::Pawn => 0,
        Kind::Advisor | Kind::Elephant => WEAK,
        Kind::Horse | Kind::Cannon => MINOR,
        Kind::Rook => ROOK,
    }
}

/// The balance of a line of captures, seen by the side that hunts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Gain {
    /// Pieces of fixed value won less those lost.
    wood: i32,
    /// Crossed pawns won less those lost.
    pawns: i32,
    /// The part of the wood taken by the hunter's king and pawns.
    by_king_or_pawn: i32,
    /// Whether the hunter has taken anything.
    pub took: bool,
}

impl Gain {
    /// The balance after the hunter's `captor` took `victim` on `square`, where the exchange began or not.
    pub fn taking(mut self, captor: Piece, victim: Piece, square: Square, began_here: bool) -> Gain {
        // The king or a pawn that hits what the others hit is a hunter like them, and so is a pawn that takes
        // first, for it gives check; elsewhere they only complete an exchange (26.8).
        let helper = matches!(captor.kind(), Kind::King | Kind::Pawn);
        let first = !self.took && captor.kind() == Kind::Pawn;
        let completes = helper && !first && !began_here;
        self.took = true;
        match worth(victim, square) {
            Worth::Nothing => {}
            Worth::Crossed => self.pawns += 1,
            Worth::Fixed(value) => {
                self.wood += value;
                self.by_king_or_pawn += if completes { value } else { 0 };
            }
        }
        self
    }

    /// The balance after the hunter lost `victim` on `square`.
    pub fn losing(mut self, victim: Piece, square: Square) -> Gain {
        match worth(victim, square) {
            Worth::Nothing => {}
            Worth::Crossed => self.pawns -= 1,
            Worth::Fixed(value) => self.wood -= value,
        }
        self
    }

    /// How much the line wins: positive for a gain (得子), 0 for an even trade, negative for a loss.
    ///
    /// Doubled wood plus the pawns, but a pawn's value floats below a rook (26.7): a trade of pawns for any
    /// piece is even. Whether a pawn given for a rook is a gain depends on the rules.
    pub fn score(self, pawn_buys_rook: bool) -> i32 {
        let Gain { wood, pawns, by_king_or_pawn, .. } = self;
        // 26.8: an otherwise equal exchange that the king or a pawn completes is idle.
        if by_king_or_pawn > 0 && wood == by_king_or_pawn {
            return 0;
        }
        if pawns >= 0 {
            match wood {
                0.. => 2 * wood + pawns,
                _ if pawns > 0 && wood > -ROOK => 0,
                _ => 2 * wood,
            }
        } else {
            match wood {
                ROOK.. if pawn_buys_rook => 2 * wood - 2 * ROOK + 1,
                1.. => 0,
                _ => 2 * wood + pawns,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Piece::*;

    const HOME: Square = Square::new(4, 2).unwrap();
    const AWAY: Square = Square::new(4, 7).unwrap();

    #[test]
    fn a_rook_for_two_minors_is_even() {
        let traded = Gain::default().taking(RedHorse, BlackRook, AWAY, false).losing(RedHorse, AWAY);
        assert!(traded.score(true) > 0);
        assert_eq!(traded.losing(RedCannon, AWAY).score(true), 0);
    }

    #[test]
    fn weak_pieces_never_pay_for_a_strong_one() {
        let mut gain = Gain::default().losing(RedCannon, AWAY);
        for weak in [BlackAdvisor, BlackAdvisor, BlackElephant, BlackElephant] {
            gain = gain.taking(RedCannon, weak, AWAY, false);
        }
        assert!(gain.score(true) < 0);
    }

    #[test]
    fn pawns_float_below_a_rook() {
        let pawn = Gain::default().taking(RedRook, BlackPawn, HOME, false);
        assert!(pawn.score(true) > 0, "a crossed pawn is a gain");
        assert_eq!(
            Gain::default().taking(RedRook, BlackPawn, AWAY, false).score(true),
            0,
            "an uncrossed one is not"
        );
        assert_eq!(pawn.losing(RedHorse, HOME).score(true), 0);
        assert!(pawn.losing(RedRook, HOME).score(true) < 0);
        let given = Gain::default().losing(RedPawn, AWAY);
        assert!(given.taking(RedRook, BlackRook, AWAY, false).score(true) > 0, "2020");
        assert_eq!(given.taking(RedRook, BlackRook, AWAY, false).score(false), 0, "1999");
        assert_eq!(given.taking(RedRook, BlackElephant, AWAY, false).score(true), 0);
    }

    #[test]
    fn the_king_completing_an_even_trade_wins_nothing() {
        let even = Gain::default().taking(RedHorse, BlackCannon, AWAY, false).losing(RedHorse, AWAY);
        assert_eq!(even.taking(RedKing, BlackHorse, HOME, false).score(true), 0);
        assert!(even.taking(RedKing, BlackHorse, AWAY, true).score(true) > 0, "it hit the cannon too");
        assert!(even.taking(RedRook, BlackHorse, HOME, false).score(true) > 0);
    }

    #[test]
    fn a_pawn_hunts_only_if_it_takes_first() {
        let first = Gain::default().taking(RedPawn, BlackHorse, AWAY, false);
        assert!(first.score(true) > 0);
        let even = Gain::default().taking(RedHorse, BlackCannon, AWAY, false).losing(RedHorse, AWAY);
        assert_eq!(even.taking(RedPawn, BlackHorse, HOME, false).score(true), 0);
    }
}
