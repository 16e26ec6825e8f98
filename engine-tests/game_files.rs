//! Files of games in every format: what is written is read back the same, a fault costs no more than it must,
//! and damage makes no reader panic.

use encoding_rs::{BIG5, WINDOWS_1258};
use proptest::prelude::*;
use xiangqi::board::Position;
use xiangqi::notation::pgn::{AnnotatedMove, RecordedGame, Variation};
use xiangqi::notation::{self, FileError, GameFormat, cbr, pgn, positions, ubb, wxf_file, xqf};
use xiangqi::types::{Outcome, Side};

const SAMPLE: &str = include_str!("data/games.iccs");
const BAD_VARIATION: &[u8] = include_bytes!("data/xqf/bad-variation.xqf");
const TREE_V18: &[u8] = include_bytes!("data/xqf/tree-v18.xqf");

fn moves(line: &Variation) -> String {
    line.moves.iter().map(|mv| mv.mv.to_string()).collect::<Vec<_>>().join(" ")
}

fn line(words: &str) -> Variation {
    let moves = words.split_whitespace().map(|word| AnnotatedMove::new(word.parse().expect("a move")));
    Variation { comment: String::new(), moves: moves.collect() }
}

/// A game of the sample with comments, and variations on its first, third and last move.
fn annotated(index: usize) -> RecordedGame {
    let text = SAMPLE.lines().nth(index).expect("a game");
    let (result, record) = text.split_once('\t').expect("a result, a tab and moves");
    let mut game = RecordedGame::new(Position::startpos());
    game.main = line(record);
    game.main.comment = "开局说明。\n第二行".to_owned();
    game.outcome = match result {
        "1-0" => Some(Outcome::Win(Side::Red)),
        "0-1" => Some(Outcome::Win(Side::Black)),
        _ => Some(Outcome::Draw),
    };
    game.set_tag("Title", "测试局");
    game.set_tag("Red", "红方甲");
    game.set_tag("Black", "黑方乙");
    let last = game.main.moves.len() - 1;
    for at in [0, 2, last] {
        let mut position = game.start.clone();
        game.moves().take(at).for_each(|mv| position.make(mv));
        let others: Vec<_> = position.legal_moves().iter().copied().take(3).collect();
        for mv in others {
            let mut variation = Variation::default();
            variation.moves.push(AnnotatedMove { comment: "又一着".to_owned(), ..AnnotatedMove::new(mv) });
            position.make(mv);
            if let Some(&reply) = position.legal_moves().first() {
                let mut second = AnnotatedMove::new(reply);
                if let Some(&other) = position.legal_moves().get(1) {
                    second
                        .variations
                        .push(Variation { comment: String::new(), moves: vec![AnnotatedMove::new(other)] });
                }
                variation.moves.push(second);
            }
            position.unmake();
            game.main.moves[at].variations.push(variation);
        }
        game.main.moves[at].comment = "说明".to_owned();
    }
    game
}

fn same(game: &RecordedGame, other: &RecordedGame) {
    assert_eq!(game.tags, other.tags);
    assert_eq!(game.start.to_fen(), other.start.to_fen());
    assert_eq!(game.main, other.main);
    assert_eq!(game.outcome, other.outcome);
}

/// Reads a file with one game and no fault.
fn only(bytes: &[u8], format: GameFormat) -> RecordedGame {
    let mut file = notation::read_file(bytes, None).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((file.format, file.games.len(), file.skipped.len()), (format, 1, 0), "{:?}", file.skipped);
    file.games.remove(0)
}

#[test]
fn xqf_and_dhtmlxq_are_read_back_the_same() {
    for index in (0..250).step_by(25) {
        let game = annotated(index);
        same(&only(&xqf::write(&game).expect("a set"), GameFormat::Xqf), &game);
        same(&only(ubb::write(&game).expect("a set").as_bytes(), GameFormat::Ubb), &game);
    }
}

#[test]
fn endings_are_read_back_the_same() {
    for fen in ["3k5/9/9/P8/9/9/9/4c4/9/5K3 b - - 0 1", "4k4/9/9/9/9/9/9/9/9/R2K5 w - - 0 1"] {
        let mut game = RecordedGame::new(Position::from_fen(fen).expect("a position"));
        let first = game.start.legal_moves().first().copied().expect("a move");
        same(&only(&xqf::write(&game).expect("a set"), GameFormat::Xqf), &game);
        game.push(first, "");
        same(&only(&xqf::write(&game).expect("a set"), GameFormat::Xqf), &game);
        same(&only(ubb::write(&game).expect("a set").as_bytes(), GameFormat::Ubb), &game);
    }
}

/// Texts of the header are cut at a whole character.
#[test]
fn long_names_are_cut_in_xqf() {
    let mut game = RecordedGame::new(Position::startpos());
    game.set_tag("Red", "a一二三四五六七八九");
    let again = only(&xqf::write(&game).expect("a set"), GameFormat::Xqf);
    assert_eq!(again.tag("Red"), Some("a一二三四五六七"));
}

#[test]
fn a_bad_move_in_an_xqf_tree_costs_only_its_branch() {
    let file = notation::read_file(BAD_VARIATION, None).expect("a game");
    let [game] = &file.games[..] else { panic!("one game") };
    assert_eq!(moves(&game.main), "h2e2 h9g7 h0g2");
    assert_eq!(game.main.moves[1].variations.iter().map(moves).collect::<Vec<_>>(), ["b9c7"]);
    let [skipped] = &file.skipped[..] else { panic!("one fault") };
    let said = skipped.to_string();
    assert_eq!(said, "game 1: XQF, byte 1064: ply 3: a0a9: the piece on a0 cannot go to a9");
    assert!(xqf::read(BAD_VARIATION).is_err());
}

/// What replaces a bad move of the main line takes its place.
#[test]
fn the_replacement_of_a_bad_move_goes_on_with_the_line() {
    let mut game = RecordedGame::new(Position::startpos());
    game.main = line("h2e2 h9g7 h0g2");
    game.main.moves[1].variations.push(line("b9c7 b0c2"));
    let mut file = xqf::write(&game).expect("a set");
    // The third node of the tree, h9g7: let it go to g0.
    let at = 0x400 + 2 * 8 + 1;
    assert_eq!(file[at], 67 + 32);
    file[at] = 60 + 32;
    let (salvaged, faults) = xqf::salvage(&file, None).expect("a game");
    assert_eq!((moves(&salvaged.main).as_str(), faults.len()), ("h2e2 b9c7 b0c2", 1));
    // Cut in the middle of the tree, the rest is still there.
    let (salvaged, faults) = xqf::salvage(&file[..0x400 + 2 * 8], None).expect("a game");
    assert_eq!((moves(&salvaged.main).as_str(), faults.len()), ("h2e2", 1));
}

#[test]
fn texts_of_xqf_files_may_be_in_other_encodings() {
    let titled = |title: &[u8]| {
        let mut file = xqf::write(&annotated(0)).expect("a set");
        // Chinese remarks would speak for a Chinese encoding.
        file.truncate(0x400);
        file.extend([0x18, 0x20, 0, 0, 0, 0, 0, 0]);
        for at in [0x130, 0x140] {
            file[at] = 0;
        }
        file[0x50] = title.len() as u8;
        file[0x51..0x51 + title.len()].copy_from_slice(title);
        file
    };
    let title = |file: &[u8], encoding| {
        let file = notation::read_file(file, encoding).expect("a game");
        file.games[0].tag("Title").expect("a title").to_owned()
    };
    let vietnamese = b"Gia\xd2i vo \xf0i\xf2ch".as_slice();
    assert_eq!(title(&titled(vietnamese), None), "Giải vo địch");
    assert_eq!(title(&titled(vietnamese), Some(WINDOWS_1258)), "Giải vo địch");
    let traditional = BIG5.encode("全國象棋個人賽").0;
    assert_eq!(title(&titled(&traditional), None), "全國象棋個人賽");
    assert_eq!(title(&titled("全国象棋".as_bytes()), None), "全国象棋");
}

#[test]
fn positions_and_books_of_the_cloud_are_read() {
    let board = "4k4/9/9/9/9/9/9/9/9/R2K5";
    let text = format!(
        "# comment\n{board} w\n\n{board} w - - 0 1 moves a0a1 e9e8\nfen {board} w\n\
         {board} w - - bm a0a9; id \"one\";\nposition startpos\nrubbish\n{board} w moves a0a1 a1a2 e9e8\n"
    );
    let file = notation::read_file(text.as_bytes(), None).expect("positions");
    assert_eq!(file.format, GameFormat::Positions);
    let lengths: Vec<usize> = file.games.iter().map(|game| game.main.moves.len()).collect();
    assert_eq!(lengths, [0, 2, 0, 0, 0, 1]);
    assert_eq!(file.games[3].main.comment, "bm a0a9; id \"one\";");
    let said: Vec<String> = file.skipped.iter().map(ToString::to_string).collect();
    assert_eq!(
        said[0],
        "game 6: positions, line 8, column 1: the start position: the board has 1 ranks instead of 10"
    );
    assert!(
        said[1].starts_with("game 7: positions, line 9, column 39: move 1 of Black: `a1a2`"),
        "{}",
        said[1]
    );
    assert_eq!(said.len(), 2);
}

#[test]
fn dhtmlxq_has_branches_comments_and_faults() {
    let text = "[DhtmlXQ]\n[DhtmlXQ_title]x[/DhtmlXQ_title]\n[DhtmlXQ_result]红胜[/DhtmlXQ_result]\n\
        [DhtmlXQ_movelist]774770627967[/DhtmlXQ_movelist]\n[DhtmlXQ_comment2]a||b[/DhtmlXQ_comment2]\n\
        [DhtmlXQ_move_0_2_1]10221927[/DhtmlXQ_move_0_2_1]\n[DhtmlXQ_comment1_3]c[/DhtmlXQ_comment1_3]\n\
        [DhtmlXQ_move_1_3_2]7967[/DhtmlXQ_move_1_3_2]\n[DhtmlXQ_move_0_3_3]0000[/DhtmlXQ_move_0_3_3]\n\
        [DhtmlXQ_move_7_3_4]7967[/DhtmlXQ_move_7_3_4]\n[/DhtmlXQ]\n";
    let file = notation::read_file(text.as_bytes(), None).expect("a record");
    let game = &file.games[0];
    assert_eq!(game.outcome, Some(Outcome::Win(Side::Red)));
    assert_eq!(moves(&game.main), "h2e2 h9g7 h0g2");
    let second = &game.main.moves[1];
    assert_eq!(second.comment, "a\nb");
    assert_eq!(second.variations.iter().map(moves).collect::<Vec<_>>(), ["b9c7 b0c2"]);
    let reply = &second.variations[0].moves[1];
    assert_eq!(reply.comment, "c");
    assert_eq!(reply.variations.iter().map(moves).collect::<Vec<_>>(), ["h0g2"]);
    let said: Vec<String> = file.skipped.iter().map(ToString::to_string).collect();
    assert_eq!(said.len(), 2);
    assert!(
        said[0].starts_with("game 1: DhtmlXQ (UBB), line 9, column 21: move 2 of Red: `0000`"),
        "{}",
        said[0]
    );
    assert!(said[1].ends_with("the move that this branch replaces is missing"), "{}", said[1]);
}

/// PlayOK writes Black's pieces in small letters and `.` for `=`.
#[test]
fn several_files_of_the_federation_in_one() {
    let text = "FORMAT\tWXF\nRED\ta;team;2000;\n\nSTART{\n1. C2.5 h8+7 2. H2+3 r9.8\n3. X1=2\n}END\n\
        FORMAT\tWXF\nSTART{\n1. P3+1\n}END\n";
    let file = notation::read_file(text.as_bytes(), None).expect("games");
    assert_eq!(
        file.games.iter().map(|game| moves(&game.main)).collect::<Vec<_>>(),
        ["h2e2 h9g7 h0g2 i9h9", "g3g4"]
    );
    let game = &file.games[0];
    assert_eq!((game.tag("RedTeam"), game.tag("RedElo")), (Some("team"), Some("2000")));
    assert_eq!(file.skipped.len(), 1);
    assert!(
        file.skipped[0].to_string().starts_with("game 1: WXF file, line 6, column 4: move 3 of Red: `X1=2`")
    );
}

/// A CBR record with the moves given as flags, from, to and remark.
fn cbr_record(nodes: &[(u8, u8, u8, &str)]) -> Vec<u8> {
    let mut file = vec![0; 2214];
    file[..16].copy_from_slice(b"CCBridge Record\0");
    let put = |file: &mut Vec<u8>, at: usize, text: &str| {
        let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        file[at..at + bytes.len()].copy_from_slice(&bytes);
    };
    put(&mut file, 180, "测试局");
    put(&mut file, 1076, "红方甲");
    file[2076] = 3;
    file[2112] = 1;
    let ranks: [(usize, u8, &str); 3] =
        [(0, 0x20, "123454321"), (2, 0x20, "060000060"), (3, 0x20, "707070707")];
    for (row, side, kinds) in ranks {
        for (file_number, kind) in
            kinds.bytes().map(|digit| digit - b'0').enumerate().filter(|(_, kind)| *kind > 0)
        {
            file[2120 + row * 9 + file_number] = side | kind;
            file[2120 + (9 - row) * 9 + file_number] = 0x10 | kind;
        }
    }
    for &(flags, from, to, remark) in nodes {
        file.extend([flags, 0, from, to]);
        if flags & 4 != 0 {
            let bytes: Vec<u8> = remark.encode_utf16().flat_map(u16::to_le_bytes).collect();
            file.extend((bytes.len() as u32).to_le_bytes());
            file.extend(bytes);
        }
    }
    file
}

/// h2e2 with h9g7 and, in its place, b9c7; numbers count from Black's left corner.
fn cbr_sample() -> Vec<u8> {
    cbr_record(&[(4, 0, 0, "说明"), (4, 70, 67, "中炮"), (3, 7, 24, ""), (1, 1, 20, "")])
}

#[test]
fn records_and_libraries_of_ccbridge_are_read() {
    let game = only(&cbr_sample(), GameFormat::Cbr);
    assert!(game.is_from_start());
    assert_eq!((game.tag("Title"), game.tag("Red")), (Some("测试局"), Some("红方甲")));
    assert_eq!((game.outcome, game.main.comment.as_str()), (Some(Outcome::Draw), "说明"));
    assert_eq!(moves(&game.main), "h2e2 h9g7");
    assert_eq!(game.main.moves[0].comment, "中炮");
    assert_eq!(game.main.moves[1].variations.iter().map(moves).collect::<Vec<_>>(), ["b9c7"]);

    let mut library = b"CCBridgeLibrary\0".to_vec();
    library.resize(66_624 + 2 * 276, 0);
    library[60] = 2;
    let mut record = cbr_sample();
    record.resize(2 * 4096, 0);
    library.extend(&record);
    // From b2 to the square of its own rook.
    let mut bad = cbr_record(&[(0, 0, 0, ""), (1, 64, 81, "")]);
    bad.resize(4096, 0);
    library.extend(bad);
    library.extend(record);
    let file = notation::read_file(&library, None).expect("a library");
    assert_eq!((file.format, file.games.len(), file.skipped.len()), (GameFormat::Cbl, 3, 1));
    assert_eq!(file.skipped[0].game, 2);
    assert!(
        file.skipped[0].to_string().starts_with("game 2: CBL, byte 77586: ply 1: "),
        "{}",
        file.skipped[0]
    );
}

#[test]
fn xml_records_of_ccbridge_are_read() {
    let text = "\u{feff}<?xml version=\"1.0\" encoding=\"UTF-8\"?><ChineseChessRecord Version=\"1.0\"><Head><Name>第十局</Name>\
        <RecordResult>3</RecordResult><FEN>rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1</FEN>\
        </Head><MoveList><Move value=\"00-00\"><![CDATA[说明]]></Move><Move value=\"77-47\" />\
        <Move value=\"70-62\"><![CDATA[屏风马]]></Move><Move value=\"00-00\" /></MoveList></ChineseChessRecord>";
    let file = notation::read_file(text.as_bytes(), None).expect("a record");
    let game = &file.games[0];
    assert_eq!(
        (file.format, game.tag("Title"), game.outcome),
        (GameFormat::Cbf, Some("第十局"), Some(Outcome::Draw))
    );
    assert_eq!((moves(&game.main).as_str(), game.main.comment.as_str()), ("h2e2 h9g7", "说明"));
    assert_eq!(game.main.moves[1].comment, "屏风马");
    assert_eq!(file.skipped.len(), 1);
    let broken = notation::read_file(b"<?xml version=\"1.0\"?><ChineseChessRecord>", None);
    assert!(matches!(broken, Err(FileError::Text { format: GameFormat::Cbf, .. })), "{broken:?}");
}

/// Every format's good file, to be damaged.
fn samples() -> Vec<Vec<u8>> {
    let game = annotated(3);
    let mut library = b"CCBridgeLibrary\0".to_vec();
    library.resize(66_624, 0);
    library.extend(cbr_sample());
    vec![
        xqf::write(&game).expect("a set"),
        TREE_V18.to_vec(),
        ubb::write(&game).expect("a set").into_bytes(),
        pgn::write(&game, notation::Notation::Wxf).into_bytes(),
        cbr_sample(),
        library,
        b"FORMAT\tWXF\nFEN\t4k4/9/9/9/9/9/9/9/9/R2K5 r\nSTART{\n1. R9+1 K5=4 {x} (1... K5+1) 2. R9+1 *\n}END\n".to_vec(),
        b"position fen 4k4/9/9/9/9/9/9/9/9/R2K5 w - - 0 1 moves a0a1 e9e8\n4k4/9/9/9/9/9/9/9/9/R2K5 w\n".to_vec(),
        "<ChineseChessRecord><Head/><MoveList><Move value=\"00-00\"/><Move value=\"77-47\">好</Move></MoveList>\
         </ChineseChessRecord>".as_bytes().to_vec(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn damaged_files_do_not_panic(
        sample in prop::sample::select(samples()),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8),
        cut in any::<prop::sample::Index>(),
        whole in any::<bool>(),
    ) {
        let mut bytes = sample;
        for (at, byte) in damage {
            // Libraries are mostly empty; the damage belongs where something stands.
            let at = if bytes.len() > 60_000 && byte % 2 == 0 { bytes.len() - 1 - at.index(2300) } else { at.index(bytes.len()) };
            bytes[at] = byte;
        }
        if !whole {
            bytes.truncate(cut.index(bytes.len()));
        }
        if let Ok(file) = notation::read_file(&bytes, None) {
            for game in &file.games {
                prop_assert!(game.play_out().is_ok());
            }
            for skipped in &file.skipped {
                prop_assert!(skipped.to_string().chars().count() < 250, "{}", skipped);
            }
        }
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in "(\\[DhtmlXQ(_(movelist|binit|move_0_1_1|comment1))?\\]|\\[/DhtmlXQ|FORMAT WXF|START\\{|\\}END|position |moves |[0-9]{4}|h2e2|\\(|\\)|\\n| |.){0,40}") {
        for (game, _) in ubb::salvage(&text).chain(wxf_file::salvage(&text)).chain(positions::salvage(&text)) {
            prop_assert!(game.is_none_or(|game| game.play_out().is_ok()));
        }
        for found in pgn::salvage(&text) {
            prop_assert!(found.game.is_none_or(|game| game.play_out().is_ok()));
        }
        prop_assert!(cbr::salvage(text.as_bytes()).is_err());
    }
}
