//! AdamW: each weight goes down its slope at a pace of its own (Kingma and Ba 2015; decay apart from the gradient
//! as in Loshchilov and Hutter 2019).

use rayon::prelude::*;

use super::model::{Part, Row, Rows, blank};
use juzhong_engine::eval::{MAX_HIDDEN, MAX_OUTPUT, ONE, UNIT};

/// How slowly the mean of the gradient is forgotten.
const FIRST: f64 = 0.9;
/// How slowly the mean of its square is forgotten.
const SECOND: f64 = 0.999;
/// Keeps weights that were never touched from being divided by zero.
const TINY: f32 = 1e-8;
/// By how much of the rate weights shrink a step; biases do not.
const DECAY: f64 = 0.01;
/// Rows that are not worth dividing among threads.
const FEW: usize = 32;

/// What the optimiser remembers of each weight.
#[derive(Debug, Clone, PartialEq)]
pub struct Moments {
    /// The mean of the gradient.
    pub first: Box<Rows>,
    /// The mean of its square.
    pub second: Box<Rows>,
}

impl Moments {
    /// Nothing was seen yet.
    pub fn new() -> Moments {
        Moments { first: blank(), second: blank() }
    }

    /// Moves all weights by step `number`, counted from 1, at `rate`; `gradient` gives that of a row. No weight
    /// leaves the range that its integer has.
    pub fn step(
        &mut self,
        weights: &mut Rows,
        gradient: impl Fn(usize) -> Row + Sync,
        number: u64,
        rate: f64,
    ) {
        // The means begin at zero; this makes up for it.
        let corrected = |memory: f64| 1.0 - memory.powf(number as f64);
        let pace = (rate / corrected(FIRST)) as f32;
        let spread = (1.0 / corrected(SECOND)) as f32;
        let rows = weights.par_iter_mut().zip(self.first.par_iter_mut()).zip(self.second.par_iter_mut());
        rows.with_min_len(FEW).enumerate().for_each(|(index, ((weights, first), second))| {
            let part = Part::of(index);
            let (limit, kept) = (limit(part), (1.0 - rate * decay(part)) as f32);
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
fn limit(part: Part) -> f32 {
    match part {
        Part::Hidden | Part::Bias => f32::from(MAX_HIDDEN) / f32::from(ONE),
        Part::Output => f32::from(MAX_OUTPUT) / UNIT as f32,
        Part::OutputBias => f32::MAX,
    }
}

fn decay(part: Part) -> f64 {
    match part {
        Part::Hidden | Part::Output => DECAY,
        Part::Bias | Part::OutputBias => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::model::{BIAS, OUTPUT, OUTPUT_BIAS};
    use juzhong_engine::eval::HIDDEN;

    #[test]
    fn the_first_step_is_as_long_as_the_rate_and_downhill() {
        let (mut weights, mut moments) = (blank(), Moments::new());
        moments.step(&mut weights, |index| Row([if index == 3 { 5.0 } else { -0.02 }; HIDDEN]), 1, 0.1);
        assert!(weights[3].0.iter().all(|weight| (weight + 0.1).abs() < 1e-4));
        assert!(weights[OUTPUT_BIAS].0.iter().all(|weight| (weight - 0.1).abs() < 1e-4));
    }

    #[test]
    fn a_lowest_point_is_found() {
        let (mut weights, mut moments) = (blank(), Moments::new());
        for number in 1..=500 {
            let slopes: Vec<Row> = weights.iter().map(|row| Row(row.0.map(|weight| weight - 0.5))).collect();
            moments.step(&mut weights, |index| slopes[index], number, 0.02);
        }
        assert!((weights[BIAS].0[0] - 0.5).abs() < 0.01, "{}", weights[BIAS].0[0]);
    }

    #[test]
    fn weights_decay_and_stay_in_range_while_biases_do_not_decay() {
        let (mut weights, mut moments) = (blank(), Moments::new());
        weights.fill(Row([0.9; HIDDEN]));
        moments.step(&mut weights, |_| Row::ZERO, 1, 0.5);
        let wanted = [(0, 0.8955), (BIAS, 0.9), (OUTPUT, 0.8955), (OUTPUT_BIAS, 0.9)];
        for (row, wanted) in wanted {
            assert!((weights[row].0[0] - wanted).abs() < 1e-6, "{row}");
        }
        for number in 2..=20 {
            moments.step(&mut weights, |_| Row([-1.0; HIDDEN]), number, 1.0);
        }
        let units = |row: usize, one: i32| weights[row].0.map(|weight| (weight * one as f32).round() as i16);
        assert_eq!(units(0, i32::from(ONE)), [MAX_HIDDEN; HIDDEN]);
        assert_eq!(units(OUTPUT, UNIT), [MAX_OUTPUT; HIDDEN]);
    }
}
