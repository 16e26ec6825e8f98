//! From floating-point weights to the integers of [`Network`], and how much is lost on the way.

use rayon::prelude::*;

use super::model::{
    BIAS, DEEP, FIRST, WeightGroup, WeightVector, Weights, blank, deep_number, deep_numbers, output,
};
use super::sample::TrainingPosition;
use juzhong_engine::eval::arch::{FIRST_LAYER, INPUTS, ONE, SQUARED, UNIT, output_bucket};
use juzhong_engine::eval::{HiddenVector, Network};
use juzhong_engine::score::{MAX_EVAL, Value};

/// One in the integers of a vector's weights.
fn one(vector: usize) -> f32 {
    match WeightGroup::of(vector) {
        WeightGroup::Transformer | WeightGroup::TransformerBias => f32::from(ONE),
        WeightGroup::First => UNIT as f32,
        WeightGroup::Deep => BIAS_ONE,
    }
}

/// One in the integers of the biases of the first layer.
const BIAS_ONE: f32 = (SQUARED * UNIT) as f32;

/// A weight in units of 1 / `one`, rounded to the nearest integer.
fn integer(weight: f32, one: f32) -> i32 {
    (weight * one).round_ties_even() as i32
}

/// The network with these weights, each that has to be one rounded to the nearest integer.
pub fn quantised(weights: &Weights, name: &str, scale: u32) -> Network {
    let vector = |at: usize| HiddenVector(weights[at].0.map(|weight| integer(weight, one(at)) as i16));
    let mut network = Network::blank(name, scale as i32);
    network.transformer.weights.iter_mut().zip(0..INPUTS).for_each(|(to, from)| *to = vector(from));
    network.transformer.bias = vector(BIAS);
    let first = network.layers.iter_mut().flat_map(|layers| layers.first.iter_mut().flatten());
    first.zip(FIRST..DEEP).for_each(|(to, from)| *to = vector(from));
    for (bucket, layers) in network.layers.iter_mut().enumerate() {
        let numbers = deep_numbers(weights, bucket);
        let (biases, deep) = numbers.split_at(FIRST_LAYER);
        layers.first_bias.iter_mut().zip(biases).for_each(|(to, &bias)| *to = integer(bias, BIAS_ONE));
        layers.deep.copy_from_slice(deep);
    }
    network
}

/// The weights that a network's integers stand for, to learn on with.
pub fn restored(network: &Network) -> Box<Weights> {
    let mut weights = blank();
    let transformer = network.transformer.weights[..INPUTS].iter().chain([&network.transformer.bias]);
    let vectors = transformer.chain(network.layers.iter().flat_map(|layers| layers.first.iter().flatten()));
    for (index, (WeightVector(to), from)) in weights.iter_mut().zip(vectors).enumerate() {
        to.iter_mut().zip(from.0).for_each(|(weight, integer)| *weight = f32::from(integer) / one(index));
    }
    for (bucket, layers) in network.layers.iter().enumerate() {
        let biases = layers.first_bias.map(|bias| bias as f32 / BIAS_ONE);
        let numbers = biases.into_iter().chain(layers.deep);
        (0..).zip(numbers).for_each(|(at, number)| *deep_number(&mut weights, bucket, at) = number);
    }
    weights
}

/// By how much the values of integers and floating-point numbers differ, in centipawns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuantisationLoss {
    /// On average.
    pub mean: f64,
    /// At worst.
    pub most: f64,
}

/// Compares the network with the weights that it comes from.
pub fn difference(network: &Network, weights: &Weights, samples: &[TrainingPosition]) -> QuantisationLoss {
    let differences: Vec<f64> = samples
        .par_iter()
        .map(|sample| {
            let exact = f64::from(output(weights, sample)) * f64::from(network.scale);
            let exact = exact.clamp(f64::from(-MAX_EVAL), f64::from(MAX_EVAL));
            (f64::from(value(network, sample)) - exact).abs()
        })
        .collect();
    QuantisationLoss {
        mean: differences.iter().sum::<f64>() / differences.len().max(1) as f64,
        most: differences.iter().copied().fold(0.0, f64::max),
    }
}

/// What the network says of a sample.
fn value(network: &Network, sample: &TrainingPosition) -> Value {
    network.value_of_inputs(sample.inputs().iter(), output_bucket(sample.pieces()))
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
        let samples: Vec<TrainingPosition> =
            positions.iter().map(|position| TrainingPosition::new(position, 0, Outcome::Draw)).collect();
        for (position, sample) in positions.iter().zip(&samples) {
            let wanted = network.evaluate(position, position.side());
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
