//! The positions of a book on the board: its file holds nothing but their keys.

use std::collections::HashSet;

use super::canonical::CanonicalKey;
use super::reader::Book;
use xiangqi::board::Position;

/// The positions of the book that can be reached from the start of the game, nearest first, as in [`reached_by`].
pub fn reached(book: &Book) -> Vec<Position> {
    reached_by(|position| book.knows(CanonicalKey::of(position).key))
}

/// The positions of any book that can be reached from the start of the game with every position on the way in the book,
/// nearest first, one of each pair of mirror images. `knows` returns whether a position is in the book. The moves on
/// the way may be any legal ones: opponents play what they like.
pub fn reached_by(knows: impl Fn(&Position) -> bool) -> Vec<Position> {
    let mut seen = HashSet::new();
    let mut found: Vec<Position> = Vec::new();
    let start = Position::startpos();
    if knows(&start) {
        seen.insert(CanonicalKey::of(&start).key);
        found.push(start);
    }
    let mut next = 0;
    while let Some(mut position) = found.get(next).cloned() {
        next += 1;
        for &mv in position.legal_moves().iter() {
            position.make(mv);
            let key = CanonicalKey::of(&position).key;
            if !seen.contains(&key) && knows(&position) {
                seen.insert(key);
                // Without the moves that led here: many positions are kept.
                found.extend(Position::from_fen(&position.to_fen()));
            }
            position.unmake();
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::{BookBuilder, BookFilter, encode};
    use xiangqi::types::Outcome;

    #[test]
    fn each_position_is_found_once_however_it_is_reached() {
        let mut builder = BookBuilder::new(40);
        for game in ["h2e2 h9g7 c3c4 b9c7", "c3c4 h9g7 h2e2 a9a8", "b2e2 b9c7 g3g4"] {
            let moves = game.split(' ').map(|mv| mv.parse().unwrap());
            builder.add_game(&Position::startpos(), moves, Outcome::Draw).unwrap();
        }
        let far = Position::from_fen("4k4/9/9/9/9/9/9/9/9/R2K5 w").unwrap();
        builder.add_move(&far, "a0a9".parse().unwrap(), 1).unwrap();
        let book = Book::new(encode(&builder.contents(&BookFilter::OPEN))).unwrap();
        let positions = reached(&book);
        // The start, after h2e2, after c3c4, after either with h9g7, and after all three.
        assert_eq!((positions.len(), book.positions()), (6, 7));
        assert!(positions.iter().all(|position| book.probe(position).count() > 0 && position.plies() == 0));
    }
}
