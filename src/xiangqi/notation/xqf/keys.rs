//! The keys that XQF files of versions above 10 are scrambled with.

use super::square;
use crate::notation::piece_list::PieceList;

/// What positions, moves and the tree are shifted by. All zero in plain files.
#[derive(Debug, Default)]
pub(super) struct XqfKeys {
    pub(super) piece: u8,
    pub(super) from: u8,
    pub(super) to: u8,
    pub(super) remark: u16,
    pub(super) stream: XqfStream,
}

/// What is subtracted from the tree, over and over.
#[derive(Debug, Default)]
pub(super) struct XqfStream([u8; 32]);

impl XqfStream {
    pub(super) fn iter(&self) -> std::slice::Iter<'_, u8> {
        self.0.iter()
    }
}

impl XqfKeys {
    /// The keys of a header longer than 16 bytes.
    pub(super) fn of(header: &[u8]) -> XqfKeys {
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
    pub(super) fn pieces(&self, header: &[u8], version: u8) -> PieceList {
        let mut pieces = [None; 32];
        for (index, &byte) in header[0x10..0x30].iter().enumerate() {
            let turned = if version >= 12 { usize::from(self.piece) + 1 + index } else { index };
            pieces[turned % 32] = square(byte.wrapping_sub(self.piece));
        }
        pieces
    }
}
