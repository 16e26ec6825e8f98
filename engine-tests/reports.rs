//! What people reported of the second round: each line of data/reports-2.jsonl with the tests that cover it.
//!
//! Whoever mends one moves its id from `OPEN` to `COVERED`, with the file and the name of the test.

use serde_json::Value;
use xiangqi::notation::pgn::RecordedGame;
use xiangqi::notation::{self, GameFile, Notation, chinese::ChineseStyle};
use xiangqi::types::{Outcome, Side};

const REPORTS: &str = include_str!("data/reports-2.jsonl");

/// The id of a report, and the file and the name of a test that fails without the repair.
const COVERED: [(&str, &str, &str); 18] = [
    ("judge-xqf", "game_commands.rs", "judge_reads_what_the_other_commands_read"),
    ("judge-stdin", "game_commands.rs", "judge_reads_what_the_other_commands_read"),
    ("bad-variation-pgn", "reports.rs", "a_bad_variation_does_not_cost_the_game"),
    ("bad-variation-xqf", "game_files.rs", "a_bad_move_in_an_xqf_tree_costs_only_its_branch"),
    ("bad-game-in-collection", "game_commands.rs", "a_bad_game_costs_a_warning_in_every_command"),
    ("wxf-file", "reports.rs", "files_of_the_federation_are_read"),
    ("wxf-file-fen", "reports.rs", "files_of_the_federation_are_read"),
    ("wxf-tandem-read", "reports.rs", "tandem_pawns_go_by_number_and_file"),
    ("wxf-tandem-write-3", "reports.rs", "tandem_pawns_go_by_number_and_file"),
    ("wxf-tandem-write-2x2", "reports.rs", "tandem_pawns_go_by_number_and_file"),
    ("wxf-tandem-write-4", "reports.rs", "tandem_pawns_go_by_number_and_file"),
    ("zh-pawn-index-black", "reports.rs", "tandem_pawns_go_by_number_and_file"),
    ("ubb", "reports.rs", "pasted_records_and_positions_are_read"),
    ("position-line", "reports.rs", "pasted_records_and_positions_are_read"),
    ("cbf-xml", "reports.rs", "foreign_files_are_named_in_one_short_line"),
    ("book-build-binary", "game_commands.rs", "a_foreign_book_is_named_in_one_short_line"),
    ("xqf-vietnamese", "game_files.rs", "texts_of_xqf_files_may_be_in_other_encodings"),
    ("fen-pocket", "reports.rs", "fens_as_sites_print_them_are_read"),
];

/// Reports that no test covers yet.
const OPEN: [&str; 9] = [
    "draw-rp-ra",
    "draw-r-full-guards",
    "wdl-dead-draw",
    "asian-why",
    "past-quiet-limit",
    "ucci-late-stop",
    "uci-variant-default",
    "refused-fen-go",
    "multipv-stop",
];

/// The report with this id.
fn report(id: &str) -> Value {
    let reports = REPORTS.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    reports.into_iter().find(|report| report["id"] == id).unwrap_or_else(|| panic!("no report {id}"))
}

/// What the standard input of a report holds.
fn file(id: &str) -> GameFile {
    let report = report(id);
    let text = report["input"]["stdin"].as_str().expect("a standard input");
    notation::read_file(text.as_bytes(), None).unwrap_or_else(|error| panic!("{id}: {error}"))
}

/// The moves of a game in a notation.
fn moves(game: &RecordedGame, notation: Notation) -> String {
    let mut position = game.start.clone();
    let mut words = Vec::new();
    for mv in game.moves() {
        words.push(notation::write(&position, mv, notation));
        position.make(mv);
    }
    words.join(" ")
}

fn coordinates(game: &RecordedGame) -> String {
    moves(game, Notation::Coordinates)
}

#[test]
fn every_report_is_covered_or_known_to_be_open() {
    let ids: Vec<String> = REPORTS
        .lines()
        .map(|line| {
            serde_json::from_str::<Value>(line).expect("JSON")["id"].as_str().expect("an id").to_owned()
        })
        .collect();
    for id in &ids {
        let covered = COVERED.iter().filter(|(own, _, _)| own == id).count();
        let open = OPEN.iter().filter(|own| *own == id).count();
        assert_eq!(covered.min(1) + open, 1, "{id} stands in {covered} rows of tests and {open} times open");
    }
    for (id, path, test) in COVERED {
        assert!(ids.iter().any(|own| own == id), "no report {id}");
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("engine-tests").join(path);
        let source =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(source.contains(&format!("fn {test}(")), "no test {test} in {}", path.display());
    }
}

#[test]
fn a_bad_variation_does_not_cost_the_game() {
    let file = file("bad-variation-pgn");
    let [game] = &file.games[..] else { panic!("one game") };
    assert_eq!(coordinates(game), "h2e2 h9g7 h0g2");
    let [variation] = &game.main.moves[1].variations[..] else { panic!("one variation") };
    assert_eq!(variation.moves.len(), 1);
    assert_eq!(variation.moves[0].mv.to_string(), "b9c7");
    let said: Vec<String> = file.skipped.iter().map(ToString::to_string).collect();
    assert_eq!(said.len(), 1);
    assert!(
        said[0].starts_with("game 1: line 3, column 28: move 2 of Red: `a0a9` is not legal"),
        "{}",
        said[0]
    );
    assert!(file.strict().is_err());
}

#[test]
fn a_bad_game_does_not_cost_the_collection() {
    let file = file("bad-game-in-collection");
    let games: Vec<(Option<&str>, String)> =
        file.games.iter().map(|game| (game.tag("Event"), coordinates(game))).collect();
    let wanted = [("A", "h2e2 h9g7"), ("B", "h2e2"), ("C", "c3c4")];
    assert_eq!(games, wanted.map(|(event, moves)| (Some(event), moves.to_owned())));
    assert_eq!(file.skipped.len(), 1);
    assert!(file.skipped[0].to_string().starts_with("game 2: line 9, column 9: move 1 of Black: `a0a5`"));
}

#[test]
fn files_of_the_federation_are_read() {
    let file_of_moves = file("wxf-file");
    let game = &file_of_moves.games[0];
    assert_eq!(coordinates(game), "h2e2 h9g7 h0g2 i9h9");
    assert_eq!((game.tag("Red"), game.tag("Black")), (Some("a"), Some("b")));
    assert_eq!(game.outcome, Some(Outcome::Win(Side::Red)));
    assert!(file_of_moves.skipped.is_empty());
    let composed = file("wxf-file-fen");
    assert_eq!(composed.games[0].start.to_fen(), "4k4/9/9/9/9/9/9/9/9/R2K5 w - - 0 1");
    assert!(composed.games[0].main.moves.is_empty() && composed.skipped.is_empty());
}

#[test]
fn tandem_pawns_go_by_number_and_file() {
    assert_eq!(coordinates(&file("wxf-tandem-read").games[0]), "e7d7");
    for (id, wanted) in
        [("wxf-tandem-write-3", "25=6"), ("wxf-tandem-write-2x2", "14=5"), ("wxf-tandem-write-4", "11+1")]
    {
        let file = file(id);
        assert_eq!(moves(&file.games[0], Notation::Wxf), wanted);
        let again = notation::wxf::read(&file.games[0].start, wanted);
        assert_eq!(again.ok(), file.games[0].moves().next(), "{wanted}");
    }
    let game = &file("zh-pawn-index-black").games[0];
    assert_eq!(moves(game, Notation::Chinese(ChineseStyle::SIMPLIFIED)), "一卒进１");
    for text in ["一卒进１", "１卒进１", "前卒进1"] {
        assert_eq!(notation::read(&game.start, text).ok(), game.moves().next(), "{text}");
    }
}

#[test]
fn pasted_records_and_positions_are_read() {
    let pasted = file("ubb");
    assert_eq!(coordinates(&pasted.games[0]), "h2e2 h9g7 h0g2");
    assert_eq!(pasted.games[0].tag("Red"), Some("a"));
    let line = file("position-line");
    assert_eq!(coordinates(&line.games[0]), "h2e2 h9g7");
    assert!(pasted.skipped.is_empty() && line.skipped.is_empty());
}

#[test]
fn foreign_files_are_named_in_one_short_line() {
    let said = |bytes: &[u8]| notation::read_file(bytes, None).expect_err("no game").to_string();
    let cbf = report("cbf-xml");
    let text = cbf["input"]["stdin"].as_str().expect("a standard input");
    assert_eq!(said(text.as_bytes()), "CBF, line 1, column 63: the list of moves is missing");
    let mut book = b"SQLite format 3\0".to_vec();
    book.resize(12_000, 0xa5);
    assert_eq!(said(&book), "an SQLite database, as OBK opening books are, which is not read");
    let page = "<!DOCTYPE html>".to_owned() + &"<p>x</p>".repeat(10_000);
    assert_eq!(said(page.as_bytes()), "a web page, which is not read");
    let noise = "x".repeat(100_000);
    assert!(said(noise.as_bytes()).len() < 120);
    assert_eq!(said(b"\0\x01\x02"), "neither text nor an XQF file, a CBR record or a CBL library");
}

#[test]
fn fens_as_sites_print_them_are_read() {
    let start = xiangqi::board::STARTPOS;
    let board = start.split(' ').next().expect("a board");
    for fen in [
        format!("{board}[] w - - 0 1"),
        format!("{board}[] w"),
        format!("{board}_w_-_-_0_1"),
        format!("{board}%20w%20-%20-%200%201"),
        board.to_owned(),
        format!("{board}[]"),
    ] {
        let position =
            xiangqi::board::Position::from_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(position.to_fen(), start, "{fen}");
        let line = format!("position fen {fen} moves h2e2");
        let file =
            notation::read_file(line.as_bytes(), None).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(coordinates(&file.games[0]), "h2e2", "{line}");
    }
}
