//! The network while it learns: floating-point weights, its output, and the gradient of its error.
//!
//! With s the sums of an image, c = clamp(s, 0, 1) and w the weights of the output bucket for its perspective, the sums
//! of the first layer are bias + Σ w · c², and those of the layers behind it follow by [`propagate`]. Of the output,
//!
//! chance = 1 / (1 + exp(-output)), error = (chance - target)².
//!
//! Weights, gradients and everything else with one number per weight share one shape, [`Weights`], so that code that
//! treats all weights alike need not know what they are.

use rand::Rng;

use super::sample::{ActiveInputs, IMAGES, PIECES, TrainingPosition};
use juzhong_engine::eval::arch::{
    DEEP_WEIGHTS, FIRST_LAYER, HIDDEN, INPUTS, InputSet, Inputs, LAYERS, NEURONS, OUTPUT_BUCKETS,
    output_bucket,
};
use juzhong_engine::eval::{propagate, screlu};

/// One number for each neuron of the feature transformer.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
pub struct WeightVector(pub [f32; HIDDEN]);

/// The index of the vector of the biases of the feature transformer.
pub const BIAS: usize = INPUTS;
/// The index of the first vector of the weights of the first layer: for each bucket and neuron, those for the mover's
/// perspective and then the other's.
pub const FIRST: usize = BIAS + 1;
/// The index of the first vector of the biases of the first layer and the numbers of the layers behind it, one bucket
/// after the other.
pub const DEEP: usize = FIRST + 2 * FIRST_LAYER * OUTPUT_BUCKETS;
/// The numbers of one bucket there: the biases of the first layer, then the weights of the others.
const DEEP_NUMBERS: usize = FIRST_LAYER + DEEP_WEIGHTS;
/// How many vectors there are.
pub const VECTORS: usize = DEEP + (OUTPUT_BUCKETS * DEEP_NUMBERS).div_ceil(HIDDEN);

/// Weights, or one number for each of them: a vector an input, then the vectors named above.
pub type Weights = [WeightVector; VECTORS];

/// What the weights of a vector are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WeightGroup {
    /// From inputs to the neurons of the feature transformer.
    Transformer,
    /// The biases of the feature transformer.
    TransformerBias,
    /// From the accumulator to the first layer.
    First,
    /// The biases of the first layer, and the layers behind it.
    Deep,
}

impl WeightGroup {
    /// What the weights of a vector are for.
    #[inline]
    pub fn of(vector: usize) -> WeightGroup {
        match vector {
            ..BIAS => WeightGroup::Transformer,
            BIAS => WeightGroup::TransformerBias,
            FIRST..DEEP => WeightGroup::First,
            _ => WeightGroup::Deep,
        }
    }
}

impl WeightVector {
    /// Nothing.
    pub const ZERO: WeightVector = WeightVector([0.0; HIDDEN]);

    /// Adds another vector.
    #[inline]
    pub fn add(&mut self, other: &WeightVector) {
        self.0.iter_mut().zip(&other.0).for_each(|(sum, number)| *sum += number);
    }

    /// Adds `factor` times another vector.
    #[inline]
    fn add_scaled(&mut self, other: &WeightVector, factor: f32) {
        self.0.iter_mut().zip(&other.0).for_each(|(sum, number)| *sum += factor * number);
    }

    /// All numbers times `factor`.
    #[inline]
    pub fn scaled(&self, factor: f32) -> WeightVector {
        self.map(|number| number * factor)
    }

    #[inline]
    fn map(&self, change: impl Fn(f32) -> f32) -> WeightVector {
        WeightVector(self.0.map(change))
    }

    #[inline]
    fn times(&self, other: &WeightVector) -> WeightVector {
        let mut product = *self;
        product.0.iter_mut().zip(&other.0).for_each(|(number, factor)| *number *= factor);
        product
    }

    /// The sum of all numbers, in an order that suits vector code.
    #[inline]
    fn total(&self) -> f32 {
        let mut lanes = [0.0; 8];
        for chunk in self.0.chunks_exact(8) {
            lanes.iter_mut().zip(chunk).for_each(|(lane, number)| *lane += number);
        }
        lanes.iter().sum()
    }
}

/// Zeros, on the heap.
pub fn blank() -> Box<Weights> {
    let vectors = vec![WeightVector::ZERO; VECTORS].into_boxed_slice();
    vectors.try_into().unwrap_or_else(|_| unreachable!("the length is right"))
}

/// Random weights to begin with.
///
/// SCReLU is flat below 0 and above 1, so the sums begin between.
pub fn random(rng: &mut impl Rng) -> Box<Weights> {
    let mut weights = blank();
    let reach = (1.0 / PIECES as f32).sqrt();
    for (index, vector) in weights.iter_mut().enumerate() {
        match WeightGroup::of(index) {
            WeightGroup::Transformer => vector.0.fill_with(|| rng.random_range(-reach..reach)),
            WeightGroup::TransformerBias => vector.0.fill(0.25),
            WeightGroup::First => vector.0.fill_with(|| rng.random_range(-0.1..0.1)),
            WeightGroup::Deep => (),
        }
    }
    if LAYERS.len() > 1 {
        for bucket in 0..OUTPUT_BUCKETS {
            let numbers: [f32; DEEP_NUMBERS] = std::array::from_fn(|at| match at {
                ..FIRST_LAYER => 0.25,
                _ => rng.random_range(-0.3..0.3),
            });
            (0..).zip(numbers).for_each(|(at, number)| *deep_number(&mut weights, bucket, at) = number);
        }
    }
    weights
}

/// The biases of the first layer of a bucket, and then the weights of the layers behind it.
#[inline]
pub fn deep_numbers(weights: &Weights, bucket: usize) -> [f32; DEEP_NUMBERS] {
    std::array::from_fn(|at| {
        let at = bucket * DEEP_NUMBERS + at;
        weights[DEEP + at / HIDDEN].0[at % HIDDEN]
    })
}

/// One of the numbers of [`deep_numbers`], to be changed.
#[inline]
pub fn deep_number(weights: &mut Weights, bucket: usize, at: usize) -> &mut f32 {
    let at = bucket * DEEP_NUMBERS + at;
    &mut weights[DEEP + at / HIDDEN].0[at % HIDDEN]
}

/// Weights between two others: `share` of the second. Networks that were learnt from the same beginning can be
/// averaged, and the average often judges better than either.
pub fn mixed(weights: &Weights, others: &Weights, share: f32) -> Box<Weights> {
    let mut mixed = blank();
    for (vector, (one, other)) in mixed.iter_mut().zip(weights.iter().zip(others)) {
        vector.add_scaled(one, 1.0 - share);
        vector.add_scaled(other, share);
    }
    mixed
}

/// What the network makes of a position.
struct ForwardPass {
    inputs: ActiveInputs,
    bucket: usize,
    /// The clipped sums of each image.
    clipped: [WeightVector; IMAGES],
    /// The weights of the layers behind the first one.
    deep: [f32; DEEP_WEIGHTS],
    /// The sums of the layers behind the accumulator.
    sums: [f32; NEURONS],
    output: f32,
}

impl ForwardPass {
    #[inline]
    fn new(weights: &Weights, sample: &TrainingPosition) -> ForwardPass {
        let inputs = sample.inputs();
        let bucket = output_bucket(sample.pieces());
        let mut clipped = [WeightVector::ZERO; IMAGES];
        let mut terms = [WeightVector::ZERO; FIRST_LAYER];
        for (image, (vector, inputs)) in clipped.iter_mut().zip(inputs.iter()).enumerate() {
            *vector = accumulate(weights, inputs).map(|sum| sum.clamp(0.0, 1.0));
            let activations = vector.times(vector);
            for (neuron, terms) in terms.iter_mut().enumerate() {
                terms.add(&activations.times(&weights[first_vector(bucket, neuron, image)]));
            }
        }
        let numbers = deep_numbers(weights, bucket);
        let (mut sums, mut deep) = ([0.0; NEURONS], [0.0; DEEP_WEIGHTS]);
        deep.copy_from_slice(&numbers[FIRST_LAYER..]);
        let first = numbers.iter().zip(&terms).map(|(bias, terms)| bias + terms.total());
        sums.iter_mut().zip(first).for_each(|(to, sum)| *to = sum);
        let output = propagate(&deep, &mut sums);
        ForwardPass { inputs, bucket, clipped, deep, sums, output }
    }

    /// Adds `slope` times the gradient of the output by the deep layers, and returns it by the sums of the first layer.
    #[inline]
    fn learn_deep(&self, slope: f32, gradient: &mut Weights) -> [f32; FIRST_LAYER] {
        let mut slopes = [0.0; NEURONS];
        slopes[NEURONS - 1] = slope;
        let (mut end, mut weights_end) = (NEURONS, DEEP_WEIGHTS);
        for pair in LAYERS.windows(2).rev() {
            let (before, size) = (pair[0], pair[1]);
            let (start, known) = (end - size, end - size - before);
            let matrix = weights_end - size * (before + 1);
            for neuron in 0..size {
                let slope = slopes[start + neuron];
                *deep_number(gradient, self.bucket, FIRST_LAYER + matrix + size * before + neuron) += slope;
                for input in 0..before {
                    let at = matrix + neuron * before + input;
                    let sum = self.sums[known + input];
                    *deep_number(gradient, self.bucket, FIRST_LAYER + at) += slope * screlu(sum);
                    slopes[known + input] += slope * self.deep[at] * screlu_slope(sum.clamp(0.0, 1.0));
                }
            }
            (end, weights_end) = (start, matrix);
        }
        let mut first = [0.0; FIRST_LAYER];
        first.copy_from_slice(&slopes[..FIRST_LAYER]);
        (0..).zip(first).for_each(|(neuron, slope)| *deep_number(gradient, self.bucket, neuron) += slope);
        first
    }
}

/// The slope of clamp(s, 0, 1)² for the clipped sum: 2 c below 1, and 0 from there on; at 0 it is 0 anyway.
#[inline]
fn screlu_slope(clipped: f32) -> f32 {
    if clipped < 1.0 { 2.0 * clipped } else { 0.0 }
}

/// Where the weights between an image and a neuron of the first layer stand.
#[inline]
fn first_vector(bucket: usize, neuron: usize, image: usize) -> usize {
    FIRST + 2 * (bucket * FIRST_LAYER + neuron) + image / Inputs::IMAGES
}

/// The sums of the feature transformer for an image.
#[inline]
fn accumulate(weights: &Weights, inputs: &[u16]) -> WeightVector {
    let mut sums = weights[BIAS];
    inputs.iter().for_each(|&input| sums.add(&weights[usize::from(input)]));
    sums
}

/// The chance that an output stands for, 0 to 1.
#[inline]
pub fn chance(output: f32) -> f32 {
    1.0 / (1.0 + (-output).exp())
}

/// The output of the network; times its scale, centipawns for the side to move.
#[inline]
pub fn output(weights: &Weights, sample: &TrainingPosition) -> f32 {
    ForwardPass::new(weights, sample).output
}

/// The error of the network at a position whose chances are `target`, 0 to 1.
#[inline]
pub fn error(weights: &Weights, sample: &TrainingPosition, target: f32) -> f32 {
    let miss = chance(output(weights, sample)) - target;
    miss * miss
}

/// Adds the gradient of [`error`] to `gradient`, and returns the error.
#[inline]
pub fn learn(weights: &Weights, sample: &TrainingPosition, target: f32, gradient: &mut Weights) -> f32 {
    let pass = ForwardPass::new(weights, sample);
    let chance = chance(pass.output);
    let miss = chance - target;
    let slopes = pass.learn_deep(2.0 * miss * chance * (1.0 - chance), gradient);
    for (image, (clipped, inputs)) in pass.clipped.iter().zip(pass.inputs.iter()).enumerate() {
        let activations = clipped.times(clipped);
        let mut by_activation = WeightVector::ZERO;
        for (neuron, &slope) in slopes.iter().enumerate() {
            let vector = first_vector(pass.bucket, neuron, image);
            gradient[vector].add_scaled(&activations, slope);
            by_activation.add_scaled(&weights[vector], slope);
        }
        let delta = clipped.map(screlu_slope).times(&by_activation);
        gradient[BIAS].add(&delta);
        inputs.iter().for_each(|&input| gradient[usize::from(input)].add(&delta));
    }
    miss * miss
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use xiangqi::board::Position;
    use xiangqi::types::Outcome;

    const FENS: [&str; 4] = [
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
        "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 b - - 0 1",
        "2bak4/4a4/9/4PP3/9/9/9/9/9/3K5 w - - 0 1",
        "3k5/4P4/9/9/9/9/9/2n6/9/4K1B2 b - - 0 1",
    ];

    fn sample(fen: &str) -> TrainingPosition {
        TrainingPosition::new(&Position::from_fen(fen).unwrap(), 0, Outcome::Draw)
    }

    fn weights() -> Box<Weights> {
        random(&mut ChaCha8Rng::seed_from_u64(3))
    }

    /// The error straight from its definition, in double precision.
    fn plain_error(weights: &[[f64; HIDDEN]], sample: &TrainingPosition, target: f64) -> f64 {
        let bucket = output_bucket(sample.pieces());
        let deep: Vec<f64> = weights[DEEP..].iter().flatten().copied().collect();
        let deep = &deep[bucket * DEEP_NUMBERS..][..DEEP_NUMBERS];
        let mut outputs = deep[..FIRST_LAYER].to_vec();
        for (image, inputs) in sample.inputs().iter().enumerate() {
            for (output_neuron, output) in outputs.iter_mut().enumerate() {
                let row = weights[first_vector(bucket, output_neuron, image)];
                for (neuron, (bias, weight)) in weights[BIAS].iter().zip(row).enumerate() {
                    let from_inputs: f64 =
                        inputs.iter().map(|&input| weights[usize::from(input)][neuron]).sum();
                    *output += weight * (bias + from_inputs).clamp(0.0, 1.0).powi(2);
                }
            }
        }
        let mut at = FIRST_LAYER;
        for &size in &LAYERS[1..] {
            let (before, biases) = (outputs.len(), at + outputs.len() * size);
            let next = (0..size).map(|neuron| {
                let products = (0..before)
                    .map(|input| deep[at + neuron * before + input] * outputs[input].clamp(0.0, 1.0).powi(2));
                deep[biases + neuron] + products.sum::<f64>()
            });
            outputs = next.collect();
            at = biases + size;
        }
        (1.0 / (1.0 + (-outputs[0]).exp()) - target).powi(2)
    }

    #[test]
    fn the_gradient_is_that_of_finite_differences() {
        const STEP: f64 = 1e-6;
        let weights = weights();
        let mut moved: Vec<[f64; HIDDEN]> = weights.iter().map(|vector| vector.0.map(f64::from)).collect();
        for (fen, target) in FENS.into_iter().zip([0.9, 0.2, 0.7, 0.0]) {
            let sample = sample(fen);
            let mut gradient = blank();
            let error = learn(&weights, &sample, target, &mut gradient);
            assert!((f64::from(error) - plain_error(&moved, &sample, target.into())).abs() < 1e-6);
            assert_eq!(error, super::error(&weights, &sample, target));
            let mut touched = [0; 4];
            for row in 0..VECTORS {
                // Every seventh neuron of the vectors of inputs, every one of the few others.
                let stride = if WeightGroup::of(row) == WeightGroup::Transformer { 7 } else { 1 };
                for neuron in (row % stride..HIDDEN).step_by(stride) {
                    let mut at = |offset: f64| {
                        let old = moved[row][neuron];
                        moved[row][neuron] = old + offset;
                        let error = plain_error(&moved, &sample, target.into());
                        moved[row][neuron] = old;
                        error
                    };
                    let wanted = (at(STEP) - at(-STEP)) / (2.0 * STEP);
                    let found = f64::from(gradient[row].0[neuron]);
                    assert!(
                        (found - wanted).abs() < 1e-6 + 1e-3 * wanted.abs(),
                        "{fen}, row {row}, neuron {neuron}: {found} where {wanted} is right"
                    );
                    touched[WeightGroup::of(row) as usize] += usize::from(wanted.abs() > 1e-5);
                }
            }
            assert!(touched.iter().all(|&count| count > 0), "{fen}: {touched:?}");
        }
    }

    #[test]
    fn mirrored_and_colour_swapped_positions_have_one_output() {
        let weights = weights();
        for fen in FENS {
            let (board, rest) = fen.split_once(' ').unwrap();
            let mirrored: Vec<String> = board.split('/').map(|rank| rank.chars().rev().collect()).collect();
            let swapped: Vec<String> = board
                .split('/')
                .rev()
                .map(|rank| {
                    let swap = |c: char| {
                        if c.is_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
                    };
                    rank.chars().map(swap).collect()
                })
                .collect();
            let turn =
                if rest.starts_with('w') { rest.replacen('w', "b", 1) } else { rest.replacen('b', "w", 1) };
            let value = output(&weights, &sample(fen));
            let image = output(&weights, &sample(&format!("{} {rest}", mirrored.join("/"))));
            let other = output(&weights, &sample(&format!("{} {turn}", swapped.join("/"))));
            // One image alone cannot tell left from right where a general stands on file e.
            let mirrors = Inputs::IMAGES == 1 || (value - image).abs() < 1e-5;
            assert!(mirrors && (value - other).abs() < 1e-5, "{fen}: {value} {image} {other}");
            assert!(value != output(&weights, &sample(&format!("{board} {turn}"))), "{fen}");
        }
    }

    #[test]
    fn sums_begin_where_the_activation_rises() {
        let weights = weights();
        let pass = ForwardPass::new(&weights, &sample(FENS[0]));
        let numbers = pass.clipped.iter().flat_map(|row| row.0);
        let inside = numbers.filter(|&sum| sum > 0.0 && sum < 1.0).count();
        assert!(inside > HIDDEN * IMAGES / 3, "{inside}");
    }
}
