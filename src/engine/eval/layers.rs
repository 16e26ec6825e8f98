//! The layers behind the accumulator.
//!
//! Between layers stands SCReLU, x ↦ clamp(x, 0, 1)². The first layer works on integers, the others, which are small,
//! on floating-point numbers. The integer loops are written so that the compiler turns them into vector code.

use super::arch::{DEEP_WEIGHTS, FIRST_LAYER, LAYERS, MAX_OUTPUT, NEURONS, ONE, SQUARED, UNIT};
use super::transformer::HiddenVector;
use crate::score::{MAX_EVAL, Value};

/// The weights of one output bucket in the layers behind the accumulator.
#[derive(Debug, Clone, PartialEq)]
pub struct Layers {
    /// The weights of each neuron of the first layer, for the perspectives of the side to move and of the other side,
    /// in units of 1 / [`UNIT`]. All images of a perspective share them.
    pub first: [[HiddenVector; 2]; FIRST_LAYER],
    /// The biases of the first layer, in units of 1 / ([`SQUARED`] · [`UNIT`]).
    pub first_bias: [i32; FIRST_LAYER],
    /// The layers behind the first one, each as the weights of each of its neurons, neuron by neuron, and then their
    /// biases.
    pub deep: [f32; DEEP_WEIGHTS],
}

impl Layers {
    /// Layers whose weights are all zero.
    pub const BLANK: Layers = Layers {
        first: [[HiddenVector::ZERO; 2]; FIRST_LAYER],
        first_bias: [0; FIRST_LAYER],
        deep: [0.0; DEEP_WEIGHTS],
    };

    /// The value in centipawns, within ±[`MAX_EVAL`], for sums of the accumulator: those of the images of the side to
    /// move, and those of the other side; `scale` is the centipawns of an output of one.
    #[inline]
    pub(super) fn value(&self, perspectives: [&[HiddenVector]; 2], scale: i32) -> Value {
        let first = self.first_layer(perspectives);
        let value = if LAYERS.len() == 1 {
            first[0] * i64::from(scale) / i64::from(SQUARED * UNIT)
        } else {
            let mut sums = [0.0; NEURONS];
            let one = (SQUARED * UNIT) as f32;
            sums.iter_mut().zip(first).for_each(|(sum, integer)| *sum = integer as f32 / one);
            (propagate(&self.deep, &mut sums) * scale as f32) as i64
        };
        value.clamp(i64::from(-MAX_EVAL), i64::from(MAX_EVAL)) as Value
    }

    /// The sums of the first layer, in units of 1 / ([`SQUARED`] · [`UNIT`]).
    #[inline]
    fn first_layer(&self, perspectives: [&[HiddenVector]; 2]) -> [i64; FIRST_LAYER] {
        let mut outputs = self.first_bias.map(i64::from);
        for (side, images) in perspectives.into_iter().enumerate() {
            for sums in images {
                // With several neurons the activations are worth keeping.
                let kept =
                    if FIRST_LAYER == 1 { HiddenVector::ZERO } else { HiddenVector(sums.0.map(activation)) };
                for (output, weights) in outputs.iter_mut().zip(&self.first) {
                    *output += i64::from(match FIRST_LAYER {
                        1 => dot(sums.0.iter().map(|&sum| activation(sum)), &weights[side]),
                        _ => dot(kept.0.into_iter(), &weights[side]),
                    });
                }
            }
        }
        outputs
    }

    /// Whether no sum of the first layer can leave its 32 bits, and all weights are numbers.
    pub(super) fn is_within_limits(&self) -> bool {
        self.first.iter().flatten().all(|vector| vector.is_within(MAX_OUTPUT))
            && self.deep.iter().all(|weight| weight.is_finite())
    }
}

/// The activation clamp(sum, 0, [`ONE`])², in units of 1 / [`SQUARED`].
#[inline]
fn activation(sum: i16) -> i16 {
    let sum = sum.clamp(0, ONE);
    // The upper half of a product of 16-bit numbers, which is one instruction: sum² / 2048.
    ((i32::from(sum << 3) * i32::from(sum << 2)) >> 16) as i16
}

/// The sum Σ weight · activation.
#[inline]
fn dot(activations: impl Iterator<Item = i16>, weights: &HiddenVector) -> i32 {
    activations.zip(&weights.0).map(|(activation, &weight)| i32::from(activation) * i32::from(weight)).sum()
}

/// The activation SCReLU: clamp(sum, 0, 1)².
#[inline]
pub fn screlu(sum: f32) -> f32 {
    let clipped = sum.clamp(0.0, 1.0);
    clipped * clipped
}

/// Computes the sums of all neurons behind the first layer from those of the first layer, and returns the output.
///
/// `sums` holds the sums of all layers in their order, `deep` the weights of [`Layers::deep`].
#[inline]
pub fn propagate(deep: &[f32; DEEP_WEIGHTS], sums: &mut [f32; NEURONS]) -> f32 {
    let (mut weights, mut start) = (&deep[..], 0);
    for pair in LAYERS.windows(2) {
        let (before, size) = (pair[0], pair[1]);
        let (known, next) = sums[start..].split_at_mut(before);
        let (matrix, rest) = weights.split_at(before * size);
        let (biases, rest) = rest.split_at(size);
        for ((sum, row), bias) in next.iter_mut().zip(matrix.chunks_exact(before)).zip(biases) {
            *sum = *bias;
            row.iter()
                .zip(known.iter())
                .for_each(|(weight, &sum_before)| *sum += weight * screlu(sum_before));
        }
        (weights, start) = (rest, start + before);
    }
    sums[NEURONS - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn activations_are_squares_of_clipped_sums() {
        for (sum, wanted) in
            [(-32768, 0), (-1, 0), (0, 0), (512, 128), (1024, 512), (1025, 512), (32767, 512)]
        {
            assert_eq!(activation(sum), wanted, "{sum}");
        }
        assert_eq!([-1.0, 0.5, 2.0].map(screlu), [0.0, 0.25, 1.0]);
    }

    #[test]
    fn deep_layers_are_the_sums_of_their_definition() {
        let deep: [f32; DEEP_WEIGHTS] = std::array::from_fn(|at| (at % 7) as f32 / 8.0 - 0.375);
        let mut sums: [f32; NEURONS] = std::array::from_fn(|at| (at % 5) as f32 / 4.0);
        let mut known: Vec<f32> = sums[..FIRST_LAYER].to_vec();
        let mut at = 0;
        for &size in &LAYERS[1..] {
            let biases = at + known.len() * size;
            let next = (0..size).map(|neuron| {
                let weights = &deep[at + neuron * known.len()..][..known.len()];
                let products = weights.iter().zip(&known).map(|(weight, &sum)| weight * screlu(sum));
                deep[biases + neuron] + products.sum::<f32>()
            });
            known = next.collect();
            at = biases + size;
        }
        assert_eq!(at, DEEP_WEIGHTS);
        assert!((propagate(&deep, &mut sums) - known[0]).abs() < 1e-4);
    }
}
