//! `analyse`: what a game was worth, move by move, as annotated PGN, JSON and a page of HTML.

mod finding;
mod opening;
mod page;
mod report;
mod study;
mod words;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use thiserror::Error;

use crate::support::files;
use crate::support::games::{self, GamesError, is_standard_input, shown};
use finding::{Finding, Mark};
use opening::Opening;
use study::{Budget, Verdict};
use words::Language;
use xiangqi::board::{PlayError, Position};
use xiangqi::notation::pgn::RecordedGame;
use xiangqi::rules::{Arbiter, Bilingual};
use xiangqi::types::Move;

/// The longest game, in plies: each of its positions is kept with all that led to it.
const MOST_PLIES: usize = 2000;

/// Analyse a game.
#[derive(Debug, Args)]
pub struct AnalyseArgs {
    /// The game: PGN, XQF, or a list of moves in any notation; `-` for standard input
    game: PathBuf,
    /// Milliseconds for each position; by default three quarters of a minute for the game
    #[arg(long, conflicts_with = "depth", value_parser = clap::value_parser!(u64).range(1..))]
    time: Option<u64>,
    /// Plies to search each position
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Search threads; 0: one a core
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=juzhong_engine::engine::MOST_THREADS as i64))]
    threads: u32,
    /// The language of the remarks
    #[arg(long, value_enum, default_value_t = Language::Zh)]
    lang: Language,
    /// Which game of the file
    #[arg(long, default_value_t = 1)]
    number: usize,
    /// The files to write, less .pgn, .json and .html; by default beside the game, with `.analysed` added
    #[arg(long, short)]
    out: Option<PathBuf>,
}

/// Why a game was not analysed.
#[derive(Debug, Error)]
pub enum AnalyseError {
    /// The game cannot be read.
    #[error(transparent)]
    Games(#[from] GamesError),
    /// A file cannot be written.
    #[error("{}: {fault}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        fault: io::Error,
    },
    /// The file holds fewer games.
    #[error("{}: there is no game {number}", path.display())]
    NoGame {
        /// The file.
        path: PathBuf,
        /// The game asked for.
        number: usize,
    },
    /// The game holds no move.
    #[error("{}: the game has no moves", .0.display())]
    NoMoves(PathBuf),
    /// The game is longer than any that is played.
    #[error("{}: a game of {plies} plies is too long, {MOST_PLIES} are the most", path.display())]
    TooLong {
        /// The file.
        path: PathBuf,
        /// How many plies the game has.
        plies: usize,
    },
    /// A result would take the place of the game.
    #[error("{}: this would be written over the game itself; name other files with --out", .0.display())]
    Overwrites(PathBuf),
    /// A move of the game is not legal.
    #[error("{}: {fault}", path.display())]
    Move {
        /// The file.
        path: PathBuf,
        /// Which move, and why not.
        fault: PlayError,
    },
}

/// Everything found out about a game.
struct Analysis {
    game: RecordedGame,
    /// The positions before each move, and the last one.
    positions: Vec<Position>,
    /// What the engine thinks of each.
    verdicts: Vec<Verdict>,
    findings: Vec<Finding>,
    opening: Option<Opening>,
    /// The ruling on the repetition at the end.
    ruling: Option<Bilingual>,
}

/// Analyses a game and writes the files; returns a summary.
///
/// # Errors
/// The game cannot be read, or a file not written.
pub fn run(args: &AnalyseArgs) -> Result<String, AnalyseError> {
    let path = &args.game;
    let game = read(path, args.number)?;
    match game.moves().len() {
        0 => return Err(AnalyseError::NoMoves(shown(path))),
        plies if plies > MOST_PLIES => return Err(AnalyseError::TooLong { path: shown(path), plies }),
        _ => {}
    }
    let positions = positions(&game).map_err(|fault| AnalyseError::Move { path: shown(path), fault })?;
    let out = args.out.clone().unwrap_or_else(|| beside(path));
    let named = |ending: &str| {
        let mut name = out.clone().into_os_string();
        name.push(".");
        name.push(ending);
        PathBuf::from(name)
    };
    let failed = |path: PathBuf| move |fault| AnalyseError::File { path, fault };
    let kept = named("partial");
    // What cannot be written is better known before the searches than after them.
    for result in [&kept, &named("pgn"), &named("json"), &named("html")] {
        may_write(result, path)?;
    }
    let verdicts =
        study::study(&positions, budget(args), args.threads as usize, &kept).map_err(failed(kept.clone()))?;
    let analysis = conclude(game, positions, verdicts);
    let json = report::json(&analysis).map_err(io::Error::from).map_err(failed(named("json")))?;
    let pgn = report::pgn(&analysis, args.lang);
    let html = page::html(&analysis, args.lang);
    // One file that cannot be replaced must not cost the others.
    let written = [("pgn", pgn), ("json", json), ("html", html)]
        .map(|(ending, text)| files::replace(&named(ending), text.as_bytes()).map_err(failed(named(ending))));
    written.into_iter().collect::<Result<(), _>>()?;
    fs::remove_file(&kept).map_err(failed(kept))?;
    Ok(summary(&analysis, &out))
}

/// Whether a result can take this place: that of a file, or none, and not the game's.
fn may_write(result: &Path, game: &Path) -> Result<(), AnalyseError> {
    files::regular(result).map_err(|fault| AnalyseError::File { path: result.to_owned(), fault })?;
    let same =
        fs::canonicalize(result).is_ok_and(|real| fs::canonicalize(game).is_ok_and(|game| real == game));
    if same { Err(AnalyseError::Overwrites(result.to_owned())) } else { Ok(()) }
}

fn read(path: &Path, number: usize) -> Result<RecordedGame, AnalyseError> {
    let chosen =
        number.checked_sub(1).map(|index| games::read(path).map(|games| games.into_iter().nth(index)));
    chosen.transpose()?.flatten().ok_or_else(|| AnalyseError::NoGame { path: shown(path), number })
}

/// Every position of the game, each with the record that led to it.
fn positions(game: &RecordedGame) -> Result<Vec<Position>, PlayError> {
    let mut positions = vec![game.start.clone()];
    let mut position = game.start.clone();
    for mv in game.moves() {
        position.play(mv)?;
        positions.push(position.clone());
    }
    Ok(positions)
}

fn budget(args: &AnalyseArgs) -> Budget {
    let time = || args.time.map(|time| Budget::Position(Duration::from_millis(time)));
    args.depth.map(Budget::Depth).or_else(time).unwrap_or(Budget::Game)
}

fn conclude(game: RecordedGame, positions: Vec<Position>, verdicts: Vec<Verdict>) -> Analysis {
    let moves: Vec<Move> = game.moves().collect();
    let findings = finding::findings(&positions, &moves, &verdicts);
    let opening = if game.is_from_start() { opening::name(&moves) } else { None };
    let judged = positions.last().map(|last| Arbiter::default().judge(last));
    let ruling = judged.filter(|ruling| ruling.looped.is_some()).map(|ruling| ruling.reason());
    Analysis { game, positions, verdicts, findings, opening, ruling }
}

/// `game.pgn` becomes `game.analysed`, standard input `analysed`.
fn beside(path: &Path) -> PathBuf {
    if is_standard_input(path) { PathBuf::from("analysed") } else { path.with_extension("analysed") }
}

fn summary(analysis: &Analysis, out: &Path) -> String {
    let count = |mark| analysis.findings.iter().filter(|finding| finding.mark == mark).count();
    let missed = analysis.findings.iter().filter(|finding| finding.missed_mate.is_some()).count();
    let number =
        |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
    format!(
        "{}: {}, {}, {}, {} missed; written to {}.pgn, .json and .html\n",
        number(analysis.findings.len(), "ply", "plies"),
        number(count(Mark::Blunder), "blunder", "blunders"),
        number(count(Mark::Mistake), "mistake", "mistakes"),
        number(count(Mark::Inaccuracy), "inaccuracy", "inaccuracies"),
        number(missed, "mate", "mates"),
        out.display(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use xiangqi::notation::pgn;

    fn analysed(text: &str) -> (Analysis, String) {
        let folder =
            std::env::temp_dir().join(format!("juzhong-analyse-{}-{}", text.len(), std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("game.pgn");
        fs::write(&path, text).unwrap();
        let args = AnalyseArgs {
            game: path.clone(),
            time: None,
            depth: Some(4),
            threads: 1,
            lang: Language::Zh,
            number: 1,
            out: None,
        };
        let said = run(&args).unwrap();
        let written =
            |ending: &str| fs::read_to_string(folder.join(format!("game.analysed.{ending}"))).unwrap();
        // The annotated game can be read again, and says the same moves.
        let again = pgn::read_all(&written("pgn")).unwrap().remove(0);
        let game = read(&path, 1).unwrap();
        assert!(again.moves().eq(game.moves()));
        let json: serde_json::Value = serde_json::from_str(&written("json")).unwrap();
        assert_eq!(json["moves"].as_array().unwrap().len(), game.moves().len());
        let page = written("html");
        assert!(page.contains("<circle"));
        assert_eq!(page.matches("<div hidden>").count(), game.moves().len());
        assert!(!folder.join("game.analysed.partial").exists() && said.contains(" plies: "));
        let positions = positions(&game).unwrap();
        let verdicts = study::study(&positions, budget(&args), 1, &folder.join("kept")).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        (conclude(game, positions, verdicts), written_twice(&again))
    }

    fn written_twice(game: &RecordedGame) -> String {
        pgn::write(game, xiangqi::notation::Notation::Coordinates)
    }

    #[test]
    fn a_blunder_is_found_marked_and_answered() {
        // 5. 兵七进一?? leaves the rook to the other rook.
        let moves =
            "1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 车一平二 卒7进1 4. 车二进六 炮8平9 5. 兵七进一 车8进3";
        let (analysis, pgn) = analysed(&format!("[Red \"A & <B>\"]\n{moves} *"));
        assert_eq!(analysis.opening.map(|opening| opening.chinese), Some("中炮"));
        let ninth = &analysis.findings[8];
        assert!(ninth.mark == Mark::Blunder && !ninth.better.is_empty(), "{ninth:?}");
        assert!(pgn.contains("应走"), "{pgn}");
        assert!(analysis.findings[0].mark < Mark::Mistake);
    }

    #[test]
    fn a_ruling_is_reported() {
        let round = "c4b4 c1b1 b4c4 b1c1 ";
        let text = format!("[FEN \"3ak4/9/9/9/9/2c6/9/9/2R6/3K5 b - - 0 1\"]\n\n{} *", round.repeat(3));
        let (analysis, pgn) = analysed(&text);
        let ruling = analysis.ruling.unwrap();
        assert!(pgn.contains(&ruling.chinese), "{pgn}");
        assert_eq!(analysis.opening, None);
    }
}
