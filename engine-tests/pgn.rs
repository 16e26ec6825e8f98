//! RecordedGame files: what foreign programs write is read without loss, and what we write is read back the same.

use encoding_rs::{GB18030, UTF_8};
use proptest::prelude::*;
use xiangqi::board::Position;
use xiangqi::notation::chinese::ChineseStyle;
use xiangqi::notation::pgn::{self, AnnotatedMove, RecordedGame, TextFault, Variation};
use xiangqi::notation::{Notation, NotationFault, encoding};
use xiangqi::types::{Move, Outcome, Side};

const SAMPLE: &str = include_str!("data/games.iccs");

const NOTATIONS: [Notation; 5] = [
    Notation::Coordinates,
    Notation::Iccs,
    Notation::Wxf,
    Notation::Chinese(ChineseStyle::SIMPLIFIED),
    Notation::Chinese(ChineseStyle::TRADITIONAL),
];

fn only(text: &str) -> RecordedGame {
    let mut games = pgn::read_all(text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(games.len(), 1, "{games:?}");
    games.remove(0)
}

fn moves(game: &RecordedGame) -> String {
    game.moves().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
}

fn same(game: &RecordedGame, other: &RecordedGame) {
    assert_eq!(game.tags, other.tags);
    assert_eq!(game.start.to_fen(), other.start.to_fen());
    assert_eq!(game.main, other.main);
    assert_eq!(game.outcome, other.outcome);
}

/// A game of the first Chinese Computer Games Championship as ElephantEye's league files have it.
#[test]
fn a_league_file_of_xiangqi_wizard() {
    let bytes = include_bytes!("data/pgn/league-gbk.pgn");
    let (text, encoding) = encoding::decode(bytes);
    assert_eq!(encoding, GB18030);
    let game = only(&text);
    assert_eq!(game.tag("Red"), Some("宝岛一号"));
    assert_eq!(game.tag("Opening"), Some("中炮过河车互进七兵对屏风马平炮兑车"));
    assert_eq!(game.tag("RedTeam"), Some(""));
    assert_eq!(game.outcome, Some(Outcome::Win(Side::Black)));
    assert_eq!(game.main.moves.len(), 26);
    assert_eq!(moves(&game).split(' ').next_back(), Some("g5g4"));
    assert_eq!(pgn::read_bytes(bytes).unwrap().len(), 1);
}

/// A game with notes from a handicap position, laid out like XiangQi Wizard's: the number is repeated
/// without dots before Black's move, and notes have line breaks.
#[test]
fn notes_between_the_moves() {
    let bytes = include_bytes!("data/pgn/handicap-gbk.pgn");
    let (text, encoding) = encoding::decode(bytes);
    assert_eq!(encoding, GB18030);
    let game = only(&text);
    assert_eq!(game.start.to_fen(), "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/9/1C5C1/9/RN2K2NR w - - 0 1");
    assert_eq!(game.main.comment, "让五兵双士双相， \n红先。");
    assert_eq!(game.main.moves.len(), 75);
    assert_eq!(game.main.moves[1].comment, "还架中炮。");
    assert_eq!(game.main.moves[4].comment, "再架中炮也属正着。");
    assert_eq!(game.main.moves[73].comment, "");
    assert_eq!(game.main.moves[74].comment, "黑方认负。");
    assert_eq!(game.outcome, Some(Outcome::Win(Side::Red)));
}

/// Python's cchess writes one move a line and a footer, and no result but `*`.
#[test]
fn a_file_of_cchess() {
    let text = include_str!("data/pgn/cchess.pgn");
    let game = only(text);
    assert_eq!(moves(&game), "h2e2 h9g7 h0g2 i9h9 i0h0 h7h3 b0c2 b9c7");
    assert_eq!(game.outcome, None);
}

/// elephantchess.io writes algebraic moves with ranks from 1 to 10, calls Red White and ends without a
/// result.
#[test]
fn a_file_of_elephantchess() {
    let game = only(include_str!("data/pgn/elephantchess.pgn"));
    assert_eq!(game.tag("Red"), Some("Wang Tianyi"));
    assert_eq!(game.outcome, Some(Outcome::Win(Side::Red)));
    assert_eq!(game.main.moves.len(), 63);
    assert!(moves(&game).starts_with("h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 "));
    assert!(moves(&game).ends_with(" h2h9 g9i7 g6g7"));
    assert_eq!(moves(&only("1. h3e3 h10g8 2. h1g3")), "h2e2 h9g7 h0g2");
}

#[test]
fn everything_at_once() {
    let text = "% escaped [Red \"nobody\"]\n\
        [Event \"\"中立杯\"象棋[快棋]\"] [Site \"北京\"]\n[Date \"1997.11.16\"]\n[FEN \"\"]\n[Result \"1-0\"]\n\n\
        {first} 1. 炮二平五! ; a rest of line\n 馬8进７ $14 (1... 炮8平5 {against} 2. 马二进三 (2. H8+7) 马8进7)\n\
        {after} 2.H0-G2?! R9=8 3、车一平二，炮84 1/2-1/2 {agreed}\nbye [sic\n[Event \"b\"]\n*\n";
    let games = pgn::read_all(text).unwrap();
    assert_eq!(games.len(), 2);
    let game = &games[0];
    assert_eq!(game.tag("event"), Some("\"中立杯\"象棋[快棋]"));
    assert_eq!(game.tag("Site"), Some("北京"));
    assert_eq!(moves(game), "h2e2 h9g7 h0g2 i9h9 i0h0 h7h3");
    assert_eq!(game.outcome, Some(Outcome::Draw), "the moves' own result goes before the tag");
    assert_eq!(game.main.comment, "first");
    let plies = &game.main.moves;
    assert_eq!((plies[0].glyphs.as_slice(), plies[0].comment.as_str()), (&[1][..], "a rest of line"));
    assert_eq!((plies[1].glyphs.as_slice(), plies[1].comment.as_str()), (&[14][..], "after"));
    assert_eq!(plies[2].glyphs, [6]);
    assert_eq!(plies[5].comment, "agreed");
    let [variation] = &plies[1].variations[..] else { panic!("one variation") };
    let line: Vec<_> = variation.moves.iter().map(|ply| ply.mv.to_string()).collect();
    assert_eq!(line, ["h7e7", "h0g2", "h9g7"]);
    assert_eq!(variation.moves[0].comment, "against");
    assert_eq!(variation.moves[1].variations[0].moves[0].mv.to_string(), "b0c2");
    assert_eq!(games[1].tag("Event"), Some("b"));
    assert!(games[1].main.moves.is_empty() && games[1].outcome.is_none());
}

#[test]
fn bare_moves_are_a_game() {
    assert_eq!(moves(&only("h2e2 h9g7\nh0g2")), "h2e2 h9g7 h0g2");
    assert_eq!(moves(&only("1 炮25 馬87\n2 馬23 車98\n3 車12 炮84")), "h2e2 h9g7 h0g2 i9h9 i0h0 h7h3");
    let two = pgn::read_all("1. h2e2 1-0\n1. h0g2 0-1\n").unwrap();
    assert_eq!(two.len(), 2);
    assert!(pgn::read_all(" \n\n").unwrap().is_empty());
}

/// `33.4` is a pawn's move in WXF, not move 33.
#[test]
fn wxf_pawn_moves_are_no_numbers() {
    let fen = "3k5/9/2P3P2/2P3P2/6P2/9/9/9/9/5K3 w - - 0 40";
    let game = only(&format!("[FEN \"{fen}\"]\n40.33.4 K4+1 41. 7+.6"));
    assert_eq!(moves(&game), "g6f6 d9d8 c7d7");
    assert_eq!(moves(&only(&format!("[FEN \"{fen}\"]\n40. 33.4"))), "g6f6");
}

#[test]
fn errors_tell_line_and_column() {
    let error = |text: &str| pgn::read_all(text).unwrap_err();
    let wrong = error("[Red \"a\"]\n\n1. 炮二平五 马8进7\n2. 马二进三 炮8平4 *");
    assert_eq!((wrong.line, wrong.column), (4, 9));
    assert!(matches!(&wrong.fault, TextFault::Move(_, error) if error.fault == NotationFault::NoMove));
    assert_eq!(wrong.to_string(), "line 4, column 9: move 2 of Black: `炮8平4` is no legal move here");
    let place = |text| {
        let error = error(text);
        (error.line, error.column, error.fault)
    };
    assert_eq!(place("1. h2e2 {never"), (1, 9, TextFault::OpenComment));
    assert_eq!(place("1. h2e2 (1. h0g2"), (1, 9, TextFault::OpenVariation));
    assert_eq!(place("1. h2e2 )"), (1, 9, TextFault::NoVariation));
    assert_eq!(place("\n(1. h2e2)"), (2, 1, TextFault::NothingToReplace));
    assert_eq!(place("[Red a\n"), (1, 1, TextFault::Tag));
    assert!(matches!(place("[FEN \"9/9 w\"]"), (1, 1, TextFault::Fen(_))));
    assert_eq!(error("1.h2e3").column, 3);
    let deep = "1. h2e2 ".to_owned() + &"(1. h2e2 ".repeat(10_000);
    assert_eq!(error(&deep).fault, TextFault::TooDeep);
}

#[test]
fn reading_goes_on_after_a_broken_game() {
    let text = "[Red \"a\"]\n1. h2e2 *\n[Red \"b\"]\n1. h2e9\n2. rubbish\n\n[Red \"c\"]\n1. h0g2 *\n";
    let games: Vec<_> = pgn::games(text).collect();
    assert_eq!(games.len(), 3);
    assert!(games[0].is_ok() && games[1].is_err());
    assert_eq!(games[2].as_ref().unwrap().tag("Red"), Some("c"));
}

/// Games of the sample, with a comment, a glyph and a variation strewn in, in every notation.
#[test]
fn written_games_are_read_back_the_same() {
    for (index, line) in SAMPLE.lines().enumerate().filter(|(index, _)| index % 4 == 0) {
        let game = annotated(index, line);
        for notation in NOTATIONS {
            let text = pgn::write(&game, notation);
            let wide =
                |line: &&str| line.chars().map(|c| 1 + usize::from(c > '\u{1100}')).sum::<usize>() > 80;
            assert_eq!(text.lines().skip_while(|line| line.starts_with('[')).find(wide), None);
            same(&game, &only(&text));
        }
        let chinese = pgn::write(&game, Notation::Chinese(ChineseStyle::SIMPLIFIED));
        let (decoded, encoding) = encoding::decode(&GB18030.encode(&chinese).0);
        assert_eq!((decoded, encoding), (chinese.clone(), GB18030));
        assert_eq!(encoding::decode(chinese.as_bytes()), (chinese, UTF_8));
    }
}

fn annotated(index: usize, line: &str) -> RecordedGame {
    let (result, record) = line.split_once('\t').unwrap();
    let mut game = RecordedGame::new(Position::startpos());
    game.set_tag("Event", format!("第{index}局"));
    game.set_tag("Red", "红\\方 \"甲\"");
    game.outcome = match result {
        "1-0" => Some(Outcome::Win(Side::Red)),
        "0-1" => Some(Outcome::Win(Side::Black)),
        "1/2-1/2" => Some(Outcome::Draw),
        _ => None,
    };
    game.main.comment = "before\nthe first move".to_owned();
    let mut position = Position::startpos();
    for (ply, text) in record.split_whitespace().enumerate() {
        let mv: Move = text.parse().unwrap();
        game.push(mv, if ply % 5 == 0 { format!("+0.{ply}/12 1.5s (a)") } else { String::new() });
        let other = position.legal_moves()[index % position.legal_moves().len()];
        if ply % 7 == 3 {
            let last = game.main.moves.last_mut().unwrap();
            let variation = AnnotatedMove { comment: "or so".to_owned(), ..AnnotatedMove::new(other) };
            last.variations = vec![Variation { comment: "instead".to_owned(), moves: vec![variation] }];
            last.glyphs = vec![2, 18];
        }
        position.make(mv);
    }
    game
}

/// The number is repeated for Black only where something stands between the moves.
#[test]
fn the_layout_of_a_written_game() {
    let text = "1.h2e2 h9g7 2. h0g2! i9h9 {says } 3.i0h0 (3. b0c2) b9c7 {0:01} 1-0";
    let mut game = only(text);
    game.set_tag("Black", "b");
    game.set_tag("Termination", "mate");
    game.set_tag("Red", "a");
    game.main.moves[2].comment = "a } inside".to_owned();
    let written = "[Game \"Chinese Chess\"]\n[Red \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\
        [Termination \"mate\"]\n[Format \"Chinese\"]\n\n\
        1. 炮二平五 马８进７ 2. 马二进三 $1 {a ｝ inside} 2... 车９平８ {says}\n\
        3. 车一平二 (3. 马八进七) 3... 马２进３ {0:01} 1-0\n\n";
    assert_eq!(pgn::write(&game, Notation::Chinese(ChineseStyle::SIMPLIFIED)), written);
}

/// Black moves first, late in a game: the number and the dots tell.
#[test]
fn a_position_with_black_to_move() {
    let fen = "3k5/9/9/9/9/9/9/4c4/9/5K3 b - - 4 31";
    let mut game = RecordedGame::new(Position::from_fen(fen).unwrap());
    game.push("e2e3".parse().unwrap(), "");
    game.push("f0f1".parse().unwrap(), "");
    let text = pgn::write(&game, Notation::Wxf);
    assert!(text.contains(&format!("[FEN \"{fen}\"]")), "{text}");
    assert!(text.ends_with("\n31... C5-1 32. K4+1 *\n\n"), "{text}");
    same(&game, &only(&text));
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in "(\\[|\\]|\"|\\{|\\}|\\(|\\)|;|\\$|%|1\\.|\n|炮二平五|马8进7|h2e2|C2=5|1-0|FEN |\\\\|.){0,40}") {
        for game in pgn::games(&text).flatten() {
            prop_assert!(game.play_out().is_ok());
            let again = pgn::write(&game, Notation::Iccs);
            prop_assert!(pgn::read_all(&again).is_ok(), "{}", again);
        }
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let (text, _) = encoding::decode(&bytes);
        prop_assert!(pgn::games(&text).count() <= bytes.len() + 1);
    }
}
