//! `BOOK.DAT`, the opening book of ElephantEye and XiangQi Wizard (象棋巫师), laid out much as Polyglot's books
//! are: records in the order of their keys, a move of a position each. Their author describes them in
//! `DOC/eleeye_book.htm` of ElephantEye. All numbers are little endian.
//!
//! | bytes | what |
//! | --- | --- |
//! | 0-3 | the key of the position |
//! | 4-5 | the move: the square it leaves in the low byte, the square it goes to in the high one |
//! | 6-7 | the weight: (3 wins + draws - losses) / 4 of the games it is from |
//!
//! Squares lie on a board of 16 by 16, on which a9 is 0x33, i9 0x3b and a0 0xc3. The key is the exclusive or of a
//! number for each piece on its square, and of one more if Black is to move. The numbers are the third, sixth,
//! ninth … of the four-byte words in the key stream of the RC4 cipher whose key is a single zero: first that of
//! Black's turn, then 256 for each piece, king, advisor, elephant, horse, rook, cannon and pawn of Red and then of
//! Black. Of two mirror images a book has one or both.

use std::collections::{BTreeMap, HashSet};

use once_cell::sync::Lazy;

use juzhong_engine::book::{BookBuilder, reached_by};
use xiangqi::board::Position;
use xiangqi::types::{Move, Side, Square};

/// Bytes of a record.
const RECORD: usize = 8;

/// The numbers that keys are made of.
static NUMBERS: Lazy<KeyNumbers> = Lazy::new(KeyNumbers::new);

/// A book in memory: moves and weights by the key of their position.
#[derive(Debug, PartialEq, Eq)]
pub struct ElephantBook {
    moves: BTreeMap<u32, Vec<(Move, u16)>>,
}

/// What became of the moves of a book.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Moves that were added.
    pub moves: usize,
    /// Keys of positions that no way leads to from the start: their moves are lost.
    pub unreached: usize,
}

impl ElephantBook {
    /// The book in these bytes; `None` if they are something else. There is no signature, but hardly anything
    /// else has ascending keys and squares of the board throughout.
    pub fn read(bytes: &[u8]) -> Option<ElephantBook> {
        let (records, []) = bytes.as_chunks::<RECORD>() else { return None };
        let mut moves: BTreeMap<u32, Vec<(Move, u16)>> = BTreeMap::new();
        for &[k0, k1, k2, k3, from, to, w0, w1] in records {
            let key = u32::from_le_bytes([k0, k1, k2, k3]);
            if moves.last_key_value().is_some_and(|(&last, _)| key < last) {
                return None;
            }
            let mv = Move::new(square(from)?, square(to)?)?;
            moves.entry(key).or_default().push((mv, u16::from_le_bytes([w0, w1])));
        }
        (!moves.is_empty()).then_some(ElephantBook { moves })
    }

    /// Recommends every move of the book with its weight, in the positions that are reached from the start of the
    /// game within the book: a key alone does not tell its position.
    pub fn add_to(&self, builder: &mut BookBuilder) -> Taken {
        let (mut moves, mut reached) = (0, HashSet::new());
        for position in reached_by(|position| !self.probe(position).is_empty()) {
            reached.extend(keys(&position).into_iter().filter(|key| self.moves.contains_key(key)));
            for (mv, weight) in self.probe(&position) {
                let added = builder.add_move(&position, mv, weight.into());
                moves += usize::from(added.is_ok());
            }
        }
        Taken { moves, unreached: self.moves.len() - reached.len() }
    }

    /// The legal moves of a position and its mirror image. Keys are short, and two positions may share one.
    fn probe(&self, position: &Position) -> Vec<(Move, u16)> {
        let of = |key: u32| self.moves.get(&key).into_iter().flatten().copied();
        let [own, image] = keys(position);
        let mirrored = of(image).map(|(mv, weight)| (mv.mirrored(), weight)).filter(|_| image != own);
        let legal = |&(mv, _): &(Move, u16)| position.is_pseudo_legal(mv) && position.is_legal(mv);
        of(own).chain(mirrored).filter(legal).collect()
    }
}

/// The key of a position and that of its mirror image.
fn keys(position: &Position) -> [u32; 2] {
    let turn = if position.side() == Side::Black { NUMBERS.black_to_move } else { 0 };
    Square::all().fold([turn, turn], |[own, image], square| match position.piece_on(square) {
        Some(piece) => {
            let numbers = &NUMBERS.pieces[piece.index()];
            [own ^ numbers[place(square)], image ^ numbers[place(square.mirrored())]]
        }
        None => [own, image],
    })
}

/// Where a square lies on the board of 16 by 16.
fn place(square: Square) -> usize {
    usize::from(square.file() + 3) + 16 * usize::from(12 - square.rank())
}

/// The square that lies there, if it is one.
fn square(place: u8) -> Option<Square> {
    Square::new((place % 16).checked_sub(3)?, 12u8.checked_sub(place / 16)?)
}

struct KeyNumbers {
    black_to_move: u32,
    pieces: Vec<[u32; 256]>,
}

impl KeyNumbers {
    fn new() -> KeyNumbers {
        let mut stream = KeyStream::new();
        let black_to_move = stream.third_word();
        let pieces = (0..14).map(|_| std::array::from_fn(|_| stream.third_word())).collect();
        KeyNumbers { black_to_move, pieces }
    }
}

/// The key stream of RC4 for the key of a single zero.
struct KeyStream {
    state: [u8; 256],
    i: u8,
    j: u8,
}

impl KeyStream {
    fn new() -> KeyStream {
        let mut state: [u8; 256] = std::array::from_fn(|index| index as u8);
        let mut j = 0u8;
        for i in 0..256 {
            j = j.wrapping_add(state[i]);
            state.swap(i, usize::from(j));
        }
        KeyStream { state, i: 0, j: 0 }
    }

    fn byte(&mut self) -> u8 {
        self.i = self.i.wrapping_add(1);
        let (i, x) = (usize::from(self.i), self.state[usize::from(self.i)]);
        self.j = self.j.wrapping_add(x);
        let j = usize::from(self.j);
        self.state.swap(i, j);
        self.state[usize::from(self.state[i].wrapping_add(self.state[j]))]
    }

    fn third_word(&mut self) -> u32 {
        let mut word = || u32::from_le_bytes(std::array::from_fn(|_| self.byte()));
        word();
        word();
        word()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use juzhong_engine::book::{Book, BookFilter, encode};

    fn after(moves: &str) -> Position {
        let mut position = Position::startpos();
        moves.split_whitespace().for_each(|mv| position.play(mv.parse().unwrap()).unwrap());
        position
    }

    fn record(key: u32, mv: &str, weight: u16) -> [u8; RECORD] {
        let mv: Move = mv.parse().unwrap();
        let mut bytes = [0; RECORD];
        bytes[..4].copy_from_slice(&key.to_le_bytes());
        bytes[4..6].copy_from_slice(&[mv.from(), mv.to()].map(|square| place(square) as u8));
        bytes[6..].copy_from_slice(&weight.to_le_bytes());
        bytes
    }

    fn book(records: &[(u32, &str, u16)]) -> Vec<u8> {
        let mut records = records.to_vec();
        records.sort();
        records.iter().flat_map(|&(key, mv, weight)| record(key, mv, weight)).collect()
    }

    /// Keys of real books: XiangQi Wizard Light has these positions, and those of the images in brackets.
    #[test]
    fn keys_are_those_of_the_real_books() {
        for (moves, key, mirrored) in [
            ("", 86_398_677, false),
            ("h2e2 h9g7 h0g2 i9h9 i0h0 h7h3", 25_382_841, false),
            ("c3c4 b7c7 h2e2 c9e7 h0g2 c6c5 i0h0", 60_537_007, false),
            ("g3g4 b9c7 h0g2", 57_463_678, true),
            ("h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 b0a2 g6g5 b2c2", 10_268_380, true),
        ] {
            assert_eq!(keys(&after(moves))[usize::from(mirrored)], key, "{moves}");
        }
    }

    #[test]
    fn every_square_has_its_place() {
        assert!(Square::all().all(|at| square(place(at) as u8) == Some(at)));
        assert_eq!((0..=255).filter_map(square).count(), Square::COUNT);
        let [a9, i9, a0] = ["a9", "i9", "a0"].map(|name| place(name.parse().unwrap()));
        assert_eq!((a9, i9, a0), (0x33, 0x3b, 0xc3));
    }

    #[test]
    fn moves_are_found_on_either_wing_and_what_cannot_be_reached_is_counted() {
        let [start, _] = keys(&Position::startpos());
        let [answer, image] = keys(&after("h2e2"));
        let far = after("h2e2 h9g7 h0g2");
        let bytes = book(&[
            (start, "h2e2", 20),
            (start, "b2e2", 20),
            (answer, "h9g7", 7),
            (image, "h7e7", 3),
            // The key is right, the move is not: another position has the same key.
            (answer, "a0a1", 9),
            (keys(&far)[0], "i9h9", 1),
        ]);
        let mut builder = BookBuilder::new(0);
        let taken = ElephantBook::read(&bytes).unwrap().add_to(&mut builder);
        assert_eq!(taken, Taken { moves: 4, unreached: 1 });
        let book = Book::new(encode(&builder.contents(&BookFilter::OPEN))).unwrap();
        let found = |position: &Position| -> Vec<(String, u32)> {
            book.probe(position).map(|entry| (entry.mv.to_string(), entry.games)).collect()
        };
        assert_eq!(found(&Position::startpos()), [("h2e2".to_owned(), 40)]);
        assert_eq!(found(&after("h2e2")), [("h9g7".to_owned(), 7), ("b7e7".to_owned(), 3)]);
        assert_eq!(found(&far), []);
    }

    proptest! {
        #[test]
        fn whatever_is_read_can_be_taken(
            records in prop::collection::vec((any::<bool>(), any::<u32>(), 0..90usize, 0..90usize), 1..40),
        ) {
            // Keys that are reached among others that are not.
            let known = [keys(&Position::startpos())[0], keys(&after("h2e2"))[0], keys(&after("h2e2"))[1]];
            let mut book: Vec<(u32, usize, usize)> = records
                .into_iter()
                .map(|(real, key, from, to)| (if real { known[key as usize % 3] } else { key }, from, to))
                .collect();
            book.sort();
            let mut bytes = Vec::new();
            for (key, from, to) in book {
                bytes.extend(key.to_le_bytes());
                bytes.extend([from, to].map(|index| place(Square::from_index(index).unwrap()) as u8));
                bytes.extend([1, 0]);
            }
            if let Some(book) = ElephantBook::read(&bytes) {
                let taken = book.add_to(&mut BookBuilder::new(0));
                prop_assert!(taken.unreached <= book.moves.len() && taken.moves <= 2 * bytes.len() / RECORD);
            }
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            ElephantBook::read(&bytes);
        }
    }

    #[test]
    fn other_bytes_are_no_book() {
        let good = book(&[(5, "h2e2", 1), (7, "h2e2", 1)]);
        assert!(ElephantBook::read(&good).is_some());
        let swapped = [&good[RECORD..], &good[..RECORD]].concat();
        let mut outside = good.clone();
        outside[4] = 0;
        for bytes in [&good[..15], b"", &swapped, &outside, b"1-0\th2e2 h9g7\n1-0"] {
            assert_eq!(ElephantBook::read(bytes), None, "{bytes:?}");
        }
    }
}
