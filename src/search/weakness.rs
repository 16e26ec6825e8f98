//! Playing less than the best: levels for people, and variety for books and matches.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::limits::SearchOptions;
use super::root::RootMove;
use crate::types::score::{RULED_BOUND, Value};

/// The level that plays as well as it can.
const FULL_SKILL: u8 = 20;
/// So many of the best lines are candidates when the choice is not simply the best.
const CANDIDATES: usize = 5;

/// How the choice of a move is weakened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Weakness {
    /// Up to this many centipawns are added to each candidate at random.
    noise: Value,
    /// Nodes a move may take, all threads together.
    budget: Option<u64>,
}

impl Weakness {
    /// What the options ask for; `None` if nothing.
    ///
    /// Each level looks at 1.6 times the nodes of the one below, from 50 at level 0 to 380 thousand at 19,
    /// and misjudges its candidates by 18 centipawns less, from 360 down to 18.
    pub(super) fn new(options: &SearchOptions) -> Option<Weakness> {
        let level = options.skill.filter(|&level| level < FULL_SKILL);
        let budget = level.map(|level| (50.0 * 1.6f64.powi(i32::from(level))) as u64);
        let misjudged = level.map_or(0, |level| 18 * Value::from(FULL_SKILL - level));
        let noise = misjudged.max(options.noise.max(0));
        (noise > 0 || budget.is_some()).then_some(Weakness { noise, budget })
    }

    /// How many lines must be searched to choose from.
    pub(super) fn lines(&self) -> usize {
        if self.noise > 0 { CANDIDATES } else { 1 }
    }

    /// The nodes a move may take.
    pub(super) fn budget(&self) -> Option<u64> {
        self.budget
    }

    /// The index of the root move to play. A forced win or the avoidance of a forced loss is not left to
    /// chance, and nothing worse than the noise by which it may be misjudged is ever taken.
    pub(super) fn choose(&self, root: &[RootMove], seed: u64) -> usize {
        let Some(best) = root.first() else { return 0 };
        if self.noise == 0 || best.score.abs() >= RULED_BOUND {
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
    use crate::board::Position;
    use crate::search::limits::Limits;
    use crate::search::root::root_moves;

    fn root(scores: &[Value]) -> Vec<RootMove> {
        let mut root = root_moves(&Position::startpos(), &Limits::default());
        root.truncate(scores.len());
        root.iter_mut().zip(scores).for_each(|(root, &score)| root.score = score);
        root
    }

    fn chosen(weakness: Weakness, root: &[RootMove]) -> Vec<usize> {
        let mut all: Vec<_> = (0..200).map(|seed| weakness.choose(root, seed)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    #[test]
    fn only_moves_within_the_noise_are_chosen_and_all_of_those() {
        let noisy = Weakness { noise: 50, budget: None };
        assert_eq!(chosen(noisy, &root(&[30, 10, -10, -21, -300])), [0, 1, 2]);
        assert_eq!(chosen(noisy, &root(&[29_990, 29_980])), [0]);
        assert_eq!(chosen(noisy, &root(&[0, -29_990])), [0]);
        assert_eq!(chosen(Weakness { noise: 0, budget: Some(9) }, &root(&[0, 0])), [0]);
    }

    #[test]
    fn higher_levels_see_more_and_err_less() {
        let level = |skill| Weakness::new(&SearchOptions { skill, ..SearchOptions::default() });
        let levels: Vec<_> = (0..20).map(|skill| level(Some(skill)).unwrap()).collect();
        assert!(
            levels.windows(2).all(|pair| pair[0].budget < pair[1].budget && pair[0].noise > pair[1].noise)
        );
        assert_eq!(level(Some(20)), None);
        assert_eq!(level(None), None);
    }
}
