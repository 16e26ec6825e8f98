//! Looking results up: the public face of the tables.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use once_cell::sync::Lazy;
use rayon::prelude::*;

use super::capture::{AfterCapture, rest};
use super::class::EndgameClass;
use super::exact::ExactResult;
use super::file::{self, BLOCKS, EndgameTablesError};
use super::index::{EndgameLayout, PieceSquares};
use super::setup::EndgameBoard;
use super::solve::SolvedClass;
use crate::container::LoadError;
use xiangqi::board::attacks::PLACES;
use xiangqi::board::{Board, Position};
use xiangqi::types::{Kind, Piece, Side, Square};

/// Exact results of endings, unpacked block by block on demand. Threads share them.
///
/// Only positions with the stronger side to move are stored; with the weaker one to move, each of its moves is looked
/// up.
#[derive(Debug)]
pub struct EndgameTables {
    bytes: Cow<'static, [u8]>,
    /// The tables by [`EndgameClass::key`].
    tables: HashMap<u64, ClassTable>,
    /// The pieces of the largest class.
    most_pieces: u32,
}

/// The results of one class.
#[derive(Debug)]
struct ClassTable {
    layout: EndgameLayout,
    /// What is left when the piece of each slot is taken.
    rests: Vec<AfterCapture>,
    blocks: [PackedBlock; BLOCKS],
}

impl ClassTable {
    /// The squares of the pieces of the class on a board, whatever else is on it; `None` if one stands where its kind
    /// cannot, as in a composed position.
    fn squares(&self, board: &Board, flipped: bool) -> Option<PieceSquares> {
        let seen = |piece: Piece| if flipped { Piece::new(!piece.side(), piece.kind()) } else { piece };
        let mut squares = [Square::at(0); super::MOST_PIECES];
        let mut slot = 0;
        while let Some(&piece) = self.layout.pieces().get(slot) {
            // All like pieces at once: they stand next to each other in the list.
            for square in board.squares_of(seen(piece)) {
                let square = if flipped { square.flipped() } else { square };
                if !PLACES[piece.index()].has(square) {
                    return None;
                }
                *squares.get_mut(slot)? = square;
                slot += 1;
            }
        }
        Some(squares)
    }
}

/// A part of a table, unpacked when it is first asked for.
#[derive(Debug)]
struct PackedBlock {
    packed: std::ops::Range<usize>,
    /// `None` if it cannot be unpacked, which the checksum makes as good as impossible.
    plain: OnceLock<Option<Box<[u8]>>>,
}

impl EndgameTables {
    /// The tables that are part of the program.
    pub fn embedded() -> Arc<EndgameTables> {
        static EMBEDDED: Lazy<Arc<EndgameTables>> =
            Lazy::new(|| match EndgameTables::from_bytes(include_bytes!("juzhong.endgames").as_slice()) {
                Ok(tables) => Arc::new(tables),
                Err(error) => unreachable!("the embedded tables: {error}"),
            });
        Arc::clone(&EMBEDDED)
    }

    /// Tables that know nothing.
    pub fn none() -> EndgameTables {
        EndgameTables { bytes: Cow::Borrowed(&[]), tables: HashMap::new(), most_pieces: 0 }
    }

    /// The tables in a file, or those that are part of the program if there is none.
    ///
    /// # Errors
    /// Returns an error if the file gives no tables.
    pub fn open(file: Option<&Path>) -> Result<Arc<EndgameTables>, LoadError<EndgameTablesError>> {
        let Some(path) = file else { return Ok(EndgameTables::embedded()) };
        file::load(path, EndgameTables::from_bytes).map(Arc::new)
    }

    /// The tables that these bytes hold. They are unpacked later.
    ///
    /// # Errors
    /// Returns an error if the bytes hold no tables, or damaged ones.
    pub fn from_bytes(bytes: impl Into<Cow<'static, [u8]>>) -> Result<EndgameTables, EndgameTablesError> {
        let bytes = bytes.into();
        let mut tables = HashMap::new();
        let mut most_pieces = 0;
        for packed in file::classes(&bytes)? {
            let layout = packed.layout;
            let class = layout.class();
            most_pieces = most_pieces.max(class.pieces() as u32);
            let rests = (0..layout.pieces().len()).map(|slot| rest(&layout, slot)).collect();
            let blocks = packed.blocks.map(|packed| PackedBlock { packed, plain: OnceLock::new() });
            tables.insert(class.key(), ClassTable { layout, rests, blocks });
        }
        Ok(EndgameTables { bytes, tables, most_pieces })
    }

    /// The classes that are known, in the order of their names.
    pub fn classes(&self) -> Vec<EndgameClass> {
        let mut classes: Vec<EndgameClass> = self.tables.values().map(|table| table.layout.class()).collect();
        classes.sort_by_key(EndgameClass::to_string);
        classes
    }

    /// How many bytes the packed tables take.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Unpacks everything, to see that it can be done.
    ///
    /// # Errors
    /// Returns an error with the first class that does not hold what it should.
    pub fn check(&self) -> Result<(), EndgameTablesError> {
        for class in self.classes() {
            let table = self.tables.get(&class.key());
            let sound = |block| table.is_some_and(|table| self.block(table, block).is_some());
            if !(0..BLOCKS).all(sound) {
                return Err(EndgameTablesError::Block(class));
            }
        }
        Ok(())
    }

    /// Compares every stored result of a class with the solved one, for both sides to move, and returns how many there
    /// are and how many differ.
    pub fn compare(&self, solved: &SolvedClass) -> (u64, u64) {
        let layout = solved.layout();
        let table = self.tables.get(&layout.class().key());
        let differs = |index| {
            let squares = layout.squares(index);
            let mut counts = (0, 0);
            for side in Side::ALL {
                if let Some(exact) = solved.get(side, index) {
                    let found = table.and_then(|table| self.result(table, &squares, side));
                    counts = (counts.0 + 1, counts.1 + u64::from(found != Some(exact)));
                }
            }
            counts
        };
        (0..layout.size()).into_par_iter().map(differs).reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
    }

    /// Whether the class of a position is known.
    #[inline]
    pub fn knows(&self, position: &Position) -> bool {
        position.occupied().len() <= self.most_pieces
            && EndgameClass::of(position.board())
                .is_some_and(|(class, _)| self.tables.contains_key(&class.key()))
    }

    /// The result of a position; `None` if its class is not known, or if neither side can ever win.
    #[inline]
    pub fn probe(&self, position: &Position) -> Option<ExactResult> {
        // The cheapest gate, for nearly all positions end here.
        if position.occupied().len() > self.most_pieces {
            return None;
        }
        self.look_up(position)
    }

    fn look_up(&self, position: &Position) -> Option<ExactResult> {
        let (class, flipped) = EndgameClass::of(position.board())?;
        let table = self.tables.get(&class.key())?;
        let squares = table.squares(position.board(), flipped)?;
        self.result(table, &squares, mover(position, flipped))
    }

    /// The result of a position without the advisors and elephants of the stronger side: a guess at its own result,
    /// because those pieces seldom decide an ending. `None` if the stronger side has none, or has a cannon, for which
    /// they are screens; if what is left is not known; and if it is not legal.
    #[inline]
    pub fn probe_without_guards(&self, position: &Position) -> Option<ExactResult> {
        const MOST_GUARDS: u32 = 4;
        if position.occupied().len() > self.most_pieces + MOST_GUARDS {
            return None;
        }
        self.look_up_without_guards(position)
    }

    fn look_up_without_guards(&self, position: &Position) -> Option<ExactResult> {
        let mut counts = EndgameClass::counts_of(position.board());
        let (_, flipped) = EndgameClass::of_counts(counts)?;
        let stronger = &mut counts[usize::from(flipped)];
        let guards = [Kind::Advisor, Kind::Elephant].map(|kind| std::mem::take(&mut stronger[kind.index()]));
        if guards == [0, 0] || stronger[Kind::Cannon.index()] > 0 {
            return None;
        }
        let (class, _) = EndgameClass::of_counts(counts).filter(|&(_, still)| still == flipped)?;
        let table = self.tables.get(&class.key())?;
        let squares = table.squares(position.board(), flipped)?;
        let side = mover(position, flipped);
        let legal = EndgameBoard::new(&table.layout, squares).is_some_and(|setup| !setup.in_check(!side));
        if legal { self.result(table, &squares, side) } else { None }
    }

    /// The result of a position of a class, as the class sees it, for `side` to move.
    fn result(&self, table: &ClassTable, squares: &PieceSquares, side: Side) -> Option<ExactResult> {
        match side {
            Side::Red => self.stored(table, squares),
            Side::Black => self.by_moves(table, squares),
        }
    }

    /// What is stored for a position with the stronger side to move.
    #[inline]
    fn stored(&self, table: &ClassTable, squares: &PieceSquares) -> Option<ExactResult> {
        let (index, size) = (table.layout.index(squares), table.layout.size() / BLOCKS);
        let block = self.block(table, index / size)?;
        block.get(index % size).copied().and_then(ExactResult::of_byte)
    }

    fn block<'a>(&'a self, table: &'a ClassTable, block: usize) -> Option<&'a [u8]> {
        let size = table.layout.size() / BLOCKS;
        let PackedBlock { packed, plain } = table.blocks.get(block)?;
        let unpacked = || self.bytes.get(packed.clone()).and_then(|packed| file::unpack(packed, size));
        plain.get_or_init(unpacked).as_deref()
    }

    /// The best that the moves of the weaker side lead to. Without a legal move it has lost.
    fn by_moves(&self, table: &ClassTable, squares: &PieceSquares) -> Option<ExactResult> {
        let setup = EndgameBoard::new(&table.layout, *squares)?;
        let mut best = ExactResult::Loss(0);
        for slot in setup.slots(Side::Black) {
            for to in setup.quiets(slot) | setup.captures(slot) {
                let taken = setup.slot_on(to);
                if !setup.is_safe_after(slot, to, taken) {
                    continue;
                }
                let mut after = *squares;
                after[slot] = to;
                let answer = match taken.map(|taken| &table.rests[taken]) {
                    None => self.stored(table, &after)?,
                    Some(AfterCapture::Bare) => ExactResult::Draw,
                    Some(AfterCapture::Class(class, mapping)) => {
                        let smaller = self.tables.get(&class.key())?;
                        self.result(smaller, &mapping.squares(&after), mapping.side(Side::Red))?
                    }
                };
                let value = answer.before();
                if value.rank() > best.rank() {
                    best = value;
                }
            }
        }
        Some(best)
    }
}

/// The side to move as the class sees it.
fn mover(position: &Position, flipped: bool) -> Side {
    if flipped { !position.side() } else { position.side() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endgame::{encode, solve_all};

    /// Some classes with all that they lead to, solved.
    fn solved(names: &[&str]) -> HashMap<EndgameClass, SolvedClass> {
        let classes: Vec<EndgameClass> = names.iter().map(|name| name.parse().unwrap()).collect();
        solve_all(&classes, |_| ()).unwrap()
    }

    fn tables(solved: &HashMap<EndgameClass, SolvedClass>) -> EndgameTables {
        EndgameTables::from_bytes(encode(&solved.values().collect::<Vec<_>>()).unwrap()).unwrap()
    }

    /// The position with these pieces on these squares; `None` if it is not legal.
    fn position(
        layout: &EndgameLayout,
        squares: &PieceSquares,
        side: Side,
        flipped: bool,
    ) -> Option<Position> {
        let pieces = layout.pieces().iter().zip(squares).map(|(&piece, &square)| match flipped {
            true => (square.flipped(), Piece::new(!piece.side(), piece.kind())),
            false => (square, piece),
        });
        Position::from_pieces(pieces, if flipped { !side } else { side }).ok()
    }

    /// What a position's own legal moves make of it, by the tables.
    fn by_one_ply(tables: &EndgameTables, position: &Position) -> ExactResult {
        let after = |&mv| {
            let mut after = position.clone();
            after.make(mv);
            // On a bare board nothing is known, and nobody wins.
            let exact =
                if xiangqi::rules::is_bare(&after) { Some(ExactResult::Draw) } else { tables.probe(&after) };
            exact.unwrap().before()
        };
        let best = position.legal_moves().iter().map(after).max_by_key(|exact| exact.rank());
        best.unwrap_or(ExactResult::Loss(0))
    }

    #[test]
    fn every_result_is_what_the_legal_moves_make_of_it() {
        let names = ["KRvkn", "KNvka", "KPPvkb", "KRvkp", "KAACvk", "KCPvk", "KNvkab"];
        let solved = solved(&names);
        let tables = tables(&solved);
        let mut looked_at = 0;
        for (number, solved) in solved.values().enumerate() {
            let layout = solved.layout();
            for index in (number % 37..layout.size()).step_by(37) {
                let squares = layout.squares(index);
                for side in Side::ALL {
                    let exact = solved.get(side, index);
                    for flipped in [false, true] {
                        let position = position(layout, &squares, side, flipped);
                        assert_eq!(position.is_some(), exact.is_some(), "{:?} {squares:?}", layout.class());
                        if let Some(position) = position {
                            assert_eq!(tables.probe(&position), exact, "{position:?}");
                            assert_eq!(exact, Some(by_one_ply(&tables, &position)), "{position:?}");
                            looked_at += 1;
                        }
                    }
                }
            }
        }
        assert!(looked_at > 50_000, "{looked_at}");
    }

    #[test]
    fn own_guards_can_be_left_out() {
        let tables = tables(&solved(&["KNvka", "KCPvk"]));
        let exact = |fen: &str| tables.probe(&Position::from_fen(fen).unwrap());
        let guess = |fen: &str| tables.probe_without_guards(&Position::from_fen(fen).unwrap());
        let bare = exact("9/9/3a1k3/9/9/9/9/9/9/N2K5 b");
        assert_eq!(bare, Some(ExactResult::Loss(38)));
        for fen in ["9/9/3a1k3/9/9/9/9/B8/4A4/N2K1AB2 b", "n2k5/4a4/b8/9/9/9/9/3A1K3/9/9 w"] {
            assert_eq!((exact(fen), guess(fen)), (None, bare), "{fen}");
        }
        for fen in [
            // No guard of the stronger side, a cannon, unknown material, and generals that would face each other.
            "9/9/3a1k3/9/9/9/9/9/9/N2K5 b",
            "9/9/3k5/9/9/4P4/9/9/C8/4KA3 w",
            "9/9/3a1k3/9/9/9/9/9/4A4/NN1K5 b",
            "4k4/9/9/9/9/9/9/N8/4A4/4K4 b",
            xiangqi::board::STARTPOS,
        ] {
            assert_eq!(guess(fen), None, "{fen}");
        }
    }

    #[test]
    fn other_positions_are_not_known() {
        let tables = tables(&solved(&["KPvk"]));
        for fen in [
            xiangqi::board::STARTPOS,
            "3k5/9/9/9/9/9/9/9/4R4/4K4 w",
            "3k5/9/9/9/9/9/9/9/9/4K4 w",
            "3k5/4a4/9/9/4P4/9/9/9/9/4K4 w",
        ] {
            assert_eq!(tables.probe(&Position::from_fen(fen).unwrap()), None, "{fen}");
        }
        let known = Position::from_fen("3k5/9/9/9/4P4/9/9/9/9/4K4 w").unwrap();
        assert!(tables.probe(&known).is_some());
        assert_eq!(EndgameTables::none().probe(&known), None);
    }

    #[test]
    fn damage_is_found() {
        let good = encode(&solved(&["KPvka"]).values().collect::<Vec<_>>()).unwrap();
        let error = |bytes: Vec<u8>| EndgameTables::from_bytes(bytes).unwrap_err();
        for at in (0..good.len()).step_by(23) {
            let mut bytes = good.clone();
            bytes[at] ^= 4;
            error(bytes);
            error(good[..at].to_vec());
        }
        error([&good[..], &[0]].concat());
        // With the checksum put right, what is wrong is found all the same, or when it is unpacked.
        for at in 16..good.len() {
            let mut bytes = good.clone();
            bytes[at] ^= 4;
            let sum = crc32fast::hash(&bytes[16..]).to_le_bytes();
            bytes[12..16].copy_from_slice(&sum);
            if let Ok(tables) = EndgameTables::from_bytes(bytes) {
                let _ = tables.check();
            }
        }
        assert_eq!(
            error(vec![]),
            EndgameTablesError::Container(crate::container::ContainerError::Foreign("file of endings"))
        );
        assert!(EndgameTables::from_bytes(good).unwrap().check().is_ok());
    }
}
