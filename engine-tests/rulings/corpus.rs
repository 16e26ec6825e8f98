//! The cases, the split into fitted and unseen ones, and boards turned round.

use serde::Deserialize;
use std::collections::BTreeMap;
use xiangqi::board::Position;
use xiangqi::rules::{ASIAN, Arbiter, CXA1999, CXA2020, Ruleset, Ruling};
use xiangqi::types::{Move, Outcome, Side};

/// One repetition case.
#[derive(Debug, Clone, Deserialize)]
pub struct Case {
    pub id: String,
    pub fen: String,
    pub prefix: Vec<String>,
    pub cycle: Vec<String>,
    pub verdict: BTreeMap<String, Option<String>>,
    #[serde(default)]
    pub disputed: bool,
    #[serde(default)]
    pub derived: Vec<String>,
    #[serde(default)]
    pub move_classes: Vec<String>,
}

/// The rulesets that cases name.
pub const BOOKS: [(&str, &Ruleset); 3] =
    [("chinese2020", &CXA2020), ("chinese1999", &CXA1999), ("asian", &ASIAN)];

/// The cases of the rule books and of public test suites.
pub fn cases() -> Vec<Case> {
    read(include_str!("../data/rulings.jsonl"))
}

/// Our own cases, a clause each.
pub fn clauses() -> Vec<Case> {
    read(include_str!("../data/clauses.jsonl"))
}

fn read(text: &str) -> Vec<Case> {
    text.lines().map(|line| serde_json::from_str(line).expect("a case a line")).collect()
}

impl Case {
    /// The case's prefix and `loops` loops, each entered `entry` plies late.
    pub fn game(&self, loops: usize, entry: usize) -> Position {
        let moves = |texts: &[String]| texts.iter().map(|text| text.parse().unwrap()).collect::<Vec<Move>>();
        let (prefix, cycle) = (moves(&self.prefix), moves(&self.cycle));
        let mut game = Position::from_fen(&self.fen).unwrap();
        let plies = cycle.len() * loops;
        for mv in prefix.into_iter().chain(cycle.iter().copied().cycle().take(entry)) {
            game.play(mv).unwrap();
        }
        // The entry is no part of the record, so that the loop begins there.
        let mut game = game.without_past();
        for mv in cycle.into_iter().cycle().skip(entry).take(plies) {
            game.play(mv).unwrap();
        }
        game
    }

    /// The ruling after three loops.
    pub fn judged(&self, rules: &'static Ruleset) -> Ruling {
        Arbiter::new(rules).judge(&self.game(3, 0))
    }

    /// The family: the number without the letter or `x1` that tells variants of one figure apart.
    pub fn family(&self) -> &str {
        let is_number = |text: &str| text.ends_with(|c: char| c.is_ascii_digit());
        match self.id.rsplit_once('x') {
            Some((stem, variant)) if is_number(stem) && variant.parse::<u32>().is_ok() => stem,
            _ => {
                let stem = self.id.trim_end_matches(|c: char| c.is_ascii_lowercase());
                if is_number(stem) && self.id.len() == stem.len() + 1 { stem } else { &self.id }
            }
        }
    }

    /// Whether the case belongs to the fifth of the families that was kept out of sight while the arbiter
    /// was designed: FNV-1a over the family's name, seeded with the date of the rules.
    pub fn is_unseen(&self) -> bool {
        let seed = 0xcbf2_9ce4_8422_2325u64 ^ 20_201_101;
        let hash = self
            .family()
            .bytes()
            .fold(seed, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
        (hash ^ hash >> 32).is_multiple_of(5)
    }
}

/// The word of a verdict.
pub fn word(verdict: Option<Outcome>) -> &'static str {
    match verdict {
        Some(Outcome::Win(Side::Red)) => "red_wins",
        Some(Outcome::Win(Side::Black)) => "black_wins",
        Some(Outcome::Draw) => "draw",
        None => "none",
    }
}

/// A way to turn a board round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// Left and right.
    Mirror,
    /// The colours, and with them up and down.
    Swap,
}

impl Turn {
    /// The position without its past, turned.
    pub fn position(self, position: &Position) -> Position {
        let fen = position.to_fen();
        let (board, rest) = fen.split_once(' ').unwrap();
        let turned = match self {
            Turn::Mirror => {
                let rows = board.split('/').map(|row| row.chars().rev().collect::<String>());
                format!("{} {rest}", rows.collect::<Vec<_>>().join("/"))
            }
            Turn::Swap => {
                let swap = |c: char| {
                    if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
                };
                let rows = board.split('/').rev().map(|row| row.chars().map(swap).collect::<String>());
                let side = if rest.starts_with('w') { 'b' } else { 'w' };
                format!("{} {side}{}", rows.collect::<Vec<_>>().join("/"), &rest[1..])
            }
        };
        Position::from_fen(&turned).unwrap()
    }

    /// The move, turned.
    pub fn mv(self, mv: Move) -> Move {
        match self {
            Turn::Mirror => mv.mirrored(),
            Turn::Swap => mv.flipped(),
        }
    }

    /// The outcome, turned.
    pub fn outcome(self, outcome: Outcome) -> Outcome {
        match (self, outcome) {
            (Turn::Swap, Outcome::Win(side)) => Outcome::Win(!side),
            _ => outcome,
        }
    }

    /// The whole record, turned.
    pub fn game(self, game: &Position) -> Position {
        let mut start = game.clone();
        for _ in 0..game.plies() {
            start.unmake();
        }
        let mut turned = self.position(&start);
        for mv in game.record().filter_map(|ply| ply.mv) {
            turned.play(self.mv(mv)).unwrap();
        }
        turned
    }
}
