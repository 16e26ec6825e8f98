//! UCI, in the dialect of xiangqi programs.

use std::fmt::Write;
use std::time::Duration;

use super::dialect::{Conventions, Dialect, InfoStyle, NAME, OptionFields};
use super::options::OptionSpec;
use super::ranks::Ranks;
use crate::eval;
use crate::score::{Score, Value};
use crate::search::{Bound, Info};

/// UCI.
pub struct Uci;

const CONVENTIONS: Conventions = Conventions {
    welcome: "uciok",
    no_move: "bestmove (none)",
    idle_stop: None,
    farewell: None,
    silence: Duration::ZERO,
    defers: true,
    depth_zero: false,
    draws: false,
    bounds: true,
};

impl Dialect for Uci {
    fn conventions(&self) -> &'static Conventions {
        &CONVENTIONS
    }

    fn identity(&self) -> Vec<String> {
        vec![format!("id name {NAME}"), "id author the Juzhong authors".to_owned()]
    }

    fn option(&self, spec: &OptionSpec) -> Option<String> {
        let OptionFields { kind, default, range } = OptionFields::of(spec, |_| true);
        let default = default.map_or(String::new(), |default| format!(" default {default}"));
        spec.uci.map(|name| format!("option name {name} type {kind}{default}{range}"))
    }

    fn note(&self, text: &str) -> String {
        format!("info string {text}")
    }

    fn score(&self, value: Value) -> String {
        match Score::from(value) {
            Score::Centipawns(value) => format!("cp {value}"),
            Score::Mate(moves) => format!("mate {moves}"),
        }
    }

    fn info(&self, info: &Info, style: &InfoStyle) -> String {
        let Info { depth, seldepth, multipv, score, nodes, hashfull, .. } = *info;
        let score = self.score(score);
        let mut line = format!("info depth {depth} seldepth {seldepth} multipv {multipv} score {score}");
        match info.bound {
            Bound::Exact => {}
            Bound::Lower => line.push_str(" lowerbound"),
            Bound::Upper => line.push_str(" upperbound"),
        }
        // Writing to a string cannot fail.
        if style.wdl {
            let [win, draw, loss] = eval::wdl(info.score);
            let _ = write!(line, " wdl {win} {draw} {loss}");
        }
        let nps = (nodes as f64 / info.time.as_secs_f64().max(1e-3)) as u64;
        let time = info.time.as_millis();
        let _ = write!(line, " nodes {nodes} nps {nps} hashfull {hashfull} time {time}");
        line
    }

    fn ranks(&self, wanted: Ranks) -> Ranks {
        wanted
    }
}
