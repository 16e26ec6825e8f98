//! One scripted session for each habit of the GUIs in use.

use super::*;

/// Tries `uci` first, waits one second for exactly `uciok`, and goes on with UCCI.
#[test]
fn tries_uci_first() {
    assert_takes(ms(1000), || {
        let mut client = Client::start();
        let start = Instant::now();
        client.send_bytes(b"uci\r\n");
        while client.line() != "uciok" {}
        let used = start.elapsed();
        client.send_bytes(b"ucci\r\n");
        while client.line() != "ucciok" {}
        client.send_bytes(b"setoption newgame\r\nposition startpos\r\ngo depth 3\r\n");
        client.best_move();
        used
    });
}

/// Gives up on `ucci` after a while and tries `uci`, with other words between.
#[test]
fn tries_ucci_first() {
    let mut client = Client::start();
    client.send_all(&["ucci", "quickstart", "uci", "isready"]);
    assert!(client.until("readyok").contains(&"uciok".to_owned()));
}

/// Sends UCI's option names without `name` and `value`.
#[test]
fn leaves_out_name_and_value() {
    let mut client = Client::ucci();
    client.send_all(&["setoption Hash 32", "setoption Threads 1", "setoption MultiPV 2", "isready"]);
    assert_eq!(client.until("readyok"), ["readyok"]);
    client.send("go depth 4");
    assert!(client.answer().iter().any(|line| line.contains(" multipv 2 ")));
}

/// Ends each line with CR and LF, and sends the names of files in GBK.
#[test]
fn writes_crlf_and_gbk() {
    let mut client = Client::ucci();
    client.send_bytes(b"setoption evalfile C:\\\xcf\xf3\xc6\xe5\\no.net\r\nisready\r\n");
    let lines = client.until("readyok");
    assert!(lines[0].contains("C:\\象棋\\no.net"), "{lines:?}");
    client.send_bytes(b"position startpos moves h2e2 \r\n\r\ngo depth 2 \r\n");
    client.best_move();
}

/// Ends the process without `quit`, its search under way: the end of the input is enough.
#[test]
fn leaves_without_quit() {
    for go in ["", "go infinite\r\n", "go time 60000 increment 0\r\n"] {
        let mut client = Client::ucci();
        client.send_bytes(format!("position startpos\r\n{go}").as_bytes());
        client.close();
        let (_, used) = client.farewell(Instant::now());
        assert!(used < Duration::from_secs(2), "{go}: {used:?}");
    }
}

/// Reads standard error never, or together with the answers: nothing may be written there. (Each client of these tests
/// insists on that at its end; here what would be worth a complaint is sent.)
#[test]
fn ignores_standard_error() {
    let mut client = Client::ucci();
    client.send_all(&[
        "setoption evalfile /no/such.net",
        "setoption bookfiles /no/such.obk",
        "position fen x",
        "isready",
    ]);
    client.until("readyok");
}

/// Starts the program with a path without quotes, so that the rest of the path arrives as arguments.
#[test]
fn starts_at_a_path_without_quotes() {
    let folder = std::env::temp_dir().join(format!("juzhong a path {}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let program = folder.join("juzhong");
    std::fs::copy(env!("CARGO_BIN_EXE_juzhong"), &program).unwrap();
    let output =
        std::process::Command::new(&program).current_dir(&folder).stdin(std::process::Stdio::null()).output();
    std::fs::remove_dir_all(&folder).unwrap();
    let output = output.unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

/// `uci-variant-default`: resends each default that was announced, and counts ranks from 0.
#[test]
fn resends_all_defaults() {
    let mut client = Client::start();
    client.send("uci");
    let greeting = client.until("uciok");
    for line in &greeting {
        let Some((name, rest)) = line.strip_prefix("option name ").and_then(|line| line.split_once(" type "))
        else {
            continue;
        };
        let Some((_, default)) = rest.split_once(" default ") else { continue };
        let end =
            [" min ", " var "].iter().filter_map(|word| default.find(word)).min().unwrap_or(default.len());
        client.send(&format!("setoption name {name} value {}", &default[..end]));
    }
    client.send("setoption name OwnBook value false");
    assert!(client.settle().is_empty());
    client.send_all(&["position startpos", "go depth 2 searchmoves h2e2"]);
    assert!(client.answer().last().unwrap().starts_with("bestmove h2e2"));
}

/// Looks for `xiangqi` among the variants, as cutechess does, and counts ranks from 1.
#[test]
fn sets_the_variant_it_looked_for() {
    let mut client = Client::start();
    client.send("uci");
    let greeting = client.until("uciok");
    let variant = greeting.iter().find(|line| line.contains(" UCI_Variant ")).unwrap();
    assert!(variant.split(" var ").skip(1).any(|value| value == "xiangqi"), "{variant}");
    client.send_all(&[
        "setoption name UCI_Variant value xiangqi",
        "ucinewgame",
        "position startpos",
        "go depth 2 searchmoves h3e3",
    ]);
    assert!(client.answer().last().unwrap().starts_with("bestmove h3e3"));
}
