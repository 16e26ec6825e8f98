//! What differs between the two protocols: words and the shapes of numbers. Everything else they share.

use std::fmt::Write;
use std::time::Duration;

use super::options::{Kind, OptionSpec};
use super::ranks::Ranks;
use crate::score::Value;
use crate::search::tt::Entry;
use crate::search::{Bound, Info};
use xiangqi::types::Move;

/// The longest line sent, in bytes: uci2wb reads only 1022 characters of a line.
pub const LONGEST_LINE: usize = 1000;

/// The name and the version that the engine gives of itself.
pub const NAME: &str = concat!("Juzhong ", env!("CARGO_PKG_VERSION"));

/// One of the two protocols.
pub trait Dialect: Sync {
    /// Its fixed words and habits.
    fn customs(&self) -> &'static Customs;

    /// The lines of the greeting before the options.
    fn identity(&self) -> Vec<String>;

    /// The line that announces an option, if this dialect has a name for it.
    fn option(&self, spec: &OptionSpec) -> Option<String>;

    /// A text for the user.
    fn note(&self, text: &str) -> String;

    /// A score, from the mover's view.
    fn score(&self, value: Value) -> String;

    /// Everything an info line says before its `pv`.
    fn info(&self, info: &Info, style: &InfoStyle) -> String;

    /// The spelling of moves, given what the client has set.
    fn ranks(&self, wanted: Ranks) -> Ranks;
}

/// The fixed words of a protocol, and what is usual in it.
pub struct Customs {
    /// The last line of the greeting.
    pub welcome: &'static str,
    /// The answer to `go` where no move exists.
    pub no_move: &'static str,
    /// The answer to `stop` when nothing is being searched.
    pub idle_stop: Option<&'static str>,
    /// The answer to `quit`.
    pub farewell: Option<&'static str>,
    /// How long a search keeps its lines to itself before it shows the newest.
    pub silence: Duration,
    /// Whether `position` and `setoption` that come during a search wait for its end; otherwise they have no
    /// effect.
    pub defers: bool,
    /// Whether `go depth 0` asks for the score of the position, and no move.
    pub depth_zero: bool,
    /// Whether `draw` and `resign` may stand behind a move.
    pub draws: bool,
    /// Whether lines for bounds can be sent.
    pub bounds: bool,
}

/// How much an info line tells.
#[derive(Debug, Clone, Copy, Default)]
pub struct InfoStyle {
    /// Number the lines: several best moves are searched.
    pub numbered: bool,
    /// Add win, draw and loss shares.
    pub wdl: bool,
}

/// An info line with as much of its principal variation as fits.
pub fn info_line(dialect: &dyn Dialect, info: &Info, style: &InfoStyle, ranks: Ranks) -> String {
    let mut line = dialect.info(info, style);
    if !info.pv.is_empty() {
        line.push_str(" pv");
    }
    for &mv in &info.pv {
        let word = format!(" {}", ranks.spell(mv));
        if line.len() + word.len() >= LONGEST_LINE {
            break;
        }
        line.push_str(&word);
    }
    line
}

/// `info depth D currmove M currmovenumber K`, in both dialects.
pub fn current_move_line(depth: u32, mv: Move, number: usize, ranks: Ranks) -> String {
    format!("info depth {depth} currmove {} currmovenumber {number}", ranks.spell(mv))
}

/// UCCI's answer to `probe`, which UCI borrows; bare if nothing is known.
pub fn probe_line(dialect: &dyn Dialect, entry: Option<&Entry>, ranks: Ranks) -> String {
    let mut line = String::from("pophash");
    let Some(entry) = entry else { return line };
    // Writing to a string cannot fail.
    if let Some(mv) = entry.mv {
        let _ = write!(line, " bestmove {}", ranks.spell(mv));
    }
    let (score, depth) = (dialect.score(entry.score), entry.depth);
    if entry.bound != Bound::Upper {
        let _ = write!(line, " lowerbound {score} depth {depth}");
    }
    if entry.bound != Bound::Lower {
        let _ = write!(line, " upperbound {score} depth {depth}");
    }
    line
}

/// The default, the range and the choices of an option, in the words both dialects share.
pub struct Fields {
    /// `check`, `spin`, `combo`, `string` or `button`.
    pub kind: &'static str,
    /// What is set at the start.
    pub default: Option<String>,
    /// ` min A max B`, ` var A var B ...`, or nothing.
    pub range: String,
}

impl Fields {
    /// The fields of an option.
    pub fn of(spec: &OptionSpec) -> Fields {
        let spin = |default: i64, min: i64, max: i64| Fields {
            kind: "spin",
            default: Some(default.to_string()),
            range: format!(" min {min} max {max}"),
        };
        match spec.kind {
            Kind::Check(default, _) => {
                Fields { kind: "check", default: Some(default.to_string()), range: String::new() }
            }
            Kind::Spin(default, min, max, _) => spin(default, min, max),
            Kind::Knob(knob) => spin(knob.default.into(), knob.least.into(), knob.most.into()),
            Kind::Combo(choices, _) => Fields {
                kind: "combo",
                default: Some(choices[0].to_owned()),
                range: choices.iter().map(|choice| format!(" var {choice}")).collect(),
            },
            // An empty default must be visible: Python's cchess trips over a line that ends in `default`.
            Kind::Text(_) => {
                Fields { kind: "string", default: Some("<empty>".to_owned()), range: String::new() }
            }
            Kind::Button(_) => Fields { kind: "button", default: None, range: String::new() },
        }
    }
}
