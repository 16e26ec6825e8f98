//! The text of a file whose encoding nobody wrote down: UTF-8, UTF-16 with its mark, GB 18030 (and with it
//! GBK and GB 2312), or Big5.

use encoding_rs::{BIG5, Encoding, GB18030, UTF_8};

use super::chinese;

/// The text of `bytes` and the encoding it was read in.
///
/// A byte order mark decides. Otherwise that encoding is taken in which fewest bytes make no sense and most
/// characters are words of Chinese notation: Chinese bytes make sense in every Chinese encoding, but moves
/// come out only in the right one.
pub fn decode(bytes: &[u8]) -> (String, &'static Encoding) {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return (encoding.decode_without_bom_handling(&bytes[mark..]).0.into_owned(), encoding);
    }
    let mut best = (UTF_8.decode_without_bom_handling(bytes).0, UTF_8);
    let mut best_score = score(&best.0);
    for encoding in [GB18030, BIG5] {
        let text = encoding.decode_without_bom_handling(bytes).0;
        let score = score(&text);
        if score > best_score {
            (best, best_score) = ((text, encoding), score);
        }
    }
    (best.0.into_owned(), best.1)
}

/// Whether the bytes can be a text: none is zero, unless a byte order mark tells of wider characters.
pub fn is_text(bytes: &[u8]) -> bool {
    Encoding::for_bom(bytes).is_some() || !bytes.contains(&0)
}

/// Words of notation less characters that could not be decoded.
fn score(text: &str) -> i64 {
    let value =
        |letter| i64::from(chinese::is_word(letter)) - i64::from(letter == char::REPLACEMENT_CHARACTER);
    text.chars().map(value).sum()
}

#[cfg(test)]
mod tests {
    use encoding_rs::UTF_16LE;

    use super::*;

    #[test]
    fn each_encoding_is_recognised() {
        let simplified = "[Red \"许银川\"]\n1. 炮二平五 马８进７ 2. 马二进三 车９平８\n";
        let traditional = "[Red \"許銀川\"]\n1. 炮二平五 馬８進７ 2. 馬二進三 車９平８\n";
        let plain = "[Red \"Xu Yinchuan\"]\n1. H2-E2 H9-G7\n";
        for (text, encoding) in [
            (simplified, UTF_8),
            (traditional, UTF_8),
            (plain, UTF_8),
            (simplified, GB18030),
            (traditional, GB18030),
            (traditional, BIG5),
        ] {
            let (bytes, _, failed) = encoding.encode(text);
            assert!(!failed);
            assert_eq!(decode(&bytes), (text.to_owned(), encoding));
        }
    }

    /// Names alone must do where the moves are in coordinates.
    #[test]
    fn names_in_gbk_are_recognised_without_chinese_moves() {
        let text = "[Event \"第24届五羊杯\"]\n[Red \"柳大华\"]\n[Black \"吕钦\"]\n1. H2-E2 H9-G7\n";
        assert_eq!(decode(&GB18030.encode(text).0), (text.to_owned(), GB18030));
    }

    #[test]
    fn byte_order_marks_are_obeyed_and_dropped() {
        assert_eq!(decode("\u{feff}炮二平五".as_bytes()), ("炮二平五".to_owned(), UTF_8));
        let bytes: Vec<u8> = "\u{feff}炮".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(&bytes), ("炮".to_owned(), UTF_16LE));
        assert!(is_text(&bytes) && is_text("炮".as_bytes()) && is_text(b"") && !is_text(b"\x7fELF\0"));
    }
}
