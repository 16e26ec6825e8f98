//! The network: two layers over what both sides see.
//!
//! Every hidden neuron looks at the board twice, as it is and mirrored left to right, so that a position and its
//! mirror image are worth the same, and half as many weights are learnt from the same games. The sums of a hidden
//! neuron go through a squared clipped ramp, x ↦ clamp(x, 0, 1)²; the output weights depend on how many pieces are
//! left (a bucket) and on whose sight the neuron has, the mover's or the other side's.
//!
//! value = scale · (bias + Σ weight · clamp(sum, 0, 1)²), in centipawns for the side to move.
//!
//! All weights are 16-bit integers: hidden sums in units of 1 / [`ONE`], output weights in units of 1 / [`UNIT`].
//! The loops are written so that the compiler turns them into vector code.

use crate::types::Side;
use crate::types::score::{MAX_EVAL, Value};

use super::features::{FEATURES, Pair, feature};
use crate::board::Board;

/// Hidden neurons; each looks twice at what each side sees.
pub const HIDDEN: usize = 64;
/// Sets of output weights, by the number of pieces left.
pub const BUCKETS: usize = 8;
/// One in the units of hidden sums.
pub const ONE: i32 = 255;
/// One in the units of output weights.
pub const UNIT: i32 = 64;
/// The largest output weight: the product with a clipped sum must fit 16 bits.
pub const MAX_OUTPUT: i16 = 127;
/// The largest hidden weight: 32 of them and a bias must fit 16 bits.
pub const MAX_HIDDEN: i16 = 960;

/// One number a hidden neuron.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
pub struct Row(pub [i16; HIDDEN]);

impl Row {
    /// Nothing.
    pub const ZERO: Row = Row([0; HIDDEN]);

    #[inline]
    fn add(&mut self, other: &Row) {
        self.0.iter_mut().zip(&other.0).for_each(|(sum, weight)| *sum = sum.wrapping_add(*weight));
    }

    #[inline]
    fn sub(&mut self, other: &Row) {
        self.0.iter_mut().zip(&other.0).for_each(|(sum, weight)| *sum = sum.wrapping_sub(*weight));
    }

    /// Σ weight · clamp(sum, 0, [`ONE`])².
    #[inline]
    fn dot(&self, weights: &Row) -> i32 {
        let terms = self.0.iter().zip(&weights.0).map(|(&sum, &weight)| {
            let sum = sum.clamp(0, ONE as i16);
            // At most 127 · 255: it fits, and a product of 16-bit numbers is the fast one.
            i32::from(sum.wrapping_mul(weight)) * i32::from(sum)
        });
        terms.sum()
    }
}

/// The hidden sums of one side's sight: of the board, and of its mirror image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sight(pub [Row; 2]);

/// The hidden sums of both sides, Red's first.
pub type Sums = [Sight; 2];

/// The weights of a network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Network {
    /// By input; the last row, for pieces that cannot stand where they do, is zero.
    pub hidden: Box<[Row; FEATURES + 1]>,
    /// Of the hidden neurons.
    pub bias: Row,
    /// By bucket, for the mover's sight and the other side's.
    pub output: [[Row; 2]; BUCKETS],
    /// By bucket, in units of 1 / ([`ONE`] · [`UNIT`]).
    pub output_bias: [i32; BUCKETS],
    /// Centipawns of an output of one.
    pub scale: i32,
    /// Which training it comes from.
    pub(super) name: String,
}

/// The set of output weights for so many pieces on the board, generals included.
#[inline]
pub fn bucket(pieces: u32) -> usize {
    (pieces.saturating_sub(1) as usize * BUCKETS / 32).min(BUCKETS - 1)
}

impl Network {
    /// A network without any weight, to be filled. Of its name, at most 1000 characters are kept.
    pub fn blank(name: &str, scale: i32) -> Network {
        // Made on the heap: a row of each input is too much for some stacks.
        let rows = vec![Row::ZERO; FEATURES + 1].into_boxed_slice();
        let Ok(hidden) = rows.try_into() else { unreachable!("the length is right") };
        Network {
            hidden,
            bias: Row::ZERO,
            output: [[Row::ZERO; 2]; BUCKETS],
            output_bias: [0; BUCKETS],
            scale,
            name: name.chars().take(1000).collect(),
        }
    }

    /// Which training it comes from.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The hidden sums of a board, computed afresh.
    pub fn sums(&self, board: &Board) -> Sums {
        Side::ALL.map(|view| {
            let mut sight = Sight([self.bias; 2]);
            for square in board.occupied() {
                if let Some(piece) = board.piece_on(square) {
                    self.put(&mut sight, feature(view, piece, square));
                }
            }
            sight
        })
    }

    /// A piece appears.
    #[inline]
    pub(super) fn put(&self, sight: &mut Sight, pair: Pair) {
        for (sums, input) in sight.0.iter_mut().zip(pair) {
            sums.add(&self.hidden[usize::from(input)]);
        }
    }

    /// A piece disappears.
    #[inline]
    pub(super) fn take(&self, sight: &mut Sight, pair: Pair) {
        for (sums, input) in sight.0.iter_mut().zip(pair) {
            sums.sub(&self.hidden[usize::from(input)]);
        }
    }

    /// The value for the side to move with these sums and so many pieces on the board, in centipawns within
    /// ±[`MAX_EVAL`].
    #[inline]
    pub fn value(&self, sums: &Sums, side: Side, pieces: u32) -> Value {
        let bucket = bucket(pieces);
        let total: i64 = [side, !side]
            .into_iter()
            .zip(&self.output[bucket])
            .flat_map(|(view, weights)| sums[view.index()].0.iter().map(|sums| i64::from(sums.dot(weights))))
            .sum();
        let output = total / i64::from(ONE) + i64::from(self.output_bias[bucket]);
        let value = output * i64::from(self.scale) / i64::from(ONE * UNIT);
        value.clamp(i64::from(-MAX_EVAL), i64::from(MAX_EVAL)) as Value
    }
}
