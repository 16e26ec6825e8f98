//! The bytes of tables of endings. All numbers are little endian.
//!
//! | bytes | what |
//! | --- | --- |
//! | 0-7 | `JZEND`, a zero and a line break of two bytes, which a transfer as text would spoil |
//! | 8-11 | the version, 1 |
//! | 12-15 | CRC-32 of everything behind it |
//! | 16-17 | how many classes there are |
//! | | for each class, in ascending order of their names: |
//! | 1 | the length of its name, N |
//! | N | its name, as `KNPvkab` |
//! | 36 | the lengths of its nine blocks, 4 bytes each |
//! | | the blocks of all classes |
//!
//! A block holds the results of the positions with the general of the weaker side on one of its nine places and the
//! stronger side to move, a byte for each number of the layout: the plies to the end, odd ones won and even ones lost,
//! or 254 for a draw. A number without a legal position repeats the byte before it. Blocks are packed by LZMA2, with
//! neither literal nor position bits, which suits data in which each byte is a separate number.

use std::io::{self, Read, Write};
use std::path::Path;

use lzma_rust2::{Lzma2Options, Lzma2Reader, Lzma2Writer, LzmaOptions};
use rayon::prelude::*;
use thiserror::Error;

use super::class::EndgameClass;
use super::exact::ExactResult;
use super::index::EndgameLayout;
use super::solve::SolvedClass;
use crate::container::{self, ContainerError, Format, LoadError};
use xiangqi::types::Side;

const FORMAT: Format = Format { magic: *b"JZEND\0\r\n", versions: 1..=1, name: "file of endings" };
const VERSION: u32 = 1;
/// The blocks of a class: one for each place of the weaker side's general. Blocks by the stronger side's general would
/// have far more in common with each other, and pack to twice the size.
pub(super) const BLOCKS: usize = 9;
/// The largest LZMA dictionary, in bytes: how far back it looks for repetitions.
const DICTIONARY: usize = 1 << 21;
/// The largest file of tables that is loaded, in bytes.
const LARGEST: u64 = 1 << 30;

/// Why bytes are not tables of endings.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EndgameTablesError {
    /// The file is not a sound container of tables.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// Bytes are missing or left over.
    #[error("the tables are cut short, or something follows them")]
    Length,
    /// The list of classes has an unknown class, or one out of order.
    #[error("class {0} of the tables is unknown, or not in its order")]
    Class(usize),
    /// A block does not hold what it should.
    #[error("the table of {0} cannot be unpacked")]
    Block(EndgameClass),
}

/// Reads and parses a file that may hold tables.
pub(super) fn load<T>(
    path: &Path,
    parse: impl FnOnce(Vec<u8>) -> Result<T, EndgameTablesError>,
) -> Result<T, LoadError<EndgameTablesError>> {
    container::load(path, LARGEST, parse)
}

/// A class in a file: its layout, and where its blocks are.
#[derive(Debug)]
pub(super) struct PackedClass {
    pub layout: EndgameLayout,
    pub blocks: [std::ops::Range<usize>; BLOCKS],
}

/// The classes that these bytes hold.
pub(super) fn classes(bytes: &[u8]) -> Result<Vec<PackedClass>, EndgameTablesError> {
    let sealed = FORMAT.open(bytes)?;
    sealed.verify()?;
    let mut fields = sealed.fields();
    let mut listed = Vec::new();
    for number in 0..usize::from(fields.u16()?) {
        let length = fields.u8()?;
        let name = std::str::from_utf8(fields.take(length.into())?).ok();
        let layout = name.and_then(|name| name.parse().ok()).and_then(EndgameLayout::new);
        let layout = layout.ok_or(EndgameTablesError::Class(number))?;
        let mut lengths = [0; BLOCKS];
        for length in &mut lengths {
            *length = fields.u32()? as usize;
        }
        listed.push((layout, lengths));
    }
    let mut at = fields.position();
    let name = |(layout, _): &(EndgameLayout, [usize; BLOCKS])| layout.class().to_string();
    if let Some(number) = listed.windows(2).position(|pair| name(&pair[0]) >= name(&pair[1])) {
        return Err(EndgameTablesError::Class(number + 1));
    }
    let mut packed = Vec::with_capacity(listed.len());
    for (layout, lengths) in listed {
        let blocks = lengths.map(|length| {
            let start = at;
            at = at.saturating_add(length);
            start..at
        });
        packed.push(PackedClass { layout, blocks });
    }
    if at == bytes.len() { Ok(packed) } else { Err(EndgameTablesError::Length) }
}

/// The bytes of tables with these classes.
///
/// # Errors
/// Returns an error if the packed bytes cannot be written to memory.
pub fn encode(solved: &[&SolvedClass]) -> io::Result<Vec<u8>> {
    let mut solved = solved.to_vec();
    solved.sort_by_key(|solved| solved.layout().class().to_string());
    solved.dedup_by_key(|solved| solved.layout().class());
    let blocks: Vec<(&SolvedClass, usize)> =
        solved.iter().flat_map(|&solved| (0..BLOCKS).map(move |block| (solved, block))).collect();
    let packed: Vec<Vec<u8>> =
        blocks.par_iter().map(|&(solved, block)| pack(&plain(solved, block))).collect::<io::Result<_>>()?;
    let mut bytes = (solved.len() as u16).to_le_bytes().to_vec();
    for (solved, blocks) in solved.iter().zip(packed.chunks(BLOCKS)) {
        let name = solved.layout().class().to_string();
        bytes.push(name.len() as u8);
        bytes.extend_from_slice(name.as_bytes());
        for block in blocks {
            bytes.extend_from_slice(&(block.len() as u32).to_le_bytes());
        }
    }
    bytes.extend(packed.into_iter().flatten());
    Ok(FORMAT.seal(VERSION, &bytes))
}

/// A block before it is packed.
fn plain(solved: &SolvedClass, block: usize) -> Vec<u8> {
    let size = solved.layout().size() / BLOCKS;
    let mut last = ExactResult::Draw.byte();
    let numbers = block * size..(block + 1) * size;
    let byte = |index| {
        last = solved.get(Side::Red, index).map_or(last, ExactResult::byte);
        last
    };
    numbers.map(byte).collect()
}

/// The LZMA dictionary for a block of `size` bytes: no larger than needed, because the reader has to allocate it.
fn dictionary(size: usize) -> u32 {
    size.next_power_of_two().clamp(1 << 12, DICTIONARY) as u32
}

fn pack(block: &[u8]) -> io::Result<Vec<u8>> {
    let mut lzma = LzmaOptions::with_preset(9);
    (lzma.dict_size, lzma.lc, lzma.lp, lzma.pb) = (dictionary(block.len()), 0, 0, 0);
    let mut writer =
        Lzma2Writer::new(Vec::new(), Lzma2Options { lzma_options: lzma, ..Lzma2Options::default() });
    writer.write_all(block)?;
    writer.finish()
}

/// A block as it was before it was packed; `None` if it does not hold exactly `size` bytes, each a result.
pub(super) fn unpack(block: &[u8], size: usize) -> Option<Box<[u8]>> {
    let mut plain = Vec::with_capacity(size);
    Lzma2Reader::new(block, dictionary(size), None).take(size as u64 + 1).read_to_end(&mut plain).ok()?;
    let sound = plain.len() == size && plain.iter().all(|&byte| ExactResult::of_byte(byte).is_some());
    sound.then(|| plain.into_boxed_slice())
}
