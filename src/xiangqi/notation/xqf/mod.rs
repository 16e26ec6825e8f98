//! XQF, the record files of XiangQi Studio (象棋演播室).
//!
//! A file is a header of 1,024 bytes (the start position, who, when, where) and a tree of moves with
//! remarks, in GB 18030 unless its author had another keyboard. Up to version 10 it is plain, as its author
//! published it in 2001; later versions shift positions and moves by keys worked out from the header and
//! subtract a stream from the tree. The scheme has been known since the converters of the ElephantEye
//! project. Files are written as version 10.

mod keys;
mod writer;

use encoding_rs::Encoding;

use super::encoding;
use super::game::RecordedGame;
use super::move_tree::{TreeError, TreeFault, TreeNode, TreeNodes};
use super::piece_list;
use crate::types::{Outcome, Side, Square};
use keys::XqfKeys;
pub use writer::write;

/// Where the tree of moves begins.
const HEADER: usize = 0x400;
/// The last version without any encryption.
const LAST_PLAIN: u8 = 10;
/// The letters that every file begins with.
const SIGNATURE: &[u8] = b"XQ";

/// The text fields of the header: tag, the byte that holds the length, and how long the text behind it may be.
const FIELDS: [(&str, usize, usize); 11] = [
    ("Title", 0x50, 63),
    ("Event", 0xd0, 63),
    ("Date", 0x110, 15),
    ("Site", 0x120, 15),
    ("Red", 0x130, 15),
    ("Black", 0x140, 15),
    ("TimeControl", 0x150, 63),
    ("RedTime", 0x190, 15),
    ("BlackTime", 0x1a0, 15),
    ("Annotator", 0x1d0, 15),
    ("Author", 0x1e0, 15),
];

/// Whether a file begins like an XQF file.
pub fn is_xqf(bytes: &[u8]) -> bool {
    bytes.starts_with(SIGNATURE)
}

/// Reads the game of an XQF file, which must have no fault.
///
/// ```
/// use xiangqi::{board::Position, notation::{pgn::RecordedGame, xqf}};
/// let mut game = RecordedGame::new(Position::startpos());
/// game.push("h2e2".parse().unwrap(), "架中炮");
/// let again = xqf::read(&xqf::write(&game).unwrap()).unwrap();
/// assert_eq!(again.main, game.main);
/// ```
///
/// # Errors
/// The first byte at which the file stops making sense.
pub fn read(bytes: &[u8]) -> Result<RecordedGame, TreeError> {
    let (game, faults) = salvage(bytes, None)?;
    match faults.into_iter().next() {
        Some(error) => Err(error),
        None => Ok(game),
    }
}

/// Reads the game of an XQF file as far as it makes sense, and what does not.
///
/// The texts are read in `encoding`, or in the one they look like.
///
/// # Errors
/// The file has no header or no start position.
pub fn salvage(
    bytes: &[u8],
    encoding: Option<&'static Encoding>,
) -> Result<(RecordedGame, Vec<TreeError>), TreeError> {
    let error = |offset, fault| TreeError { offset, fault };
    if !is_xqf(bytes) {
        return Err(error(0, TreeFault::Signature("an XQF file")));
    }
    let Some((header, tree)) = bytes.split_at_checked(HEADER) else {
        return Err(error(bytes.len(), TreeFault::Truncated("the header")));
    };
    let version = header[2];
    let keys = if version > LAST_PLAIN { XqfKeys::of(header) } else { XqfKeys::default() };
    let tree: Vec<u8> =
        tree.iter().zip(keys.stream.iter().cycle()).map(|(byte, key)| byte.wrapping_sub(*key)).collect();
    let pieces = keys.pieces(header, version);
    let mut reader = XqfReader { tree: &tree, at: 0, keys, version };
    let root = reader.node();
    let has_moves = root.as_ref().is_ok_and(|root| root.has_next);
    let nodes = if has_moves {
        TreeNodes::read(|| reader.node())
    } else {
        TreeNodes { nodes: Vec::new(), broken: None }
    };

    let named = if header[0x32] == 1 { Side::Black } else { Side::Red };
    let first = nodes.nodes.first().and_then(|node| node.from);
    let start =
        piece_list::position(&pieces, first, named).map_err(|fault| error(0x10, TreeFault::Start(fault)))?;

    let (opening, missing) = match root {
        Ok(root) => (root.remark, None),
        Err(error) => (Vec::new(), Some(error)),
    };
    let fields = FIELDS.map(|(name, at, longest)| {
        let length = usize::from(header[at]).min(longest);
        (name, &header[at + 1..=at + length])
    });
    let remarks = nodes.nodes.iter().map(|node| node.remark.as_slice()).chain([opening.as_slice()]);
    let encoding = encoding
        .unwrap_or_else(|| encoding::guess_of_texts(fields.iter().map(|(_, text)| *text).chain(remarks)));
    let text = |bytes: &[u8]| text(bytes, encoding);

    let mut game = RecordedGame::new(start);
    for (name, value) in fields {
        let value = text(value);
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
    let (main, mut faults) = nodes.play(&game.start, text);
    game.main = main;
    game.main.comment = text(&opening);
    faults.extend(missing);
    Ok((game, faults))
}

/// The text of bytes up to a zero.
fn text(bytes: &[u8], encoding: &'static Encoding) -> String {
    let bytes = bytes.split(|&byte| byte == 0).next().unwrap_or(bytes);
    encoding::text(bytes, encoding).replace("\r\n", "\n").trim().to_owned()
}

/// A square from ten times the file plus the rank.
fn square(byte: u8) -> Option<Square> {
    Square::new(byte / 10, byte % 10)
}

/// Reads the nodes of the tree, of which the first has no move.
struct XqfReader<'a> {
    tree: &'a [u8],
    at: usize,
    keys: XqfKeys,
    version: u8,
}

impl XqfReader<'_> {
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

    /// Takes a node.
    fn node(&mut self) -> Result<TreeNode, TreeError> {
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
        let remark = remark.ok_or_else(|| self.truncated("a remark"))?.to_vec();
        self.at += length;
        Ok(TreeNode {
            offset,
            from: square(from.wrapping_sub(24).wrapping_sub(self.keys.from)),
            to: square(to.wrapping_sub(32).wrapping_sub(self.keys.to)),
            has_next: flags & next != 0,
            has_sibling: flags & sibling != 0,
            remark,
        })
    }
}
