//! UCCI 3.0.

use super::dialect::{Conventions, Dialect, InfoStyle, NAME, OptionFields};
use super::options::OptionSpec;
use super::ranks::Ranks;
use crate::score::{MATE, MATE_BOUND, Value};
use crate::search::Info;

/// UCCI.
pub struct Ucci;

/// UCCI counts a horse or cannon as 100; the evaluation counts it as this many centipawns.
const MINOR_PIECE: Value = 400;

/// The score of a mate on the board; a mate in n plies is worth n less. The protocol has no form for mates.
/// A large integer is what ElephantEye prints, and the only form that every client reads: uci2wb and cchess know
/// `mate N` too, but others expect a number right behind the word `score`.
const MATE_SCORE: Value = 10_000;

/// Tokens for which gmchess searches everything an engine prints, to end the game when it finds one.
const SIGNALS: [&str; 3] = ["draw", "resign", "bestmove"];

/// Whether gmchess would find one of its signals in a text.
fn has_signal(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    SIGNALS.iter().any(|signal| text.contains(signal))
}

const CONVENTIONS: Conventions = Conventions {
    welcome: "ucciok",
    no_move: "nobestmove",
    idle_stop: Some("nobestmove"),
    farewell: Some("bye"),
    // gmchess reads 1024 bytes at a time and loses a `bestmove` that comes behind a burst of info lines.
    burst_bytes: 600,
    defers: false,
    depth_zero: true,
    draws: true,
    bounds: false,
};

impl Dialect for Ucci {
    fn conventions(&self) -> &'static Conventions {
        &CONVENTIONS
    }

    fn identity(&self) -> Vec<String> {
        vec![
            format!("id name {NAME}"),
            "id copyright MIT or Apache-2.0".to_owned(),
            "id author the Juzhong authors".to_owned(),
            "id user everybody".to_owned(),
        ]
    }

    fn option(&self, spec: &OptionSpec) -> Option<String> {
        let OptionFields { kind, default, range } = OptionFields::of(spec, |choice| !has_signal(choice));
        let default = default.map_or(String::new(), |default| format!(" default {default}"));
        spec.ucci.map(|name| format!("option {name} type {kind}{range}{default}"))
    }

    fn note(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for signal in SIGNALS {
            while let Some(at) = text.to_ascii_lowercase().find(signal) {
                text.insert(at + 1, '_');
            }
        }
        format!("info message {text}")
    }

    fn score(&self, value: Value) -> String {
        let scaled = if value >= MATE_BOUND {
            value - MATE + MATE_SCORE
        } else if value <= -MATE_BOUND {
            value + MATE - MATE_SCORE
        } else {
            value * 100 / MINOR_PIECE
        };
        scaled.to_string()
    }

    fn info(&self, info: &Info, style: &InfoStyle) -> String {
        let Info { depth, multipv, score, nodes, .. } = *info;
        let number = if style.numbered { format!(" multipv {multipv}") } else { String::new() };
        let (score, time) = (self.score(score), info.time.as_millis());
        format!("info depth {depth}{number} score {score} time {time} nodes {nodes}")
    }

    fn ranks(&self, _: Ranks) -> Ranks {
        Ranks::FromZero
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{MAX_EVAL, RULED, mate_in, mated_in};

    #[test]
    fn a_minor_piece_is_a_hundred_and_mates_stand_above_everything() {
        assert_eq!(Ucci.score(400), "100");
        assert_eq!(Ucci.score(-800), "-200");
        assert_eq!(Ucci.score(mate_in(1)), "9999");
        assert_eq!(Ucci.score(mated_in(2)), "-9998");
        let number = |value| Ucci.score(value).parse::<Value>().unwrap();
        assert!(number(MAX_EVAL) < number(RULED) && number(RULED) < number(MATE_BOUND));
    }

    #[test]
    fn notes_never_say_what_gmchess_acts_upon() {
        let note = Ucci.note("unknown command `DRAW nobestmove redrawn resign`");
        let low = note.to_ascii_lowercase();
        for signal in SIGNALS {
            assert!(!low.contains(signal), "{note}");
        }
    }
}
