//! The commands that read games: what they take, what a fault in a file costs, and what they write.

use std::io::Write;
use std::process::{Command, Output, Stdio};

const COLLECTION: &str = "[Event \"A\"]\n[Result \"1-0\"]\n\n1. h2e2 h9g7 1-0\n\n[Event \"B\"]\n[Result \"1-0\"]\n\n\
    1. h2e2 a0a5 1-0\n\n[Event \"C\"]\n[Result \"0-1\"]\n\n1. c3c4 0-1\n";
const TREE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/engine-tests/data/xqf/tree-v18.xqf");

/// Runs the program with this standard input.
fn juzhong(arguments: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_juzhong"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program");
    // A command that refuses its arguments does not read.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    child.wait_with_output().expect("an end")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// Standard output and the lines of standard error of a command that succeeds.
fn done(arguments: &[&str], input: &[u8]) -> (String, Vec<String>) {
    let output = juzhong(arguments, input);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    (text(&output.stdout).to_owned(), text(&output.stderr).lines().map(str::to_owned).collect())
}

/// The one line of standard error of a command that refuses its input.
fn refused(arguments: &[&str], input: &[u8]) -> String {
    let output = juzhong(arguments, input);
    let errors = text(&output.stderr);
    assert_eq!((output.status.code(), errors.lines().count()), (Some(2), 1), "{arguments:?}: {output:?}");
    errors.to_owned()
}

#[test]
fn a_bad_game_costs_a_warning_in_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (games, book) = (file("games.pgn"), file("my.book"));
    std::fs::write(&games, COLLECTION).unwrap();
    let build = ["book", "build", &games, "-o", &book, "--min-games", "1"];
    let commands: [&[&str]; 5] = [
        &["convert", &games, "--moves", "--to", "coordinates"],
        &["judge", &games],
        &["analyse", &games, "--number", "1", "--nodes", "200"],
        &["book", "variety", &games],
        &build,
    ];
    for command in commands {
        let (_, warnings) = done(command, b"");
        let [warning] = &warnings[..] else { panic!("{command:?}: {warnings:?}") };
        assert!(
            warning.contains("games.pgn: game 2: line 9, column 9: move 1 of Black: `a0a5`"),
            "{warning}"
        );
        let strict = refused(&[command, &["--strict"]].concat(), b"");
        assert!(strict.contains("games.pgn: line 9, column 9"), "{strict}");
    }
    let (converted, _) = done(commands[0], b"");
    assert_eq!(converted, "h2e2 h9g7\nh2e2\nc3c4\n");
    let (shown, _) = done(&["book", "show", "--book", &book], b"");
    // A move and its mirror image are one to a book.
    assert!(shown.contains("h2e2 炮二平五      2 games") && shown.contains("g3g4"), "{shown}");
}

#[test]
fn judge_reads_what_the_other_commands_read() {
    let (ruling, warnings) = done(&["judge", TREE], b"");
    assert!(ruling.contains("No position has been repeated") && warnings.is_empty(), "{ruling} {warnings:?}");
    let round = "h2e2 h7e7 e2h2 e7h7 ".repeat(3);
    let (from_input, _) = done(&["judge", "-", "--json"], round.as_bytes());
    assert_eq!(from_input, done(&["judge", "--json", "--moves", &round], b"").0);
    assert!(from_input.contains("\"status\":\"pending\""), "{from_input}");
    assert!(refused(&["judge"], b"h2e2 a0a5").contains("nothing to judge"));
    assert!(refused(&["judge", "-"], b"").contains("standard input: no game"));
    let (two, _) = done(&["judge", TREE, TREE, "--json"], b"");
    assert_eq!(two.lines().count(), 2);
}

#[test]
fn a_foreign_book_is_named_in_one_short_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let mut database = b"SQLite format 3\0\x10\0\t".to_vec();
    database.resize(12_000, 0xa5);
    std::fs::write(file("x.obk"), &database).unwrap();
    let said = refused(&["book", "build", &file("x.obk"), "-o", &file("y.book")], b"");
    assert!(
        said.ends_with("x.obk: an SQLite database, as OBK opening books are, which is not read\n"),
        "{said}"
    );
    std::fs::write(file("noise"), "x\ty".repeat(5_000)).unwrap();
    let said = refused(&["book", "build", &file("noise"), "-o", &file("y.book")], b"");
    assert!(said.chars().count() < 250, "{said}");
}

#[test]
fn convert_writes_what_the_name_says_or_refuses() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (plain, _) = done(&["convert", TREE], b"");
    for name in ["a.xqf", "a.ubb", "a.pgn"] {
        assert_eq!(done(&["convert", TREE, "-o", &file(name)], b""), (String::new(), Vec::new()));
        let (again, warnings) = done(&["convert", &file(name)], b"");
        assert_eq!((again.contains("(1. 兵三进一"), warnings.len()), (true, 0), "{name}: {again}");
        assert!(name != "a.xqf" || again == plain, "{again}");
    }
    assert!(std::fs::read(file("a.xqf")).unwrap().starts_with(b"XQ"));
    assert!(
        refused(&["convert", TREE, "-o", &file("a.cbl")], b"")
            .contains("a.cbl: files that end so are not written")
    );
    assert!(refused(&["convert", TREE, TREE, "-o", &file("b.xqf")], b"").contains("holds one game"));
    let (ubb, _) = done(&["convert", "-", "--format", "ubb"], b"h2e2 h9g7");
    assert!(ubb.contains("[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]"), "{ubb}");
    let title = b"[Title \"Gia\xd2i\"]\n1. h2e2 *\n";
    assert!(done(&["convert", "-", "--from-encoding", "windows-1258"], title).0.contains("Giải"));
    assert!(
        refused(&["convert", "-", "--from-encoding", "klingon"], b"").contains("no encoding of this name")
    );
}
