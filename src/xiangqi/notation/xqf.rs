//! XQF, the record files of XiangQi Studio (象棋演播室): read only.
//!
//! A file is a header of 1,024 bytes (the start position, who, when, where) and a tree of moves with
//! remarks, in GB 18030. Up to version 10 it is plain, as its author published it in 2001; later versions
//! shift positions and moves by keys worked out from the header and subtract a stream from the tree. The
//! scheme has been known since the converters of the ElephantEye project.

use encoding_rs::GB18030;
use thiserror::Error;

use super::game::{AnnotatedMove, RecordedGame, Variation};
use crate::board::{FenError, PlayError, Position};
use crate::types::{Kind, Move, Outcome, Piece, Side, Square};

/// Why a file is not read as XQF.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("byte {offset}: {fault}")]
pub struct XqfError {
    /// The byte of the file, from 0.
    pub offset: usize,
    /// What is wrong there.
    pub fault: XqfFault,
}

/// What is wrong with an XQF file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum XqfFault {
    /// It does not begin with the letters `XQ`.
    #[error("not an XQF file")]
    NotXqf,
    /// It ends too early.
    #[error("the file ends where {0} is wanted")]
    Truncated(&'static str),
    /// The start position makes no sense.
    #[error("the start position: {0}")]
    Start(FenError),
    /// A move has a square outside the board.
    #[error("ply {0}: a square outside the board")]
    Square(usize),
    /// A move is not legal.
    #[error("ply {0}: {1}")]
    Illegal(usize, PlayError),
    /// Variations lie deeper than 256 in each other.
    #[error("variations lie too deep in each other")]
    TooDeep,
}

/// Where the tree of moves begins.
const HEADER: usize = 0x400;
/// How deep variations may lie in each other; the siblings of a move count one by one.
const MAX_DEPTH: usize = 256;
/// The last version without any encryption.
const LAST_PLAIN: u8 = 10;

/// The text fields of the header: tag, and the byte that holds the length of the text behind it.
const FIELDS: [(&str, usize); 11] = [
    ("Title", 0x50),
    ("Event", 0xd0),
    ("Date", 0x110),
    ("Site", 0x120),
    ("Red", 0x130),
    ("Black", 0x140),
    ("TimeControl", 0x150),
    ("RedTime", 0x190),
    ("BlackTime", 0x1a0),
    ("Annotator", 0x1d0),
    ("Author", 0x1e0),
];

/// Whether a file begins like an XQF file.
pub fn is_xqf(bytes: &[u8]) -> bool {
    bytes.starts_with(b"XQ")
}

/// Reads the game of an XQF file.
///
/// # Errors
/// Tells the byte at which the file stops making sense.
pub fn read(bytes: &[u8]) -> Result<RecordedGame, XqfError> {
    let error = |offset, fault| XqfError { offset, fault };
    if !is_xqf(bytes) {
        return Err(error(0, XqfFault::NotXqf));
    }
    let Some((header, tree)) = bytes.split_at_checked(HEADER) else {
        return Err(error(bytes.len(), XqfFault::Truncated("the header")));
    };
    let version = header[2];
    let keys = if version > LAST_PLAIN { XqfKeys::of(header) } else { XqfKeys::default() };
    let tree: Vec<u8> =
        tree.iter().zip(keys.stream.iter().cycle()).map(|(byte, key)| byte.wrapping_sub(*key)).collect();
    let pieces = keys.pieces(header, version);
    let mut reader = XqfReader { tree: &tree, at: 0, keys, version, position: Position::startpos() };
    let root = reader.record()?;
    let start = start_fen(&pieces, reader.first_side(&root, &pieces, header));
    reader.position = Position::from_fen(&start)
        .map_err(|error| XqfError { offset: 0x10, fault: XqfFault::Start(error) })?;

    let mut game = RecordedGame::new(reader.position.clone());
    for (name, at) in FIELDS {
        let length = usize::from(header[at]).min(if matches!(at, 0x50 | 0xd0 | 0x150) { 63 } else { 15 });
        let value = text(&header[at + 1..=at + length]);
        if !value.is_empty() {
            game.set_tag(name, value);
        }
    }
    game.outcome = match header[0x33] {
        1 => Some(Outcome::Win(Side::Red)),
        2 => Some(Outcome::Win(Side::Black)),
        3 | 4 => Some(Outcome::Draw),
        _ => None,
    };
    if root.has_next {
        game.main = reader.line(0)?;
    }
    game.main.comment = root.remark;
    Ok(game)
}

/// The text of GB 18030 bytes, up to a zero.
fn text(bytes: &[u8]) -> String {
    let bytes = bytes.split(|&byte| byte == 0).next().unwrap_or(bytes);
    GB18030.decode_without_bom_handling(bytes).0.replace("\r\n", "\n").trim().to_owned()
}

/// What positions, moves and the tree are shifted by. All zero in plain files.
#[derive(Debug, Default)]
struct XqfKeys {
    piece: u8,
    from: u8,
    to: u8,
    remark: u16,
    stream: XqfStream,
}

/// What is subtracted from the tree, over and over.
#[derive(Debug, Default)]
struct XqfStream([u8; 32]);

impl XqfStream {
    fn iter(&self) -> std::slice::Iter<'_, u8> {
        self.0.iter()
    }
}

impl XqfKeys {
    /// The keys of a header longer than 16 bytes.
    fn of(header: &[u8]) -> XqfKeys {
        let (mask, or) = (header[3], &header[8..12]);
        let [sum, piece, from, to] = [header[12], header[13], header[14], header[15]];
        // 54 k² + 221, in one byte.
        let spread = |key: u8| key.wrapping_mul(key).wrapping_mul(54).wrapping_add(221);
        let piece_key = spread(piece).wrapping_mul(piece);
        let from_key = spread(from).wrapping_mul(piece_key);
        let to_key = spread(to).wrapping_mul(from_key);
        let remark = (u32::from(sum) * 256 + u32::from(piece)) % 32_000 + 767;
        let mut stream = *b"[(C) Copyright Mr. Dong Shiwei.]";
        for (index, byte) in stream.iter_mut().enumerate() {
            let part = index % 4;
            *byte &= ([sum, piece, from, to][part] & mask) | or[part];
        }
        XqfKeys {
            piece: piece_key,
            from: from_key,
            to: to_key,
            remark: remark as u16,
            stream: XqfStream(stream),
        }
    }

    /// The squares of the 32 pieces in the order of the format, `None` for those off the board.
    fn pieces(&self, header: &[u8], version: u8) -> [Option<Square>; 32] {
        let mut pieces = [None; 32];
        for (index, &byte) in header[0x10..0x30].iter().enumerate() {
            let turned = if version >= 12 { usize::from(self.piece) + 1 + index } else { index };
            pieces[turned % 32] = square(byte.wrapping_sub(self.piece));
        }
        pieces
    }
}

/// A square from ten times the file plus the rank.
fn square(byte: u8) -> Option<Square> {
    Square::new(byte / 10, byte % 10)
}

/// The piece of a place in the order of the format: the back rank, cannons, pawns, Red first.
fn piece(index: usize) -> Piece {
    use Kind::{Advisor, Cannon, Elephant, Horse, King, Pawn, Rook};
    const ORDER: [Kind; 16] = [
        Rook, Horse, Elephant, Advisor, King, Advisor, Elephant, Horse, Rook, Cannon, Cannon, Pawn, Pawn,
        Pawn, Pawn, Pawn,
    ];
    Piece::new(if index < 16 { Side::Red } else { Side::Black }, ORDER[index % 16])
}

fn start_fen(pieces: &[Option<Square>; 32], side: Side) -> String {
    let letter = |rank, file| {
        let here = pieces.iter().position(|&square| square.is_some() && square == Square::new(file, rank));
        here.map_or('1', |index| piece(index).letter())
    };
    let rank = |rank| (0..Square::FILES).map(|file| letter(rank, file)).collect::<String>();
    let ranks: Vec<String> = (0..Square::RANKS).rev().map(rank).collect();
    format!("{} {} - - 0 1", ranks.join("/"), side.letter())
}

/// One record of the tree. The first has no move.
struct XqfNode {
    /// Where it begins in the file.
    offset: usize,
    from: Option<Square>,
    to: Option<Square>,
    /// Whether a move follows this one.
    has_next: bool,
    /// Whether another move is given in place of this one, after all that follows this one.
    has_sibling: bool,
    remark: String,
}

/// Walks through the tree.
struct XqfReader<'a> {
    tree: &'a [u8],
    at: usize,
    keys: XqfKeys,
    version: u8,
    /// The position before the next move.
    position: Position,
}

impl XqfReader<'_> {
    /// Takes `N` bytes.
    fn take<const N: usize>(&mut self, wanted: &'static str) -> Result<[u8; N], XqfError> {
        let bytes = self.tree.get(self.at..).and_then(|rest| rest.first_chunk::<N>());
        let bytes = bytes.ok_or_else(|| self.truncated(wanted))?;
        self.at += N;
        Ok(*bytes)
    }

    fn truncated(&self, wanted: &'static str) -> XqfError {
        XqfError { offset: HEADER + self.at, fault: XqfFault::Truncated(wanted) }
    }

    /// Takes a record.
    fn record(&mut self) -> Result<XqfNode, XqfError> {
        let offset = HEADER + self.at;
        let [from, to, flags, _] = self.take("a move")?;
        let plain = self.version <= LAST_PLAIN;
        let (next, sibling) = if plain { (0xf0, 0x0f) } else { (0x80, 0x40) };
        let mut length = 0;
        if plain || flags & 0x20 != 0 {
            let shifted = u32::from_le_bytes(self.take("the length of a remark")?);
            length = shifted.wrapping_sub(u32::from(self.keys.remark)) as usize;
        }
        let remark = self.tree.get(self.at..).and_then(|rest| rest.get(..length));
        let remark = text(remark.ok_or_else(|| self.truncated("a remark"))?);
        self.at += length;
        Ok(XqfNode {
            offset,
            from: square(from.wrapping_sub(24).wrapping_sub(self.keys.from)),
            to: square(to.wrapping_sub(32).wrapping_sub(self.keys.to)),
            has_next: flags & next != 0,
            has_sibling: flags & sibling != 0,
            remark,
        })
    }

    /// Whose turn it is at the start: his who moves first, or whom the header names if nobody does.
    fn first_side(&mut self, root: &XqfNode, pieces: &[Option<Square>; 32], header: &[u8]) -> Side {
        let at = self.at;
        let first = if root.has_next { self.record().ok().and_then(|record| record.from) } else { None };
        self.at = at;
        let mover = first.and_then(|from| pieces.iter().position(|&square| square == Some(from)));
        let named = if header[0x32] == 1 { Side::Black } else { Side::Red };
        mover.map_or(named, |index| piece(index).side())
    }

    /// Reads a line of play with the variations on its moves, and takes its moves back.
    fn line(&mut self, depth: usize) -> Result<Variation, XqfError> {
        if depth > MAX_DEPTH {
            return Err(XqfError { offset: HEADER + self.at, fault: XqfFault::TooDeep });
        }
        let mut line = Variation::default();
        let mut siblings = Vec::new();
        loop {
            let record = self.record()?;
            let mv = self.make(&record)?;
            siblings.push(record.has_sibling);
            line.moves.push(AnnotatedMove { comment: record.remark, ..AnnotatedMove::new(mv) });
            if !record.has_next {
                break;
            }
        }
        // What replaces a move comes after everything that follows it, so the last move's is first.
        for (ply, has_sibling) in line.moves.iter_mut().zip(siblings).rev() {
            self.position.unmake();
            if has_sibling {
                let mut variation = self.line(depth + 1)?;
                // A sibling's sibling replaces the same move.
                let more = variation.moves.first_mut().map(|first| std::mem::take(&mut first.variations));
                ply.variations.push(variation);
                ply.variations.extend(more.into_iter().flatten());
            }
        }
        Ok(line)
    }

    fn make(&mut self, record: &XqfNode) -> Result<Move, XqfError> {
        let ply = self.position.plies() + 1;
        let error = |fault| XqfError { offset: record.offset, fault };
        let mv = record.from.zip(record.to).and_then(|(from, to)| Move::new(from, to));
        let mv = mv.ok_or_else(|| error(XqfFault::Square(ply)))?;
        self.position.play(mv).map_err(|reason| error(XqfFault::Illegal(ply, reason)))?;
        Ok(mv)
    }
}
