//! UCI, in the dialect of xiangqi programs.

use std::fmt::Write;

use super::dialect::{Conventions, Dialect, InfoStyle, NAME, OptionFields};
use super::options::OptionSpec;
use super::ranks::Ranks;
use crate::score::{MAX_EVAL, Score, Value, ruled};
use crate::search::{Bound, Info};

/// UCI.
pub struct Uci;

const CONVENTIONS: Conventions = Conventions {
    welcome: "uciok",
    no_move: "bestmove (none)",
    idle_stop: None,
    farewell: None,
    burst_bytes: usize::MAX,
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
        let (score, bound) = match ruled(score) {
            // No client knows a win by ruling: it is shown as more than any evaluation, and as no exact number.
            Some(true) => (self.score(MAX_EVAL), Bound::Lower),
            Some(false) => (self.score(-MAX_EVAL), Bound::Upper),
            None => (self.score(score), info.bound),
        };
        let mut line = format!("info depth {depth} seldepth {seldepth} multipv {multipv} score {score}");
        match bound {
            Bound::Exact => {}
            Bound::Lower => line.push_str(" lowerbound"),
            Bound::Upper => line.push_str(" upperbound"),
        }
        // Writing to a string cannot fail.
        if let Some([win, draw, loss]) = style.wdl {
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
