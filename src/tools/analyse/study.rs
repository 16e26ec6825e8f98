//! The searches behind an analysis: one for each position of a game, from the last to the first, so that what
//! is learnt of later positions helps with the earlier ones. What has been searched is kept in a file until all
//! is done: an analysis that was interrupted goes on where it stopped.

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::mpsc;

use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};

use crate::board::Position;
use crate::search::{Bound, Event, Limits, Pool};
use crate::types::Move;
use crate::types::score::{Value, mated_in};

/// Size of the transposition table in MB.
const HASH_MB: usize = 64;

/// What the engine thinks of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The score for the side to move.
    pub score: Value,
    /// The last iteration completed, in plies.
    pub depth: u32,
    /// The best line; empty where the game is over.
    pub line: Vec<Move>,
}

/// A verdict as it is kept in the file.
#[derive(Serialize, Deserialize)]
struct Record {
    ply: usize,
    fen: String,
    budget: String,
    score: Value,
    depth: u32,
    line: Vec<String>,
}

/// Searches every position, a verdict each. `kept` is the file of the searches done so far.
///
/// # Errors
/// The file cannot be written.
pub fn study(
    positions: &[Position],
    limits: &Limits,
    threads: usize,
    kept: &Path,
) -> io::Result<Vec<Verdict>> {
    let budget = format!("{limits:?}");
    let mut known = recall(positions, &budget, kept);
    let mut file = OpenOptions::new().create(true).append(true).open(kept)?;
    // Shown on a terminal only.
    let progress = ProgressBar::new(positions.len() as u64);
    let mut pool = Pool::new(threads, HASH_MB);
    let mut verdicts = Vec::with_capacity(positions.len());
    for (ply, position) in positions.iter().enumerate().rev() {
        let verdict = match known.remove(&ply) {
            Some(verdict) => verdict,
            None => {
                let verdict = search(&mut pool, position, limits);
                let record = Record::new(ply, position, &budget, &verdict);
                writeln!(file, "{}", serde_json::to_string(&record)?)?;
                verdict
            }
        };
        verdicts.push(verdict);
        progress.inc(1);
    }
    progress.finish_and_clear();
    verdicts.reverse();
    Ok(verdicts)
}

impl Record {
    fn new(ply: usize, position: &Position, budget: &str, verdict: &Verdict) -> Record {
        Record {
            ply,
            fen: position.to_fen(),
            budget: budget.to_owned(),
            score: verdict.score,
            depth: verdict.depth,
            line: verdict.line.iter().map(Move::to_string).collect(),
        }
    }
}

/// The verdicts in the file that are on these positions and were reached with this budget. A line that makes no
/// sense, such as one that was only half written, is left out.
fn recall(positions: &[Position], budget: &str, kept: &Path) -> HashMap<usize, Verdict> {
    let text = fs::read_to_string(kept).unwrap_or_default();
    let records = text.lines().filter_map(|line| serde_json::from_str::<Record>(line).ok());
    let fits = |record: &Record| {
        let same = positions.get(record.ply).is_some_and(|position| position.to_fen() == record.fen);
        same && record.budget == budget
    };
    let verdict = |record: Record| {
        let line = record.line.iter().map(|mv| mv.parse()).collect::<Result<_, _>>().ok()?;
        Some((record.ply, Verdict { score: record.score, depth: record.depth, line }))
    };
    records.filter(fits).filter_map(verdict).collect()
}

fn search(pool: &mut Pool, position: &Position, limits: &Limits) -> Verdict {
    let (sender, receiver) = mpsc::channel();
    pool.start(position, limits.clone(), move |event| {
        // The receiver waits for the last event.
        let _ = sender.send(event);
    });
    let mut verdict = Verdict { score: mated_in(0), depth: 0, line: Vec::new() };
    for event in receiver {
        match event {
            Event::Info(info) if info.bound == Bound::Exact && info.multipv == 1 => verdict.line = info.pv,
            Event::Done(report) => {
                if verdict.line.first() != report.best.as_ref() {
                    verdict.line = report.best.into_iter().chain(report.ponder).collect();
                }
                (verdict.score, verdict.depth) = (report.score, report.depth);
            }
            _ => {}
        }
    }
    verdict
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::score::mate_in;

    #[test]
    fn an_interrupted_study_goes_on_where_it_stopped() {
        let kept = std::env::temp_dir().join(format!("juzhong-study-{}", std::process::id()));
        fs::remove_file(&kept).ok();
        let mut position = Position::from_fen("3k5/R8/1R7/9/9/9/9/9/9/4K4 w").unwrap();
        let mut positions = vec![position.clone()];
        position.play("b7b9".parse().unwrap()).unwrap();
        positions.push(position);
        let limits = Limits { depth: Some(3), ..Limits::default() };
        let first = study(&positions, &limits, 1, &kept).unwrap();
        assert_eq!((first[0].score, first[1].score), (mate_in(1), mated_in(0)));
        assert!(first[1].line.is_empty());
        // What is in the file is believed: a changed score comes back, and half a line does no harm.
        let text = fs::read_to_string(&kept).unwrap();
        assert_eq!(text.lines().count(), 2);
        fs::write(&kept, text.replace(&format!("\"score\":{}", mate_in(1)), "\"score\":77") + "{\"ply\":0,")
            .unwrap();
        let second = study(&positions, &limits, 1, &kept).unwrap();
        assert_eq!((second[0].score, &second[1]), (77, &first[1]));
        // Another budget needs other searches.
        let deeper = Limits { depth: Some(4), ..Limits::default() };
        assert_eq!(study(&positions, &deeper, 1, &kept).unwrap()[0].score, mate_in(1));
        fs::remove_file(&kept).unwrap();
    }
}
