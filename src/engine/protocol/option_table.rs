//! The table of options.

use std::time::Duration;

use super::go::TimeUnit;
use super::manners::Peace;
use super::options::{Action, Kind, OptionSpec};
use super::ranks::Ranks;
use crate::engine::{self, Idle};
use crate::search::level::{LEAST_ELO, MOST_ELO};
use xiangqi::rules::Ruleset;

/// The rulesets, by the names clients know.
const RULES: &[&str] = &["ChineseRule", "AsianRule", "CheckBan", "AlwaysDraw", "CXA1999"];

/// An entry of the table. An empty name stands for none: the table reads better without `Some`.
const fn spec(
    uci: &'static str,
    ucci: &'static str,
    aliases: &'static [&'static str],
    kind: Kind,
) -> OptionSpec {
    OptionSpec {
        uci: if uci.is_empty() { None } else { Some(uci) },
        ucci: if ucci.is_empty() { None } else { Some(ucci) },
        aliases,
        kind,
    }
}

/// All options, in the order they are announced in.
pub static OPTIONS: &[OptionSpec] = &[
    spec(
        "",
        "usemillisec",
        &[],
        Kind::Check(true, |o, on| {
            o.talk.unit = if on { TimeUnit::Milliseconds } else { TimeUnit::Seconds };
        }),
    ),
    spec(
        "Threads",
        "threads",
        &[],
        Kind::Spin(1, 0, engine::MOST_THREADS as i64, |o, n| {
            o.engine.threads = n as usize;
        }),
    ),
    spec(
        "Hash",
        "hashsize",
        &[],
        Kind::Spin(engine::DEFAULT_HASH as i64, 0, engine::MOST_HASH as i64, |o, n| {
            o.engine.hash_mb = n as usize;
        }),
    ),
    spec("Clear Hash", "", &[], Kind::Button(Action::ClearHash)),
    spec("", "newgame", &["loadbook"], Kind::Button(Action::NewGame)),
    spec("Ponder", "ponder", &[], Kind::Check(false, |o, on| o.engine.ponder = on)),
    spec("MultiPV", "multipv", &[], Kind::Spin(1, 1, 128, |o, n| o.engine.multipv = n as usize)),
    spec(
        "Move Overhead",
        "moveoverhead",
        &[],
        Kind::Spin(10, 0, 5000, |o, n| {
            o.engine.move_overhead = Duration::from_millis(n as u64);
        }),
    ),
    spec("UCI_ShowWDL", "", &[], Kind::Check(false, |o, on| o.talk.show_wdl = on)),
    spec(
        "UCI_LimitStrength",
        "",
        &["limitstrength"],
        Kind::Check(false, |o, on| {
            o.engine.limit_strength = on;
        }),
    ),
    spec(
        "UCI_Elo",
        "",
        &["elo"],
        Kind::Spin(LEAST_ELO as i64, LEAST_ELO as i64, MOST_ELO as i64, |o, n| {
            o.engine.elo = n as u32;
        }),
    ),
    spec(
        "Skill Level",
        "",
        &["skill"],
        Kind::Spin(engine::FULL_SKILL as i64, 0, engine::FULL_SKILL as i64, |o, n| {
            o.engine.skill = n as u8;
        }),
    ),
    spec("UCI_Variant", "", &[], Kind::Combo(&["xiangqi"], |o, _| o.talk.ranks = Ranks::FromOne)),
    // Not announced in UCCI: a client there ends the game at the sight of the word draw.
    spec(
        "Repetition Rule",
        "",
        &["repetition"],
        Kind::Combo(RULES, |o, choice| {
            if let Ok(rules) = Ruleset::named(RULES[choice]) {
                o.engine.rules = rules;
            }
        }),
    ),
    spec(
        "Quiet Rounds",
        "quietrounds",
        &[],
        Kind::Spin(60, 0, 100, |o, n| {
            o.engine.quiet_rounds = n as u32;
        }),
    ),
    // Before UCCI 3.0; some programs count plies.
    spec(
        "",
        "",
        &["drawmoves"],
        Kind::Spin(60, 0, 200, |o, n| {
            o.engine.quiet_rounds = (if n > 100 { n / 2 } else { n }) as u32;
        }),
    ),
    spec(
        "",
        "",
        &["Sixty Move Rule", "Rule60"],
        Kind::Check(true, |o, on| {
            o.engine.quiet_rounds = if on { 60 } else { 0 };
        }),
    ),
    spec("", "batch", &[], Kind::Check(false, |o, on| o.talk.batch = on)),
    spec("", "debug", &[], Kind::Check(false, |o, on| o.talk.debug = on)),
    spec("OwnBook", "usebook", &[], Kind::Check(true, |o, on| o.engine.use_book = on)),
    spec(
        "Book Files",
        "bookfiles",
        &["Book File"],
        Kind::Text(|o, text| {
            o.engine.book_files =
                text.split(';').map(str::to_owned).filter(|file| !file.is_empty()).collect();
        }),
    ),
    spec("EvalFile", "evalfile", &[], Kind::Text(|o, file| o.engine.network_file = file.to_owned())),
    spec("EndgameFile", "endgamefile", &[], Kind::Text(|o, file| o.engine.endgame_file = file.to_owned())),
    spec(
        "",
        "idle",
        &[],
        Kind::Combo(&["none", "small", "medium", "large"], |o, choice| {
            o.engine.idle = [Idle::None, Idle::Small, Idle::Medium, Idle::Large][choice];
        }),
    ),
    spec(
        "",
        "randomness",
        &["selectivity"],
        Kind::Combo(&["none", "tiny", "small", "medium", "large", "huge"], |o, choice| {
            o.engine.noise = [0, 5, 10, 20, 40, 80][choice];
        }),
    ),
    spec(
        "",
        "peace",
        &[],
        Kind::Combo(&["answer", "never", "offer"], |o, choice| {
            o.talk.peace = [Peace::Answer, Peace::Never, Peace::Offer][choice];
        }),
    ),
    spec("", "giveup", &[], Kind::Check(false, |o, on| o.talk.gives_up = on)),
];

/// Names that clients set blindly and that mean nothing to this engine: accepted without a word.
#[rustfmt::skip]
pub const IGNORED: &[&str] = &[
    "useegtb", "egtbpaths", "evalapi", "promotion", "pruning", "style", "knowledge", "usehash",
    "debuglogfile", "numapolicy", "nodestime", "slowmover", "strictthreefold", "chasewithcheck",
    "matethreatdepth", "protocol", "ucianalysemode", "uciopponent",
];
