//! The opening book: the one of the program, files that are damaged, the commands, and play from it in both
//! protocols.

mod client;

use std::collections::HashSet;
use std::fs;
use std::hint::black_box;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use client::{Client, START, assert_takes, moved};
use juzhong_engine::book::{Book, BookBuilder, BookChoice, BookFilter, BookLibrary, encode, reached};
use proptest::prelude::*;
use xiangqi::board::Position;
use xiangqi::types::{Move, Outcome, Side};

const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/engine-tests/data/games.iccs");

/// A folder of its own for each test, gone at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("juzhong-book-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

fn play(position: &mut Position, mv: Move) {
    position.play(mv).unwrap_or_else(|error| panic!("{error} in {position:?}"));
}

mod embedded {
    use super::*;

    /// A game that the book plays against itself, until it knows nothing more.
    fn line(library: &mut BookLibrary) -> Vec<Move> {
        let (mut position, mut moves) = (Position::startpos(), Vec::new());
        while let Some(BookChoice { entry, .. }) = library.choose(&position, 0) {
            play(&mut position, entry.mv);
            assert_eq!(position.last_occurrence(), None, "the book repeats: {moves:?}");
            moves.push(entry.mv);
        }
        moves
    }

    #[test]
    fn every_move_that_can_be_reached_is_legal() {
        let book = Book::embedded();
        let contents = book.contents();
        let positions = reached(book);
        assert!(positions.len() * 10 > book.positions() * 7, "{} of {}", positions.len(), book.positions());
        for position in &positions {
            let key = position.key().min(position.mirrored_key());
            let stored = &contents[&key];
            assert_eq!(book.probe(position).count(), stored.len(), "{position:?}");
            assert!(stored.windows(2).all(|pair| pair[0].weight() >= pair[1].weight()), "{position:?}");
        }
    }

    #[test]
    fn it_is_small_and_plays_the_main_lines() {
        let book = Book::embedded();
        assert!(book.bytes().len() < 1_000_000, "{} bytes", book.bytes().len());
        let start: Vec<String> =
            book.probe(&Position::startpos()).map(|entry| entry.mv.to_string()).collect();
        for main in ["h2e2", "g3g4", "g0e2", "h0g2"] {
            assert!(start.contains(&main.to_owned()), "{main} in {start:?}");
        }
    }

    #[test]
    #[allow(clippy::print_stdout)] // The figures, for whoever asks with --nocapture.
    fn its_games_vary_and_go_deep() {
        let mut library = BookLibrary::new(4);
        let lines: Vec<Vec<Move>> = (0..200).map(|_| line(&mut library)).collect();
        let plies = lines.iter().map(Vec::len).sum::<usize>() / lines.len();
        let openings: HashSet<&[Move]> = lines.iter().map(|line| &line[..line.len().min(12)]).collect();
        println!("{plies} plies on average, {} lines of 12 plies in {} games", openings.len(), lines.len());
        assert!(plies >= 10 && openings.len() >= 100);
    }

    #[test]
    fn a_lookup_takes_less_than_a_microsecond() {
        let book = Book::embedded();
        let positions: Vec<Position> = reached(book).into_iter().take(2000).collect();
        let known = positions.len() as u32;
        assert_takes(Duration::from_micros(1), || {
            let start = Instant::now();
            let found: usize =
                positions.iter().map(|position| black_box(book).probe(black_box(position)).count()).sum();
            assert!(found >= positions.len());
            start.elapsed() / known
        });
    }
}

mod damage {
    use super::*;

    fn small_book() -> Vec<u8> {
        let mut builder = BookBuilder::new(12);
        for line in fs::read_to_string(GAMES).unwrap().lines().take(20) {
            let moves = line.split('\t').nth(1).unwrap().split(' ').map(|mv| mv.parse().unwrap());
            builder.add_game(&Position::startpos(), moves, Outcome::Win(Side::Red)).unwrap();
        }
        encode(&builder.contents(&BookFilter::OPEN))
    }

    /// Whatever is read as a book can be asked anything.
    fn read(bytes: Vec<u8>) {
        if let Ok(book) = Book::new(bytes) {
            let mut position = Position::startpos();
            for _ in 0..20 {
                let Some(entry) = book.probe(&position).last() else { break };
                play(&mut position, entry.mv);
            }
            assert!(book.contents().len() == book.positions());
            reached(&book);
        }
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            read(bytes.clone());
            read([b"JZBOOK\r\n\x01\0\0\0", &bytes[..]].concat());
        }

        #[test]
        fn changed_books_are_read_or_refused(
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
            cut in prop::option::of(any::<prop::sample::Index>()),
            resum in any::<bool>(),
        ) {
            let original = small_book();
            let mut bytes = original.clone();
            for (at, value) in changes {
                let at = at.index(bytes.len());
                bytes[at] = value;
            }
            if let Some(cut) = cut {
                bytes.truncate(cut.index(bytes.len()));
            }
            let changed = bytes != original;
            if resum && bytes.len() > 16 {
                // With a checksum that fits, everything behind it has to be found out.
                let sum = crc32fast::hash(&bytes[16..]);
                bytes[12..16].copy_from_slice(&sum.to_le_bytes());
            } else if changed {
                prop_assert!(Book::new(bytes.clone()).is_err());
            }
            read(bytes);
        }
    }
}

mod commands {
    use super::*;

    fn juzhong(arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_juzhong")).args(arguments).output().expect("the program runs")
    }

    fn printed(arguments: &[&str]) -> String {
        let output = juzhong(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn refused(arguments: &[&str]) -> String {
        let output = juzhong(arguments);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}: {output:?}");
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(text.lines().count(), 1, "{text}");
        text
    }

    #[test]
    fn a_book_is_built_shown_verified_and_merged() {
        let folder = Folder::new("commands");
        let (one, two, both) = (folder.file("one"), folder.file("two"), folder.file("both"));
        let said = printed(&["book", "build", GAMES, "-o", &one, "--min-games", "2"]);
        assert!(said.contains("games.iccs: 25"), "{said}");
        printed(&["book", "build", GAMES, "-o", &two, "--min-games", "2"]);
        assert_eq!(fs::read(&one).unwrap(), fs::read(&two).unwrap(), "the same games, the same bytes");

        let shown = printed(&["book", "show", "--book", &one]);
        assert!(shown.starts_with("h2e2 炮二平五 "), "{shown}");
        let reply = printed(&["book", "show", "--book", &one, &format!("{START} b")]);
        assert_eq!(reply, "the book does not know this position\n");
        assert!(printed(&["book", "verify", &one]).contains("all their moves are legal"));
        assert!(printed(&["book", "verify"]).contains("the checksum is right"));

        printed(&["book", "merge", &one, &two, "-o", &both]);
        let games = |path: &str| -> Vec<u32> {
            Book::read(path.as_ref()).unwrap().probe(&Position::startpos()).map(|entry| entry.games).collect()
        };
        let doubled: Vec<u32> = games(&one).iter().map(|games| 2 * games).collect();
        assert_eq!(games(&both), doubled);
        assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 3, "no unfinished file is left");
    }

    #[test]
    fn the_engine_drops_bad_moves() {
        let folder = Folder::new("check");
        let (games, out) = (folder.file("games"), folder.file("out"));
        // The horse takes the cannon that took the pawn.
        fs::write(&games, "1-0\th2e2 h9g7 h0g2 i9h9\n1-0\th2e2 h9g7 e2e6 g7e6\n").unwrap();
        let said = printed(&["book", "build", &games, "-o", &out, "--min-games", "1", "--nodes", "2000"]);
        assert!(said.contains("looked at, ") && !said.contains(" 0 dropped"), "{said}");
        let fen = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w";
        let shown = printed(&["book", "show", "--book", &out, fen]);
        assert!(shown.contains("h0g2") && !shown.contains("e2e6"), "{shown}");
    }

    #[test]
    fn what_cannot_be_used_is_named_in_one_line() {
        let folder = Folder::new("refused");
        let (bad, out) = (folder.file("bad"), folder.file("out"));
        fs::write(&bad, "1-0\th2e2\n1-0\th2e2 h2e2\n").unwrap();
        let text = refused(&["book", "verify", &bad]);
        assert!(text.contains(&bad) && text.contains("no book"), "{text}");
        assert!(refused(&["book", "show", "9/9 w"]).starts_with("juzhong: "));
        assert!(refused(&["book", "merge", "/nowhere/a", "-o", &out]).contains("/nowhere/a: "));
        assert!(!fs::exists(&out).unwrap());
    }

    #[test]
    fn a_bad_line_of_a_game_file_is_named() {
        let folder = Folder::new("line");
        let (bad, out) = (folder.file("bad"), folder.file("out"));
        fs::write(&bad, "1-0\th2e2\n1-0\th2e2 h2e2\n").unwrap();
        let text = refused(&["book", "build", &bad, "-o", &out, "--strict"]);
        assert!(text.contains(&format!("{bad}: line 2: ")), "{text}");
        assert!(!fs::exists(&out).unwrap());
    }
}

mod engine {
    use super::*;

    /// The answer to `go`, with everything said before it.
    fn answer(client: &mut Client, setup: &str, go: &str) -> Vec<String> {
        client.send_all(&[setup, go]);
        client.answer()
    }

    fn is_from_book(lines: &[String]) -> bool {
        lines.iter().any(|line| line.contains(" book move "))
    }

    const TIMED: [&str; 4] =
        ["go time 60000 increment 0", "go time 2000", "go wtime 60000 btime 60000", "go movetime 2000"];

    #[test]
    fn both_protocols_play_from_the_book_at_once_and_name_the_move() {
        for mut client in [Client::ucci(), Client::uci()] {
            for go in TIMED {
                let start = Instant::now();
                let lines = answer(&mut client, "position startpos", go);
                assert!(start.elapsed() < Duration::from_millis(1500), "{go}: {:?}", start.elapsed());
                let mv = moved(lines.last().unwrap()).unwrap();
                assert!(Book::embedded().probe(&Position::startpos()).any(|entry| entry.mv == mv), "{mv}");
                assert!(is_from_book(&lines) && lines[0].contains(&mv.to_string()), "{lines:?}");
                let pv = lines.iter().find(|line| line.contains(&format!(" pv {mv}"))).expect("a line");
                assert!(pv.starts_with("info depth 0 ") && pv.contains(" score "), "{pv}");
                let replied = Book::embedded()
                    .probe(&client::position(&format!("{START} w"), &[&mv.to_string()]))
                    .count()
                    > 0;
                assert_eq!(lines.last().unwrap().contains(" ponder "), replied, "{lines:?}");
            }
        }
    }

    #[test]
    fn who_wants_a_search_gets_one() {
        let mut client = Client::ucci();
        for go in ["go depth 2", "go nodes 300", "go depth 2 time 1000", "go mate 1 movetime 30"] {
            assert!(!is_from_book(&answer(&mut client, "position startpos", go)), "{go}");
        }
        for go in ["go infinite", "go ponder time 100 increment 0"] {
            client.send(go);
            client.no_answer_for(Duration::from_millis(100));
            client.send("stop");
            assert!(!is_from_book(&client.answer()), "{go}");
        }
        client.send("position startpos");
        assert!(!is_from_book(&answer(&mut client, "banmoves h2e2", "go time 30")));
        client.send("setoption multipv 2");
        assert!(!is_from_book(&answer(&mut client, "position startpos", "go time 30")));
    }

    #[test]
    fn the_option_turns_it_off_in_both_protocols() {
        for (mut client, option) in [
            (Client::ucci(), ["setoption usebook false", "setoption usebook true"]),
            (Client::uci(), ["setoption name OwnBook value false", "setoption name OwnBook value true"]),
        ] {
            client.send(option[0]);
            assert!(!is_from_book(&answer(&mut client, "position startpos", "go movetime 30")));
            client.send(option[1]);
            assert!(is_from_book(&answer(&mut client, "position startpos", "go movetime 30")));
        }
    }

    #[test]
    fn book_files_take_the_place_of_our_own_and_bad_ones_are_named() {
        let folder = Folder::new("files");
        let files = ["first", "second"].map(|name| folder.file(name));
        for (path, line) in files.iter().zip(["e3e4 e6e5", "g3g4 a6a5 a3a4"]) {
            let mut builder = BookBuilder::new(9);
            let moves = line.split(' ').map(|mv| mv.parse().unwrap());
            builder.add_game(&Position::startpos(), moves, Outcome::Draw).unwrap();
            fs::write(path, encode(&builder.contents(&BookFilter::OPEN))).unwrap();
        }
        let [first, second] = files;
        let go = "go time 1000 increment 0";
        let mut client = Client::ucci();
        client.send(&format!("setoption bookfiles {first};{second}"));
        assert!(client.settle().is_empty());
        let played = |lines: &[String]| moved(lines.last().unwrap()).unwrap().to_string();
        assert_eq!(played(&answer(&mut client, "position startpos", go)), "e3e4");
        assert_eq!(played(&answer(&mut client, "position startpos moves g3g4", go)), "a6a5");
        client.send(&format!("setoption bookfiles /nowhere/a;{second}"));
        let notes = client.settle();
        assert!(notes.len() == 1 && notes[0].contains("/nowhere/a: "), "{notes:?}");
        assert_eq!(played(&answer(&mut client, "position startpos moves g3g4 a6a5", go)), "a3a4");
        client.send("setoption bookfiles <empty>");
        assert!(is_from_book(&answer(&mut client, "position startpos moves h2e2", go)));
    }

    #[test]
    fn a_repeated_position_ends_the_book() {
        let mut client = Client::uci();
        let circle = "position startpos moves h2h3 h7h6 h3h2 h6h7";
        assert!(!is_from_book(&answer(&mut client, circle, "go movetime 30")));
        assert!(is_from_book(&answer(&mut client, "position startpos", "go movetime 30")));
    }
}
