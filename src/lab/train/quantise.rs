//! From floating-point weights to the integers of [`Network`], and how much is lost on the way.

use rayon::prelude::*;

use super::model::{BIAS, OUTPUT, OUTPUT_BIAS, Part, Rows, blank, output};
use super::sample::Sample;
use juzhong_engine::eval::{self, FEATURES, Network, ONE, SQUARED, UNIT};
use juzhong_engine::score::{MAX_EVAL, Value};
use xiangqi::types::Side;

/// One in the integers of a row's weights.
fn one(row: usize) -> f32 {
    let one = match Part::of(row) {
        Part::Hidden | Part::Bias => i32::from(ONE),
        Part::Output => UNIT,
        Part::OutputBias => SQUARED * UNIT,
    };
    one as f32
}

/// The network with these weights, each rounded to the nearest integer.
pub fn quantised(weights: &Rows, name: &str, scale: u32) -> Network {
    let integers = |row: usize| weights[row].0.map(|weight| (weight * one(row)).round_ties_even() as i32);
    let row = |row: usize| eval::Row(integers(row).map(|integer| integer as i16));
    let mut network = Network::blank(name, scale as i32);
    network.hidden.iter_mut().zip(0..FEATURES).for_each(|(to, from)| *to = row(from));
    network.bias = row(BIAS);
    network.output.iter_mut().flatten().zip(OUTPUT..).for_each(|(to, from)| *to = row(from));
    network.output_bias.iter_mut().zip(integers(OUTPUT_BIAS)).for_each(|(to, bias)| *to = bias);
    network
}

/// The weights that a network's integers stand for, to learn on with.
pub fn restored(network: &Network) -> Box<Rows> {
    let mut weights = blank();
    let inputs = network.hidden[..FEATURES].iter().chain([&network.bias]);
    let rows = inputs.chain(network.output.iter().flatten());
    for (index, (to, from)) in weights.iter_mut().zip(rows).enumerate() {
        to.0.iter_mut().zip(from.0).for_each(|(weight, integer)| *weight = f32::from(integer) / one(index));
    }
    let biases = weights[OUTPUT_BIAS].0.iter_mut().zip(network.output_bias);
    biases.for_each(|(weight, integer)| *weight = integer as f32 / one(OUTPUT_BIAS));
    weights
}

/// By how much the values of integers and floating-point numbers differ, in centipawns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// On average.
    pub mean: f64,
    /// At worst.
    pub most: f64,
}

/// Compares the network with the weights that it comes from.
pub fn difference(network: &Network, weights: &Rows, samples: &[Sample]) -> Difference {
    let differences: Vec<f64> = samples
        .par_iter()
        .map(|sample| {
            let exact = f64::from(output(weights, sample)) * f64::from(network.scale);
            let exact = exact.clamp(f64::from(-MAX_EVAL), f64::from(MAX_EVAL));
            (f64::from(value(network, sample)) - exact).abs()
        })
        .collect();
    Difference {
        mean: differences.iter().sum::<f64>() / differences.len().max(1) as f64,
        most: differences.iter().copied().fold(0.0, f64::max),
    }
}

/// What the network says of a sample.
fn value(network: &Network, sample: &Sample) -> Value {
    let looks = sample.looks();
    let mut sums = looks.iter().map(|inputs| {
        let mut row = network.bias;
        for &input in inputs {
            let weights = &network.hidden[usize::from(input)];
            row.0.iter_mut().zip(&weights.0).for_each(|(sum, weight)| *sum += weight);
        }
        row
    });
    let mut next = || sums.next().unwrap_or(eval::Row::ZERO);
    let mut sight = || eval::Sight([next(), next()]);
    // A sample is seen by its mover: who that is does not matter.
    network.value(&[sight(), sight()], Side::Red, sample.pieces())
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::train::model::random;
    use xiangqi::board::Position;
    use xiangqi::types::Outcome;

    /// Positions of random games.
    fn positions(rng: &mut impl Rng) -> Vec<Position> {
        let mut positions = Vec::new();
        while positions.len() < 400 {
            let mut position = Position::startpos();
            for _ in 0..80 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.make(moves[rng.random_range(0..moves.len())]);
                positions.push(position.clone());
            }
        }
        positions
    }

    #[test]
    fn integers_say_what_the_weights_say_and_what_the_engine_will() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let weights = random(&mut rng);
        let network = quantised(&weights, "test", 400);
        let positions = positions(&mut rng);
        let samples: Vec<Sample> =
            positions.iter().map(|position| Sample::new(position, 0, Outcome::Draw)).collect();
        for (position, sample) in positions.iter().zip(&samples) {
            let wanted = network.value(&network.sums(position), position.side(), position.occupied().len());
            assert_eq!(value(&network, sample), wanted, "{position:?}");
        }
        assert_eq!(quantised(&restored(&network), "test", 400), network);
        let found = difference(&network, &weights, &samples);
        assert!(found.mean < 3.0 && found.most < 10.0, "{found:?}");
        let mut other = weights.clone();
        other[BIAS].0[0] += 0.2;
        assert!(difference(&network, &other, &samples).mean > found.mean);
        assert_eq!(Network::from_bytes(&network.to_bytes()).as_ref(), Ok(&network));
    }
}
