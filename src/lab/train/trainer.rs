//! The training of a network, epoch by epoch.
//!
//! A batch is cut into slices, however many threads there are; each sums its gradients for itself, and the sums are
//! added in the order of the slices. So the same data, settings and seed give the same network bit for bit. Everything
//! random in an epoch follows from the seed and the number of the epoch.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::dataset::Dataset;
use super::model::{WeightVector, Weights, blank, error, learn, random};
use super::optimiser::Moments;
use super::sample::TrainingPosition;
use super::schedule::TrainingSchedule;
use super::target::TrainingTarget;

/// The number of parts of a batch that are computed in parallel.
const SLICES: usize = 16;
/// The number of positions that are validated at a time.
const CHUNK: usize = 4096;

/// The settings of a training.
#[derive(Debug, Clone, Copy)]
pub struct TrainingPlan {
    /// How often to go through all positions.
    pub epochs: u32,
    /// The number of positions in a step.
    pub batch: usize,
    /// The learning rate at the beginning and at the end.
    pub rate: [f64; 2],
    /// The share of the result in the target at the beginning and at the end.
    pub blend: [f64; 2],
    /// The centipawns of an output of one.
    pub scale: u32,
    /// The seed of the first weights and of the order of the positions.
    pub seed: u64,
}

/// Everything that training changes, which is all that is needed to continue.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainingState {
    /// The number of epochs done.
    pub epochs: u32,
    /// The weights.
    pub weights: Box<Weights>,
    /// The moments of the optimiser.
    pub moments: Moments,
}

/// The losses of one epoch.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Losses {
    /// The learning rate at its beginning.
    pub rate: f64,
    /// The mean error over the epoch at the positions learnt from, before they were learnt from.
    pub training: f64,
    /// The mean error after it at the positions held out, with the targets of the last step of all.
    pub validation: f64,
}

/// A part of a batch.
struct GradientSlice {
    gradient: Box<Weights>,
    error: f64,
}

/// Trains a network with a dataset.
pub struct Trainer<'a> {
    dataset: &'a Dataset,
    plan: TrainingPlan,
    schedule: TrainingSchedule,
    state: TrainingState,
    slices: Vec<GradientSlice>,
}

impl TrainingState {
    /// A state that begins with random weights.
    pub fn new(seed: u64) -> TrainingState {
        TrainingState::from_weights(random(&mut stream(seed, 0)))
    }

    /// A state that begins with given weights.
    pub fn from_weights(weights: Box<Weights>) -> TrainingState {
        TrainingState { epochs: 0, weights, moments: Moments::new() }
    }
}

/// The random numbers of an epoch, where epoch 0 stands for the first weights.
fn stream(seed: u64, epoch: u32) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(epoch.into());
    rng
}

impl<'a> Trainer<'a> {
    /// A trainer that continues from a state.
    pub fn new(dataset: &'a Dataset, plan: TrainingPlan, state: TrainingState) -> Trainer<'a> {
        let batches = dataset.training.len().div_ceil(plan.batch) as u64;
        let schedule =
            TrainingSchedule { rate: plan.rate, blend: plan.blend, steps: batches * u64::from(plan.epochs) };
        let slices = (0..SLICES).map(|_| GradientSlice { gradient: blank(), error: 0.0 }).collect();
        Trainer { dataset, plan, schedule, state, slices }
    }

    /// The state after the epochs so far.
    pub fn state(&self) -> &TrainingState {
        &self.state
    }

    /// How many positions there are to learn from.
    pub fn positions(&self) -> usize {
        self.dataset.training.len()
    }

    /// Goes through all positions once, and calls `learnt` with the size of each batch.
    pub fn epoch(&mut self, mut learnt: impl FnMut(usize)) -> Losses {
        let samples = &self.dataset.training;
        let mut order: Vec<u32> = (0..samples.len() as u32).collect();
        order.shuffle(&mut stream(self.plan.seed, self.state.epochs + 1));
        let batches = order.chunks(self.plan.batch);
        let first = u64::from(self.state.epochs) * batches.len() as u64;
        let mut sum = 0.0;
        for (number, batch) in (first..).zip(batches) {
            sum += self.step(number, batch);
            learnt(batch.len());
        }
        self.state.epochs += 1;
        Losses {
            rate: self.schedule.rate(first),
            training: sum / samples.len() as f64,
            validation: self.validate(&self.state.weights),
        }
    }

    /// Learns from a batch, and returns the sum of the errors.
    fn step(&mut self, number: u64, batch: &[u32]) -> f64 {
        let target = self.target(number);
        let (samples, TrainingState { weights, moments, .. }) = (&self.dataset.training, &mut self.state);
        let parts = batch.par_chunks(batch.len().div_ceil(SLICES));
        let used = parts.len();
        self.slices
            .par_iter_mut()
            .zip(parts)
            .for_each(|(slice, part)| slice.learn(weights, samples, part, target));
        let (slices, share) = (&self.slices[..used], 1.0 / batch.len() as f32);
        let gradient = |index: usize| {
            let mut vector = WeightVector::ZERO;
            slices.iter().for_each(|slice| vector.add(&slice.gradient[index]));
            vector.scaled(share)
        };
        moments.step(weights, gradient, number + 1, self.schedule.rate(number));
        slices.iter().map(|slice| slice.error).sum()
    }

    fn target(&self, number: u64) -> TrainingTarget {
        TrainingTarget { scale: self.plan.scale as f32, blend: self.schedule.blend(number) as f32 }
    }

    /// The mean error of weights at the positions held out, with the targets of the last step of all.
    pub fn validate(&self, weights: &Weights) -> f64 {
        let (samples, target) =
            (&self.dataset.validation, self.target(self.schedule.steps.saturating_sub(1)));
        let errors: Vec<f64> = samples
            .par_chunks(CHUNK)
            .map(|chunk| {
                chunk.iter().map(|sample| f64::from(error(weights, sample, target.of(sample)))).sum()
            })
            .collect();
        errors.iter().sum::<f64>() / samples.len() as f64
    }
}

impl GradientSlice {
    fn learn(
        &mut self,
        weights: &Weights,
        samples: &[TrainingPosition],
        part: &[u32],
        target: TrainingTarget,
    ) {
        self.gradient.fill(WeightVector::ZERO);
        // Fetched in one go: the processor can wait for many far places of memory at a time.
        let samples: Vec<TrainingPosition> = part.iter().map(|&index| samples[index as usize]).collect();
        let errors = samples
            .iter()
            .map(|sample| f64::from(learn(weights, sample, target.of(sample), &mut self.gradient)));
        self.error = errors.sum();
    }
}
