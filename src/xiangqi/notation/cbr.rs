//! CBR and CBL, the record and library files of CCBridge (象棋桥): read only.
//!
//! A record is a header of 2,214 bytes (who, when, where in UTF-16, and the board) and a tree of moves. A
//! library is a header, an index, and records that each begin on a boundary of 4,096 bytes.

use encoding_rs::UTF_16LE;

use super::game::RecordedGame;
use super::move_tree::{TreeError, TreeFault, TreeNode, TreeNodes};
use super::piece_list;
use crate::types::{Kind, Outcome, Piece, Side, Square};

const RECORD_SIGNATURE: &[u8] = b"CCBridge Record\0";
const LIBRARY_SIGNATURE: &[u8] = b"CCBridgeLibrary\0";

/// How long the header of a record is.
const HEADER: usize = 2214;
/// Where the board stands in it: a byte for each square, Black's back rank first, from Red's left.
const BOARD: usize = 2120;
/// Where the result stands.
const RESULT: usize = 2076;
/// Where the side that moves first stands.
const FIRST_SIDE: usize = 2112;
/// The distance between the places at which records of a library begin.
const SLOT: usize = 4096;
/// Where the index of a library begins, after how many entries follow in four bytes at 60.
const INDEX: usize = 66_624;
/// How long an entry of the index is.
const INDEX_ENTRY: usize = 276;

/// The text fields of a record: tag, where it stands, and how many bytes it may have.
const FIELDS: [(&str, usize, usize); 11] = [
    ("Title", 180, 128),
    ("Event", 692, 64),
    ("Round", 756, 64),
    ("Date", 884, 64),
    ("Site", 948, 64),
    ("TimeControl", 1012, 64),
    ("Red", 1076, 64),
    ("RedTeam", 1140, 64),
    ("Black", 1300, 64),
    ("BlackTeam", 1364, 64),
    ("Annotator", 1652, 64),
];

/// Whether a file begins like a record.
pub fn is_cbr(bytes: &[u8]) -> bool {
    bytes.starts_with(RECORD_SIGNATURE)
}

/// Whether a file begins like a library.
pub fn is_cbl(bytes: &[u8]) -> bool {
    bytes.starts_with(LIBRARY_SIGNATURE)
}

/// The records of a library, each with the byte at which it begins.
pub(super) fn records(library: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let count = library.get(60..64).and_then(|bytes| bytes.first_chunk().copied());
    let index = (u32::from_le_bytes(count.unwrap_or_default()) as usize).saturating_mul(INDEX_ENTRY);
    let begin = INDEX.saturating_add(index).min(library.len());
    let starts: Vec<usize> =
        (begin..library.len()).step_by(SLOT).filter(|&at| library.get(at..).is_some_and(is_cbr)).collect();
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([library.len()]).collect();
    starts.into_iter().zip(ends).map(|(start, end)| (start, &library[start..end]))
}

/// Reads the game of a record as far as it makes sense, and what does not.
///
/// ```
/// use xiangqi::notation::cbr;
/// assert!(cbr::salvage(b"CCBridge Record\0").is_err());
/// ```
///
/// # Errors
/// The record has no header or no start position.
pub fn salvage(bytes: &[u8]) -> Result<(RecordedGame, Vec<TreeError>), TreeError> {
    let error = |offset, fault| TreeError { offset, fault };
    if !is_cbr(bytes) {
        return Err(error(0, TreeFault::Signature("a CBR file")));
    }
    let Some((header, tree)) = bytes.split_at_checked(HEADER) else {
        return Err(error(bytes.len(), TreeFault::Truncated("the header")));
    };
    let mut reader = CbrReader { tree, at: 0 };
    let root = reader.node();
    let has_moves = root.as_ref().is_ok_and(|root| root.has_next) && !reader.is_blank();
    let nodes = if has_moves {
        TreeNodes::read(|| reader.node())
    } else {
        TreeNodes { nodes: Vec::new(), broken: None }
    };

    let on = |square: Square| {
        let row = usize::from(Square::RANKS - 1 - square.rank());
        piece(header[BOARD + row * usize::from(Square::FILES) + usize::from(square.file())])
    };
    let named = if header[FIRST_SIDE] == 2 { Side::Black } else { Side::Red };
    let first = nodes.nodes.first().and_then(|node| node.from);
    let start =
        piece_list::from_squares(on, first, named).map_err(|fault| error(BOARD, TreeFault::Start(fault)))?;

    let mut game = RecordedGame::new(start);
    for (name, at, length) in FIELDS {
        let value = text(&header[at..at + length]);
        if !value.is_empty() {
            game.set_tag(name, value);
        }
    }
    game.outcome = match header[RESULT] {
        1 => Some(Outcome::Win(Side::Red)),
        2 => Some(Outcome::Win(Side::Black)),
        3 => Some(Outcome::Draw),
        _ => None,
    };
    let (main, mut faults) = nodes.play(&game.start, text);
    game.main = main;
    match root {
        Ok(root) => game.main.comment = text(&root.remark),
        Err(error) => faults.push(error),
    }
    Ok((game, faults))
}

/// The text of UTF-16 bytes up to a zero.
fn text(bytes: &[u8]) -> String {
    let end = bytes.chunks(2).position(|unit| unit == [0, 0]).map_or(bytes.len(), |units| units * 2);
    let text = UTF_16LE.decode_without_bom_handling(&bytes[..end]).0;
    text.replace("\r\n", "\n").trim().to_owned()
}

/// The piece of a byte: the side in the upper four bits, the kind in the lower.
fn piece(byte: u8) -> Option<Piece> {
    use Kind::{Advisor, Cannon, Elephant, Horse, King, Pawn, Rook};
    let side = match byte >> 4 {
        1 => Side::Red,
        2 => Side::Black,
        _ => return None,
    };
    let kinds = [Rook, Horse, Elephant, Advisor, King, Cannon, Pawn];
    let kind = kinds.get(usize::from(byte & 0xf).checked_sub(1)?)?;
    Some(Piece::new(side, *kind))
}

/// A square by its number, from Black's back rank and Red's left.
fn square(byte: u8) -> Option<Square> {
    piece_list::square_from_top(byte % Square::FILES, byte / Square::FILES)
}

/// Reads the nodes of the tree, of which the first has no move.
struct CbrReader<'a> {
    tree: &'a [u8],
    at: usize,
}

impl CbrReader<'_> {
    /// Takes `N` bytes.
    fn take<const N: usize>(&mut self, wanted: &'static str) -> Result<[u8; N], TreeError> {
        let bytes = self.tree.get(self.at..).and_then(|rest| rest.first_chunk::<N>());
        let bytes = bytes.ok_or_else(|| self.truncated(wanted))?;
        self.at += N;
        Ok(*bytes)
    }

    fn truncated(&self, wanted: &'static str) -> TreeError {
        TreeError { offset: HEADER + self.at, fault: TreeFault::Truncated(wanted) }
    }

    /// Whether nothing but zeros stands where a move is wanted, as in records without moves.
    fn is_blank(&self) -> bool {
        self.tree.get(self.at..).is_none_or(|rest| rest.iter().take(4).all(|&byte| byte == 0))
    }

    /// Takes a node.
    fn node(&mut self) -> Result<TreeNode, TreeError> {
        let offset = HEADER + self.at;
        let [flags, _, from, to] = self.take("a move")?;
        let mut length = 0;
        if flags & 0x04 != 0 {
            length = u32::from_le_bytes(self.take("the length of a remark")?) as usize;
        }
        let remark = self.tree.get(self.at..).and_then(|rest| rest.get(..length));
        let remark = remark.ok_or_else(|| self.truncated("a remark"))?.to_vec();
        self.at += length;
        Ok(TreeNode {
            offset,
            from: square(from),
            to: square(to),
            has_next: flags & 0x01 == 0,
            has_sibling: flags & 0x02 != 0,
            remark,
        })
    }
}
