//! Choosing among nearly equal moves at random: randomness for books and matches, at hardly any cost in strength.

use super::attention::mixed;
use crate::score::Value;
use xiangqi::types::Move;

/// How far the choice may stray from the best move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::search) struct Randomness {
    /// Up to this many centipawns are added to each root move at random.
    noise: Value,
}

impl Randomness {
    /// Randomness of up to this many centipawns; `None` if that is 0.
    pub(in crate::search) fn new(noise: Value) -> Option<Randomness> {
        (noise > 0).then_some(Randomness { noise })
    }

    /// By how much this root move is preferred, from 0 to the noise, in centipawns: always the same for one seed. The
    /// move that is best with the bias is worse without it by the noise at most.
    pub(in crate::search) fn bias(&self, mv: Move, seed: u64) -> Value {
        // The upper half of the mixed word, scaled to the range.
        let word = mixed(seed ^ u64::from(mv.word()).rotate_left(32)) >> 32;
        ((word * (self.noise as u64 + 1)) >> 32) as Value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bias_within_the_noise_is_as_likely_as_another() {
        let randomness = Randomness::new(5).unwrap();
        let mv = "h2e2".parse().unwrap();
        let mut counts = [0; 6];
        (0..6000).for_each(|seed| counts[randomness.bias(mv, seed) as usize] += 1);
        // Four standard deviations of a share among as many draws.
        assert!(counts.iter().all(|&count: &i32| (count - 1000).abs() < 116), "{counts:?}");
        assert_eq!(randomness.bias(mv, 7), randomness.bias(mv, 7));
        assert_eq!(Randomness::new(0), None);
    }

    #[test]
    fn moves_are_preferred_independently_of_each_other() {
        let randomness = Randomness::new(40).unwrap();
        let [a, b] = ["h2e2", "b2e2"].map(|mv| mv.parse().unwrap());
        let first = (0..1000).filter(|&seed| randomness.bias(a, seed) > randomness.bias(b, seed)).count();
        assert!((400..600).contains(&first), "{first}");
    }
}
