//! AdamW: each weight goes down its slope at a pace of its own (Kingma and Ba 2015; decay apart from the gradient
//! as in Loshchilov and Hutter 2019).

use rayon::prelude::*;

use super::model::{WeightGroup, WeightVector, Weights, blank};
use juzhong_engine::eval::arch::{MAX_HIDDEN, MAX_OUTPUT, ONE, UNIT};

/// The decay rate of the mean of the gradient.
const FIRST: f64 = 0.9;
/// The decay rate of the mean of the squared gradient.
const SECOND: f64 = 0.999;
/// The number that keeps the step of a weight without gradients from dividing by zero.
const TINY: f32 = 1e-8;
/// The share of the learning rate by which weights shrink each step; biases do not shrink.
const DECAY: f64 = 0.01;
/// The number of weight vectors below which work is not worth dividing among threads.
const FEW: usize = 32;

/// What the optimiser remembers of each weight.
#[derive(Debug, Clone, PartialEq)]
pub struct Moments {
    /// The mean of the gradient.
    pub first: Box<Weights>,
    /// The mean of the squared gradient.
    pub second: Box<Weights>,
}

impl Moments {
    /// Moments before the first gradient.
    pub fn new() -> Moments {
        Moments { first: blank(), second: blank() }
    }

    /// Moves all weights by step `number`, counted from 1, at `rate`; `gradient` gives that of a vector. No weight
    /// leaves the range that its integer has.
    pub fn step(
        &mut self,
        weights: &mut Weights,
        gradient: impl Fn(usize) -> WeightVector + Sync,
        number: u64,
        rate: f64,
    ) {
        // The means begin at zero; this makes up for it.
        let corrected = |memory: f64| 1.0 - memory.powf(number as f64);
        let pace = (rate / corrected(FIRST)) as f32;
        let spread = (1.0 / corrected(SECOND)) as f32;
        let vectors = weights.par_iter_mut().zip(self.first.par_iter_mut()).zip(self.second.par_iter_mut());
        vectors.with_min_len(FEW).enumerate().for_each(|(index, ((weights, first), second))| {
            let group = WeightGroup::of(index);
            let (limit, kept) = (limit(group), (1.0 - rate * decay(group)) as f32);
            let gradient = gradient(index);
            let means = first.0.iter_mut().zip(&mut second.0);
            let weights = weights.0.iter_mut().zip(&gradient.0).zip(means);
            weights.for_each(|((weight, gradient), (first, second))| {
                *first += (1.0 - FIRST as f32) * (gradient - *first);
                *second += (1.0 - SECOND as f32) * (gradient * gradient - *second);
                let step = pace * *first / ((*second * spread).sqrt() + TINY);
                *weight = (*weight * kept - step).clamp(-limit, limit);
            });
        });
    }
}

/// The largest weight whose integer is allowed.
fn limit(group: WeightGroup) -> f32 {
    match group {
        WeightGroup::Transformer | WeightGroup::TransformerBias => f32::from(MAX_HIDDEN) / f32::from(ONE),
        WeightGroup::First => f32::from(MAX_OUTPUT) / UNIT as f32,
        WeightGroup::Deep => f32::MAX,
    }
}

fn decay(group: WeightGroup) -> f64 {
    match group {
        WeightGroup::Transformer | WeightGroup::First => DECAY,
        WeightGroup::TransformerBias | WeightGroup::Deep => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::model::{BIAS, DEEP, FIRST};
    use juzhong_engine::eval::arch::HIDDEN;

    #[test]
    fn the_first_step_is_as_long_as_the_rate_and_downhill() {
        let (mut weights, mut moments) = (blank(), Moments::new());
        moments.step(
            &mut weights,
            |index| WeightVector([if index == 3 { 5.0 } else { -0.02 }; HIDDEN]),
            1,
            0.1,
        );
        assert!(weights[3].0.iter().all(|weight| (weight + 0.1).abs() < 1e-4));
        assert!(weights[DEEP].0.iter().all(|weight| (weight - 0.1).abs() < 1e-4));
    }

    #[test]
    fn a_lowest_point_is_found() {
        let (mut weights, mut moments) = (blank(), Moments::new());
        for number in 1..=500 {
            let slopes: Vec<WeightVector> =
                weights.iter().map(|row| WeightVector(row.0.map(|weight| weight - 0.5))).collect();
            moments.step(&mut weights, |index| slopes[index], number, 0.02);
        }
        assert!((weights[BIAS].0[0] - 0.5).abs() < 0.01, "{}", weights[BIAS].0[0]);
    }

    #[test]
    fn weights_decay_and_stay_in_range_while_biases_do_not_decay() {
        let (mut weights, mut moments) = (blank(), Moments::new());
        weights.fill(WeightVector([0.9; HIDDEN]));
        moments.step(&mut weights, |_| WeightVector::ZERO, 1, 0.5);
        let wanted = [(0, 0.8955), (BIAS, 0.9), (FIRST, 0.8955), (DEEP, 0.9)];
        for (row, wanted) in wanted {
            assert!((weights[row].0[0] - wanted).abs() < 1e-6, "{row}");
        }
        for number in 2..=20 {
            moments.step(&mut weights, |_| WeightVector([-1.0; HIDDEN]), number, 1.0);
        }
        let units = |row: usize, one: i32| weights[row].0.map(|weight| (weight * one as f32).round() as i16);
        assert_eq!(units(0, i32::from(ONE)), [MAX_HIDDEN; HIDDEN]);
        assert_eq!(units(FIRST, UNIT), [MAX_OUTPUT; HIDDEN]);
    }
}
