//! The geometry of the board: where pieces can stand, their steps and leaps, lines and what lies between.

use crate::types::{Bitboard, Kind, PerSquare, Piece, Side, Square};

/// The targets of all `steps` (file, rank) that stay on the board and, where `region` is not empty, in it.
pub(super) const fn leaps(from: Square, steps: &[(i8, i8)], region: Bitboard) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut i = 0;
    while i < steps.len() {
        if let Some(to) = from.offset(steps[i].0, steps[i].1)
            && (region.is_empty() || region.has(to))
        {
            set = set.with(to);
        }
        i += 1;
    }
    set
}

/// A set and its image on the other side of the river.
pub(super) const fn both(red: Bitboard) -> Bitboard {
    let mut all = red;
    let mut index = 0;
    while index < Square::COUNT {
        if red.has(Square::at(index)) {
            all = all.with(Square::at(index).flipped());
        }
        index += 1;
    }
    all
}

/// The squares where a piece can stand (CXA 2020 chapter 2: palace, elephant points, pawn files).
pub(super) const fn place(kind: Kind, side: Side) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut index = 0;
    while index < Square::COUNT {
        let square = Square::at(index);
        let (file, rank) = (square.file(), square.rank());
        let stands = match kind {
            Kind::King => file >= 3 && file <= 5 && rank <= 2,
            Kind::Advisor => file >= 3 && file <= 5 && rank <= 2 && (file + rank) % 2 == 1,
            Kind::Elephant => match rank {
                0 | 4 => file == 2 || file == 6,
                2 => file == 0 || file == 4 || file == 8,
                _ => false,
            },
            Kind::Pawn => rank >= 5 || (rank >= 3 && file % 2 == 0),
            Kind::Horse | Kind::Rook | Kind::Cannon => true,
        };
        if stands {
            set = set.with(match side {
                Side::Red => square,
                Side::Black => square.flipped(),
            });
        }
        index += 1;
    }
    set
}

/// The squares where each piece can stand, by [`Piece::index`] (CXA 2020 chapter 2).
///
/// ```
/// use xiangqi::board::attacks::PLACES;
/// use xiangqi::types::Piece;
///
/// assert_eq!(PLACES[Piece::RedElephant.index()].len(), 7);
/// ```
pub static PLACES: [Bitboard; 14] = {
    let mut places = [Bitboard::EMPTY; 14];
    let mut index = 0;
    while index < 14 {
        places[index] = place(Piece::ALL[index].kind(), Piece::ALL[index].side());
        index += 1;
    }
    places
};

/// Both palaces (九宫).
const PALACES: Bitboard = both(place(Kind::King, Side::Red));
/// Red's half of the board, ranks 0-4; the other half is Black's.
pub(crate) const RED_HALF: Bitboard = Bitboard::from_bits((1 << 45) - 1);

/// Steps to the four neighbours on the same rank or file.
pub(super) const ORTHOGONAL: &[(i8, i8)] = &[(0, 1), (0, -1), (1, 0), (-1, 0)];
const DIAGONAL: &[(i8, i8)] = &[(1, 1), (1, -1), (-1, 1), (-1, -1)];
const HORSE_STEPS: &[(i8, i8)] = &[(1, 2), (-1, 2), (1, -2), (-1, -2), (2, 1), (-2, 1), (2, -1), (-2, -1)];

const fn leaper(steps: &[(i8, i8)], region: Bitboard) -> PerSquare<Bitboard> {
    let mut table = PerSquare::filled(Bitboard::EMPTY);
    let mut index = 0;
    while index < Square::COUNT {
        let from = Square::at(index);
        if region.is_empty() || region.has(from) {
            table = table.with(from, leaps(from, steps, region));
        }
        index += 1;
    }
    table
}

/// The pawn steps of `side` or, with `reverse`, the squares from which such a pawn attacks.
const fn pawns(side: Side, reverse: bool) -> PerSquare<Bitboard> {
    let forward = match side {
        Side::Red => 1,
        Side::Black => -1,
    };
    let half = match side {
        Side::Red => RED_HALF,
        Side::Black => Bitboard::from_bits(!RED_HALF.bits()),
    };
    let mut table = PerSquare::filled(Bitboard::EMPTY);
    let mut index = 0;
    while index < Square::COUNT {
        let from = Square::at(index);
        let ahead = if reverse { -forward } else { forward };
        let steps: &[(i8, i8)] = if half.has(from) { &[(0, ahead)] } else { &[(0, ahead), (1, 0), (-1, 0)] };
        table = table.with(from, leaps(from, steps, Bitboard::EMPTY));
        index += 1;
    }
    table
}

static KINGS: PerSquare<Bitboard> = leaper(ORTHOGONAL, PALACES);
static ADVISORS: PerSquare<Bitboard> = leaper(DIAGONAL, both(place(Kind::Advisor, Side::Red)));
static PAWNS: [PerSquare<Bitboard>; 2] = [pawns(Side::Red, false), pawns(Side::Black, false)];
static PAWNS_TO: [PerSquare<Bitboard>; 2] = [pawns(Side::Red, true), pawns(Side::Black, true)];
static HORSE_RING: PerSquare<Bitboard> = leaper(HORSE_STEPS, Bitboard::EMPTY);
static DIAGONALS: PerSquare<Bitboard> = leaper(DIAGONAL, Bitboard::EMPTY);

/// The squares that a king on `square` attacks, none outside the palaces; kings attack symmetrically.
#[inline]
pub fn king(square: Square) -> Bitboard {
    KINGS[square]
}

/// The squares that an advisor on `square` attacks, none where it cannot stand; advisors attack symmetrically.
#[inline]
pub fn advisor(square: Square) -> Bitboard {
    ADVISORS[square]
}

/// The squares that a pawn of `side` on `square` attacks.
#[inline]
pub fn pawn(side: Side, square: Square) -> Bitboard {
    PAWNS[side.index()][square]
}

/// All squares that the pawns of `side` on a set of squares attack.
#[inline]
pub(crate) fn pawn_steps(side: Side, pawns: Bitboard) -> Bitboard {
    const NOT_A: u128 = !Bitboard::file(0).bits();
    const NOT_I: u128 = !Bitboard::file(8).bits();
    let (ahead, half) = match side {
        Side::Red => (pawns.bits() << 9, RED_HALF.bits()),
        Side::Black => (pawns.bits() >> 9, !RED_HALF.bits()),
    };
    let crossed = pawns.bits() & !half;
    Bitboard::from_bits(ahead | (crossed & NOT_A) >> 1 | (crossed & NOT_I) << 1)
}

/// The squares from which a pawn of `side` attacks `square`.
#[inline]
pub fn pawns_to(side: Side, square: Square) -> Bitboard {
    PAWNS_TO[side.index()][square]
}

/// The squares a horse's leap away from `square`, whether or not its legs are blocked.
#[inline]
pub fn horse_ring(square: Square) -> Bitboard {
    HORSE_RING[square]
}

/// Returns the leg (马腿) that must be empty for a horse on `from` to reach `to`, or `None` if the two squares are
/// not a horse's leap apart.
///
/// ```
/// use xiangqi::board::attacks;
///
/// assert_eq!(attacks::horse_leg("b0".parse()?, "c2".parse()?), "b1".parse().ok());
/// assert_eq!(attacks::horse_leg("c2".parse()?, "b0".parse()?), "c1".parse().ok());
/// assert_eq!(attacks::horse_leg("b0".parse()?, "b2".parse()?), None);
/// # Ok::<(), xiangqi::types::SquareError>(())
/// ```
#[inline]
pub fn horse_leg(from: Square, to: Square) -> Option<Square> {
    HORSE_RING[from].has(to).then(|| leg_of_leap(from, to))
}

/// The leg of a horse on `from` that leaps to `to`, where the caller has proved that they are a leap apart.
#[inline]
pub(crate) fn leg_of_leap(from: Square, to: Square) -> Square {
    debug_assert!(HORSE_RING[from].has(to), "{from}{to} is no leap of a horse");
    let index = from.index();
    Square::at_unchecked(match to.index().wrapping_sub(index) as isize {
        17 | 19 => index + 9,
        -17 | -19 => index - 9,
        11 | -7 => index + 1,
        _ => index - 1,
    })
}

/// The squares among `horses` from which a horse attacks `square`, where `occupied` says which legs are blocked.
#[inline]
pub fn horses_to(square: Square, horses: Bitboard, occupied: Bitboard) -> Bitboard {
    let mut near = HORSE_RING[square] & horses;
    let mut attackers = Bitboard::EMPTY;
    while let Some(from) = near.pop() {
        if !occupied.has(leg_of_leap(from, square)) {
            attackers = attackers.with(from);
        }
    }
    attackers
}

/// The rank and the file of `square`, without the square itself.
#[inline]
pub(crate) fn cross(square: Square) -> Bitboard {
    CROSSES[square]
}

static CROSSES: PerSquare<Bitboard> = {
    let mut table = PerSquare::filled(Bitboard::EMPTY);
    let mut index = 0;
    while index < Square::COUNT {
        let square = Square::at(index);
        let bits = Bitboard::file(square.file()).bits() ^ Bitboard::rank(square.rank()).bits();
        table = table.with(square, Bitboard::from_bits(bits));
        index += 1;
    }
    table
};

/// The squares whose occupation or clearance can put a king on `square` in check or out of it.
#[inline]
pub fn check_zone(square: Square) -> Bitboard {
    CROSSES[square] | HORSE_RING[square] | DIAGONALS[square]
}

/// The squares strictly between two squares of one rank or file, none for any other pair.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    let span = (1u128 << high.index()) - (2u128 << low.index()).min(1u128 << high.index());
    if a.file() == b.file() {
        Bitboard::from_bits(Bitboard::file(0).bits() << a.file() & span)
    } else if a.rank() == b.rank() {
        Bitboard::from_bits(span)
    } else {
        Bitboard::EMPTY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pawns_backwards_are_pawns_forwards() {
        for side in Side::ALL {
            for from in PLACES[Piece::new(side, Kind::Pawn).index()] {
                assert_eq!(pawn_steps(side, Bitboard::of(from)), pawn(side, from), "{side:?} {from}");
                for to in Square::all() {
                    assert_eq!(pawn(side, from).has(to), pawns_to(side, to).has(from), "{side:?} {from}{to}");
                }
            }
        }
    }

    #[test]
    fn between_is_open_and_symmetric() {
        for a in Square::all() {
            for b in Square::all() {
                let gap = between(a, b);
                assert_eq!(gap, between(b, a));
                assert!(!gap.has(a) && !gap.has(b));
                let steps = a.file().abs_diff(b.file()) + a.rank().abs_diff(b.rank());
                let aligned = a != b && (a.file() == b.file() || a.rank() == b.rank());
                assert_eq!(gap.len(), if aligned { u32::from(steps) - 1 } else { 0 }, "{a} {b}");
            }
        }
    }
}
