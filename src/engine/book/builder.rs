//! Builds a book from games.

use std::collections::BTreeMap;

use super::canonical::CanonicalKey;
use super::format::{BookContents, BookMove};
use super::reader::Book;
use xiangqi::board::{PlayError, Position};
use xiangqi::types::{Move, Outcome};

/// Collects the moves of games, position by position.
#[derive(Debug, Clone)]
pub struct BookBuilder {
    plies: usize,
    counts: BTreeMap<u64, BTreeMap<Move, BookMove>>,
}

/// The limits below which a move is played too rarely or too badly to be kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BookFilter {
    /// The fewest games in which a move must have been played.
    pub games: u32,
    /// The smallest share of its position's games, 0 to 1.
    pub share: f64,
    /// The smallest [score](BookMove::score), 0 to 1.
    pub score: f64,
}

impl BookBuilder {
    /// An empty builder for a book of the first `plies` plies of each game.
    pub fn new(plies: usize) -> BookBuilder {
        BookBuilder { plies, counts: BTreeMap::new() }
    }

    /// Adds the moves of a game that began at `start`. A game is dropped from the point at which it comes back to an
    /// earlier position, because a book learns nothing from going in circles.
    ///
    /// # Errors
    /// Returns the first move within the depth of the book that cannot be played; the moves before it are counted.
    pub fn add_game(
        &mut self,
        start: &Position,
        moves: impl IntoIterator<Item = Move>,
        outcome: Outcome,
    ) -> Result<(), PlayError> {
        let mut position = start.clone();
        for mv in moves.into_iter().take(self.plies) {
            let (canonical, side) = (CanonicalKey::of(&position), position.side());
            position.play(mv)?;
            if position.last_occurrence().is_some() {
                break;
            }
            let won = outcome == Outcome::Win(side);
            let drawn = outcome == Outcome::Draw;
            self.count(
                canonical.key,
                BookMove { mv: canonical.stored(mv), games: 1, wins: won.into(), draws: drawn.into() },
            );
        }
        Ok(())
    }

    /// Adds a recommendation: the move counts as `weight` drawn games.
    ///
    /// # Errors
    /// Returns an error if the move cannot be played.
    pub fn add_move(&mut self, position: &Position, mv: Move, weight: u32) -> Result<(), PlayError> {
        position.check_move(mv)?;
        let canonical = CanonicalKey::of(position);
        if weight > 0 {
            self.count(
                canonical.key,
                BookMove { mv: canonical.stored(mv), games: weight, wins: 0, draws: weight },
            );
        }
        Ok(())
    }

    /// Adds everything another book holds.
    pub fn add_book(&mut self, book: &Book) {
        for (key, entries) in book.contents() {
            entries.into_iter().for_each(|entry| self.count(key, entry));
        }
    }

    fn count(&mut self, key: u64, entry: BookMove) {
        self.counts
            .entry(key)
            .or_default()
            .entry(entry.mv)
            .and_modify(|known| known.add(&entry))
            .or_insert(entry);
    }

    /// The collected moves that pass the filter.
    pub fn contents(&self, sieve: &BookFilter) -> BookContents {
        let kept = |entries: &BTreeMap<Move, BookMove>| -> Vec<BookMove> {
            let all: f64 = entries.values().map(|entry| f64::from(entry.games)).sum();
            let keeps = |entry: &&BookMove| {
                entry.games >= sieve.games
                    && f64::from(entry.games) >= sieve.share * all
                    && entry.score() >= sieve.score
            };
            entries.values().filter(keeps).copied().collect()
        };
        let positions = self.counts.iter().map(|(&key, entries)| (key, kept(entries)));
        positions.filter(|(_, entries)| !entries.is_empty()).collect()
    }
}

impl BookFilter {
    /// The filter that keeps every move.
    pub const OPEN: BookFilter = BookFilter { games: 1, share: 0.0, score: 0.0 };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::encode;
    use xiangqi::types::Side;

    fn moves(text: &str) -> Vec<Move> {
        text.split(' ').map(|mv| mv.parse().unwrap()).collect()
    }

    fn built(games: &[(&str, Outcome)], plies: usize) -> BookBuilder {
        let mut builder = BookBuilder::new(plies);
        for (text, outcome) in games {
            builder.add_game(&Position::startpos(), moves(text), *outcome).unwrap();
        }
        builder
    }

    fn probe(builder: &BookBuilder, sieve: &BookFilter, line: &str) -> Vec<(String, u32, u32, u32)> {
        let book = Book::new(encode(&builder.contents(sieve))).unwrap();
        let mut position = Position::startpos();
        moves(line).into_iter().for_each(|mv| position.play(mv).unwrap());
        book.probe(&position).map(|e| (e.mv.to_string(), e.games, e.wins, e.draws)).collect()
    }

    #[test]
    fn results_are_counted_for_the_side_that_moved_and_mirror_images_together() {
        let red = Outcome::Win(Side::Red);
        let games = [("h2e2 h9g7 h0g2", red), ("b2e2 b9c7 b0c2", Outcome::Draw), ("h2e2 b7e7", red)];
        let builder = built(&games, 40);
        let start = Book::new(encode(&builder.contents(&BookFilter::OPEN))).unwrap();
        let first: Vec<BookMove> = start.probe(&Position::startpos()).collect();
        assert_eq!(first, [BookMove { mv: moves("h2e2")[0], games: 3, wins: 2, draws: 1 }]);
        let replies = [("h9g7".to_owned(), 2, 0, 1), ("b7e7".to_owned(), 1, 0, 0)];
        assert_eq!(probe(&builder, &BookFilter::OPEN, "h2e2"), replies);
        let mirrored = [("b9c7".to_owned(), 2, 0, 1), ("h7e7".to_owned(), 1, 0, 0)];
        assert_eq!(probe(&builder, &BookFilter::OPEN, "b2e2"), mirrored);
    }

    #[test]
    fn the_sieve_holds_back_what_is_rare_or_bad() {
        let red = Outcome::Win(Side::Red);
        let games = [("h2e2 h9g7", red), ("h2e2 h9g7", red), ("h2e2 b7e7", Outcome::Draw)];
        let kept = |sieve: BookFilter| {
            let found = probe(&built(&games, 40), &sieve, "h2e2");
            found.into_iter().map(|(mv, ..)| mv).collect::<Vec<_>>()
        };
        assert_eq!(kept(BookFilter::OPEN).len(), 2);
        assert_eq!(kept(BookFilter { games: 2, ..BookFilter::OPEN }), ["h9g7"]);
        assert_eq!(kept(BookFilter { share: 0.5, ..BookFilter::OPEN }), ["h9g7"]);
        assert_eq!(kept(BookFilter { score: 0.45, ..BookFilter::OPEN }), ["b7e7"]);
    }

    #[test]
    fn depth_is_limited_and_circles_are_left_out() {
        let builder = built(&[("h2e2 h9g7", Outcome::Draw)], 1);
        assert_eq!(builder.contents(&BookFilter::OPEN).len(), 1);
        let circle = built(&[("h2h3 h7h6 h3h2 h6h7 h2e2", Outcome::Draw)], 40);
        assert_eq!(
            circle.contents(&BookFilter::OPEN).len(),
            3,
            "the move that closes the circle is not counted"
        );
        let bad = BookBuilder::new(9).add_game(&Position::startpos(), moves("h2e2 h2e2"), Outcome::Draw);
        assert!(bad.is_err());
    }

    #[test]
    fn order_does_not_matter_and_books_add_up() {
        let games = [("h2e2 h9g7", Outcome::Draw), ("g3g4 g6g5", Outcome::Win(Side::Black))];
        let reversed: Vec<_> = games.into_iter().rev().collect();
        let bytes = encode(&built(&games, 40).contents(&BookFilter::OPEN));
        assert_eq!(bytes, encode(&built(&reversed, 40).contents(&BookFilter::OPEN)));
        let mut merged = built(&games[..1], 40);
        merged.add_book(&Book::new(encode(&built(&games[1..], 40).contents(&BookFilter::OPEN))).unwrap());
        assert_eq!(encode(&merged.contents(&BookFilter::OPEN)), bytes);
    }

    #[test]
    fn recommendations_count_as_draws() {
        let mut builder = BookBuilder::new(40);
        builder.add_move(&Position::startpos(), moves("b0c2")[0], 30).unwrap();
        builder.add_move(&Position::startpos(), moves("h2e2")[0], 0).unwrap();
        assert!(builder.add_move(&Position::startpos(), moves("a0a9")[0], 3).is_err());
        let book = Book::new(encode(&builder.contents(&BookFilter::OPEN))).unwrap();
        let found: Vec<BookMove> = book.probe(&Position::startpos()).collect();
        assert_eq!(found, [BookMove { mv: moves("h0g2")[0], games: 30, wins: 0, draws: 30 }]);
    }
}
