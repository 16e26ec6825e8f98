//! The engine's opinion of a book: moves that a search calls bad are dropped.

use std::collections::HashMap;

use indicatif::ProgressBar;
use rayon::prelude::*;

use crate::board::Position;
use crate::book::{Book, Canonical, Contents, encode, reached};
use crate::search::Pool;
use crate::tools::selfplay::search;
use crate::types::Move;
use crate::types::score::Value;

/// Size of the transposition table of each search in MB.
const HASH_MB: usize = 4;

/// What was looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Report {
    /// Positions of the book.
    pub positions: usize,
    /// Moves of the book.
    pub searched: usize,
    /// Moves that were dropped.
    pub dropped: usize,
}

/// Drops the moves that lose more than `margin` centipawns against the best move of a search of `nodes` nodes.
///
/// Looked at are the positions that can come up in play ([`reached`]). The same version of the search drops the
/// same moves: each search has one thread and begins with nothing learnt.
pub fn drop_bad(contents: &mut Contents, nodes: u64, margin: Value) -> Report {
    let Ok(book) = Book::new(encode(contents)) else { return Report::default() };
    let positions = reached(&book);
    // Shown on a terminal only.
    let progress = ProgressBar::new(positions.len() as u64);
    let bad: HashMap<u64, Vec<Move>> = positions
        .par_iter()
        .map_init(
            || Pool::new(1, HASH_MB),
            |pool, position| {
                let bad = bad_moves(pool, &book, position, nodes, margin);
                progress.inc(1);
                bad
            },
        )
        .collect();
    progress.finish_and_clear();
    let held = |position: &Position| book.probe(position).count();
    let report = Report {
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
    pool: &mut Pool,
    book: &Book,
    position: &Position,
    nodes: u64,
    margin: Value,
) -> (u64, Vec<Move>) {
    let canonical = Canonical::of(position);
    let mut searched = |position: &Position| {
        pool.clear();
        search(pool, position, nodes)
    };
    let Some(best) = searched(position) else { return (canonical.key, Vec::new()) };
    let loses = |mv: &Move| {
        if best.best == Some(*mv) {
            return false;
        }
        let mut after = position.clone();
        after.make(*mv);
        searched(&after).is_some_and(|answer| best.score + answer.score > margin)
    };
    let bad = book.probe(position).map(|entry| entry.mv).filter(loses).map(|mv| canonical.stored(mv));
    (canonical.key, bad.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::{Builder, Sieve};
    use crate::rules::Outcome;

    #[test]
    fn a_move_that_loses_a_piece_is_dropped_and_sound_ones_stay() {
        let mut builder = Builder::new(40);
        // The horse takes the cannon that took the pawn.
        for game in ["h2e2 h9g7 h0g2 i9h9", "h2e2 h9g7 e2e6 g7e6"] {
            let moves = game.split(' ').map(|mv| mv.parse().unwrap());
            builder.add_game(&Position::startpos(), moves, Outcome::Draw).unwrap();
        }
        let mut contents = builder.contents(&Sieve::OPEN);
        let report = drop_bad(&mut contents, 2000, 60);
        let book = Book::new(encode(&contents)).unwrap();
        let mut screens = Position::startpos();
        ["h2e2", "h9g7"].iter().for_each(|mv| screens.play(mv.parse().unwrap()).unwrap());
        let third: Vec<String> = book.probe(&screens).map(|entry| entry.mv.to_string()).collect();
        assert_eq!(third, ["h0g2"]);
        assert!(report.dropped >= 1 && report.searched > report.dropped, "{report:?}");
        let mut again = builder.contents(&Sieve::OPEN);
        assert_eq!(drop_bad(&mut again, 2000, 60), report);
        assert_eq!(again, contents);
    }
}
