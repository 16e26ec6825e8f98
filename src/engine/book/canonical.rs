//! One key for a position and its mirror image.

use xiangqi::board::Position;
use xiangqi::types::Move;

/// The key by which the book knows a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CanonicalKey {
    /// The smaller of the keys of the position and its mirror image.
    pub key: u64,
    orientation: Orientation,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Orientation {
    AsItIs,
    Mirrored,
    /// The position is its own mirror image.
    Symmetric,
}

impl CanonicalKey {
    /// The key by which the book knows `position`.
    pub fn of(position: &Position) -> CanonicalKey {
        let (own, mirrored) = (position.key(), position.mirrored_key());
        let orientation = match mirrored.cmp(&own) {
            std::cmp::Ordering::Less => Orientation::Mirrored,
            std::cmp::Ordering::Equal => Orientation::Symmetric,
            std::cmp::Ordering::Greater => Orientation::AsItIs,
        };
        CanonicalKey { key: own.min(mirrored), orientation }
    }

    /// The move as the book holds it. Of two moves that mirror each other in a symmetric position it is the one
    /// on Red's right, which players choose by custom (炮二平五 rather than 炮八平五).
    pub fn stored(&self, mv: Move) -> Move {
        match self.orientation {
            Orientation::AsItIs => mv,
            Orientation::Mirrored => mv.mirrored(),
            Orientation::Symmetric => {
                let files = |mv: Move| mv.from().file() + mv.to().file();
                if files(mv.mirrored()) > files(mv) { mv.mirrored() } else { mv }
            }
        }
    }

    /// The move on the board for a move that the book holds.
    pub fn restored(&self, mv: Move) -> Move {
        if self.orientation == Orientation::Mirrored { mv.mirrored() } else { mv }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(moves: &[&str]) -> Position {
        let mut position = Position::startpos();
        moves.iter().for_each(|mv| position.play(mv.parse().unwrap()).unwrap());
        position
    }

    fn mv(text: &str) -> Move {
        text.parse().unwrap()
    }

    #[test]
    fn mirror_images_are_one_position() {
        let (right, left) = (after(&["h2e2", "h9g7", "h0g2"]), after(&["b2e2", "b9c7", "b0c2"]));
        let (a, b) = (CanonicalKey::of(&right), CanonicalKey::of(&left));
        assert_eq!(right.mirrored_key(), left.key());
        assert_eq!(a.key, b.key);
        assert_eq!(a.stored(mv("i9h9")), b.stored(mv("a9b9")));
        for (side, text) in [(a, "i9h9"), (b, "a9b9")] {
            assert_eq!(side.restored(side.stored(mv(text))), mv(text));
        }
        assert_ne!(CanonicalKey::of(&after(&["h2e2"])).key, CanonicalKey::of(&after(&["h2f2"])).key);
    }

    #[test]
    fn symmetric_positions_know_one_of_two_equal_moves() {
        let start = CanonicalKey::of(&Position::startpos());
        for (left, right) in [("b2e2", "h2e2"), ("b0c2", "h0g2"), ("c3c4", "g3g4"), ("c0e2", "g0e2")] {
            assert_eq!(start.stored(mv(left)), mv(right));
            assert_eq!(start.stored(mv(right)), mv(right));
            assert_eq!(start.restored(mv(right)), mv(right));
        }
        assert_eq!(start.stored(mv("e0e1")), mv("e0e1"));
    }
}
