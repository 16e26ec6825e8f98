//! The text of a file whose encoding nobody wrote down: UTF-8, UTF-16 with its mark, GB 18030 (and with it
//! GBK and GB 2312), Big5, or the Vietnamese of Windows-1258.

use encoding_rs::{BIG5, Encoding, GB18030, UTF_8, WINDOWS_1258};
use unicode_normalization::UnicodeNormalization;

use super::chinese;

/// The text of `bytes` and the encoding it was read in.
///
/// A byte order mark decides. Otherwise that encoding is taken in which fewest bytes make no sense and most
/// characters are words of Chinese notation: Chinese bytes make sense in every Chinese encoding, but moves
/// come out only in the right one. Words that are Vietnamese to the last letter are read as such.
///
/// ```
/// use xiangqi::notation::encoding;
/// let (text, encoding) = encoding::decode(b"\xc5\xda\xb6\xfe\xc6\xbd\xce\xe5");
/// assert_eq!((text.as_str(), encoding.name()), ("炮二平五", "gb18030"));
/// ```
pub fn decode(bytes: &[u8]) -> (String, &'static Encoding) {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return (text(&bytes[mark..], encoding), encoding);
    }
    if is_vietnamese(bytes) {
        return (text(bytes, WINDOWS_1258), WINDOWS_1258);
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

/// The text of `bytes` in an encoding that is known; bytes that make no sense become U+FFFD.
///
/// Accents that Windows-1258 writes behind their vowels are joined with them.
pub(super) fn text(bytes: &[u8], encoding: &'static Encoding) -> String {
    let text = encoding.decode_without_bom_handling(bytes).0;
    if encoding == WINDOWS_1258 { text.nfc().collect() } else { text.into_owned() }
}

/// The encoding that names and remarks look like they are in, taken together; GB 18030 in doubt.
pub(super) fn guess_of_texts<'a>(texts: impl Iterator<Item = &'a [u8]>) -> &'static Encoding {
    let mut all = Vec::new();
    for text in texts {
        all.extend(text.split(|&byte| byte == 0).next().unwrap_or(text));
        all.push(b' ');
    }
    if all.is_ascii() {
        GB18030
    } else if str::from_utf8(&all).is_ok() {
        UTF_8
    } else if is_vietnamese(&all) {
        WINDOWS_1258
    } else if common_share(&all, BIG5_COMMON) > common_share(&all, GBK_COMMON) {
        BIG5
    } else {
        GB18030
    }
}

/// The leading bytes of Big5's frequent characters.
const BIG5_COMMON: (u8, u8) = (0xa4, 0xc6);
/// The leading bytes of the frequent characters of GB 2312, and so of GBK.
const GBK_COMMON: (u8, u8) = (0xb0, 0xd7);

/// Which share of the pairs of bytes, in per mille, are frequent characters, or signs, of an encoding.
fn common_share(bytes: &[u8], (first, last): (u8, u8)) -> usize {
    let (mut pairs, mut common) = (0, 0);
    let mut rest = bytes.iter().copied();
    while let Some(lead) = rest.next() {
        if lead < 0x80 {
            continue;
        }
        let trail = rest.next().unwrap_or(0);
        pairs += 1;
        let whole = trail >= 0xa1 || (first, last) == BIG5_COMMON && (0x40..0x7f).contains(&trail);
        common += usize::from(whole && ((first..=last).contains(&lead) || (0xa1..=0xa3).contains(&lead)));
    }
    (common * 1000usize).checked_div(pairs).unwrap_or(0)
}

/// Whether every byte above ASCII is a letter of Vietnamese or an accent behind a vowel, and letters of ASCII
/// are in the majority.
fn is_vietnamese(bytes: &[u8]) -> bool {
    if str::from_utf8(bytes).is_ok() {
        return false;
    }
    // ưở is three bytes; a Chinese name of two characters is four.
    const LONGEST_RUN: usize = 3;
    let (mut plain, mut special, mut run) = (0, 0, 0);
    let mut before = b' ';
    for &byte in bytes {
        let accent = matches!(byte, 0xcc | 0xd2 | 0xde | 0xec | 0xf2);
        let marked = matches!(
            byte,
            0xc0..=0xc3 | 0xc8..=0xca | 0xcd | 0xd0 | 0xd3..=0xd5 | 0xd9 | 0xda | 0xdd
                | 0xe0..=0xe3 | 0xe8..=0xea | 0xed | 0xf0 | 0xf3..=0xf5 | 0xf9 | 0xfa | 0xfd
        );
        let is_vowel = |byte: u8| b"aeiouyAEIOUY".contains(&byte) || byte >= 0xc0;
        run = if byte >= 0x80 { run + 1 } else { 0 };
        if run > LONGEST_RUN || byte >= 0x80 && !marked && !(accent && is_vowel(before)) {
            return false;
        }
        plain += usize::from(byte.is_ascii_alphabetic());
        special += usize::from(byte >= 0x80);
        before = byte;
    }
    plain > special
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
    fn names_in_other_encodings_are_recognised() {
        let vietnamese = b"Gia\xd2i vo \xf0i\xf2ch".as_slice();
        assert_eq!(guess_of_texts([vietnamese].into_iter()), WINDOWS_1258);
        assert_eq!(text(vietnamese, WINDOWS_1258), "Giải vo địch");
        assert_eq!(decode(vietnamese).0, "Giải vo địch");
        for (name, encoding) in [
            ("許銀川 呂欽 全國象棋個人賽 廣東", BIG5),
            ("許銀川", BIG5),
            ("许银川 吕钦 全国象棋个人赛 广东", GB18030),
            ("胡荣华", GB18030),
            ("第24届五羊杯", GB18030),
            ("许银川", UTF_8),
            ("Xu Yinchuan", GB18030),
        ] {
            let bytes = encoding.encode(name).0;
            assert_eq!(guess_of_texts([&bytes[..]].into_iter()), encoding, "{name}");
        }
    }

    #[test]
    fn byte_order_marks_are_obeyed_and_dropped() {
        assert_eq!(decode("\u{feff}炮二平五".as_bytes()), ("炮二平五".to_owned(), UTF_8));
        let bytes: Vec<u8> = "\u{feff}炮".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(&bytes), ("炮".to_owned(), UTF_16LE));
        assert!(is_text(&bytes) && is_text("炮".as_bytes()) && is_text(b"") && !is_text(b"\x7fELF\0"));
    }
}
