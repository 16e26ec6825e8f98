//! The engine's opinion of a book: moves that a search calls bad are dropped.

use std::collections::HashMap;

use indicatif::ProgressBar;
use rayon::prelude::*;

use juzhong_engine::book::{Book, BookContents, CanonicalKey, encode, reached};
use juzhong_engine::score::Value;
use juzhong_engine::search::{SearchLimits, ThreadPool};
use xiangqi::board::Position;
use xiangqi::types::Move;

/// Size of the transposition table of each search in MB.
const HASH_MB: usize = 4;

/// How to judge the moves of a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveStandard {
    /// Nodes of each search.
    pub nodes: u64,
    /// Centipawns by which a move may be worse than the choice of the search.
    pub margin: Value,
    /// The number of games from which on a move needs no search, because the games are better evidence.
    pub trusted: u32,
}

/// What was looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BookCheck {
    /// Positions of the book.
    pub positions: usize,
    /// Moves of these positions.
    pub searched: usize,
    /// Moves that were dropped.
    pub dropped: usize,
}

/// Drops the moves that do not come up to the standard.
///
/// Looked at are the positions that can come up in play ([`reached`]). The same version of the search drops the
/// same moves: each search has one thread and begins with nothing learnt.
pub fn drop_bad(contents: &mut BookContents, standard: &MoveStandard) -> BookCheck {
    let Ok(book) = Book::new(encode(contents)) else { return BookCheck::default() };
    let positions = reached(&book);
    // Shown on a terminal only.
    let progress = ProgressBar::new(positions.len() as u64);
    let bad: HashMap<u64, Vec<Move>> = positions
        .par_iter()
        .map_init(
            || ThreadPool::new(1, HASH_MB),
            |pool, position| {
                let bad = bad_moves(pool, &book, position, standard);
                progress.inc(1);
                bad
            },
        )
        .collect();
    progress.finish_and_clear();
    let held = |position: &Position| book.probe(position).count();
    let report = BookCheck {
        positions: positions.len(),
        searched: positions.iter().map(held).sum(),
        dropped: bad.values().map(Vec::len).sum(),
    };
    for (key, moves) in bad {
        if let Some(entries) = contents.get_mut(&key) {
            entries.retain(|entry| !moves.contains(&entry.mv));
        }
    }
    report
}

/// The key of the position and its bad moves, as they are stored.
fn bad_moves(
    pool: &mut ThreadPool,
    book: &Book,
    position: &Position,
    standard: &MoveStandard,
) -> (u64, Vec<Move>) {
    let canonical = CanonicalKey::of(position);
    let mut searched = |position: &Position| {
        pool.clear();
        pool.think(position, &SearchLimits { nodes: Some(standard.nodes), ..SearchLimits::default() })
    };
    let doubtful: Vec<Move> =
        book.probe(position).filter(|entry| entry.games < standard.trusted).map(|entry| entry.mv).collect();
    let best = if doubtful.is_empty() { None } else { searched(position) };
    let Some(best) = best else { return (canonical.key, Vec::new()) };
    let loses = |mv: &Move| {
        if best.best == Some(*mv) {
            return false;
        }
        let mut after = position.clone();
        after.make(*mv);
        searched(&after).is_some_and(|answer| best.score + answer.score > standard.margin)
    };
    let bad = doubtful.into_iter().filter(loses).map(|mv| canonical.stored(mv));
    (canonical.key, bad.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use juzhong_engine::book::{BookBuilder, BookFilter};
    use xiangqi::types::Outcome;

    #[test]
    fn a_move_that_loses_a_piece_is_dropped_and_sound_ones_stay() {
        let mut builder = BookBuilder::new(40);
        // The horse takes the cannon that took the pawn.
        for game in ["h2e2 h9g7 h0g2 i9h9", "h2e2 h9g7 e2e6 g7e6"] {
            let moves = game.split(' ').map(|mv| mv.parse().unwrap());
            builder.add_game(&Position::startpos(), moves, Outcome::Draw).unwrap();
        }
        let standard = MoveStandard { nodes: 2000, margin: 60, trusted: 100 };
        let mut contents = builder.contents(&BookFilter::OPEN);
        let report = drop_bad(&mut contents, &standard);
        let book = Book::new(encode(&contents)).unwrap();
        let mut screens = Position::startpos();
        ["h2e2", "h9g7"].iter().for_each(|mv| screens.play(mv.parse().unwrap()).unwrap());
        let third: Vec<String> = book.probe(&screens).map(|entry| entry.mv.to_string()).collect();
        assert_eq!(third, ["h0g2"]);
        assert!(report.dropped >= 1 && report.searched > report.dropped, "{report:?}");
        let mut again = builder.contents(&BookFilter::OPEN);
        assert_eq!(drop_bad(&mut again, &standard), report);
        assert_eq!(again, contents);
        let trusting = MoveStandard { trusted: 1, ..standard };
        let mut all = builder.contents(&BookFilter::OPEN);
        assert_eq!(drop_bad(&mut all, &trusting).dropped, 0, "moves that are trusted stay");
    }
}
