//! Bench: searches a fixed list of positions to a fixed depth. With one thread the sum of the nodes is the
//! signature of the search: it changes if and only if the search does something else.

mod args;

pub use args::{BenchArgs, BenchArgsError};

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::counts;
use crate::engine::Engine;
use crate::search::{Event, HashError, SearchCounts, SearchLimits, SearchReport};
use xiangqi::board::{FenError, Position};

/// One position a line: openings, middle games, checks, mates, endgames and dead draws. The middle games and the
/// checks are from games of the Chinese Chess Practical Dataset (CCPD, CC BY 4.0) and of ElephantEye's league.
const POSITIONS: &str = include_str!("bench_positions.txt");

/// The interval at which a waiting bench checks whether it should stop.
const GLANCE: Duration = Duration::from_millis(10);

/// Why a bench did not finish.
#[derive(Debug, Error)]
pub enum BenchError {
    /// It was told to stop.
    #[error("bench stopped")]
    Stopped,
    /// A position of the list is invalid, which is a fault of the list.
    #[error("bench position {0}: {1}")]
    Position(usize, FenError),
    /// The table could not be allocated.
    #[error(transparent)]
    Hash(#[from] HashError),
    /// A search ended without a report: a fault of the search.
    #[error("bench position {0}: the search died")]
    SearchDied(usize),
}

/// Searches all positions; `write` gets a line for each, the counts of a build that counts, and last the line
/// `<nodes> nodes <nps> nps`.
///
/// # Errors
/// Returns an error if the table cannot be allocated, `stop` was set, or the list or the search is at fault.
pub fn run(args: &BenchArgs, stop: &AtomicBool, mut write: impl FnMut(String)) -> Result<(), BenchError> {
    let mut engine = Engine::new();
    engine.settings.threads = args.threads;
    engine.settings.hash_mb = args.hash_mb;
    engine.prepare()?;
    let (start, mut nodes, count) = (Instant::now(), 0, POSITIONS.lines().count());
    let mut counted: Option<SearchCounts> = None;
    for (number, fen) in (1..).zip(POSITIONS.lines()) {
        engine.set_position(Position::from_fen(fen).map_err(|error| BenchError::Position(number, error))?);
        // Each position starts from nothing, so that the sum does not depend on the order of the list.
        engine.new_game();
        let report = search(&mut engine, args.depth, number, stop)?;
        nodes += report.nodes;
        let best = report.best.map_or("none".into(), |mv| mv.to_string());
        write(format!("{number:>2}/{count} {:>10} {best} {fen}", report.nodes));
        if let Some(more) = report.stats.counts() {
            *counted.get_or_insert_default() += more;
        }
    }
    let nps = (nodes as f64 / start.elapsed().as_secs_f64().max(1e-3)) as u64;
    counted.iter().flat_map(counts::lines).for_each(&mut write);
    write(format!("{nodes} nodes {nps} nps"));
    Ok(())
}

/// Searches the engine's position.
fn search(
    engine: &mut Engine,
    depth: u32,
    number: usize,
    stop: &AtomicBool,
) -> Result<SearchReport, BenchError> {
    let (sender, receiver) = mpsc::channel();
    let sink = move |event| {
        if let Event::Done(report) = event {
            // The receiver is gone only when the bench was stopped: nobody asks then.
            sender.send(report).ok();
        }
    };
    engine.start(SearchLimits { depth: Some(depth), ..SearchLimits::default() }, sink)?;
    loop {
        match receiver.recv_timeout(GLANCE) {
            Ok(report) => return Ok(report),
            Err(RecvTimeoutError::Timeout) if stop.load(Ordering::Relaxed) => {
                engine.stop();
                return Err(BenchError::Stopped);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(BenchError::SearchDied(number)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positions_are_canonical_and_different() {
        let fens: Vec<&str> = POSITIONS.lines().collect();
        assert!((36..=44).contains(&fens.len()), "{}", fens.len());
        for (index, fen) in fens.iter().enumerate() {
            let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert_eq!(position.to_fen(), *fen);
            assert!(position.has_legal_move(), "{fen}");
            assert!(!fens[..index].contains(fen), "{fen}");
        }
        let in_check = fens.iter().filter(|fen| Position::from_fen(fen).unwrap().in_check());
        assert!(in_check.count() >= 3);
    }

    #[test]
    fn the_last_line_is_the_signature_and_repeats() {
        let signature = || {
            let mut lines = Vec::new();
            let args = BenchArgs { depth: 3, hash_mb: 1, ..BenchArgs::default() };
            run(&args, &AtomicBool::new(false), |line| lines.push(line)).unwrap();
            let last = lines.pop().unwrap();
            let words: Vec<String> = last.split(' ').map(str::to_owned).collect();
            assert_eq!((words[1].as_str(), words[3].as_str(), words.len()), ("nodes", "nps", 4), "{last}");
            (words[0].parse::<u64>().unwrap(), lines.iter().filter(|line| line.contains('/')).count())
        };
        let first = signature();
        assert!(first.0 > 0 && first.1 == POSITIONS.lines().count());
        assert_eq!(first, signature());
    }

    #[test]
    fn a_bench_can_be_stopped() {
        let args = BenchArgs { depth: 60, hash_mb: 1, ..BenchArgs::default() };
        let outcome = run(&args, &AtomicBool::new(true), |_| {});
        assert!(matches!(outcome, Err(BenchError::Stopped)));
    }
}
