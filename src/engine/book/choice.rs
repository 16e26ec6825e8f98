//! Which move of the book to play.

use rand::Rng;
use rand::seq::IndexedRandom;

use super::format::BookMove;
use super::reader::Book;
use xiangqi::board::Position;
use xiangqi::notation::chinese::ChineseStyle;
use xiangqi::notation::{self, Notation};
use xiangqi::types::Move;

/// The number of plies without a capture from which on a position no longer belongs to an opening: the book does not
/// know the counter, which is part of the position.
const MOST_QUIET_PLIES: u32 = 60;

/// A move from a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookChoice {
    /// The move and its results.
    pub entry: BookMove,
    /// The answer with the largest weight, if the books know one.
    pub reply: Option<Move>,
}

impl BookChoice {
    /// The move and its record in words, for the user; `position` is the one it was chosen in.
    pub fn describe(&self, position: &Position) -> String {
        let BookMove { mv, games, .. } = self.entry;
        let name = notation::write(position, mv, Notation::Chinese(ChineseStyle::SIMPLIFIED));
        let points = 100.0 * self.entry.points() / f64::from(games);
        format!("book move {mv} {name}: {games} games, {points:.0}% of the points")
    }
}

/// A move for the position from the first of the books that knows one, or `None` if there is none.
///
/// Moves are drawn in proportion to their [weight](BookMove::weight) raised to the power `sharpness`: 1 follows the
/// games of the book, 0 treats all moves alike. The book is left once a position has been repeated, and no move ever
/// leads back to an earlier position, so that the book cannot take part in a repetition.
pub fn choose<'a>(
    books: impl IntoIterator<Item = &'a Book> + Clone,
    position: &Position,
    sharpness: f64,
    rng: &mut impl Rng,
) -> Option<BookChoice> {
    let entries = books.clone().into_iter().find_map(|book| fresh_moves(book, position))?;
    let entry = *entries.choose_weighted(rng, |entry| entry.weight().powf(sharpness)).ok()?;
    let mut after = position.clone();
    after.make(entry.mv);
    let reply = books.into_iter().find_map(|book| book.probe(&after).next()).map(|entry| entry.mv);
    Some(BookChoice { entry, reply })
}

/// The moves of a book that lead to positions new to the game; `None` if there are none, or the game has gone
/// in circles.
fn fresh_moves(book: &Book, position: &Position) -> Option<Vec<BookMove>> {
    let mut entries: Vec<BookMove> = book.probe(position).collect();
    if entries.is_empty() || position.quiet_plies() > MOST_QUIET_PLIES {
        return None;
    }
    let mut past: Vec<u64> = (0..=position.plies()).filter_map(|back| position.key_before(back)).collect();
    past.sort_unstable();
    if past.windows(2).any(|pair| pair[0] == pair[1]) {
        return None;
    }
    entries.retain(|entry| past.binary_search(&position.key_after(entry.mv)).is_err());
    (!entries.is_empty()).then_some(entries)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::*;
    use crate::book::{BookBuilder, BookFilter, encode};
    use xiangqi::types::Outcome;

    fn book(games: &[&str]) -> Book {
        let mut builder = BookBuilder::new(40);
        for game in games {
            let moves = game.split(' ').map(|mv| mv.parse().unwrap());
            builder.add_game(&Position::startpos(), moves, Outcome::Draw).unwrap();
        }
        Book::new(encode(&builder.contents(&BookFilter::OPEN))).unwrap()
    }

    fn after(moves: &str) -> Position {
        let mut position = Position::startpos();
        moves.split_whitespace().for_each(|mv| position.play(mv.parse().unwrap()).unwrap());
        position
    }

    fn chosen(books: &[&Book], moves: &str) -> Option<String> {
        let rng = &mut StdRng::seed_from_u64(1);
        choose(books.iter().copied(), &after(moves), 1.0, rng).map(|choice| choice.entry.mv.to_string())
    }

    #[test]
    fn the_first_book_that_knows_the_position_is_asked() {
        let (a, b) = (book(&["h2e2 h9g7"]), book(&["g3g4 g6g5", "h2e2 h7e7 h0g2"]));
        assert_eq!(chosen(&[&a, &b], "").as_deref(), Some("h2e2"));
        assert_eq!(chosen(&[&b, &a], "g3g4").as_deref(), Some("g6g5"));
        assert_eq!(chosen(&[&a, &b], "h2e2 h7e7").as_deref(), Some("h0g2"));
        assert_eq!(chosen(&[&a, &b], "h2e2 h9g7"), None);
        assert_eq!(chosen(&[], ""), None);
        let reply = choose([&a], &after(""), 1.0, &mut StdRng::seed_from_u64(1)).unwrap().reply;
        assert_eq!(reply.unwrap().to_string(), "h9g7");
    }

    #[test]
    fn a_game_that_has_repeated_a_position_is_none_of_the_books_business() {
        let start = book(&["h2e2 h9g7", "h2e2 h9i7 h0g2"]);
        let circle = "h2h3 h7h6 h3h2 h6h7";
        assert!(chosen(&[&start], "").is_some());
        assert_eq!(chosen(&[&start], circle), None);
        // Also later, although this position itself is new to the game.
        assert!(chosen(&[&start], "h2e2").is_some());
        assert_eq!(chosen(&[&start], &format!("{circle} h2e2")), None);
    }

    #[test]
    fn no_move_leads_back_to_an_earlier_position() {
        let other = book(&["h2h3 h7h6 b2e2 h6h7 e2b2"]);
        let mut builder = BookBuilder::new(40);
        builder.add_move(&after("h2h3 h7h6 h3h2"), "h6h7".parse().unwrap(), 5).unwrap();
        let closing = Book::new(encode(&builder.contents(&BookFilter::OPEN))).unwrap();
        assert_eq!(chosen(&[&closing], "h2h3 h7h6 h3h2"), None, "it would repeat the start position");
        assert_eq!(chosen(&[&other], "h2h3 h7h6 b2e2").as_deref(), Some("h6h7"));
    }

    #[test]
    fn a_long_quiet_record_is_no_opening() {
        let start = book(&["h2e2 h9g7"]);
        let at = |fen: &str| {
            let position = Position::from_fen(fen).unwrap();
            choose([&start], &position, 1.0, &mut StdRng::seed_from_u64(1)).is_some()
        };
        let board = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - -";
        assert!(at(&format!("{board} 0 1")));
        assert!(!at(&format!("{board} 110 80")));
    }

    #[test]
    fn moves_are_drawn_by_weight_and_sharpness() {
        let games: Vec<&str> = [["h2e2"; 9].as_slice(), &["g3g4"; 1]].concat();
        let book = book(&games);
        let share = |sharpness: f64| {
            let mut rng = StdRng::seed_from_u64(7);
            let mut counts: HashMap<String, u32> = HashMap::new();
            for _ in 0..2000 {
                let choice = choose([&book], &Position::startpos(), sharpness, &mut rng).unwrap();
                *counts.entry(choice.entry.mv.to_string()).or_default() += 1;
            }
            f64::from(counts["g3g4"]) / 2000.0
        };
        assert!((0.07..0.13).contains(&share(1.0)));
        assert!((0.46..0.54).contains(&share(0.0)));
    }
}
