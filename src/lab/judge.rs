//! `juzhong judge`: the ruling on the repetition at the end of a game, with the class of every move.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use thiserror::Error;

use crate::support::games::{GamesError, ReadingArgs, shown};
use xiangqi::board::{FenError, PlayError, Position, STARTPOS};
use xiangqi::explain::{status_name, table};
use xiangqi::notation::{self, NotationError};
use xiangqi::rules::{Arbiter, ClassifiedMove, Ruleset, Ruling, UnknownRuleset};
use xiangqi::types::{Outcome, Side};

/// Judge the repetition at the end of a game.
#[derive(Debug, Clone, Args)]
pub struct JudgeArgs {
    /// Files of games in any format, each of which is judged; `-` for standard input
    #[arg(conflicts_with_all = ["fen", "moves"])]
    pub files: Vec<PathBuf>,
    /// The position the moves start from
    #[arg(long, default_value = STARTPOS)]
    pub fen: String,
    /// The moves of the game, in coordinates, Chinese or WXF, between blanks
    #[arg(long, default_value = "")]
    pub moves: String,
    /// The rules: cxa2020, cxa1999, asian, checkban or alwaysdraw
    #[arg(long, default_value = "cxa2020")]
    pub rules: String,
    /// One JSON object per game instead of the table
    #[arg(long)]
    pub json: bool,
    /// How to read the files
    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// Why a game cannot be judged.
#[derive(Debug, Error)]
pub enum JudgeError {
    /// The FEN is not a valid position.
    #[error("--fen: {0}")]
    Fen(#[from] FenError),
    /// A word of the move list is not a legal move.
    #[error("--moves: move {number}: {error}")]
    Move {
        /// Which one, from 1.
        number: usize,
        /// What is wrong with it.
        error: NotationError,
    },
    /// Neither games nor moves are given.
    #[error("nothing to judge: give files of games, `-` for standard input, or --moves")]
    Nothing,
    /// The games cannot be read.
    #[error(transparent)]
    Games(#[from] GamesError),
    /// A game of the file has a move that is not legal.
    #[error("{}: game {number}: {error}", file.display())]
    Game {
        /// The file.
        file: PathBuf,
        /// Which game, from 1.
        number: usize,
        /// Which move, and why not.
        error: PlayError,
    },
    /// There is nothing to judge.
    #[error("{}: no game in this file", .0.display())]
    Empty(PathBuf),
    /// There is no such ruleset.
    #[error("--rules: {0}")]
    Rules(#[from] UnknownRuleset),
    /// The result cannot be written.
    #[error("cannot write the result: {0}")]
    Output(#[from] io::Error),
}

/// Judges the game or games of the arguments and writes a table or a JSON object for each to `out`.
///
/// `warn` gets a line for each invalid part of a file, which is left out.
///
/// # Errors
/// Returns an error if an argument is invalid or the output cannot be written.
pub fn run(args: &JudgeArgs, out: &mut dyn Write, warn: &mut dyn FnMut(String)) -> Result<(), JudgeError> {
    let arbiter = Arbiter::new(Ruleset::named(&args.rules)?);
    let mut games = Vec::new();
    for file in &args.files {
        games.extend(games_of(file, args.reading, warn)?);
    }
    if args.files.is_empty() {
        if args.moves.trim().is_empty() && args.fen == STARTPOS {
            return Err(JudgeError::Nothing);
        }
        games.push(game(&args.fen, &args.moves)?);
    }
    for (index, game) in games.iter().enumerate() {
        let ruling = arbiter.judge(game);
        if args.json {
            writeln!(out, "{}", json(&ruling))?;
        } else {
            write!(out, "{}{}", if index == 0 { "" } else { "\n" }, table(&ruling))?;
        }
    }
    Ok(())
}

fn game(fen: &str, moves: &str) -> Result<Position, JudgeError> {
    let mut game = Position::from_fen(fen)?;
    for (index, word) in moves.split_whitespace().enumerate() {
        let mv = notation::read(&game, word);
        game.make(mv.map_err(|error| JudgeError::Move { number: index + 1, error })?);
    }
    Ok(game)
}

fn games_of(
    file: &Path,
    reading: ReadingArgs,
    warn: &mut dyn FnMut(String),
) -> Result<Vec<Position>, JudgeError> {
    let games = reading.read(file, warn)?;
    if games.is_empty() {
        return Err(JudgeError::Empty(shown(file)));
    }
    let played = games.iter().enumerate().map(|(index, game)| {
        game.play_out().map_err(|error| JudgeError::Game { file: shown(file), number: index + 1, error })
    });
    played.collect()
}

/// The JSON object on one line. Fields are only ever added.
///
/// `ruleset`; `status` (`none`: no loop, or fewer loops than make a ruling; `pending`: enough loops, one side
/// must change; `final`); `verdict` if nobody changes (`red_wins`, `black_wins`, `draw`, `none`); `clause`;
/// `must_change` (`red`, `black` or null); `reason`, `reason_zh`; `loop` (null, or `start_ply` counted from
/// 0, `length`, `count`); `moves`, for each ply of one loop `move`, `side`, `class`, `also`, `why`, `why_zh`.
pub fn json(ruling: &Ruling) -> String {
    let reason = ruling.reason();
    let report = JudgementJson {
        ruleset: ruling.rules.name,
        status: status_name(ruling.status()),
        verdict: match ruling.outcome() {
            Some(Outcome::Win(Side::Red)) => "red_wins",
            Some(Outcome::Win(Side::Black)) => "black_wins",
            Some(Outcome::Draw) => "draw",
            None => "none",
        },
        clause: ruling.clause(),
        must_change: ruling.must_change().map(side_name),
        reason: reason.english,
        reason_zh: reason.chinese,
        looped: ruling.looped.map(|looped| LoopJson {
            start_ply: looped.start_ply,
            length: looped.length,
            count: looped.count,
        }),
        moves: ruling.moves.iter().map(JudgedMoveJson::of).collect(),
    };
    serde_json::to_string(&report).unwrap_or_else(|error| unreachable!("plain strings and numbers: {error}"))
}

#[derive(Serialize)]
struct JudgementJson {
    ruleset: &'static str,
    status: &'static str,
    verdict: &'static str,
    clause: &'static str,
    must_change: Option<&'static str>,
    reason: String,
    reason_zh: String,
    #[serde(rename = "loop")]
    looped: Option<LoopJson>,
    moves: Vec<JudgedMoveJson>,
}

#[derive(Serialize)]
struct LoopJson {
    start_ply: usize,
    length: usize,
    count: u32,
}

#[derive(Serialize)]
struct JudgedMoveJson {
    #[serde(rename = "move")]
    mv: String,
    side: &'static str,
    class: &'static str,
    also: Vec<&'static str>,
    why: String,
    why_zh: String,
}

impl JudgedMoveJson {
    fn of(judged: &ClassifiedMove) -> JudgedMoveJson {
        let reason = judged.reason();
        JudgedMoveJson {
            mv: judged.mv.to_string(),
            side: side_name(judged.side),
            class: judged.effect.class.name(),
            also: judged.effect.also.iter().map(|class| class.name()).collect(),
            why: reason.english,
            why_zh: reason.chinese,
        }
    }
}

const fn side_name(side: Side) -> &'static str {
    match side {
        Side::Red => "red",
        Side::Black => "black",
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const FEN: &str = "3ak4/9/9/9/9/2c6/9/9/2R6/3K5 b - - 0 1";
    const ROUND: &str = "c4b4 c1b1 b4c4 b1c1 ";

    fn args(moves: &str, json: bool) -> JudgeArgs {
        JudgeArgs {
            files: Vec::new(),
            fen: FEN.into(),
            moves: moves.into(),
            rules: "cxa2020".into(),
            json,
            reading: ReadingArgs::default(),
        }
    }

    fn told(args: &JudgeArgs) -> String {
        let mut out = Vec::new();
        run(args, &mut out, &mut |line| panic!("{line}")).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_table_names_chaser_victim_and_clause() {
        let table = told(&args(&ROUND.repeat(3), false));
        assert!(table.contains("chases the cannon b4: unprotected"), "{table}");
        assert!(table.contains("「车七平八 捉 炮2 (无根)」"), "{table}");
        assert!(table.contains("Red must change or lose"), "{table}");
    }

    #[test]
    fn the_json_object_has_its_fields() {
        for (times, status) in [(0, "none"), (2, "none"), (3, "pending"), (4, "final")] {
            let told: serde_json::Value =
                serde_json::from_str(&told(&args(&ROUND.repeat(times), true))).unwrap();
            assert_eq!(told["status"], status);
            assert_eq!(told["verdict"], if times == 0 { "none" } else { "black_wins" });
            assert_eq!(told["ruleset"], "cxa2020");
            if times > 0 {
                assert_eq!(told["loop"]["count"], times);
                assert_eq!(told["loop"]["length"], 4);
                assert_eq!(told["moves"][1]["move"], "c1b1");
                assert_eq!(told["moves"][1]["class"], "chase");
                assert_eq!(told["moves"][1]["side"], "red");
            }
        }
    }

    #[test]
    fn the_json_object_stays_as_it_is() {
        let told = told(&args(&ROUND.repeat(3), true));
        let head = concat!(
            r#"{"ruleset":"cxa2020","status":"pending","verdict":"black_wins","clause":"CXA 2020 25, 26.9","#,
            r#""must_change":"red","reason":"Red: perpetual attack; Black: allowed moves. Red must change or "#,
            r#"lose (CXA 2020 25, 26.9).","reason_zh":"红方禁止着法，黑方允许着法。红方须变着，不变判负（CXA "#,
            r#"2020 25, 26.9）。","loop":{"start_ply":8,"length":4,"count":3},"moves":[{"move":"c4b4","#,
            r#""side":"black","class":"idle","also":[],"why":"attacks nothing","why_zh":"闲"},{"move":"c1b1","#,
            r#""side":"red","class":"chase","also":[],"why":"chases the cannon b4: unprotected","#,
            r#""why_zh":"捉 炮2 (无根)"},"#,
        );
        assert_eq!(&told[..head.len()], head);
    }

    #[test]
    fn without_a_loop_the_json_object_has_all_fields_too() {
        let told = told(&args("", true));
        let reason = r#""reason":"No position has been repeated.","reason_zh":"没有循环重复局面。""#;
        let head = r#"{"ruleset":"cxa2020","status":"none","verdict":"none","clause":"","must_change":null,"#;
        assert_eq!(told.trim_end(), format!("{head}{reason},\"loop\":null,\"moves\":[]}}"));
    }

    #[test]
    fn games_are_read_from_files_and_in_chinese() {
        let chinese = "炮3平2 车七平八 炮2平3 车八平七 ".repeat(3);
        let table = told(&args(&chinese, false));
        assert_eq!(table, told(&args(&ROUND.repeat(3), false)));
        let pgn = format!("[Game \"Chinese Chess\"]\n[FEN \"{FEN}\"]\n\n{chinese} *\n");
        let file = std::env::temp_dir().join(format!("juzhong-judge-{}.pgn", std::process::id()));
        fs::write(&file, pgn).unwrap();
        let from_file = told(&JudgeArgs { files: vec![file.clone()], ..args("", false) });
        fs::remove_file(&file).unwrap();
        assert_eq!(from_file, table);
    }

    #[test]
    fn errors_name_the_argument_and_the_move() {
        let told = |args: &JudgeArgs| {
            run(args, &mut Vec::new(), &mut |line| panic!("{line}")).unwrap_err().to_string()
        };
        assert!(told(&args("c4b4 nonsense", false)).starts_with("--moves: move 2"));
        assert!(told(&args("c4b4 c1d9", false)).starts_with("--moves: move 2"));
        let missing = JudgeArgs { files: vec!["no/such/game.pgn".into()], ..args("", false) };
        assert!(told(&missing).starts_with("no/such/game.pgn: "));
        assert!(told(&JudgeArgs { rules: "western".into(), ..args("", false) }).starts_with("--rules"));
        let nothing = JudgeArgs { fen: STARTPOS.into(), ..args("", false) };
        assert!(told(&nothing).starts_with("nothing to judge"));
        assert!(told(&JudgeArgs { fen: "9/9".into(), ..args("", false) }).starts_with("--fen"));
    }
}
