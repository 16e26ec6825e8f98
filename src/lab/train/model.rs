//! The network while it learns: floating-point weights, its output, and the gradient of its error.
//!
//! With s the sums of a look, c = clamp(s, 0, 1) and w the output weights of the bucket for that look,
//!
//! output = bias + Σ w · c², chance = 1 / (1 + exp(-output)), error = (chance - target)².
//!
//! Weights, gradients and everything else that there is one of a weight have one shape, [`Rows`], so that what
//! treats all weights alike need not know what they are.

use rand::Rng;

use super::sample::{Looks, PIECES, Sample};
use juzhong_engine::eval::{BUCKETS, FEATURES, HIDDEN, bucket};

/// One number a hidden neuron.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
pub struct Row(pub [f32; HIDDEN]);

/// Where the hidden biases stand.
pub const BIAS: usize = FEATURES;
/// Where the output weights stand: of each bucket, for the mover's looks and the other side's.
pub const OUTPUT: usize = BIAS + 1;
/// Where the output biases stand, as many as there are buckets.
pub const OUTPUT_BIAS: usize = OUTPUT + 2 * BUCKETS;
/// How many rows there are.
pub const ROWS: usize = OUTPUT_BIAS + 1;

/// Weights, or one number for each of them: a row an input, then the rows named above.
pub type Rows = [Row; ROWS];

/// What weights are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Inputs to hidden neurons.
    Hidden,
    /// Hidden biases.
    Bias,
    /// Hidden neurons to the output.
    Output,
    /// Output biases.
    OutputBias,
}

impl Part {
    /// What the weights of a row are for.
    #[inline]
    pub fn of(row: usize) -> Part {
        match row {
            ..BIAS => Part::Hidden,
            BIAS => Part::Bias,
            OUTPUT..OUTPUT_BIAS => Part::Output,
            _ => Part::OutputBias,
        }
    }
}

impl Row {
    /// Nothing.
    pub const ZERO: Row = Row([0.0; HIDDEN]);

    /// Adds another row.
    #[inline]
    pub fn add(&mut self, other: &Row) {
        self.0.iter_mut().zip(&other.0).for_each(|(sum, number)| *sum += number);
    }

    /// Adds `factor` times another row.
    #[inline]
    fn add_scaled(&mut self, other: &Row, factor: f32) {
        self.0.iter_mut().zip(&other.0).for_each(|(sum, number)| *sum += factor * number);
    }

    /// All numbers times `factor`.
    #[inline]
    pub fn scaled(&self, factor: f32) -> Row {
        self.map(|number| number * factor)
    }

    #[inline]
    fn map(&self, change: impl Fn(f32) -> f32) -> Row {
        Row(self.0.map(change))
    }

    #[inline]
    fn times(&self, other: &Row) -> Row {
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

/// Rows without anything, on the heap.
pub fn blank() -> Box<Rows> {
    let rows = vec![Row::ZERO; ROWS].into_boxed_slice();
    rows.try_into().unwrap_or_else(|_| unreachable!("the length is right"))
}

/// Random weights to begin with. The squared ramp is flat below 0 and above 1, so the sums begin between.
pub fn random(rng: &mut impl Rng) -> Box<Rows> {
    let mut rows = blank();
    let reach = (1.0 / PIECES as f32).sqrt();
    for (index, row) in rows.iter_mut().enumerate() {
        match Part::of(index) {
            Part::Hidden => row.0.fill_with(|| rng.random_range(-reach..reach)),
            Part::Bias => row.0.fill(0.25),
            Part::Output => row.0.fill_with(|| rng.random_range(-0.1..0.1)),
            Part::OutputBias => (),
        }
    }
    rows
}

/// Weights between two others: `share` of the second. Networks that were learnt from the same beginning can be
/// averaged, and the average often judges better than either.
pub fn mixed(weights: &Rows, others: &Rows, share: f32) -> Box<Rows> {
    let mut rows = blank();
    for (row, (one, other)) in rows.iter_mut().zip(weights.iter().zip(others)) {
        row.add_scaled(one, 1.0 - share);
        row.add_scaled(other, share);
    }
    rows
}

/// What the network makes of a position.
struct Pass {
    looks: Looks,
    bucket: usize,
    /// The clipped sums of each look.
    clipped: [Row; 4],
    output: f32,
}

impl Pass {
    #[inline]
    fn new(weights: &Rows, sample: &Sample) -> Pass {
        let looks = sample.looks();
        let bucket = bucket(sample.pieces());
        let mut clipped = [Row::ZERO; 4];
        let mut terms = Row::ZERO;
        for (look, (row, inputs)) in clipped.iter_mut().zip(looks.iter()).enumerate() {
            *row = sums(weights, inputs).map(|sum| sum.clamp(0.0, 1.0));
            terms.add(&row.times(row).times(&weights[output_row(bucket, look)]));
        }
        let output = weights[OUTPUT_BIAS].0[bucket] + terms.total();
        Pass { looks, bucket, clipped, output }
    }
}

/// Where the output weights of a look stand.
#[inline]
fn output_row(bucket: usize, look: usize) -> usize {
    OUTPUT + 2 * bucket + look / 2
}

/// The hidden sums of a look.
#[inline]
fn sums(weights: &Rows, inputs: &[u16]) -> Row {
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
pub fn output(weights: &Rows, sample: &Sample) -> f32 {
    Pass::new(weights, sample).output
}

/// The error of the network at a position whose chances are `target`, 0 to 1.
#[inline]
pub fn error(weights: &Rows, sample: &Sample, target: f32) -> f32 {
    let miss = chance(output(weights, sample)) - target;
    miss * miss
}

/// Adds the gradient of [`error`] to `gradient`, and gives the error.
#[inline]
pub fn learn(weights: &Rows, sample: &Sample, target: f32, gradient: &mut Rows) -> f32 {
    let Pass { looks, bucket, clipped, output } = Pass::new(weights, sample);
    let chance = chance(output);
    let miss = chance - target;
    let slope = 2.0 * miss * chance * (1.0 - chance);
    gradient[OUTPUT_BIAS].0[bucket] += slope;
    for (look, (clipped, inputs)) in clipped.iter().zip(looks.iter()).enumerate() {
        let row = output_row(bucket, look);
        gradient[row].add_scaled(&clipped.times(clipped), slope);
        // The slope of clamp(s, 0, 1)² is 2 c below 1, and 0 from there on; at 0 it is 0 anyway.
        let ramp = clipped.map(|c| if c < 1.0 { 2.0 * slope * c } else { 0.0 });
        let delta = ramp.times(&weights[row]);
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

    fn sample(fen: &str) -> Sample {
        Sample::new(&Position::from_fen(fen).unwrap(), 0, Outcome::Draw)
    }

    fn weights() -> Box<Rows> {
        random(&mut ChaCha8Rng::seed_from_u64(3))
    }

    /// The error straight from its definition, in double precision.
    fn plain_error(weights: &[[f64; HIDDEN]], sample: &Sample, target: f64) -> f64 {
        let bucket = bucket(sample.pieces());
        let mut output = weights[OUTPUT_BIAS][bucket];
        for (look, inputs) in sample.looks().iter().enumerate() {
            let outputs = weights[OUTPUT + 2 * bucket + look / 2];
            for (neuron, (bias, weight)) in weights[BIAS].iter().zip(outputs).enumerate() {
                let from_inputs: f64 = inputs.iter().map(|&input| weights[usize::from(input)][neuron]).sum();
                let clipped = (bias + from_inputs).clamp(0.0, 1.0);
                output += weight * clipped * clipped;
            }
        }
        (1.0 / (1.0 + (-output).exp()) - target).powi(2)
    }

    #[test]
    fn the_gradient_is_that_of_finite_differences() {
        const STEP: f64 = 1e-6;
        let weights = weights();
        let mut moved: Vec<[f64; HIDDEN]> = weights.iter().map(|row| row.0.map(f64::from)).collect();
        for (fen, target) in FENS.into_iter().zip([0.9, 0.2, 0.7, 0.0]) {
            let sample = sample(fen);
            let mut gradient = blank();
            let error = learn(&weights, &sample, target, &mut gradient);
            assert!((f64::from(error) - plain_error(&moved, &sample, target.into())).abs() < 1e-6);
            assert_eq!(error, super::error(&weights, &sample, target));
            let mut touched = [0; 4];
            for row in 0..ROWS {
                // Every seventh neuron of the rows of inputs, every one of the few others.
                let stride = if Part::of(row) == Part::Hidden { 7 } else { 1 };
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
                    touched[Part::of(row) as usize] += usize::from(wanted.abs() > 1e-5);
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
            assert!(
                (value - image).abs() < 1e-5 && (value - other).abs() < 1e-5,
                "{fen}: {value} {image} {other}"
            );
            assert!(value != output(&weights, &sample(&format!("{board} {turn}"))), "{fen}");
        }
    }

    #[test]
    fn sums_begin_where_the_ramp_rises() {
        let weights = weights();
        let pass = Pass::new(&weights, &sample(FENS[0]));
        let numbers = pass.clipped.iter().flat_map(|row| row.0);
        let inside = numbers.filter(|&sum| sum > 0.0 && sum < 1.0).count();
        assert!(inside > HIDDEN * 4 / 3, "{inside}");
    }
}
