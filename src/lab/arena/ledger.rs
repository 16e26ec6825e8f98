//! The record of each game as one line, and the sums over all games.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::record::{GameRecord, Termination, half_points, read_result, result_text};
use super::schedule::ScheduledGame;
use super::stats::{GameTally, Pentanomial};
use super::tournament::Played;
use xiangqi::types::Side;

/// One finished game as a line of JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameLine {
    /// Place of the game in the match.
    #[serde(flatten)]
    pub task: ScheduledGame,
    /// Name of red.
    pub red_name: String,
    /// Name of black.
    pub black_name: String,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: String,
    /// Why it ended.
    pub termination: Termination,
    /// More about the end.
    pub detail: String,
    /// Fouls of red and black.
    pub fouls: [u32; 2],
    /// Start position.
    pub start: String,
    /// Moves in coordinates, the opening's included.
    pub moves: String,
    /// Effort of red and black.
    pub effort: [Effort; 2],
}

/// What a player spent on one game or on all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effort {
    /// Moves made.
    pub moves: u64,
    /// Time used, in microseconds.
    pub micros: u64,
    /// Nodes searched, as far as the engine reports them.
    pub nodes: u64,
    /// Time used for the moves whose nodes are known, in microseconds.
    pub node_micros: u64,
    /// Sum of depths.
    pub depth_sum: u64,
    /// Moves whose depth is known.
    pub depth_moves: u64,
}

impl Effort {
    fn add(&mut self, other: &Effort) {
        self.moves += other.moves;
        self.micros += other.micros;
        self.nodes += other.nodes;
        self.node_micros += other.node_micros;
        self.depth_sum += other.depth_sum;
        self.depth_moves += other.depth_moves;
    }

    /// Mean time of a move.
    pub fn mean_time(&self) -> Duration {
        Duration::from_micros(self.micros.checked_div(self.moves).unwrap_or(0))
    }

    /// Mean depth in plies, if any is known.
    pub fn mean_depth(&self) -> Option<f64> {
        (self.depth_moves > 0).then(|| self.depth_sum as f64 / self.depth_moves as f64)
    }

    /// Nodes a second, if any are known.
    pub fn speed(&self) -> Option<f64> {
        (self.node_micros > 0 && self.nodes > 0).then(|| self.nodes as f64 * 1e6 / self.node_micros as f64)
    }
}

impl GameLine {
    /// The game in one line for a reader.
    pub fn told(&self) -> String {
        let plies = self.moves.split_ascii_whitespace().count();
        let (number, reason) = (self.task.number + 1, self.termination);
        format!(
            "Game {number}: {} - {} {}, {reason}, {plies} plies",
            self.red_name, self.black_name, self.result
        )
    }

    /// The line of a finished game.
    pub fn new(task: ScheduledGame, names: [&str; 2], record: &GameRecord) -> GameLine {
        let mut effort = [Effort::default(); 2];
        let red_starts = record.start.split(' ').nth(1) != Some("b");
        for (i, ply) in record.plies.iter().enumerate() {
            let Some(thought) = ply.thought else { continue };
            let effort = &mut effort[usize::from((i % 2 == 0) != red_starts)];
            let micros = thought.time.as_micros() as u64;
            effort.moves += 1;
            effort.micros += micros;
            if let Some(nodes) = thought.nodes {
                effort.nodes += nodes;
                effort.node_micros += micros;
            }
            if let Some(depth) = thought.depth {
                effort.depth_sum += u64::from(depth);
                effort.depth_moves += 1;
            }
        }
        let moves: Vec<String> = record.plies.iter().map(|ply| ply.mv.to_string()).collect();
        GameLine {
            task,
            red_name: names[0].to_owned(),
            black_name: names[1].to_owned(),
            result: result_text(record.outcome).to_owned(),
            termination: record.termination,
            detail: record.detail.clone(),
            fouls: record.fouls,
            start: record.start.clone(),
            moves: moves.join(" "),
            effort,
        }
    }

    /// Half points of a side: 0, 1 or 2.
    pub fn half_points(&self, side: Side) -> u8 {
        read_result(&self.result).map_or(1, |outcome| half_points(outcome, side))
    }
}

/// Sums of one engine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Totals {
    /// Results of all games.
    pub all: GameTally,
    /// Results of the games with red.
    pub red: GameTally,
    /// Games lost on time.
    pub time_losses: u64,
    /// Games lost by other misbehaviour, by kind.
    pub failures: BTreeMap<&'static str, u64>,
    /// Fouls.
    pub fouls: u64,
    /// Effort over all games.
    pub effort: Effort,
}

/// Sums over the games of a match.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    totals: Vec<Totals>,
    encounters: BTreeMap<(usize, usize), (GameTally, Pentanomial)>,
    open_pairs: BTreeMap<u32, u8>,
    endings: BTreeMap<&'static str, u64>,
    games: Vec<Played>,
    /// Start and moves of each game.
    seen: HashSet<(String, String)>,
    identical: u64,
    plies: u64,
}

impl Ledger {
    /// An empty ledger for this many engines.
    pub fn new(engines: usize) -> Ledger {
        Ledger { totals: vec![Totals::default(); engines], ..Ledger::default() }
    }

    /// Adds a game. Games of engines that do not exist are ignored.
    pub fn add(&mut self, line: &GameLine) {
        let ScheduledGame { red, black, pair, .. } = line.task;
        if red.max(black) >= self.totals.len() || red == black {
            return;
        }
        self.plies += line.moves.split_ascii_whitespace().count() as u64;
        if !self.seen.insert((line.start.clone(), line.moves.clone())) {
            self.identical += 1;
        }
        *self.endings.entry(line.termination.word()).or_default() += 1;
        let points = line.half_points(Side::Red);
        let (round, fouls) = (line.task.round, line.fouls);
        self.games.push(Played { red, black, round, red_half_points: points, fouls });
        for (engine, points, side) in [(red, points, Side::Red), (black, 2 - points, Side::Black)] {
            let totals = &mut self.totals[engine];
            totals.all.add(points);
            if side == Side::Red {
                totals.red.add(points);
            }
            totals.fouls += u64::from(line.fouls[side as usize]);
            totals.effort.add(&line.effort[side as usize]);
            if points == 0 && line.termination == Termination::TimeForfeit {
                totals.time_losses += 1;
            } else if points == 0 && line.termination.is_failure() {
                *totals.failures.entry(line.termination.word()).or_default() += 1;
            }
        }
        let key = (red.min(black), red.max(black));
        let first = if red == key.0 { points } else { 2 - points };
        let (tally, pairs) = self.encounters.entry(key).or_default();
        tally.add(first);
        match self.open_pairs.remove(&pair) {
            Some(other) => pairs.add(other + first),
            None => {
                self.open_pairs.insert(pair, first);
            }
        }
    }

    /// Number of games.
    pub const fn games(&self) -> u64 {
        self.games.len() as u64
    }

    /// Games that repeat an earlier one move for move, and add no information.
    pub const fn identical(&self) -> u64 {
        self.identical
    }

    /// The games as standings see them.
    pub fn played(&self) -> &[Played] {
        &self.games
    }

    /// Mean length of a game in plies.
    pub fn mean_plies(&self) -> f64 {
        if self.games.is_empty() { 0.0 } else { self.plies as f64 / self.games.len() as f64 }
    }

    /// How often games ended in each way.
    pub const fn endings(&self) -> &BTreeMap<&'static str, u64> {
        &self.endings
    }

    /// Sums of each engine.
    pub fn totals(&self) -> &[Totals] {
        &self.totals
    }

    /// Games and complete pairs between two engines, as `a` sees them.
    pub fn between(&self, a: usize, b: usize) -> (GameTally, Pentanomial) {
        let (tally, pairs) = self.encounters.get(&(a.min(b), a.max(b))).copied().unwrap_or_default();
        if a <= b { (tally, pairs) } else { (tally.reversed(), pairs.reversed()) }
    }

    /// All complete pairs of one engine.
    pub fn pairs_of(&self, engine: usize) -> Pentanomial {
        let mut sum = Pentanomial::default();
        for other in (0..self.totals.len()).filter(|&other| other != engine) {
            let (_, pairs) = self.between(engine, other);
            sum.0.iter_mut().zip(pairs.0).for_each(|(n, more)| *n += more);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(number: u32, red: usize, black: usize, result: &str, termination: Termination) -> GameLine {
        let task = ScheduledGame { number, round: 1, red, black, opening: 0, pair: number / 2 };
        GameLine {
            task,
            red_name: String::new(),
            black_name: String::new(),
            result: result.to_owned(),
            termination,
            detail: String::new(),
            fouls: [0, 0],
            start: String::new(),
            moves: "h2e2 h9g7".to_owned(),
            effort: [Effort { moves: 1, micros: 2000, nodes: 100, node_micros: 1000, ..Effort::default() };
                2],
        }
    }

    #[test]
    fn games_become_pairs_and_totals() {
        let mut ledger = Ledger::new(2);
        ledger.add(&line(0, 0, 1, "1-0", Termination::Checkmate));
        assert_eq!(ledger.between(0, 1).1.count(), 0);
        ledger.add(&line(2, 0, 1, "0-1", Termination::TimeForfeit));
        ledger.add(&line(1, 1, 0, "1/2-1/2", Termination::NaturalLimit));
        ledger.add(&line(3, 1, 0, "1-0", Termination::Crash));
        assert_eq!(
            ledger.between(0, 1),
            (GameTally { wins: 1, draws: 1, losses: 2 }, Pentanomial([1, 0, 0, 1, 0]))
        );
        assert_eq!(ledger.between(1, 0).1, Pentanomial([0, 1, 0, 0, 1]));
        let totals = &ledger.totals()[0];
        assert_eq!((totals.time_losses, totals.failures.get("crash")), (1, Some(&1)));
        assert_eq!(totals.red, GameTally { wins: 1, draws: 0, losses: 1 });
        assert_eq!(totals.effort.speed(), Some(100_000.0));
        assert_eq!(ledger.mean_plies(), 2.0);
        assert_eq!(ledger.identical(), 3);
    }

    #[test]
    fn lines_survive_json() {
        let line = line(7, 1, 0, "1/2-1/2", Termination::NaturalLimit);
        let text = serde_json::to_string(&line).unwrap();
        assert!(
            text.contains(r#""number":7"#) && text.contains(r#""termination":"natural-limit""#),
            "{text}"
        );
        assert_eq!(serde_json::from_str::<GameLine>(&text).unwrap(), line);
    }
}
