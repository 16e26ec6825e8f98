//! Choosing among nearly equal moves at random: randomness for books and matches, at hardly any cost in strength.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::score::{RULED_BOUND, Value};
use crate::search::root::RootMove;

/// So many of the best lines are candidates.
const CANDIDATES: usize = 5;

/// How far the choice may stray from the best move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::search) struct Randomness {
    /// Up to this many centipawns are added to each candidate at random.
    noise: Value,
}

impl Randomness {
    /// Randomness within this many centipawns; `None` if there are none.
    pub(in crate::search) fn new(noise: Value) -> Option<Randomness> {
        (noise > 0).then_some(Randomness { noise })
    }

    /// How many lines must be searched to choose from.
    pub(in crate::search) fn lines(&self) -> usize {
        CANDIDATES
    }

    /// The index of the root move to play. A forced win or the avoidance of a forced loss is not left to
    /// chance, and nothing worse than the noise is ever taken.
    pub(in crate::search) fn choose(&self, root: &[RootMove], seed: u64) -> usize {
        let Some(best) = root.first() else { return 0 };
        if best.score.abs() >= RULED_BOUND {
            return 0;
        }
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let candidates = root.iter().take(CANDIDATES).enumerate();
        candidates
            .filter(|(_, root)| root.score > -RULED_BOUND && best.score - root.score <= self.noise)
            .map(|(index, root)| (root.score + rng.random_range(0..=self.noise), index))
            .max_by_key(|&(score, index)| (score, std::cmp::Reverse(index)))
            .map_or(0, |(_, index)| index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::limits::SearchLimits;
    use crate::search::root::root_moves;
    use xiangqi::board::Position;

    fn root(scores: &[Value]) -> Vec<RootMove> {
        let mut root = root_moves(&Position::startpos(), &SearchLimits::default());
        root.truncate(scores.len());
        root.iter_mut().zip(scores).for_each(|(root, &score)| root.score = score);
        root
    }

    fn chosen(noise: Value, root: &[RootMove]) -> Vec<usize> {
        let randomness = Randomness::new(noise).unwrap();
        let mut all: Vec<_> = (0..200).map(|seed| randomness.choose(root, seed)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    #[test]
    fn only_moves_within_the_noise_are_chosen_and_all_of_those() {
        assert_eq!(chosen(50, &root(&[30, 10, -10, -21, -300])), [0, 1, 2]);
        assert_eq!(chosen(50, &root(&[29_990, 29_980])), [0]);
        assert_eq!(chosen(50, &root(&[0, -29_990])), [0]);
        assert_eq!(Randomness::new(0), None);
    }
}
