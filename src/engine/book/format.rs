//! The bytes of a book file. All numbers are little endian.
//!
//! | bytes | what |
//! | --- | --- |
//! | 0-7 | `JZBOOK` and a line break of two bytes, which a transfer as text would spoil |
//! | 8-11 | the version, 1 |
//! | 12-15 | CRC-32 of everything behind it |
//! | 16-23 | key of the start position: a book made with other keys is of no use |
//! | 24-27 | number of positions, P |
//! | 28-31 | number of moves, M |
//! | 12 P | each position's canonical key (8), ascending, and the number of its first move (4) |
//! | 14 M | each move (2), games (4), wins (4) and draws (4) of the side that played it |
//!
//! The moves of a position follow each other, best first. The same positions and moves give the same bytes.

use std::collections::BTreeMap;
use std::ops::Range;

use thiserror::Error;

use crate::container::{ContainerError, Format};
use xiangqi::board::Position;
use xiangqi::types::Move;

const FORMAT: Format = Format { magic: *b"JZBOOK\r\n", versions: 1..=1, name: "book" };
const VERSION: u32 = 1;
/// Where the table of positions begins.
const HEADER: usize = 32;
/// Bytes of a position.
const PLACE: usize = 12;
/// Bytes of a move.
const ENTRY: usize = 14;

/// A move of a book, and the results of the side that played it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// How often it was played, 1 at least.
    pub games: u32,
    /// Games won by the side that played it.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
}

/// The moves of each position, by its canonical key.
pub type BookContents = BTreeMap<u64, Vec<BookMove>>;

/// Why bytes are not a book.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BookError {
    /// The bytes are not a sound container of a book.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The book was made with other position keys.
    #[error("the book was made with other position keys")]
    Keys,
    /// The table of positions is out of order.
    #[error("position {0} of the table is out of order")]
    Position(usize),
    /// A move is malformed, or its numbers contradict each other.
    #[error("move {0} of the table is malformed")]
    Move(usize),
}

impl BookMove {
    /// The points that the move earned: one for a win, half for a draw.
    pub fn points(&self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    /// The share of points that the move earned, between 0 and 1, with ten even games added so that few games
    /// prove little.
    pub fn score(&self) -> f64 {
        const PRIOR: f64 = 10.0;
        (self.points() + PRIOR / 2.0) / (f64::from(self.games) + PRIOR)
    }

    /// The weight of the move: its games times the square of its [score](BookMove::score).
    pub fn weight(&self) -> f64 {
        f64::from(self.games) * self.score().powi(2)
    }

    /// Adds the games of another record of the same move; numbers saturate.
    pub fn add(&mut self, other: &BookMove) {
        let room = u32::MAX - self.games;
        // Cut in proportion at the limit, so that wins and draws never exceed the games.
        let cut = |number: u32| {
            if other.games <= room {
                number
            } else {
                (u64::from(number) * u64::from(room) / u64::from(other.games)) as u32
            }
        };
        self.games += other.games.min(room);
        self.wins += cut(other.wins);
        self.draws += cut(other.draws);
    }

    fn is_sound(&self) -> bool {
        self.games > 0 && u64::from(self.wins) + u64::from(self.draws) <= u64::from(self.games)
    }
}

/// Puts the best of the moves first: by weight, then by the move itself.
pub(super) fn sort(entries: &mut [BookMove]) {
    entries.sort_by(|a, b| b.weight().total_cmp(&a.weight()).then(a.mv.cmp(&b.mv)));
}

/// The file that holds these positions and moves. Positions without moves are left out.
pub fn encode(contents: &BookContents) -> Vec<u8> {
    let known = || contents.iter().filter(|(_, entries)| !entries.is_empty());
    let moves: usize = known().map(|(_, entries)| entries.len()).sum();
    let mut body = Position::startpos().key().to_le_bytes().to_vec();
    body.extend((known().count() as u32).to_le_bytes());
    body.extend((moves as u32).to_le_bytes());
    let mut first = 0u32;
    for (key, entries) in known() {
        body.extend(key.to_le_bytes());
        body.extend(first.to_le_bytes());
        first += entries.len() as u32;
    }
    for (_, entries) in known() {
        let mut entries = entries.clone();
        sort(&mut entries);
        for entry in entries {
            body.extend(entry.mv.word().to_le_bytes());
            for number in [entry.games, entry.wins, entry.draws] {
                body.extend(number.to_le_bytes());
            }
        }
    }
    FORMAT.seal(VERSION, &body)
}

/// Where the tables of a book lie within its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BookIndex {
    /// Number of positions.
    pub positions: usize,
    /// Number of moves.
    pub moves: usize,
}

impl BookIndex {
    /// Checks every byte of a file, and returns where its tables are.
    pub fn check(bytes: &[u8]) -> Result<BookIndex, BookError> {
        let sealed = FORMAT.open(bytes)?;
        let mut fields = sealed.fields();
        let (start, positions, moves) = (fields.u64()?, fields.u32()?, fields.u32()?);
        sealed.check_length(
            HEADER as u64 + u64::from(positions) * PLACE as u64 + u64::from(moves) * ENTRY as u64,
        )?;
        sealed.verify()?;
        if start != Position::startpos().key() {
            return Err(BookError::Keys);
        }
        let index = BookIndex { positions: positions as usize, moves: moves as usize };
        index.check_order(bytes)?;
        Ok(index)
    }

    /// Checks that every position has moves of its own, and that every move is well formed.
    fn check_order(&self, bytes: &[u8]) -> Result<(), BookError> {
        for index in 0..self.positions {
            let range = self.range(bytes, index);
            let ascends = index == 0 || self.key(bytes, index - 1) < self.key(bytes, index);
            let follows = index > 0 || range.start == 0;
            if !ascends || !follows || range.is_empty() || range.end > self.moves {
                return Err(BookError::Position(index));
            }
        }
        if self.positions == 0 && self.moves > 0 {
            return Err(BookError::Move(0));
        }
        match (0..self.moves).find(|&index| self.entry(bytes, index).is_none()) {
            Some(index) => Err(BookError::Move(index)),
            None => Ok(()),
        }
    }

    /// The key of a position.
    pub fn key(&self, bytes: &[u8], index: usize) -> u64 {
        u64_at(bytes, HEADER + index * PLACE)
    }

    /// The numbers of the moves of a position.
    pub fn range(&self, bytes: &[u8], index: usize) -> Range<usize> {
        let first = |index: usize| u32_at(bytes, HEADER + index * PLACE + 8) as usize;
        first(index)..if index + 1 < self.positions { first(index + 1) } else { self.moves }
    }

    /// A move, if it makes sense.
    pub fn entry(&self, bytes: &[u8], index: usize) -> Option<BookMove> {
        let at = HEADER + self.positions * PLACE + index * ENTRY;
        let mv = Move::from_word(u16::from_le_bytes(array_at(bytes, at)))?;
        let [games, wins, draws] = [2, 6, 10].map(|offset| u32_at(bytes, at + offset));
        Some(BookMove { mv, games, wins, draws }).filter(BookMove::is_sound)
    }
}

/// The `N` bytes from `at` on, or zeros after the end of the file, which cannot happen in a checked one.
fn array_at<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes.get(at..at + N).and_then(|slice| slice.try_into().ok()).unwrap_or([0; N])
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(array_at(bytes, at))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(array_at(bytes, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(mv: &str, games: u32, wins: u32, draws: u32) -> BookMove {
        BookMove { mv: mv.parse().unwrap(), games, wins, draws }
    }

    fn small() -> Vec<u8> {
        let first = vec![entry("h0g2", 1, 0, 1), entry("h2e2", 20, 10, 5)];
        encode(&BookContents::from([(7, first), (9, vec![entry("a0a1", 2, 0, 0)]), (11, Vec::new())]))
    }

    const CHECKED: usize = crate::container::HEADER;

    /// The bytes with a fault, and a checksum that hides it.
    fn spoilt(change: impl Fn(&mut Vec<u8>)) -> Result<BookIndex, BookError> {
        let mut bytes = small();
        change(&mut bytes);
        let sum = crc32fast::hash(&bytes[CHECKED..]);
        bytes[12..16].copy_from_slice(&sum.to_le_bytes());
        BookIndex::check(&bytes)
    }

    #[test]
    fn the_best_move_goes_first_and_empty_positions_are_left_out() {
        let bytes = small();
        let index = BookIndex::check(&bytes).unwrap();
        assert_eq!(index, BookIndex { positions: 2, moves: 3 });
        assert_eq!(index.entry(&bytes, 0), Some(entry("h2e2", 20, 10, 5)));
        assert_eq!((index.key(&bytes, 1), index.range(&bytes, 1)), (9, 2..3));
        assert_eq!(bytes.len(), HEADER + 2 * PLACE + 3 * ENTRY);
    }

    #[test]
    fn each_kind_of_damage_is_named() {
        let good = small();
        assert_eq!(BookIndex::check(b"JZBOOK\n"), Err(BookError::Container(ContainerError::Foreign("book"))));
        assert!(matches!(
            BookIndex::check(&good[..20]),
            Err(BookError::Container(ContainerError::Length { .. }))
        ));
        assert!(matches!(
            BookIndex::check(&good[..good.len() - 1]),
            Err(BookError::Container(ContainerError::Length { .. }))
        ));
        let mut flipped = good.clone();
        *flipped.last_mut().unwrap() ^= 1;
        assert_eq!(BookIndex::check(&flipped), Err(BookError::Container(ContainerError::Checksum("book"))));
        let word = |at: usize, value: u32| {
            move |bytes: &mut Vec<u8>| bytes[at..at + 4].copy_from_slice(&value.to_le_bytes())
        };
        assert_eq!(
            spoilt(word(8, 2)),
            Err(BookError::Container(ContainerError::Version { found: 2, newest: 1 }))
        );
        assert_eq!(spoilt(word(16, 0)), Err(BookError::Keys));
        assert_eq!(spoilt(word(HEADER, 9)), Err(BookError::Position(1)), "keys must ascend");
        assert_eq!(spoilt(word(HEADER + 8, 1)), Err(BookError::Position(0)), "moves of nobody");
        assert_eq!(spoilt(word(HEADER + PLACE + 8, 9)), Err(BookError::Position(0)));
        assert_eq!(spoilt(word(HEADER + PLACE + 8, 3)), Err(BookError::Position(1)), "no moves");
        let moves = HEADER + 2 * PLACE;
        assert_eq!(spoilt(word(moves, 0)), Err(BookError::Move(0)));
        assert_eq!(spoilt(word(moves + 2, 14)), Err(BookError::Move(0)), "more results than games");
        assert_eq!(spoilt(word(moves + ENTRY + 2, 0)), Err(BookError::Move(1)), "never played");
        assert_eq!(spoilt(|_| ()), BookIndex::check(&good));
    }

    #[test]
    fn counts_add_up_and_stay_within_their_range() {
        let mut sum = entry("h2e2", 20, 10, 5);
        sum.add(&entry("h2e2", 2, 1, 1));
        assert_eq!(sum, entry("h2e2", 22, 11, 6));
        sum.add(&entry("h2e2", u32::MAX, u32::MAX, 0));
        assert!(sum.games == u32::MAX && sum.is_sound());
    }

    #[test]
    fn games_and_results_speak_for_a_move() {
        let weight = |games, wins| entry("h2e2", games, wins, 0).weight();
        assert!(weight(100, 60) > weight(100, 50) && weight(200, 100) > weight(100, 50));
        assert!((entry("h2e2", 1, 1, 0).score() - 6.0 / 11.0).abs() < 1e-9);
    }
}
