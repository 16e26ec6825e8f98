//! The searches behind an analysis: one for each position of a game, from the last to the first, so that what
//! is learnt of later positions helps with the earlier ones. What has been searched is kept in a file until all
//! is done: an analysis that was interrupted goes on where it stopped.

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};

use juzhong_engine::score::{Value, mated_in};
use juzhong_engine::search::{Bound, Event, SearchLimits, ThreadPool};
use xiangqi::board::Position;
use xiangqi::types::Move;

/// Size of the transposition table in MB.
const HASH_MB: usize = 64;

/// The time for a whole game where none is named.
const WHOLE_GAME: Duration = Duration::from_secs(45);
/// The most of it for a single position.
const ONE_POSITION: Duration = Duration::from_millis(500);
/// The least, however late it is.
const SOME_TIME: Duration = Duration::from_millis(1);

/// What the searches may spend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    /// So many plies for each position.
    Depth(u32),
    /// So much time for each position.
    Position(Duration),
    /// Three quarters of a minute for the game, and half a second at most for a position.
    Game,
}

impl Budget {
    /// The limits of the next search when so many positions are left and so much time has gone.
    fn limits(self, left: usize, spent: Duration) -> SearchLimits {
        let time = match self {
            Budget::Depth(depth) => return SearchLimits { depth: Some(depth), ..SearchLimits::default() },
            Budget::Position(time) => time,
            Budget::Game => {
                let share = WHOLE_GAME.saturating_sub(spent) / left.max(1) as u32;
                share.clamp(SOME_TIME, ONE_POSITION)
            }
        };
        SearchLimits { movetime: Some(time), ..SearchLimits::default() }
    }
}

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
    budget: Budget,
    threads: usize,
    kept: &Path,
) -> io::Result<Vec<Verdict>> {
    let (begun, terms) = (Instant::now(), format!("{budget:?}"));
    let mut known = recall(positions, &terms, kept);
    let mut file = OpenOptions::new().create(true).append(true).open(kept)?;
    // Shown on a terminal only.
    let progress = ProgressBar::new(positions.len() as u64);
    let mut pool = ThreadPool::new(threads, HASH_MB);
    let mut verdicts = Vec::with_capacity(positions.len());
    for (ply, position) in positions.iter().enumerate().rev() {
        let verdict = match known.remove(&ply) {
            Some(verdict) => verdict,
            None => {
                // Those before this one, this one included, less those that are known.
                let left = ply + 1 - known.len();
                let verdict = search(&mut pool, position, budget.limits(left, begun.elapsed()));
                let record = Record::new(ply, position, &terms, &verdict);
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

fn search(pool: &mut ThreadPool, position: &Position, limits: SearchLimits) -> Verdict {
    let (sender, receiver) = mpsc::channel();
    pool.start(position, limits, move |event| {
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
    use juzhong_engine::score::mate_in;

    #[test]
    fn a_long_game_gets_no_more_time_than_a_short_one() {
        let time = |left, spent| Budget::Game.limits(left, Duration::from_secs(spent)).movetime.unwrap();
        assert_eq!((time(10, 0), time(450, 0)), (ONE_POSITION, Duration::from_millis(100)));
        // What the searches take beyond their time is made up for by the later ones.
        assert_eq!((time(100, 43), time(100, 50)), (Duration::from_millis(20), SOME_TIME));
        let second = Duration::from_secs(1);
        assert_eq!(Budget::Position(second).limits(9, second).movetime, Some(second));
    }

    #[test]
    fn an_interrupted_study_goes_on_where_it_stopped() {
        let kept = std::env::temp_dir().join(format!("juzhong-study-{}", std::process::id()));
        fs::remove_file(&kept).ok();
        let mut position = Position::from_fen("3k5/R8/1R7/9/9/9/9/9/9/4K4 w").unwrap();
        let mut positions = vec![position.clone()];
        position.play("b7b9".parse().unwrap()).unwrap();
        positions.push(position);
        let budget = Budget::Depth(3);
        let first = study(&positions, budget, 1, &kept).unwrap();
        assert_eq!((first[0].score, first[1].score), (mate_in(1), mated_in(0)));
        assert!(first[1].line.is_empty());
        // What is in the file is believed: a changed score comes back, and half a line does no harm.
        let text = fs::read_to_string(&kept).unwrap();
        assert_eq!(text.lines().count(), 2);
        fs::write(&kept, text.replace(&format!("\"score\":{}", mate_in(1)), "\"score\":77") + "{\"ply\":0,")
            .unwrap();
        let second = study(&positions, budget, 1, &kept).unwrap();
        assert_eq!((second[0].score, &second[1]), (77, &first[1]));
        // Another budget needs other searches.
        assert_eq!(study(&positions, Budget::Depth(4), 1, &kept).unwrap()[0].score, mate_in(1));
        fs::remove_file(&kept).unwrap();
    }
}
