//! XQF files: the example its author published, plain and encrypted trees that Python's cchess reads alike,
//! and damaged files.

use proptest::prelude::*;
use xiangqi::notation;
use xiangqi::notation::chinese::{self, ChineseStyle};
use xiangqi::notation::pgn::{RecordedGame, Variation};
use xiangqi::notation::{TreeFault, xqf};
use xiangqi::types::{Outcome, Side};

const TREE_V18: &[u8] = include_bytes!("data/xqf/tree-v18.xqf");
const TREE_V10: &[u8] = include_bytes!("data/xqf/tree-v10.xqf");
const ENDING_V11: &[u8] = include_bytes!("data/xqf/ending-v11.xqf");

fn moves(line: &Variation) -> String {
    line.moves.iter().map(|ply| ply.mv.to_string()).collect::<Vec<_>>().join(" ")
}

/// The moves of a game in Chinese notation.
fn spoken(game: &RecordedGame) -> String {
    let mut position = game.start.clone();
    let mut words = Vec::new();
    for mv in game.moves() {
        words.push(chinese::write(&position, mv, ChineseStyle::SIMPLIFIED));
        position.make(mv);
    }
    words.join(" ")
}

/// The game in the format's description of 2001: the squares of the pieces, the texts and the moves are its
/// bytes.
#[test]
fn the_published_example() {
    let mut file = vec![0; 0x400];
    file[..3].copy_from_slice(b"XQ\x0a");
    file[0x10..0x30].copy_from_slice(&[
        0x50, 0x46, 0x3c, 0x32, 0x28, 0x1e, 0x14, 0x0a, 0x00, 0x48, 0x0c, 0x53, 0x3f, 0x2b, 0x17, 0x03, 0x09,
        0x13, 0x1d, 0x27, 0x31, 0x3b, 0x45, 0x4f, 0x59, 0x11, 0x4d, 0x06, 0x1a, 0x2e, 0x42, 0x56,
    ]);
    file[0x33] = 2;
    file[0x130..0x137].copy_from_slice(b"\x06\xc1\xf8\xb4\xf3\xbb\xaa");
    file[0x140..0x147].copy_from_slice(b"\x06\xc2\xc0\x20\x20\xc7\xd5");
    file.extend([0x18, 0x20, 0xf0, 0xff, 0, 0, 0, 0]);
    let squares = [
        0x2f38, 0x6763, 0x5760, 0x293b, 0x2c4a, 0x2b27, 0x2236, 0x2133, 0x182a, 0x2b2f, 0x2422, 0x276b,
        0x606d, 0x336d, 0x5e5e, 0x716f_u16,
    ];
    for (index, pair) in squares.iter().enumerate() {
        let more = if index + 1 < squares.len() { 0xf0 } else { 0 };
        let [from, to] = pair.to_be_bytes();
        file.extend([from, to, more, 0, 0, 0, 0, 0]);
    }
    let game = xqf::read(&file).unwrap();
    assert_eq!((game.tag("Red"), game.tag("Black")), (Some("柳大华"), Some("吕  钦")));
    assert_eq!(game.outcome, Some(Outcome::Win(Side::Black)));
    assert_eq!(
        spoken(&game),
        "兵七进一 马８进７ 兵三进一 炮２平３ 相七进五 马２进１ 马八进七 车１平２ 车九平八 车２进４ 炮八平九 \
         车２平８ 炮二进五 炮３平８ 马二进三 车９平８"
    );
}

#[test]
fn a_tree_plain_and_encrypted() {
    for (bytes, winner) in [(TREE_V18, Side::Red), (TREE_V10, Side::Black)] {
        let game = notation::read_games(bytes).unwrap().remove(0);
        assert_eq!(game.tag("Title"), Some("测试局"));
        assert_eq!(game.tag("Event"), Some("\"中立杯\"象棋赛"));
        assert_eq!(game.tag("Date"), Some("2026.11.29"));
        assert_eq!((game.tag("Red"), game.tag("Black")), (Some("红方甲"), Some("黑方乙")));
        assert_eq!((game.tag("Annotator"), game.tag("Author")), (Some("讲评者"), Some("作者")));
        assert_eq!(game.outcome, Some(Outcome::Win(winner)));
        assert!(game.is_from_start());
        assert_eq!(game.main.comment, "开局说明。");
        assert_eq!(moves(&game.main), "h2e2 h9g7 h0g2 i9h9 i0h0");
        let [first, second, ..] = &game.main.moves[..] else { panic!("two moves") };
        assert_eq!((first.comment.as_str(), second.comment.as_str()), ("架中炮。", ""));
        assert_eq!(first.variations.iter().map(moves).collect::<Vec<_>>(), ["g3g4 b7c7"]);
        assert_eq!(first.variations[0].moves[0].comment, "仙人指路。");
        assert_eq!(second.variations.iter().map(moves).collect::<Vec<_>>(), ["b9c7 g3g4 h7f7", "h7e7 h0g2"]);
        assert_eq!(second.variations[1].moves[0].comment, "顺炮。");
    }
}

#[test]
fn an_ending_with_black_to_move() {
    let game = xqf::read(ENDING_V11).unwrap();
    assert_eq!(game.start.to_fen(), "3k5/9/9/P8/9/9/9/4c4/9/5K3 b - - 0 1");
    assert_eq!(moves(&game.main), "e2e3 a6a7");
    assert_eq!(game.outcome, Some(Outcome::Draw));
}

#[test]
fn errors_tell_the_byte() {
    let fault = |bytes: &[u8]| {
        let error = xqf::read(bytes).unwrap_err();
        (error.offset, error.fault)
    };
    assert_eq!(fault(b"PK"), (0, TreeFault::Signature("an XQF file")));
    assert_eq!(fault(b"XQ\x0a"), (3, TreeFault::Truncated("the header")));
    assert_eq!(fault(&TREE_V10[..0x400]), (0x400, TreeFault::Truncated("a move")));
    assert_eq!(fault(&TREE_V10[..0x406]), (0x404, TreeFault::Truncated("the length of a remark")));
    let mut illegal = TREE_V10.to_vec();
    // The square h2 leaves: 72 + 24 in the file. From b2 to e2 would be legal too, from c2 nothing goes.
    let at = (0x400..illegal.len()).find(|&at| illegal[at] == 72 + 24).unwrap();
    illegal[at] = 22 + 24;
    assert!(matches!(fault(&illegal), (offset, TreeFault::Illegal(1, _)) if offset == at));
    illegal[at] = 95 + 24;
    assert_eq!(fault(&illegal), (at, TreeFault::Square(1)));
    let mut kingless = TREE_V10.to_vec();
    kingless[0x14] = 0xff;
    assert!(matches!(fault(&kingless), (0x10, TreeFault::Start(_))));
}

proptest! {
    #[test]
    fn damaged_files_do_not_panic(
        sample in prop::sample::select(vec![TREE_V18, TREE_V10, ENDING_V11]),
        damage in prop::collection::vec((0..1200usize, any::<u8>()), 0..6),
        length in 0..1200usize,
    ) {
        let mut bytes = sample.to_vec();
        for (at, byte) in damage {
            if let Some(place) = bytes.get_mut(at) {
                *place = byte;
            }
        }
        bytes.truncate(length.max(0x3f0));
        if let Ok(game) = xqf::read(&bytes) {
            prop_assert!(game.play_out().is_ok());
        }
    }
}
