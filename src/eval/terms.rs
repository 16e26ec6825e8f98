//! What the evaluation looks at: each term counts something on the board, and the table of weights says what
//! one of it is worth.

use super::tapered::Tapered;
use super::weights::WEIGHTS;
use crate::board::{Board, attacks};
use crate::types::{Bitboard, Kind, Piece, Side, Square};

/// Names the terms in the order of the table, with the number of weights each has in a row of the table.
macro_rules! terms {
    ($($(#[$doc:meta])* $term:ident, $name:literal, $row:literal;)+) => {
        /// One row of the table of weights.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Term { $($(#[$doc])* $term),+ }

        impl Term {
            /// All terms, in the order of the table.
            pub const ALL: &[Term] = &[$(Term::$term),+];

            /// What the term is called.
            pub const fn name(self) -> &'static str {
                match self { $(Term::$term => $name),+ }
            }

            /// How many of its weights are written in one line.
            pub const fn row(self) -> usize {
                match self { $(Term::$term => $row),+ }
            }
        }
    };
}

terms! {
    /// The right to move.
    Tempo, "tempo", 1;
    /// Kinds of piece, in their order.
    Material, "material", 7;
    /// Ranks 0-2, in each the d (or f) and the e file.
    KingSquare, "king's place", 2;
    /// Ranks 0, 1, 2.
    AdvisorSquare, "advisor's place", 3;
    /// c0, a2, e2, c4 and their mirror images.
    ElephantSquare, "elephant's place", 4;
    /// Rank by rank, in each the files a to e.
    HorseSquare, "horse's place", 5;
    /// As of the horse.
    RookSquare, "rook's place", 5;
    /// As of the horse.
    CannonSquare, "cannon's place", 5;
    /// As of the horse, from rank 3.
    PawnSquare, "pawn's place", 5;
    /// Squares a horse can go to, 0-8.
    HorseMobility, "horse's moves", 9;
    /// Squares a rook can go to, 0-17.
    RookMobility, "rook's moves", 9;
    /// Squares a cannon can go to without capture, 0-17.
    CannonMobility, "cannon's moves", 9;
    /// Horses that protect each other (连环马).
    LinkedHorses, "linked horses", 1;
    /// Crossed pawns side by side (牵手兵).
    PawnsAbreast, "pawns abreast", 1;
    /// Squares of the enemy palace attacked by rooks, horses and pawns, each counted once a piece, 0-15.
    KingDanger, "palace attacked", 8;
    /// Cannons on a line of the enemy king: on its file with nothing between (空头炮), on its file behind two
    /// pieces; on its rank with nothing between, on its rank behind two pieces.
    CannonOnKing, "cannon on the king", 4;
    /// Missing enemy advisors, times own horses, own rooks, own cannons.
    LostAdvisors, "advisors lost", 3;
    /// Missing enemy elephants, times own horses, own rooks, own cannons.
    LostElephants, "elephants lost", 3;
}

impl Term {
    /// Where the weights of this term stand in the table.
    #[inline]
    pub const fn weights(self) -> &'static [Tapered] {
        WEIGHTS[self as usize]
    }
}

/// Somebody who collects counts: a sum for the search, a list for the trace and the tuner.
pub trait Tally {
    /// `count` times the weight numbered `index` of `term`, for `side`.
    fn add(&mut self, side: Side, term: Term, index: usize, count: i32);
}

/// The term and weight that say what a piece of this kind on this square is worth, for a piece of Red's.
/// `None` where no such piece can stand.
pub(super) const fn square_weight(kind: Kind, square: Square) -> Option<(Term, usize)> {
    if !attacks::place(kind, Side::Red).has(square) {
        return None;
    }
    let rank = square.rank() as usize;
    let file = if square.file() < 5 { square.file() } else { 8 - square.file() } as usize;
    Some(match kind {
        Kind::King => (Term::KingSquare, rank * 2 + file - 3),
        Kind::Advisor => (Term::AdvisorSquare, rank),
        Kind::Elephant => (Term::ElephantSquare, rank / 2 + rank / 4 + file / 4),
        Kind::Horse => (Term::HorseSquare, rank * 5 + file),
        Kind::Rook => (Term::RookSquare, rank * 5 + file),
        Kind::Cannon => (Term::CannonSquare, rank * 5 + file),
        Kind::Pawn => (Term::PawnSquare, (rank - 3) * 5 + file),
    })
}

/// Material and piece-square terms of one piece on its square.
pub(super) fn count_square<T: Tally>(piece: Piece, square: Square, tally: &mut T) {
    let (side, kind) = (piece.side(), piece.kind());
    let seen = if side == Side::Red { square } else { square.flipped() };
    if let Some((term, index)) = square_weight(kind, seen) {
        tally.add(side, Term::Material, kind.index(), 1);
        tally.add(side, term, index, 1);
    }
}

/// Counts every term of one side but those of [`count_square`] and the tempo.
#[inline]
pub(super) fn count_side<T: Tally>(board: &Board, side: Side, tally: &mut T) {
    let palace = attacks::PALACES & if side == Side::Red { !attacks::RED_HALF } else { attacks::RED_HALF };
    let hits = count_horses(board, side, palace, tally)
        + count_rooks(board, side, palace, tally)
        + count_pawns(board, side, palace, tally);
    tally.add(side, Term::KingDanger, hits.min(15) as usize, 1);
    count_cannons(board, side, tally);
    count_defenders(board, side, tally);
}

/// Mobility and links of the horses; returns the attacked squares of the palace.
#[inline]
fn count_horses<T: Tally>(board: &Board, side: Side, palace: Bitboard, tally: &mut T) -> u32 {
    let (own, horses) = (board.pieces_of(side), board.pieces(side, Kind::Horse));
    let mut hits = 0;
    for square in horses {
        let attacked = attacks::horse(square, board.lines());
        tally.add(side, Term::HorseMobility, (attacked & !own).len() as usize, 1);
        tally.add(side, Term::LinkedHorses, 0, (attacked & horses).len() as i32);
        hits += (attacked & palace).len();
    }
    hits
}

/// Mobility of the rooks; returns the attacked squares of the palace.
#[inline]
fn count_rooks<T: Tally>(board: &Board, side: Side, palace: Bitboard, tally: &mut T) -> u32 {
    let own = board.pieces_of(side);
    let mut hits = 0;
    for square in board.pieces(side, Kind::Rook) {
        let attacked = attacks::rook(square, board.lines());
        tally.add(side, Term::RookMobility, (attacked & !own).len() as usize, 1);
        hits += (attacked & palace).len();
    }
    hits
}

/// Links of the crossed pawns; returns the attacked squares of the palace, two for each pawn inside it.
#[inline]
fn count_pawns<T: Tally>(board: &Board, side: Side, palace: Bitboard, tally: &mut T) -> u32 {
    let half = if side == Side::Red { !attacks::RED_HALF } else { attacks::RED_HALF };
    let crossed = board.pieces(side, Kind::Pawn) & half;
    if crossed.is_empty() {
        return 0;
    }
    let not_on_i = (!Bitboard::file(8)).bits();
    let right = Bitboard::from_bits((crossed.bits() & not_on_i) << 1);
    tally.add(side, Term::PawnsAbreast, 0, (crossed & right).len() as i32);
    2 * (crossed & palace).len()
}

/// Mobility of the cannons, and those that look at the enemy king.
#[inline]
fn count_cannons<T: Tally>(board: &Board, side: Side, tally: &mut T) {
    let king = board.king(!side);
    for square in board.pieces(side, Kind::Cannon) {
        let free = attacks::rook(square, board.lines()) & !board.occupied();
        tally.add(side, Term::CannonMobility, free.len() as usize, 1);
        let on_file = square.file() == king.file();
        if on_file || square.rank() == king.rank() {
            let screens = (attacks::between(square, king) & board.occupied()).len();
            if screens == 0 || screens == 2 {
                let index = (screens / 2) as usize + if on_file { 0 } else { 2 };
                tally.add(side, Term::CannonOnKing, index, 1);
            }
        }
    }
}

/// The enemy's missing advisors and elephants, by what this side has to make use of it.
#[inline]
fn count_defenders<T: Tally>(board: &Board, side: Side, tally: &mut T) {
    let missing = |kind| 2 - board.pieces(!side, kind).len() as i32;
    let (advisors, elephants) = (missing(Kind::Advisor), missing(Kind::Elephant));
    if advisors + elephants == 0 {
        return;
    }
    for (index, kind) in [Kind::Horse, Kind::Rook, Kind::Cannon].into_iter().enumerate() {
        let attackers = board.pieces(side, kind).len() as i32;
        tally.add(side, Term::LostAdvisors, index, advisors * attackers);
        tally.add(side, Term::LostElephants, index, elephants * attackers);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Trace;
    use super::*;
    use crate::board::Position;

    /// The weights of `term` that count for Red, with their counts.
    fn red(fen: &str, term: Term) -> Vec<(usize, i32)> {
        let trace = Trace::new(&Position::from_fen(fen).unwrap());
        let mine = trace.entries.iter().filter(|entry| entry.side == Side::Red && entry.term == term);
        mine.map(|entry| (entry.index, entry.count)).collect()
    }

    #[test]
    fn every_square_of_every_piece_has_its_weight() {
        for kind in Kind::ALL {
            for square in attacks::place(kind, Side::Red) {
                let (term, index) = square_weight(kind, square).unwrap();
                assert!(index < term.weights().len(), "{kind:?} {square}");
                assert_eq!(square_weight(kind, square.mirrored()), Some((term, index)));
            }
        }
        assert_eq!(square_weight(Kind::Elephant, Square::at(0)), None);
    }

    #[test]
    fn moves_are_counted_without_own_pieces() {
        let fen = "4k4/9/9/9/9/9/9/R8/9/NC1K5 w";
        assert_eq!(red(fen, Term::HorseMobility), [(1, 1)]);
        assert_eq!(red(fen, Term::RookMobility), [(8 + 8, 1)]);
        assert_eq!(red(fen, Term::CannonMobility), [(1 + 9, 1)]);
    }

    #[test]
    fn horses_protect_each_other_unless_a_leg_is_blocked() {
        assert_eq!(red("4k4/9/9/9/9/9/2N6/9/3N5/3K5 w", Term::LinkedHorses), [(0, 1), (0, 1)]);
        assert_eq!(red("4k4/9/9/9/9/2P6/2N6/3p5/3N5/3K5 w", Term::LinkedHorses), [(0, 1)]);
    }

    #[test]
    fn only_crossed_neighbours_are_abreast() {
        assert_eq!(red("4k4/9/9/2PPP4/9/9/9/9/9/3K5 w", Term::PawnsAbreast), [(0, 2)]);
        assert_eq!(red("4k4/9/9/P8/8P/9/9/9/9/3K5 w", Term::PawnsAbreast), []);
        assert_eq!(red("4k4/9/9/8P/P8/9/9/9/9/3K5 w", Term::PawnsAbreast), []);
    }

    #[test]
    fn the_palace_is_attacked_square_by_square() {
        // The rook sees d8, e8 and f8; the pawn stands in the palace.
        assert_eq!(red("4k4/R8/5P3/9/9/9/9/9/9/3K5 w", Term::KingDanger), [(5, 1)]);
        // The horse on c7 attacks d9 and e8.
        assert_eq!(red("5k3/9/2N6/9/9/9/9/9/9/3K5 w", Term::KingDanger), [(2, 1)]);
    }

    #[test]
    fn cannons_look_at_the_king_over_no_piece_or_two() {
        let cases: [(&str, &[(usize, i32)]); 5] = [
            ("4k4/9/9/9/9/4C4/9/9/9/3K5 w", &[(0, 1)]),
            ("4k4/4a4/4b4/9/9/4C4/9/9/9/3K5 w", &[(1, 1)]),
            ("4k4/4a4/9/9/9/4C4/9/9/9/3K5 b", &[]),
            ("C3k4/9/9/9/9/9/9/9/9/3K5 w", &[(2, 1)]),
            ("C1bak4/9/9/9/9/9/9/9/9/3K5 w", &[(3, 1)]),
        ];
        for (fen, counts) in cases {
            assert_eq!(red(fen, Term::CannonOnKing), counts, "{fen}");
        }
    }

    #[test]
    fn missing_guards_count_for_what_can_use_it() {
        let fen = "2bak4/9/9/9/9/9/9/9/9/RNCK2C2 w";
        assert_eq!(red(fen, Term::LostAdvisors), [(0, 1), (1, 1), (2, 2)]);
        assert_eq!(red(fen, Term::LostElephants), [(0, 1), (1, 1), (2, 2)]);
        assert_eq!(red("2bakab2/9/9/9/9/9/9/9/9/RNCK2C2 w", Term::LostAdvisors), []);
    }
}
