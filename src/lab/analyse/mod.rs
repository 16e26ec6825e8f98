//! `analyse`: what a game was worth, move by move, as annotated PGN, JSON and a page of HTML; or the best lines of a
//! position.

mod finding;
mod language;
mod opening;
mod page;
mod position;
mod reason;
mod report;
mod searches;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use thiserror::Error;

use crate::support::files;
use crate::support::games::{GamesError, ReadingArgs, is_standard_input, shown};
use crate::support::notation_name::NotationName;
use finding::{Mark, MoveFinding};
use juzhong_engine::book::Book;
use juzhong_engine::engine::MOST_THREADS;
use language::Language;
use opening::OpeningName;
use searches::{Assessment, Budget, DEFAULT_NODES, Question, Searches};
use xiangqi::board::{PlayError, Position};
use xiangqi::notation::pgn::RecordedGame;
use xiangqi::rules::{Arbiter, Bilingual};
use xiangqi::types::Move;

/// The longest game, in plies: each of its positions is kept with all that led to it.
const MOST_PLIES: usize = 2000;

/// The most lines that may be asked for of a position.
const MOST_LINES: u64 = 100;

/// The factor by which a single position gets more nodes than a position in a game.
const SINGLE: u64 = 20;

/// Arguments of `juzhong analyse`.
#[derive(Debug, Args)]
pub struct AnalyseArgs {
    /// The games: PGN, XQF, or a list of moves in any notation, `-` for standard input; or the FEN of a position
    game: PathBuf,
    /// Nodes for each position, the same result on every machine (150000; 3000000 for a single position)
    #[arg(long, conflicts_with_all = ["depth", "time"], value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds for each position; on a busy machine this finds less
    #[arg(long, conflicts_with = "depth", value_parser = clap::value_parser!(u64).range(1..))]
    time: Option<u64>,
    /// Plies to search each position
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Searches at a time, each with one thread; 0: one per core
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=MOST_THREADS as i64))]
    threads: u32,
    /// The language of the remarks
    #[arg(long, value_enum, default_value_t = Language::Zh)]
    lang: Language,
    /// The notation of the moves
    #[arg(long, value_enum, default_value_t = NotationName::Chinese)]
    to: NotationName,
    /// Which game of the file; all of them if not given
    #[arg(long)]
    number: Option<usize>,
    /// How many of the best lines of a position to show
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=MOST_LINES))]
    lines: u64,
    /// The lines of a position as a JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    reading: ReadingArgs,
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
    #[error("{}: a game of {plies} plies is too long; the most is {MOST_PLIES}", path.display())]
    TooLong {
        /// The file.
        path: PathBuf,
        /// How many plies the game has.
        plies: usize,
    },
    /// A result would overwrite the game.
    #[error("{}: this would be written over the game itself; name other files with --out", .0.display())]
    Overwrites(PathBuf),
    /// The JSON of a position cannot be made.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
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
struct GameAnalysis {
    game: RecordedGame,
    /// The positions before each move, and the last one.
    positions: Vec<Position>,
    /// What the engine thinks of each.
    assessments: Vec<Assessment>,
    findings: Vec<MoveFinding>,
    opening: Option<OpeningName>,
    /// The ruling on the repetition at the end.
    ruling: Option<Bilingual>,
}

/// Analyses games and writes the files, or a position: returns the summary or the lines.
///
/// `warn` gets a line for each invalid part of the file, which is left out.
///
/// # Errors
/// Returns an error if a game cannot be read or a file cannot be written.
pub fn run(args: &AnalyseArgs, warn: &mut dyn FnMut(String)) -> Result<String, AnalyseError> {
    if let Some(position) = position_of(&args.game) {
        let lines = position::best_lines(
            &position,
            args.lines as usize,
            args.budget(SINGLE),
            args.threads.max(1) as usize,
        );
        return Ok(if args.json {
            position::json(&position, &lines, args.to.notation())? + "\n"
        } else {
            position::table(&position, &lines, args.lang, args.to.notation())
        });
    }
    let path = &args.game;
    let games = args.reading.read(path, warn)?;
    let several = games.len() > 1 && args.number.is_none();
    let wanted: Vec<(usize, RecordedGame)> = (1..)
        .zip(games)
        .filter(|(number, _)| args.number.is_none_or(|wanted| wanted == *number))
        // A game without moves tells nothing; alone it is refused.
        .filter(|(_, game)| !several || game.moves().len() > 0)
        .collect();
    if wanted.is_empty() {
        return Err(AnalyseError::NoGame { path: shown(path), number: args.number.unwrap_or(1) });
    }
    let out = args.out.clone().unwrap_or_else(|| beside(path));
    let mut summaries = String::new();
    for (number, game) in wanted {
        let out = if several { numbered(&out, number) } else { out.clone() };
        summaries += &analyse_game(args, game, &out)?;
    }
    Ok(summaries)
}

/// The position that an argument names, if it is a FEN and no file.
fn position_of(argument: &Path) -> Option<Position> {
    let text = argument.to_str().filter(|text| text.matches('/').count() >= 9)?;
    if argument.exists() { None } else { Position::from_fen(text).ok() }
}

fn analyse_game(args: &AnalyseArgs, game: RecordedGame, out: &Path) -> Result<String, AnalyseError> {
    let path = &args.game;
    match game.moves().len() {
        0 => return Err(AnalyseError::NoMoves(shown(path))),
        plies if plies > MOST_PLIES => return Err(AnalyseError::TooLong { path: shown(path), plies }),
        _ => {}
    }
    let positions = positions(&game).map_err(|fault| AnalyseError::Move { path: shown(path), fault })?;
    let named = |ending: &str| {
        let mut name = out.as_os_str().to_owned();
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
    let analysis = study(game, positions, args.budget(1), args.searches_at_a_time(), &kept)
        .map_err(failed(kept.clone()))?;
    let json = report::json(&analysis).map_err(io::Error::from).map_err(failed(named("json")))?;
    let pgn = report::pgn(&analysis, args.lang, args.to.notation());
    let html = page::html(&analysis, args.lang, args.to.notation());
    // One file that cannot be replaced must not cost the others.
    let written = [("pgn", pgn), ("json", json), ("html", html)]
        .map(|(ending, text)| files::replace(&named(ending), text.as_bytes()).map_err(failed(named(ending))));
    written.into_iter().collect::<Result<(), _>>()?;
    fs::remove_file(&kept).map_err(failed(kept))?;
    Ok(summary(&analysis, out))
}

impl AnalyseArgs {
    /// The budget of a search, `times` the usual number of nodes if nothing else is asked for.
    fn budget(&self, times: u64) -> Budget {
        let time = || self.time.map(|time| Budget::Time(Duration::from_millis(time)));
        let nodes = || Budget::Nodes(self.nodes.unwrap_or(DEFAULT_NODES * times));
        self.depth.map(Budget::Depth).or_else(time).unwrap_or_else(nodes)
    }

    fn searches_at_a_time(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads as usize,
        }
    }
}

/// Whether a result can take this place: that of a file, or none, and not the game's.
fn may_write(result: &Path, game: &Path) -> Result<(), AnalyseError> {
    files::regular(result).map_err(|fault| AnalyseError::File { path: result.to_owned(), fault })?;
    let same =
        fs::canonicalize(result).is_ok_and(|real| fs::canonicalize(game).is_ok_and(|game| real == game));
    if same { Err(AnalyseError::Overwrites(result.to_owned())) } else { Ok(()) }
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

/// Searches every position, and each doubtful move and its alternative again with a greater budget, since two short
/// searches differ by chance as well.
fn study(
    game: RecordedGame,
    positions: Vec<Position>,
    budget: Budget,
    threads: usize,
    kept: &Path,
) -> io::Result<GameAnalysis> {
    let moves: Vec<Move> = game.moves().collect();
    let mut searches = Searches::new(&positions, threads, kept);
    let all: Vec<Question> = (0..positions.len()).map(|ply| Question { ply, budget, only: None }).collect();
    let assessments = searches.answer(&all)?;
    let pairs = positions.iter().zip(&moves).zip(assessments.windows(2));
    let mut findings: Vec<MoveFinding> =
        pairs.map(|((before, &mv), pair)| MoveFinding::new(before, mv, &pair[0], &pair[1])).collect();
    let doubtful: Vec<usize> = (0..findings.len()).filter(|&ply| findings[ply].is_doubtful()).collect();
    let closer =
        |&ply: &usize| [None, Some(moves[ply])].map(|only| Question { ply, budget: budget.closer(), only });
    let answers = searches.answer(&doubtful.iter().flat_map(closer).collect::<Vec<_>>())?;
    for (&ply, answers) in doubtful.iter().zip(answers.chunks_exact(2)) {
        findings[ply] = MoveFinding::compare(&positions[ply], moves[ply], &answers[0], &answers[1]);
    }
    mark_book_moves(&mut findings);
    let opening = if game.is_from_start() { opening::name(&moves) } else { None };
    let judged = positions.last().map(|last| Arbiter::default().judge(last));
    let ruling = judged.filter(|judgement| judgement.looped.is_some()).map(|judgement| judgement.reason());
    Ok(GameAnalysis { game, positions, assessments, findings, opening, ruling })
}

/// Notes which moves stand in the opening book, from the start of the game on.
fn mark_book_moves(findings: &mut [MoveFinding]) {
    for finding in findings {
        finding.in_book = Book::embedded().probe(&finding.before).any(|entry| entry.mv == finding.mv);
        if !finding.in_book {
            break;
        }
    }
}

/// `game.pgn` becomes `game.analysed`, standard input `analysed`.
fn beside(path: &Path) -> PathBuf {
    if is_standard_input(path) { PathBuf::from("analysed") } else { path.with_extension("analysed") }
}

/// The name for one of several games: `game.analysed` becomes `game.analysed.3`.
fn numbered(out: &Path, number: usize) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(format!(".{number}"));
    PathBuf::from(name)
}

fn summary(analysis: &GameAnalysis, out: &Path) -> String {
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

    fn analysed(text: &str) -> (GameAnalysis, String) {
        let folder =
            std::env::temp_dir().join(format!("juzhong-analyse-{}-{}", text.len(), std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("game.pgn");
        fs::write(&path, text).unwrap();
        let args = AnalyseArgs {
            game: path.clone(),
            nodes: None,
            time: None,
            depth: Some(4),
            threads: 1,
            lang: Language::Zh,
            to: NotationName::Chinese,
            number: None,
            lines: 1,
            json: false,
            reading: ReadingArgs::default(),
            out: None,
        };
        let said = run(&args, &mut |line| panic!("{line}")).unwrap();
        let written =
            |ending: &str| fs::read_to_string(folder.join(format!("game.analysed.{ending}"))).unwrap();
        // The annotated game can be read again, and says the same moves.
        let again = pgn::read_all(&written("pgn")).unwrap().remove(0);
        let game = ReadingArgs::default().read(&path, &mut |line| panic!("{line}")).unwrap().remove(0);
        assert!(again.moves().eq(game.moves()));
        let json: serde_json::Value = serde_json::from_str(&written("json")).unwrap();
        assert_eq!(json["moves"].as_array().unwrap().len(), game.moves().len());
        let page = written("html");
        let data = page.split("<script id=\"game\" type=\"application/json\">").nth(1).unwrap();
        let data: serde_json::Value = serde_json::from_str(data.split("</script>").next().unwrap()).unwrap();
        assert_eq!(data["plies"].as_array().unwrap().len(), game.moves().len());
        assert!(
            data["plies"].as_array().unwrap().iter().all(|ply| ply["fen"].as_str().unwrap().contains('/'))
        );
        assert!(!folder.join("game.analysed.partial").exists() && said.contains(" plies: "));
        let positions = positions(&game).unwrap();
        let analysis = study(game, positions, args.budget(1), 1, &folder.join("kept")).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        (analysis, written_twice(&again))
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
    fn what_the_game_said_stays() {
        let text = "[Annotator \"Hu\"]\n\n1. 炮二平五 {好棋} 马8进7 *";
        let (_, pgn) = analysed(text);
        assert!(pgn.contains("[Annotator \"Hu, Juzhong\"]") && pgn.contains("好棋"), "{pgn}");
        assert!(pgn.contains("红方：准确度 "), "{pgn}");
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
