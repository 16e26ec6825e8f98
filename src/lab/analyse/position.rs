//! `analyse FEN`: the best lines of a single position.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::mpsc;

use serde::Serialize;

use super::finding::for_red;
use super::language::{Language, written_line};
use super::report::ScoreJson;
use super::searches::Budget;
use juzhong_engine::score::Value;
use juzhong_engine::search::{Bound, Event, Info, ThreadPool};
use xiangqi::board::Position;
use xiangqi::notation::Notation;
use xiangqi::types::Move;

/// Size of the transposition table in MB.
const HASH_MB: usize = 64;

/// A line of a position.
#[derive(Debug)]
pub struct AnalysedLine {
    /// The score for the side to move.
    pub score: Value,
    /// The depth in plies to which it was searched.
    pub depth: u32,
    /// The nodes searched so far.
    pub nodes: u64,
    /// The moves, at least one.
    pub pv: Vec<Move>,
}

/// The best lines of a position, best first; none where the game is over.
pub fn best_lines(position: &Position, lines: usize, budget: Budget, threads: usize) -> Vec<AnalysedLine> {
    let mut pool = ThreadPool::new(threads, HASH_MB);
    pool.options().multipv = lines;
    let (sender, receiver) = mpsc::channel();
    pool.start(position, budget.limits(), move |event| {
        // The receiver waits for the last event.
        let _ = sender.send(event);
    });
    let mut found: BTreeMap<usize, AnalysedLine> = BTreeMap::new();
    for event in receiver {
        match event {
            Event::Info(info) if info.bound == Bound::Exact && !info.pv.is_empty() => {
                let Info { multipv, score, depth, nodes, pv, .. } = info;
                found.insert(multipv, AnalysedLine { score, depth, nodes, pv });
            }
            Event::Done(report) => {
                // A search that ended before its first iteration still has a move.
                let pv: Vec<Move> = report.best.into_iter().chain(report.ponder).collect();
                if found.is_empty() && !pv.is_empty() {
                    let (score, depth, nodes) = (report.score, report.depth, report.nodes);
                    found.insert(1, AnalysedLine { score, depth, nodes, pv });
                }
                break;
            }
            _ => {}
        }
    }
    found.into_values().collect()
}

/// The lines as a table: score from Red's view, depth and moves.
pub fn table(position: &Position, lines: &[AnalysedLine], language: Language, notation: Notation) -> String {
    let mut text = String::new();
    if lines.is_empty() {
        text.push_str(language.choose("没有可走的着法\n", "There is no move\n"));
    }
    for (number, info) in (1..).zip(lines) {
        let score = language.score(for_red(info.score, position.side()));
        let moves = written_line(position, &info.pv, notation).join(" ");
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{number}. {score}  ({} {})  {moves}",
            language.choose("深度", "depth"),
            info.depth
        );
    }
    text
}

/// The analysis of a position as a JSON object on one line. Fields are only ever added.
#[derive(Serialize)]
struct PositionJson {
    fen: String,
    lines: Vec<LineJson>,
}

/// A line; `score` is from Red's view, as in the analysis of a game.
#[derive(Serialize)]
struct LineJson {
    score: ScoreJson,
    depth: u32,
    nodes: u64,
    moves: Vec<String>,
    name: Vec<String>,
}

/// The lines as JSON.
///
/// # Errors
/// None that plain strings and numbers could cause.
pub fn json(position: &Position, lines: &[AnalysedLine], notation: Notation) -> serde_json::Result<String> {
    let line = |info: &AnalysedLine| LineJson {
        score: ScoreJson::new(for_red(info.score, position.side())),
        depth: info.depth,
        nodes: info.nodes,
        moves: info.pv.iter().map(Move::to_string).collect(),
        name: written_line(position, &info.pv, notation),
    };
    serde_json::to_string(&PositionJson { fen: position.to_fen(), lines: lines.iter().map(line).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_lines_differ_and_are_sorted() {
        let position = Position::from_fen("3k5/R8/9/p8/9/9/9/9/9/1R3K3 w").unwrap();
        let lines = best_lines(&position, 3, Budget::Depth(4), 1);
        assert_eq!(lines.len(), 3);
        assert!(lines.is_sorted_by(|a, b| a.score >= b.score), "{lines:?}");
        assert!((0..3).all(|line| lines[line].pv[0] != lines[(line + 1) % 3].pv[0]), "{lines:?}");
        let text = table(&position, &lines, Language::En, Notation::Coordinates);
        assert!(text.starts_with("1. Red mates in 1  (depth "), "{text}");
        assert_eq!(text.lines().count(), 3);
        let json: serde_json::Value =
            serde_json::from_str(&json(&position, &lines, Notation::Coordinates).unwrap()).unwrap();
        assert_eq!(json["lines"][0]["score"]["mate"], 1);
        assert_eq!(json["lines"][0]["moves"][0], "b0b9");
    }

    #[test]
    fn a_position_without_moves_has_no_lines() {
        let mated = Position::from_fen("3k5/3R5/3R5/9/9/9/9/9/9/4K4 b").unwrap();
        assert!(best_lines(&mated, 2, Budget::Depth(2), 1).is_empty());
        assert!(table(&mated, &[], Language::En, Notation::Coordinates).starts_with("There is no move"));
    }
}
