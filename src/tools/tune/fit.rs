//! The fit itself: squared error of the expected score against the result, and Adam to lower it.
//!
//! Texel's method (Peter Österlund, 2014): the expected score of a position is 1 / (1 + exp(-value / spread)).
//! The value is linear in the weights, so the gradient is exact. Steps are Adam's (Kingma and Ba, 2014); a
//! weak pull towards the start keeps weights in place that the games hardly touch.

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rayon::prelude::*;

use super::games::Sample;

/// Weights in fractions of a centipawn: middle game and endgame of each slot.
pub type Weights = Vec<[f32; 2]>;

/// Samples whose gradient makes one step.
const BATCH: usize = 8192;
/// Decay of Adam's running means of the gradient and of its square.
const BETA: [f32; 2] = [0.9, 0.999];
/// How strongly weights are pulled back to where they began, a step and centipawn of distance.
const PULL: f32 = 1e-9;

/// The value of a sample for Red in centipawns.
pub fn value(sample: &Sample, weights: &Weights) -> f32 {
    let [mut middle, mut end] = [0.0, 0.0];
    for &(slot, count) in &sample.counts {
        let [m, e] = weights[slot as usize];
        middle += m * f32::from(count);
        end += e * f32::from(count);
    }
    (middle * sample.phase + end * (1.0 - sample.phase)) * sample.scale
}

/// The expected score for Red, 0 to 1.
fn expected(value: f32, spread: f32) -> f32 {
    1.0 / (1.0 + (-value / spread).exp())
}

/// Mean squared error over the samples; 0 of none.
pub fn loss(samples: &[Sample], weights: &Weights, spread: f32) -> f64 {
    let sum: f64 = samples
        .par_iter()
        .map(|sample| f64::from(expected(value(sample, weights), spread) - sample.result).powi(2))
        .sum();
    sum / samples.len().max(1) as f64
}

/// The spread in centipawns that fits these weights best, by golden-section search.
pub fn best_spread(samples: &[Sample], weights: &Weights) -> f32 {
    let golden = (5f32.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (20.0, 2000.0);
    while high - low > 0.5 {
        let step = golden * (high - low);
        if loss(samples, weights, high - step) < loss(samples, weights, low + step) {
            high = low + step;
        } else {
            low = high - step;
        }
    }
    (low + high) / 2.0
}

/// Root mean square of the values, in centipawns.
fn magnitude(samples: &[Sample], weights: &Weights) -> f32 {
    let sum: f64 = samples.par_iter().map(|sample| f64::from(value(sample, weights)).powi(2)).sum();
    (sum / samples.len().max(1) as f64).sqrt() as f32
}

/// `weights` times a factor that brings their values to the magnitude of those of `model`: the margins of
/// the search are in centipawns and must keep their meaning.
pub fn rescaled(weights: &Weights, model: &Weights, samples: &[Sample]) -> Weights {
    let factor = magnitude(samples, model) / magnitude(samples, weights).max(1e-6);
    weights.iter().map(|pair| pair.map(|weight| weight * factor)).collect()
}

/// The gradient of the summed error of a batch.
fn gradient(batch: &[&Sample], weights: &Weights, spread: f32) -> Weights {
    let zero = || vec![[0.0; 2]; weights.len()];
    batch
        .par_chunks(BATCH / 8)
        .map(|chunk| {
            let mut sum = zero();
            for sample in chunk {
                let score = expected(value(sample, weights), spread);
                let slope = 2.0 * (score - sample.result) * score * (1.0 - score) / spread * sample.scale;
                for &(slot, count) in &sample.counts {
                    let step = slope * f32::from(count);
                    sum[slot as usize][0] += step * sample.phase;
                    sum[slot as usize][1] += step * (1.0 - sample.phase);
                }
            }
            sum
        })
        .reduce(zero, |mut left, right| {
            left.iter_mut().zip(right).for_each(|(a, b)| *a = [a[0] + b[0], a[1] + b[1]]);
            left
        })
}

/// Adam with its memory.
pub struct Fitter {
    /// The weights so far.
    pub weights: Weights,
    start: Weights,
    mean: Weights,
    square: Weights,
    steps: i32,
    spread: f32,
    rng: StdRng,
}

impl Fitter {
    /// Begins at `weights`, with the order of the samples drawn from `seed`.
    pub fn new(weights: Weights, spread: f32, seed: u64) -> Fitter {
        let zero = vec![[0.0; 2]; weights.len()];
        let start = weights.clone();
        Fitter {
            weights,
            start,
            mean: zero.clone(),
            square: zero,
            steps: 0,
            spread,
            rng: StdRng::seed_from_u64(seed),
        }
    }

    /// Goes once through all samples in random order, with steps of about `rate` centipawns.
    pub fn epoch(&mut self, samples: &[Sample], rate: f32) {
        let mut order: Vec<&Sample> = samples.iter().collect();
        order.shuffle(&mut self.rng);
        for batch in order.chunks(BATCH) {
            let gradient = gradient(batch, &self.weights, self.spread);
            self.step(&gradient, 1.0 / batch.len() as f32, rate);
        }
    }

    fn step(&mut self, gradient: &Weights, share: f32, rate: f32) {
        self.steps += 1;
        let [first, second] = BETA.map(|beta| 1.0 - beta.powi(self.steps));
        let memory = self.mean.as_flattened_mut().iter_mut().zip(self.square.as_flattened_mut());
        let known = gradient.as_flattened().iter().zip(self.start.as_flattened());
        for (weight, ((mean, square), (slope, start))) in
            self.weights.as_flattened_mut().iter_mut().zip(memory.zip(known))
        {
            let slope = slope * share + PULL * (*weight - start);
            *mean += (1.0 - BETA[0]) * (slope - *mean);
            *square += (1.0 - BETA[1]) * (slope * slope - *square);
            *weight -= rate * (*mean / first) / ((*square / second).sqrt() + 1e-12);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;

    /// Samples drawn from known weights: the result is a coin with the expected score as its bias.
    fn drawn(weights: &Weights, spread: f32, size: usize) -> Vec<Sample> {
        let mut rng = StdRng::seed_from_u64(7);
        (0..size)
            .map(|_| {
                let counts = (0..weights.len() as u16).map(|slot| (slot, rng.random_range(-2..=2))).collect();
                let mut sample = Sample { counts, phase: rng.random(), scale: 1.0, result: 0.0 };
                sample.result = f32::from(rng.random::<f32>() < expected(value(&sample, weights), spread));
                sample
            })
            .collect()
    }

    fn truth() -> Weights {
        vec![[100.0, 50.0], [-30.0, 80.0], [10.0, 10.0]]
    }

    #[test]
    fn the_gradient_agrees_with_finite_differences() {
        let samples = drawn(&truth(), 150.0, 200);
        let batch: Vec<_> = samples.iter().collect();
        let weights = vec![[20.0, -10.0], [5.0, 40.0], [0.0, -60.0]];
        let exact = gradient(&batch, &weights, 150.0);
        for (slot, half) in (0..3).flat_map(|slot| [(slot, 0), (slot, 1)]) {
            let at = |shift: f32| {
                let mut moved = weights.clone();
                moved[slot][half] += shift;
                loss(&samples, &moved, 150.0) * samples.len() as f64
            };
            let slope = (at(0.5) - at(-0.5)) as f32;
            assert!((slope - exact[slot][half]).abs() < 0.01 * slope.abs() + 1e-3, "{slope} {exact:?}");
        }
    }

    #[test]
    fn known_weights_are_found_again() {
        let samples = drawn(&truth(), 150.0, 40_000);
        assert!((best_spread(&samples, &truth()) - 150.0).abs() < 10.0);
        let mut fitter = Fitter::new(vec![[0.0; 2]; 3], 150.0, 1);
        let before = loss(&samples, &fitter.weights, 150.0);
        for epoch in 0..60 {
            fitter.epoch(&samples, if epoch < 40 { 2.0 } else { 0.2 });
        }
        assert!(loss(&samples, &fitter.weights, 150.0) < before);
        for (found, wanted) in fitter.weights.iter().flatten().zip(truth().iter().flatten()) {
            assert!((found - wanted).abs() < 12.0, "{:?}", fitter.weights);
        }
    }

    #[test]
    fn rescaling_keeps_the_proportions_and_the_magnitude() {
        let samples = drawn(&truth(), 150.0, 500);
        let twice: Weights = truth().iter().map(|pair| pair.map(|weight| weight * 2.0)).collect();
        let back = rescaled(&twice, &truth(), &samples);
        for (found, wanted) in back.iter().flatten().zip(truth().iter().flatten()) {
            assert!((found - wanted).abs() < 0.01, "{back:?}");
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_weights() {
        let samples = drawn(&truth(), 150.0, 20_000);
        let run = |seed| {
            let mut fitter = Fitter::new(vec![[0.0; 2]; 3], 150.0, seed);
            fitter.epoch(&samples, 1.0);
            fitter.weights
        };
        assert_eq!(run(3), run(3));
        assert_ne!(run(3), run(4));
    }
}
