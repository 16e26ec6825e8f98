//! Ways out of a mate other than moves: the rules that end a game first.

use xiangqi::board::Position;
use xiangqi::rules;

/// The number of occurrences after which a position is ruled on when it comes back.
const WORN: usize = 2;

/// What ends the game before a mate, as far as the game and the rules of the search decide it beforehand.
///
/// Within a shortest mate no position comes back: the attacker could have continued from its first occurrence as from
/// its last, and would have mated earlier. So a mate of bounded length is never a perpetual check, and what is left to
/// look out for is the game that came before.
pub(super) struct Escapes {
    /// The keys of positions that may not come back once more.
    worn: Vec<u64>,
    /// The no-capture limit, if the search can come near it: plies without a capture that draw, plies counted
    /// at the root, and plies of the record there.
    limit: Option<Limit>,
    /// Whether a line was given up because of the limit though the book would have counted less.
    pub doubtful: bool,
}

#[derive(Clone, Copy)]
struct Limit {
    plies: u32,
    counted: u32,
    root: usize,
}

impl Escapes {
    /// The escapes of a search for a mate in `moves` moves.
    pub(super) fn new(position: &Position, no_capture_limit: Option<u32>, moves: u8) -> Escapes {
        let mut past: Vec<u64> =
            (0..=position.reversible_plies()).filter_map(|back| position.key_before(back)).collect();
        past.sort_unstable();
        let worn =
            past.chunk_by(|a, b| a == b).filter(|same| same.len() >= WORN).map(|same| same[0]).collect();
        let counted = position.quiet_plies();
        let near = no_capture_limit.filter(|&limit| counted + 2 * u32::from(moves) > limit);
        let limit = near.map(|plies| Limit { plies, counted, root: position.plies() });
        Escapes { worn, limit, doubtful: false }
    }

    /// Whether the game ends here without a mate, unless the side to move has no move left.
    #[inline]
    pub(super) fn allow(&mut self, position: &Position) -> bool {
        if rules::is_bare(position) || !self.worn.is_empty() && self.worn.contains(&position.key()) {
            return true;
        }
        let Some(limit) = self.limit.filter(|limit| limit.count(position) >= limit.plies) else {
            return false;
        };
        self.doubtful |= position.quiet_plies() < limit.plies;
        true
    }

    /// The key under which a proof of the position is kept: near the limit it holds for one count only.
    #[inline]
    pub(super) fn key(&self, position: &Position) -> u64 {
        let count = self.limit.map_or(0, |limit| u64::from(limit.count(position) + 1));
        position.key() ^ count.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

impl Limit {
    /// Plies without a capture. Within the search every one is counted, also checks that the book leaves out
    /// (CXA 2020, 23.3): the limit then comes too early rather than too late, and the count does not depend
    /// on which checks were given on the way.
    fn count(self, position: &Position) -> u32 {
        let (below, since) = (position.plies() - self.root, position.reversible_plies());
        if since < below { since as u32 } else { self.counted + below as u32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHUFFLE: [&str; 4] = ["a1b1", "d9d8", "b1a1", "d8d9"];

    fn after(rounds: usize) -> Position {
        let mut position = Position::from_fen("3k5/9/9/9/9/9/9/9/R8/4K4 w - - 0 1").unwrap();
        for mv in SHUFFLE.iter().cycle().take(4 * rounds) {
            position.play(mv.parse().unwrap()).unwrap();
        }
        position
    }

    #[test]
    fn a_position_that_was_there_twice_is_an_escape() {
        for (rounds, escaped) in [(1, false), (2, true)] {
            let mut position = after(rounds);
            let mut escapes = Escapes::new(&position, None, 3);
            position.play("a1b1".parse().unwrap()).unwrap();
            assert_eq!(escapes.allow(&position), escaped, "{rounds} rounds");
            position.unmake();
            position.play("a1c1".parse().unwrap()).unwrap();
            assert!(!escapes.allow(&position), "a position that is new");
        }
    }

    #[test]
    fn the_limit_counts_every_ply_and_says_when_the_book_would_not() {
        let mut position = Position::from_fen("3k5/9/9/9/9/9/9/9/R8/4K4 w - - 90 60").unwrap();
        // Eleven checks: the last is not counted by the book, nor is the reply to it.
        let checks = ["a1a9", "d9d8", "a9a8", "d8d9", "a8a9"];
        let cycle = checks[1..].iter().cycle().take(19);
        for mv in checks[..1].iter().chain(cycle) {
            position.play(mv.parse().unwrap()).unwrap();
        }
        let (counted, start) = (position.quiet_plies(), position.clone());
        assert_eq!(counted, 110);
        let mut escapes = Escapes::new(&start, Some(counted + 1), 3);
        escapes.worn.clear();
        assert!(!escapes.allow(&start));
        position.play("a8a9".parse().unwrap()).unwrap();
        assert!(escapes.allow(&position) && escapes.doubtful, "the book does not count it");
        let other = Escapes::new(&start, Some(counted + 50), 3);
        assert_eq!(other.key(&position), position.key(), "far from the limit");
        assert_ne!(escapes.key(&position), position.key());
    }

    #[test]
    fn bare_boards_are_drawn() {
        let bare = Position::from_fen("3k5/4a4/9/9/9/9/9/4B4/9/4K4 b - - 0 1").unwrap();
        assert!(Escapes::new(&bare, None, 3).allow(&bare));
    }
}
