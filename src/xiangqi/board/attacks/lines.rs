//! Sliders, horses and elephants: the pieces that others can block, over the occupancy of lines.

use super::geometry::{both, leaps, place};
use crate::types::{Bitboard, Kind, PerSquare, Side, Square};

/// The occupancy of each rank and of each file as a small word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Lines {
    /// Word r + 1 is rank r, file f at bit f + 1. The shift by one leaves an empty row and an empty bit
    /// around the board, so that neighbours can be read without a test for the edge.
    ranks: [u16; 16],
    /// Word f is file f, rank r at bit r + 1.
    files: [u16; 16],
}

impl Lines {
    /// The lines of a set of occupied squares.
    pub fn new(occupied: Bitboard) -> Lines {
        let mut lines = Lines::default();
        occupied.into_iter().for_each(|square| lines.toggle(square));
        lines
    }

    /// Turns an occupied square into an empty one and the other way round.
    #[inline]
    pub fn toggle(&mut self, square: Square) {
        let (file, rank) = (square.file() as usize, square.rank() as usize);
        self.ranks[(rank + 1) & 15] ^= 2 << file;
        self.files[file & 15] ^= 2 << rank;
    }

    /// These lines with one square toggled.
    #[inline]
    pub fn toggled(mut self, square: Square) -> Lines {
        self.toggle(square);
        self
    }

    #[inline]
    fn rank_row(&self, square: Square) -> usize {
        (self.ranks[(square.rank() as usize + 1) & 15] >> 2) as usize & 127
    }

    #[inline]
    fn file_row(&self, square: Square) -> usize {
        (self.files[square.file() as usize & 15] >> 2) as usize & 255
    }

    /// Which of the four orthogonal neighbours are occupied: south 1, west 2, north 4, east 8.
    #[inline]
    fn legs(&self, square: Square) -> usize {
        let (file, rank) = (square.file() as usize, square.rank() as usize);
        let along_file = self.files[file & 15] >> rank & 5;
        let along_rank = self.ranks[(rank + 1) & 15] >> file & 5;
        (along_file | along_rank << 1) as usize
    }

    /// Which of the four diagonal neighbours are occupied: south-west 1, north-west 2, south-east 4,
    /// north-east 8.
    #[inline]
    fn eyes(&self, square: Square) -> usize {
        let (file, rank) = (square.file() as usize, square.rank() as usize);
        let below = self.ranks[rank & 15] >> file & 5;
        let above = self.ranks[(rank + 2) & 15] >> file & 5;
        (below | above << 1) as usize
    }
}

/// What a slider sees along a line of `length` squares from `at`: as a rook if `behind` is 0, the squares
/// up to and including the first piece; as a capturing cannon if it is 1, the first piece behind that. The
/// ends of the line count as occupied; whether something stands there the caller knows better.
const fn slide(at: i32, length: i32, inner: usize, behind: u32) -> u16 {
    let occupied = (inner << 1) | 1 | 1 << (length - 1);
    let mut seen = 0u16;
    let mut step = -1;
    while step <= 1 {
        let mut passed = 0;
        let mut square = at + step;
        while square >= 0 && square < length && passed <= behind {
            let here = occupied >> square & 1 != 0;
            if behind == 0 || (here && passed == behind) {
                seen |= 1 << square;
            }
            // A real end of the board is no screen: nothing lies behind it anyway.
            if here {
                passed += 1;
            }
            square += step;
        }
        step += 2;
    }
    seen
}

const fn rank_table(behind: u32) -> [[u16; 128]; 9] {
    let mut table = [[0; 128]; 9];
    let mut file = 0;
    while file < 9 {
        let mut row = 0;
        while row < 128 {
            table[file][row] = slide(file as i32, 9, row, behind);
            row += 1;
        }
        file += 1;
    }
    table
}

/// Sixteen ranks instead of ten, so that an index masked to four bits needs no bounds check.
const fn file_table(behind: u32) -> [[u128; 256]; 16] {
    let mut table = [[0; 256]; 16];
    let mut rank = 0;
    while rank < 10 {
        let mut row = 0;
        while row < 256 {
            let seen = slide(rank as i32, 10, row, behind);
            let mut bits = 0u128;
            let mut r = 0;
            while r < 10 {
                if seen >> r & 1 != 0 {
                    bits |= 1 << (r * 9);
                }
                r += 1;
            }
            table[rank][row] = bits;
            row += 1;
        }
        rank += 1;
    }
    table
}

static RANK_SLIDES: [[u16; 128]; 9] = rank_table(0);
static RANK_JUMPS: [[u16; 128]; 9] = rank_table(1);
static FILE_SLIDES: [[u128; 256]; 16] = file_table(0);
static FILE_JUMPS: [[u128; 256]; 16] = file_table(1);

/// Squares a rook on `square` attacks: empty ones and the first piece in each direction, of either side.
#[inline]
pub fn rook(square: Square, lines: &Lines) -> Bitboard {
    let file = square.file() as usize;
    let along_rank = RANK_SLIDES[file][lines.rank_row(square)] as u128;
    let along_file = FILE_SLIDES[square.rank() as usize & 15][lines.file_row(square)];
    Bitboard::from_bits(along_rank << (square.index() - file) | along_file << file)
}

/// Squares where a cannon on `square` captures: the first piece behind a screen in each direction. The last
/// square of a line may be in the set although it is empty: intersect with the pieces that can be taken.
#[inline]
pub fn cannon(square: Square, lines: &Lines) -> Bitboard {
    let file = square.file() as usize;
    let along_rank = RANK_JUMPS[file][lines.rank_row(square)] as u128;
    let along_file = FILE_JUMPS[square.rank() as usize & 15][lines.file_row(square)];
    Bitboard::from_bits(along_rank << (square.index() - file) | along_file << file)
}

/// A table of rows chosen by which of four neighbouring squares are occupied: `groups[n]` are the steps that
/// need the neighbour of bit n empty.
const fn blockable(groups: &[&[(i8, i8)]; 4], region: Bitboard) -> PerSquare<[Bitboard; 16]> {
    let mut table = PerSquare::filled([Bitboard::EMPTY; 16]);
    let mut from = 0;
    while from < Square::COUNT {
        if region.is_empty() || region.has(Square::at(from)) {
            let mut rows = [Bitboard::EMPTY; 16];
            let mut blocked = 0;
            while blocked < 16 {
                let mut group = 0;
                while group < 4 {
                    if blocked >> group & 1 == 0 {
                        let more = leaps(from, groups[group], region).bits();
                        rows[blocked] = Bitboard::from_bits(rows[blocked].bits() | more);
                    }
                    group += 1;
                }
                blocked += 1;
            }
            table = table.with(from, rows);
        }
        from += 1;
    }
    table
}

/// South, west, north, east: the order of [`Lines::legs`].
static HORSES: PerSquare<[Bitboard; 16]> = blockable(
    &[&[(-1, -2), (1, -2)], &[(-2, -1), (-2, 1)], &[(-1, 2), (1, 2)], &[(2, -1), (2, 1)]],
    Bitboard::EMPTY,
);

/// South-west, north-west, south-east, north-east: the order of [`Lines::eyes`].
static ELEPHANTS: PerSquare<[Bitboard; 16]> =
    blockable(&[&[(-2, -2)], &[(-2, 2)], &[(2, -2)], &[(2, 2)]], both(place(Kind::Elephant, Side::Red)));

/// Squares a horse on `square` attacks, given what blocks its legs.
#[inline]
pub fn horse(square: Square, lines: &Lines) -> Bitboard {
    HORSES[square][lines.legs(square)]
}

/// Squares an elephant on `square` attacks, given what blocks its eyes; empty if none can stand there.
/// Elephants attack symmetrically, so this also answers which elephants attack the square.
#[inline]
pub fn elephant(square: Square, lines: &Lines) -> Bitboard {
    ELEPHANTS[square][lines.eyes(square)]
}

#[cfg(test)]
mod tests {
    use super::super::geometry::{ORTHOGONAL, horse_leg, horse_ring, horses_to};
    use super::*;
    use rand::{Rng, SeedableRng, rngs::StdRng};

    /// What a slider sees, by walking square by square.
    fn walk(from: Square, occupied: Bitboard, screens: u32) -> Bitboard {
        let mut seen = Bitboard::EMPTY;
        for &(df, dr) in ORTHOGONAL {
            let (mut passed, mut at) = (0, from);
            while let Some(next) = at.offset(df, dr) {
                at = next;
                if passed == screens && (screens == 0 || occupied.has(at)) {
                    seen = seen.with(at);
                }
                passed += u32::from(occupied.has(at));
                if passed > screens {
                    break;
                }
            }
        }
        seen
    }

    #[test]
    fn sliders_agree_with_a_walk_over_random_boards() {
        let mut rng = StdRng::seed_from_u64(1);
        for _ in 0..2_000 {
            let occupied = Bitboard::from_bits(rng.random::<u128>() & rng.random::<u128>());
            let lines = Lines::new(occupied);
            for square in Square::all() {
                assert_eq!(rook(square, &lines), walk(square, occupied, 0));
                assert_eq!(cannon(square, &lines) & occupied, walk(square, occupied, 1) & occupied);
            }
        }
    }

    #[test]
    fn horses_attack_over_free_legs_only_and_are_found_backwards() {
        let mut rng = StdRng::seed_from_u64(2);
        for _ in 0..500 {
            let occupied = Bitboard::from_bits(rng.random());
            let lines = Lines::new(occupied);
            for from in Square::all() {
                let set = horse(from, &lines);
                for to in horse_ring(from) {
                    assert_eq!(set.has(to), !occupied.has(horse_leg(from, to)), "{from}{to}");
                    assert_eq!(!horses_to(to, Bitboard::of(from), occupied).is_empty(), set.has(to));
                }
            }
        }
    }

    #[test]
    fn elephants_need_their_eye_and_their_side_of_the_river() {
        let lines = Lines::new(Bitboard::of("d1".parse().unwrap()));
        let squares = |set: Bitboard| set.into_iter().map(|s| s.to_string()).collect::<Vec<_>>().join(" ");
        assert_eq!(squares(elephant("e2".parse().unwrap(), &lines)), "g0 c4 g4");
        assert_eq!(squares(elephant("c4".parse().unwrap(), &lines)), "a2 e2");
        assert_eq!(squares(elephant("c5".parse().unwrap(), &lines)), "a7 e7");
        assert_eq!(squares(elephant("d1".parse().unwrap(), &lines)), "");
    }
}
