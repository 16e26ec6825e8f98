//! The targets of the network: the chances of the mover, from the score of a search and the result of the game.

use std::collections::BTreeMap;

use super::model::chance;
use super::sample::TrainingPosition;

/// The range within which the scale is fitted, in centipawns.
const SCALES: [f64; 2] = [20.0, 5000.0];

/// How targets are made.
#[derive(Debug, Clone, Copy)]
pub struct TrainingTarget {
    /// Centipawns by which the odds change by a factor of e.
    pub scale: f32,
    /// The share of the result, 0 to 1.
    pub blend: f32,
}

impl TrainingTarget {
    /// The target (1 - blend) · 1 / (1 + exp(-score / scale)) + blend · result.
    #[inline]
    pub fn of(&self, sample: &TrainingPosition) -> f32 {
        let score = chance(f32::from(sample.score()) / self.scale);
        score + self.blend * (sample.result() - score)
    }
}

/// The scale with which scores tell results best (least squares), in whole centipawns.
pub fn fitted_scale(samples: &[TrainingPosition]) -> u32 {
    // Positions with one score have one error: there are far fewer scores than positions.
    let mut by_score = BTreeMap::<i16, [f64; 3]>::new();
    for sample in samples {
        let result = f64::from(sample.result());
        let sums = by_score.entry(sample.score()).or_default();
        sums.iter_mut().zip([1.0, result, result * result]).for_each(|(sum, number)| *sum += number);
    }
    let error = |logarithm: f64| -> f64 {
        let scale = logarithm.exp();
        let errors = by_score.iter().map(|(&score, [count, results, squares])| {
            let chance = 1.0 / (1.0 + (-f64::from(score) / scale).exp());
            count * chance * chance - 2.0 * chance * results + squares
        });
        errors.sum()
    };
    let [mut low, mut high] = SCALES.map(f64::ln);
    while high - low > 1e-4 {
        let third = (high - low) / 3.0;
        if error(low + third) < error(high - third) { high -= third } else { low += third }
    }
    low.exp().round() as u32
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use xiangqi::board::Position;
    use xiangqi::types::{Outcome, Side};

    #[test]
    fn a_target_is_between_score_and_result() {
        let sample = TrainingPosition::new(&Position::startpos(), 300, Outcome::Win(Side::Black));
        let of = |blend| TrainingTarget { scale: 300.0, blend }.of(&sample);
        assert!((of(0.0) - 0.731_058_6).abs() < 1e-6);
        assert!((of(0.5) - 0.365_529_3).abs() < 1e-6);
        assert!(of(1.0).abs() < 1e-6);
    }

    #[test]
    fn the_scale_that_made_the_results_is_found() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let position = Position::startpos();
        let samples: Vec<TrainingPosition> = (0..40_000)
            .map(|_| {
                let score = rng.random_range(-1000..=1000);
                let wins = rng.random::<f32>() < chance(score as f32 / 250.0);
                TrainingPosition::new(
                    &position,
                    score,
                    Outcome::Win(if wins { Side::Red } else { Side::Black }),
                )
            })
            .collect();
        let scale = fitted_scale(&samples);
        assert!(scale.abs_diff(250) < 12, "{scale}");
    }
}
