//! The commands of the program: what they print, and how they refuse what makes no sense.

use std::process::{Command, Output, Stdio};

fn juzhong(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_juzhong"));
    command.args(arguments).stdin(Stdio::null()).output().expect("the program runs")
}

/// The engine alone is built without anything that only the laboratory needs.
#[test]
#[cfg_attr(windows, ignore = "asks cargo, which is not there under wine")]
fn the_engine_alone_depends_on_nothing_of_the_laboratory() {
    let tree = |more: &[&str]| {
        let arguments = [
            "tree",
            "--offline",
            "--locked",
            "--edges",
            "normal",
            "--prefix",
            "none",
            "--package",
            "juzhong",
        ];
        let mut cargo = Command::new(env!("CARGO"));
        let output =
            cargo.args(arguments).args(more).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        let names = text.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned);
        names.collect::<std::collections::BTreeSet<String>>()
    };
    let (alone, whole) = (tree(&["--no-default-features"]), tree(&[]));
    assert!(alone.contains("juzhong-engine") && whole.is_superset(&alone), "{alone:?}");
    for guest in ["juzhong-lab", "toml", "indicatif", "comfy-table", "serde", "tempfile", "flate2", "ctrlc"] {
        assert!(whole.contains(guest) && !alone.contains(guest), "{guest}: {alone:?}");
    }
}

/// The output of a command that must succeed without a word on standard error.
fn printed(arguments: &[&str]) -> String {
    let output = juzhong(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    assert!(output.stderr.is_empty(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_reader_that_has_had_enough_is_no_error() {
    let fen = "9/9/3a1k3/9/9/9/9/9/9/N2K5 b";
    for arguments in
        [vec!["endgames", "show", fen], vec!["endgames", "verify"], vec!["eval"], vec!["book", "show"]]
    {
        let mut command = Command::new(env!("CARGO_BIN_EXE_juzhong"));
        let command = command.args(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program runs");
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}: {output:?}");
    }
}

#[test]
fn perft_divides_and_sums_with_any_number_of_threads() {
    for threads in ["0", "1", "2"] {
        let text = printed(&["perft", "3", "--threads", threads]);
        assert_eq!(text.lines().filter(|line| line.contains(": ")).count(), 45);
        assert!(text.contains("h2e2: 1564\n") && text.contains("\nNodes searched: 79666\n"), "{text}");
        assert!(text.lines().last().unwrap().starts_with("79666 nodes "), "{text}");
    }
    let text = printed(&["perft", "1", "--fen", "4k4/9/9/9/9/9/9/9/4R4/3K5 b"]);
    assert!(text.starts_with("e9f9: 1\n"), "{text}");
}

#[test]
fn bench_ends_with_its_signature_and_repeats() {
    let nodes = || {
        let text = printed(&["bench", "--depth", "2", "--hash", "1"]);
        let last: Vec<&str> = text.lines().last().unwrap().split(' ').collect();
        assert_eq!((last.len(), last[1], last[3]), (4, "nodes", "nps"), "{text}");
        last[0].parse::<u64>().unwrap()
    };
    assert_eq!(nodes(), nodes());
}

#[test]
fn tables_of_endings_are_made_checked_and_asked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.endgames");
    let file = path.to_str().unwrap();
    let made = printed(&["endgames", "build", file, "--classes", "KNvka", "KPvk"]);
    assert!(
        made.contains("KNvka b: 22806 positions, 21990 won, 816 drawn, 0 lost, 38 plies at most\n"),
        "{made}"
    );
    assert!(made.lines().last().unwrap().starts_with("3 endings, "), "{made}");
    let checked = printed(&["endgames", "verify", file, "--solve"]);
    assert!(checked.contains("all sound\nall ") && checked.ends_with("results are right\n"), "{checked}");
    let fen = "9/9/3a1k3/9/9/9/9/9/9/N2K5 b";
    for show in [vec!["endgames", "show", fen], vec!["endgames", "show", fen, "--file", file]] {
        let shown = printed(&show);
        assert!(shown.starts_with("lost in 38 plies\n") && shown.contains(" lost in 38 plies\n"), "{shown}");
    }
    std::fs::write(&path, "nothing").unwrap();
    for wrong in [
        vec!["endgames", "verify", file],
        vec!["endgames", "build", file, "--classes", "KXvk"],
        vec!["endgames", "build", folder.path().to_str().unwrap()],
        vec!["endgames", "show", "nonsense"],
    ] {
        let output = juzhong(&wrong);
        assert_eq!(output.status.code(), Some(2), "{wrong:?}: {output:?}");
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "nothing");
}

#[test]
fn eval_shows_its_terms() {
    assert!(printed(&["eval"]).contains("evaluation"));
    let rook = printed(&["eval", "--fen", "4k4/9/9/9/9/9/9/9/R8/3K5 w"]);
    assert_ne!(rook, printed(&["eval"]));
}

#[test]
fn a_board_is_drawn_as_text_and_as_a_picture() {
    let text = printed(&[
        "board",
        "--last",
        "h2e2",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b",
    ]);
    assert!(text.contains("*C炮") && !text.contains('\x1b'), "{text}");
    let file = std::env::temp_dir().join(format!("juzhong-board-{}.svg", std::process::id()));
    assert_eq!(printed(&["board", "--svg", file.to_str().unwrap()]), "");
    let picture = std::fs::read_to_string(&file).unwrap();
    assert_eq!(picture.matches('炮').count(), 4);
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn a_game_is_analysed_or_refused() {
    let folder = std::env::temp_dir().join(format!("juzhong-analyse-cli-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    std::fs::write(file("good.pgn"), "1. C2=5 H8+7 2. H2+3 1-0").unwrap();
    let said = printed(&["analyse", &file("good.pgn"), "--depth", "3", "--threads", "1", "--lang", "en"]);
    assert!(said.starts_with("3 plies: 0 blunders, "), "{said}");
    let page = std::fs::read_to_string(file("good.analysed.html")).unwrap();
    assert!(page.contains("马８进７") && page.contains("central cannon"), "{page}");
    std::fs::write(file("bad.pgn"), "1. C2=5 C2=5 C2=5 1-0").unwrap();
    for (arguments, wanted) in [
        (vec!["analyse", &file("bad.pgn"), "--strict"], "bad.pgn: line 1, column "),
        (vec!["analyse", "-"], "standard input: there is no game 1"),
    ] {
        let output = juzhong(&arguments);
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && complaint.contains(wanted), "{complaint}");
        assert_eq!(complaint.lines().count(), 1, "{complaint}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn help_shows_examples_and_version_a_number() {
    let help = printed(&["--help"]);
    for word in ["Examples:", "bench", "perft", "eval"] {
        assert!(help.contains(word), "{help}");
    }
    assert_eq!(printed(&["--version"]).trim(), concat!("juzhong ", env!("CARGO_PKG_VERSION")));
}

#[test]
fn no_command_and_no_input_is_a_short_conversation() {
    assert_eq!(printed(&[]), "");
}

#[test]
fn bad_arguments_get_one_line_and_status_2() {
    for arguments in [
        &["nonsense"][..],
        &["perft"],
        &["perft", "x"],
        &["perft", "0"],
        &["perft", "21"],
        &["perft", "2", "--fen", "9/9 w"],
        &["perft", "2", "--threads", "-1"],
        &["bench", "--depth", "0"],
        &["bench", "--threads", "none"],
        &["bench", "--hash", "33554432"],
        &["bench", "more"],
        &["eval", "--fen", "4k4/9/9/9/9/9/9/9/9/4K4 w"],
        &["--nonsense"],
    ] {
        let output = juzhong(arguments);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
        assert!(errors.starts_with("juzhong: "), "{arguments:?}: {errors}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

/// The one line with which a command is refused.
fn refused(arguments: &[&str]) -> String {
    let output = juzhong(arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
    assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
    errors
}

#[test]
fn work_without_anything_to_do_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (empty, unfinished, out) = (file("empty.pgn"), file("unfinished"), file("out"));
    std::fs::write(&empty, "").unwrap();
    std::fs::write(&unfinished, "*\th2e2 h9g7\n").unwrap();
    assert!(refused(&["judge", &empty]).contains("empty.pgn: no game"));
    assert!(refused(&["datagen", &out, "--games", "0"]).contains("--games"));
    for source in [&empty, &unfinished] {
        let output = juzhong(&["book", "build", source, "--out", &out]);
        assert_eq!(output.status.code(), Some(2), "{source}");
    }
    assert!(!std::path::Path::new(&out).exists());
    let listed = refused(&["book"]);
    assert!(listed.contains("requires a subcommand"), "{listed}");
    assert!(refused(&["book", "show", &empty]).contains("--book"));
    assert!(refused(&["datagen", folder.path().to_str().unwrap()]).contains("File exists"));
    assert!(refused(&["eval", "--net", &empty]).contains("no network of Juzhong"));
}

#[test]
fn matches_that_make_no_sense_are_refused() {
    let players = ["match", "--engine", "cmd=a", "--engine", "cmd=b"];
    for (words, wanted) in [
        (&["--depth", "0"][..], "depth: "),
        (&["--nodes", "0"], "nodes: "),
        (&["--movetime", "0"], "movetime: "),
        (&["--depth", "1", "--max-moves", "0"], "max-moves: "),
        (&["--tc", "0"], "`0` is not a time control"),
        (&["--tc", "0+1"], "`0+1` is not a time control"),
        (&["--depth", "1", "--resume"], "--resume: "),
    ] {
        let error = refused(&[&players[..], words].concat());
        assert!(error.contains(wanted), "{words:?}: {error}");
    }
}

/// The README and every manual.
fn manuals() -> Vec<String> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = std::fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages = docs.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    pages.chain([root.join("README.md")]).map(|page| std::fs::read_to_string(page).unwrap()).collect()
}

/// The commands of the manuals that begin with `start`, continued lines joined, each once.
fn examples(start: &str) -> Vec<Vec<String>> {
    let mut examples = Vec::new();
    for page in manuals() {
        let text = page.replace("\\\n", " ");
        let found = text.lines().filter(|line| line.starts_with(start));
        examples.extend(found.map(|line| shlex::split(line).unwrap()[1..].to_vec()));
    }
    examples.sort();
    examples.dedup();
    examples
}

#[test]
fn the_example_of_a_ruling_can_be_pasted() {
    let examples = examples("juzhong judge --fen");
    assert_eq!(examples.len(), 1);
    let words: Vec<&str> = examples[0].iter().map(String::as_str).collect();
    assert!(printed(&words).contains("\"status\":\"final\""), "{}", printed(&words));
}

#[test]
fn the_examples_of_positions_can_be_pasted() {
    let examples = examples("juzhong analyse \"");
    assert_eq!(examples.len(), 2);
    for words in examples {
        let words: Vec<&str> = words.iter().map(String::as_str).chain(["--nodes", "5000"]).collect();
        assert!(printed(&words).contains("b0b9") || printed(&words).contains("车"), "{words:?}");
    }
}

/// The commands of the manuals behind a dollar sign, each with the output shown below it.
#[cfg(unix)]
fn shown_with_output() -> Vec<(String, String)> {
    let mut shown: Vec<(String, String)> = Vec::new();
    for page in manuals() {
        let blocks = page.split("```console\n").skip(1);
        for block in blocks.filter_map(|block| block.split("```").next()) {
            assert!(block.starts_with("$ "), "output without a command: {block}");
            for line in block.lines() {
                match (line.strip_prefix("$ "), shown.last_mut()) {
                    (Some(command), _) => shown.push((command.to_owned(), String::new())),
                    (None, Some((_, output))) => *output += &format!("{line}\n"),
                    (None, None) => unreachable!("a block begins with a command"),
                }
            }
        }
    }
    // A taste in the README is told again in a manual.
    shown.sort();
    shown.dedup();
    shown
}

#[cfg(unix)]
#[test]
fn the_examples_print_what_is_shown_below_them() {
    let folder = tempfile::tempdir().unwrap();
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_juzhong"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let examples = shown_with_output();
    for word in ["convert", "book", "analyse", "board"] {
        let start = format!("juzhong {word} ");
        assert!(examples.iter().any(|(command, _)| command.contains(&start)), "{word}");
    }
    for (command, wanted) in examples {
        let mut shell = Command::new("sh");
        let output = shell.args(["-c", &command]).env("PATH", &path).current_dir(&folder).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{command}: {output:?}");
        assert_eq!(String::from_utf8(output.stdout).unwrap(), wanted, "{command}");
    }
    let picture = std::fs::read_to_string(folder.path().join("board.svg")).unwrap();
    assert!(picture == include_str!("../docs/board.svg"), "docs/board.svg is not what the example draws");
}

#[test]
fn records_are_converted_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (tree, copy) =
        (concat!(env!("CARGO_MANIFEST_DIR"), "/engine-tests/data/xqf/tree-v18.xqf"), file("copy.pgn"));
    assert_eq!(printed(&["convert", tree, "--to", "wxf", "--out", &copy]), "");
    assert_eq!(printed(&["convert", &copy, "--moves"]), printed(&["convert", tree, "--moves"]));
    std::fs::write(file("binary"), b"\x7fELF\0\x01").unwrap();
    std::fs::write(file("escape"), "\x1b2J").unwrap();
    for (name, wanted) in
        [("binary", "neither text nor an XQF file"), ("escape", "\u{fffd}2J"), ("missing", "missing: ")]
    {
        let complaint = refused(&["convert", &file(name)]);
        assert!(complaint.contains(wanted), "{complaint}");
    }
}

#[test]
fn each_game_of_a_file_has_an_analysis_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(
        file("games.pgn"),
        "[Red \"A\"]\n\n1. C2=5 *\n\n[Red \"none\"]\n\n*\n\n[Red \"B\"]\n\n1. C8=5 H2+3 *\n",
    )
    .unwrap();
    let said = printed(&["analyse", &file("games.pgn"), "--nodes", "500", "--to", "iccs"]);
    assert!(
        said.lines().count() == 2 && said.starts_with("1 ply: ") && said.contains("\n2 plies: "),
        "{said}"
    );
    // The second game has no moves; the others keep their numbers.
    for (number, player, word) in [(1, "A", "H2-E2"), (3, "B", "B2-E2")] {
        let name = |ending: &str| file(&format!("games.analysed.{number}.{ending}"));
        let pgn = std::fs::read_to_string(name("pgn")).unwrap();
        assert!(pgn.contains(&format!("[Red \"{player}\"]")) && pgn.contains(word), "{pgn}");
        assert!(std::fs::read_to_string(name("html")).unwrap().contains(word));
        assert!(std::fs::read_to_string(name("json")).unwrap().contains("\"depth\": "));
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 7);
}

#[test]
fn a_position_is_analysed_with_its_best_lines() {
    let fen = "3k5/R8/9/p8/9/9/9/9/9/1R3K3 w";
    let arguments =
        ["analyse", fen, "--lines", "2", "--depth", "4", "--threads", "1", "--lang", "en", "--to", "wxf"];
    let text = printed(&arguments);
    assert!(text.lines().count() == 2 && text.starts_with("1. Red mates in 1  (depth "), "{text}");
    assert!(text.lines().next().unwrap().ends_with("R8+9"), "{text}");
    let json = printed(&[&arguments[..], &["--json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (json["lines"].as_array().unwrap().len(), json["lines"][0]["moves"][0].as_str()),
        (2, Some("b0b9"))
    );
}

#[test]
fn an_analysis_spares_the_game_itself() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let games = "1. C2=5 1-0\n\n1. C2=5 H8+7 1-0\n\n*\n";
    std::fs::write(file("game.pgn"), games).unwrap();
    std::fs::create_dir(file("folder.html")).unwrap();
    let with = |more: &[&str]| [&["analyse", &file("game.pgn"), "--depth", "2"], more].concat().join("\n");
    for (more, wanted) in [
        (
            &["--number", "1", "--out", &file("game")][..],
            "game.pgn: this would be written over the game itself",
        ),
        (&["--number", "1", "--out", &file("folder")], "folder.html: not a regular file"),
        (&["--number", "9"], "there is no game 9"),
    ] {
        let arguments = with(more);
        let complaint = refused(&arguments.split('\n').collect::<Vec<_>>());
        assert!(complaint.contains(wanted), "{complaint}");
    }
    assert_eq!(std::fs::read_to_string(file("game.pgn")).unwrap(), games);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    std::fs::write(file("none.pgn"), "[Red \"A\"]\n\n*\n").unwrap();
    assert!(refused(&["analyse", &file("none.pgn")]).contains("the game has no moves"));
}
