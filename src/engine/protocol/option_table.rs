//! The table of options: their names in both protocols, their kinds and ranges, and what they set.
//!
//! A new option is a row here and a field in [`Settings`](crate::engine::Settings), whose first value is the default
//! (or in [`SessionOptions`](super::session_options::SessionOptions)); a test holds docs/PROTOCOL.md to it.

use std::time::Duration;

use super::draws::DrawPolicy;
use super::go::TimeUnit;
use super::options::{ButtonAction, OptionKind, OptionSpec};
use super::ranks::Ranks;
use crate::engine::{self, Idle};
use crate::search::handicap::{LEAST_ELO, MOST_ELO};
use xiangqi::rules::Ruleset;

/// The rulesets by the names that clients know, each with the name of the ruleset itself.
const RULES: &[&str] = &["ChineseRule", "AsianRule", "CheckBan", "AlwaysDraw", "CXA1999"];
/// The values of `UCI_Variant`: the plain name stands for the ranks of Fairy-Stockfish, 1 to 10.
const VARIANTS: &[&str] = &["xiangqi-ranks-0-9", "xiangqi"];
const RANKS: [Ranks; 2] = [Ranks::FromZero, Ranks::FromOne];
const IDLE: [Idle; 4] = [Idle::None, Idle::Small, Idle::Medium, Idle::Large];
/// The values of `randomness`, in centipawns.
const NOISE: [i32; 6] = [0, 5, 10, 20, 40, 80];
const DRAW_POLICIES: [DrawPolicy; 3] = [DrawPolicy::Answer, DrawPolicy::Never, DrawPolicy::Offer];

/// A row of the table; an empty name stands for none.
const fn row(
    uci: &'static str,
    ucci: &'static str,
    aliases: &'static [&'static str],
    kind: OptionKind,
) -> OptionSpec {
    OptionSpec {
        uci: if uci.is_empty() { None } else { Some(uci) },
        ucci: if ucci.is_empty() { None } else { Some(ucci) },
        aliases,
        kind,
    }
}

/// Shorthand for the kinds of options whose value is one field.
macro_rules! check {
    ($part:ident.$field:ident) => {
        OptionKind::Check { get: |v| v.$part.$field, set: |v, on| v.$part.$field = on }
    };
}
macro_rules! spin {
    ($part:ident.$field:ident: $type:ty, $min:expr, $max:expr) => {
        OptionKind::Spin {
            min: $min as i64,
            max: $max as i64,
            get: |v| v.$part.$field as i64,
            set: |v, number| v.$part.$field = number as $type,
        }
    };
}
macro_rules! text {
    ($part:ident.$field:ident) => {
        OptionKind::Text(|v, text| v.$part.$field = text.to_owned())
    };
}
macro_rules! combo {
    ($part:ident.$field:ident, $choices:expr, $values:expr) => {
        OptionKind::Combo {
            choices: $choices,
            get: |v| $values.iter().position(|value| *value == v.$part.$field).unwrap_or(0),
            set: |v, choice| v.$part.$field = $values[choice],
        }
    };
}

/// All options, in the order in which they are announced.
pub static OPTIONS: &[OptionSpec] = &[
    row(
        "",
        "usemillisec",
        &[],
        OptionKind::Check {
            get: |v| v.session.unit == TimeUnit::Milliseconds,
            set: |v, on| v.session.unit = if on { TimeUnit::Milliseconds } else { TimeUnit::Seconds },
        },
    ),
    row("Threads", "threads", &[], spin!(engine.threads: usize, 0, engine::MOST_THREADS)),
    row("Hash", "hashsize", &[], spin!(engine.hash_mb: usize, 0, engine::MOST_HASH)),
    row("Clear Hash", "", &[], OptionKind::Button(ButtonAction::ClearHash)),
    row("", "newgame", &["loadbook"], OptionKind::Button(ButtonAction::NewGame)),
    row("Ponder", "ponder", &[], check!(engine.ponder)),
    row("MultiPV", "multipv", &[], spin!(engine.multipv: usize, 1, 128)),
    row(
        "Move Overhead",
        "moveoverhead",
        &[],
        OptionKind::Spin {
            min: 0,
            max: 5000,
            get: |v| v.engine.move_overhead.as_millis() as i64,
            set: |v, number| v.engine.move_overhead = Duration::from_millis(number as u64),
        },
    ),
    row("UCI_ShowWDL", "", &[], check!(session.show_wdl)),
    row("UCI_LimitStrength", "limitstrength", &[], check!(engine.limit_strength)),
    row("UCI_Elo", "elo", &[], spin!(engine.elo: u32, LEAST_ELO, MOST_ELO)),
    row("Skill Level", "skill", &[], spin!(engine.skill: u8, 0, engine::FULL_SKILL)),
    row("UCI_Variant", "", &[], combo!(session.ranks, VARIANTS, RANKS)),
    row(
        "Repetition Rule",
        "repetition",
        &[],
        OptionKind::Combo {
            choices: RULES,
            get: |v| RULES.iter().position(|name| is_rule(name, v.engine.rules)).unwrap_or(0),
            set: |v, choice| {
                if let Ok(rules) = Ruleset::named(RULES[choice]) {
                    v.engine.rules = rules;
                }
            },
        },
    ),
    row("Quiet Rounds", "quietrounds", &[], spin!(engine.quiet_rounds: u32, 0, 100)),
    // Before UCCI 3.0; some programs count plies.
    row(
        "",
        "",
        &["drawmoves"],
        OptionKind::Spin {
            min: 0,
            max: 200,
            get: |v| v.engine.quiet_rounds.into(),
            set: |v, number| v.engine.quiet_rounds = (if number > 100 { number / 2 } else { number }) as u32,
        },
    ),
    row(
        "",
        "",
        &["Sixty Move Rule", "Rule60"],
        OptionKind::Check {
            get: |v| v.engine.quiet_rounds > 0,
            set: |v, on| v.engine.quiet_rounds = if on { engine::QUIET_ROUNDS } else { 0 },
        },
    ),
    row("", "batch", &[], check!(session.batch)),
    row("", "debug", &[], check!(session.debug)),
    row("OwnBook", "usebook", &[], check!(engine.use_book)),
    row(
        "Book Files",
        "bookfiles",
        &["Book File"],
        OptionKind::Text(|v, text| {
            v.engine.book_files =
                text.split(';').map(str::to_owned).filter(|file| !file.is_empty()).collect();
        }),
    ),
    row("EvalFile", "evalfile", &[], text!(engine.network_file)),
    row("EndgameFile", "endgamefile", &[], text!(engine.endgame_file)),
    row("", "idle", &[], combo!(engine.idle, &["none", "small", "medium", "large"], IDLE)),
    row(
        "",
        "randomness",
        &["selectivity"],
        combo!(engine.noise, &["none", "tiny", "small", "medium", "large", "huge"], NOISE),
    ),
    row("", "peace", &[], combo!(session.draw_policy, &["answer", "never", "offer"], DRAW_POLICIES)),
    row("", "giveup", &[], check!(session.resigns)),
];

fn is_rule(name: &str, rules: &'static Ruleset) -> bool {
    Ruleset::named(name).is_ok_and(|named| std::ptr::eq(named, rules))
}

/// Names that clients set blindly and that mean nothing to this engine: they are accepted without a word.
#[rustfmt::skip]
pub const IGNORED: &[&str] = &[
    "useegtb", "egtbpaths", "evalapi", "promotion", "pruning", "style", "knowledge", "usehash",
    "debuglogfile", "numapolicy", "nodestime", "slowmover", "strictthreefold", "chasewithcheck",
    "matethreatdepth", "protocol", "ucianalysemode", "uciopponent",
];
