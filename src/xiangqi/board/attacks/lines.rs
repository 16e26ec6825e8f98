//! The pieces that others can block: rooks, cannons, horses and elephants.

use super::geometry::{both, leaps, place};
use crate::types::{Bitboard, Kind, PerSquare, Side, Square};

/// The occupancy of each rank and each file as a small word, from which attack tables are indexed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Lines {
    /// Word r + 1 is rank r, file f at bit f + 1. The shift by one leaves an empty row and an empty bit
    /// around the board, so that neighbours can be read without a test for the edge.
    ranks: [u16; 16],
    /// Word f is file f, rank r at bit r + 1.
    files: [u16; 16],
}

impl Lines {
    /// Returns the lines of a set of occupied squares.
    ///
    /// ```
    /// use xiangqi::board::Lines;
    /// use xiangqi::types::Bitboard;
    ///
    /// let mut lines = Lines::new(Bitboard::EMPTY);
    /// lines.toggle("e4".parse()?);
    /// assert_eq!(lines, Lines::new(Bitboard::of("e4".parse()?)));
    /// # Ok::<(), xiangqi::types::SquareError>(())
    /// ```
    pub fn new(occupied: Bitboard) -> Lines {
        let mut lines = Lines::default();
        occupied.into_iter().for_each(|square| lines.toggle(square));
        lines
    }

    /// Makes an occupied square empty or an empty one occupied.
    #[inline]
    pub fn toggle(&mut self, square: Square) {
        let (file, rank) = (square.file() as usize, square.rank() as usize);
        self.ranks[(rank + 1) & 15] ^= 2 << file;
        self.files[file & 15] ^= 2 << rank;
    }

    /// These lines with one square toggled.
    #[inline]
    pub(crate) fn toggled(mut self, square: Square) -> Lines {
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

/// What a slider on `at` sees along a line of `length` squares whose inner squares are given.
///
/// With `behind` 0 it is a rook, which sees the squares up to and including the first piece; with 1 it is a
/// capturing cannon, which sees the first piece behind that. The ends of the line count as occupied: the caller
/// looks at what really stands there.
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
            // That an end may be empty does not matter here, since nothing lies behind it.
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

/// The rows along a file, for sixteen ranks instead of ten, so that an index masked to four bits needs no bounds
/// check.
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

/// The squares that a rook on `square` attacks: the empty ones and the first piece of either side in each direction.
#[inline]
pub fn rook(square: Square, lines: &Lines) -> Bitboard {
    let file = square.file() as usize;
    let along_rank = RANK_SLIDES[file][lines.rank_row(square)] as u128;
    let along_file = FILE_SLIDES[square.rank() as usize & 15][lines.file_row(square)];
    Bitboard::from_bits(along_rank << (square.index() - file) | along_file << file)
}

/// The squares where a cannon on `square` captures: the first piece behind a screen in each direction.
///
/// The last square of a line may be in the set although it is empty, so intersect the set with the pieces that
/// can be captured.
#[inline]
pub fn cannon(square: Square, lines: &Lines) -> Bitboard {
    let file = square.file() as usize;
    let along_rank = RANK_JUMPS[file][lines.rank_row(square)] as u128;
    let along_file = FILE_JUMPS[square.rank() as usize & 15][lines.file_row(square)];
    Bitboard::from_bits(along_rank << (square.index() - file) | along_file << file)
}

/// A table of rows by which of four neighbouring squares are occupied, where `groups[n]` are the steps that need
/// the neighbour of bit n to be empty.
const fn blockable(groups: &[&[(i8, i8)]; 4], region: Bitboard) -> PerSquare<[Bitboard; 16]> {
    let mut table = PerSquare::filled([Bitboard::EMPTY; 16]);
    let mut index = 0;
    while index < Square::COUNT {
        let from = Square::at(index);
        if region.is_empty() || region.has(from) {
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
        index += 1;
    }
    table
}

/// Horse attacks by blocked legs: south, west, north, east, in the order of [`Lines::legs`].
static HORSES: PerSquare<[Bitboard; 16]> = blockable(
    &[&[(-1, -2), (1, -2)], &[(-2, -1), (-2, 1)], &[(-1, 2), (1, 2)], &[(2, -1), (2, 1)]],
    Bitboard::EMPTY,
);

/// Elephant attacks by blocked eyes: south-west, north-west, south-east, north-east, in the order of
/// [`Lines::eyes`].
static ELEPHANTS: PerSquare<[Bitboard; 16]> =
    blockable(&[&[(-2, -2)], &[(-2, 2)], &[(2, -2)], &[(2, 2)]], both(place(Kind::Elephant, Side::Red)));

/// The squares that a horse on `square` attacks, where the lines tell which of its legs are blocked.
#[inline]
pub fn horse(square: Square, lines: &Lines) -> Bitboard {
    HORSES[square][lines.legs(square)]
}

/// The squares that an elephant on `square` attacks, none where it cannot stand.
///
/// Elephants attack symmetrically, so these are also the squares from which an elephant attacks `square`.
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
                    let leg = horse_leg(from, to).unwrap();
                    assert_eq!(set.has(to), !occupied.has(leg), "{from}{to}");
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
