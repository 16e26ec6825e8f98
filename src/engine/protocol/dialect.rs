//! What differs between the two protocols: words and the shapes of numbers. Everything else they share.

use std::fmt::Write;

use super::options::{OptionKind, OptionSpec};
use super::ranks::Ranks;
use crate::score::Value;
use crate::search::TtEntry;
use crate::search::{Bound, Info};
use xiangqi::types::Move;

/// The longest line sent, in bytes: uci2wb reads only 1022 characters of a line.
pub const LONGEST_LINE: usize = 1000;

/// The name and the version that the engine gives of itself.
pub const NAME: &str = concat!("Juzhong ", env!("CARGO_PKG_VERSION"));

/// One of the two protocols.
pub trait Dialect: Sync {
    /// Its fixed words and habits.
    fn conventions(&self) -> &'static Conventions;

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
pub struct Conventions {
    /// The last line of the greeting.
    pub welcome: &'static str,
    /// The answer to `go` where no move exists.
    pub no_move: &'static str,
    /// The answer to `stop` when nothing is being searched.
    pub idle_stop: Option<&'static str>,
    /// The answer to `quit`.
    pub farewell: Option<&'static str>,
    /// How many bytes of info lines may go out in a burst; what exceeds them waits a moment.
    pub burst_bytes: usize,
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
    /// The chances of a win, a draw and a loss in per mille, if they are shown.
    pub wdl: Option<[u16; 3]>,
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
pub fn probe_line(dialect: &dyn Dialect, entry: Option<&TtEntry>, ranks: Ranks) -> String {
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
pub struct OptionFields {
    /// `check`, `spin`, `combo`, `string` or `button`.
    pub kind: &'static str,
    /// The value in force before a client sets any.
    pub default: Option<String>,
    /// ` min A max B`, ` var A var B ...`, or nothing.
    pub range: String,
}

impl OptionFields {
    /// The fields of an option; `allowed` says which choices of a combo may be announced.
    pub fn of(spec: &OptionSpec, allowed: impl Fn(&str) -> bool) -> OptionFields {
        let default = spec.default_text();
        let (kind, range) = match spec.kind {
            OptionKind::Check { .. } => ("check", String::new()),
            OptionKind::Spin { min, max, .. } => ("spin", format!(" min {min} max {max}")),
            OptionKind::Tunable(knob) => ("spin", format!(" min {} max {}", knob.least, knob.most)),
            OptionKind::Combo { choices, .. } => {
                // The default comes first: uci2wb loses the `default` field, and xboard then takes the first
                // choice as the present value and sends it back.
                let first = choices.iter().filter(|&&choice| Some(choice) == default.as_deref());
                let others = choices.iter().filter(|&&choice| Some(choice) != default.as_deref());
                let shown = first.chain(others).filter(|choice| allowed(choice));
                ("combo", shown.map(|choice| format!(" var {choice}")).collect())
            }
            OptionKind::Text(_) => ("string", String::new()),
            OptionKind::Button(_) => ("button", String::new()),
        };
        OptionFields { kind, default, range }
    }
}
