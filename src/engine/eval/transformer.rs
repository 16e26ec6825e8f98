//! The feature transformer: the weights of the inputs, and their sums.

use std::marker::PhantomData;

use super::arch::{HIDDEN, InputSet, Inputs, MAX_HIDDEN, feature, input_count};
use super::arch::{Orientation, bucket_count};
use xiangqi::board::{Board, BoardChange};
use xiangqi::types::{Piece, Side, Square};

/// One number for each neuron of the feature transformer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
pub struct HiddenVector(pub [i16; HIDDEN]);

impl HiddenVector {
    /// Zeros.
    pub const ZERO: HiddenVector = HiddenVector([0; HIDDEN]);

    /// Adds another vector.
    #[inline]
    pub fn add(&mut self, other: &HiddenVector) {
        self.0.iter_mut().zip(&other.0).for_each(|(sum, weight)| *sum = sum.wrapping_add(*weight));
    }

    /// Subtracts another vector.
    #[inline]
    pub(super) fn subtract(&mut self, other: &HiddenVector) {
        self.0.iter_mut().zip(&other.0).for_each(|(sum, weight)| *sum = sum.wrapping_sub(*weight));
    }

    /// This vector less `gone` plus `come`.
    #[inline]
    fn moved(&self, gone: &HiddenVector, come: &HiddenVector) -> HiddenVector {
        let mut vector = HiddenVector::ZERO;
        for (at, sum) in vector.0.iter_mut().enumerate() {
            *sum = self.0[at].wrapping_sub(gone.0[at]).wrapping_add(come.0[at]);
        }
        vector
    }

    /// This vector less `gone` and `taken` plus `come`.
    #[inline]
    fn captured(&self, gone: &HiddenVector, taken: &HiddenVector, come: &HiddenVector) -> HiddenVector {
        let mut vector = HiddenVector::ZERO;
        for (at, sum) in vector.0.iter_mut().enumerate() {
            let less = gone.0[at].wrapping_add(taken.0[at]);
            *sum = self.0[at].wrapping_sub(less).wrapping_add(come.0[at]);
        }
        vector
    }

    /// Whether no number is larger than `limit` or smaller than its negative.
    pub(super) fn is_within(&self, limit: i16) -> bool {
        self.0.iter().all(|weight| (-limit..=limit).contains(weight))
    }
}

/// The weights between the inputs of a perspective and its neurons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeatureTransformer<I: InputSet = Inputs> {
    /// The weights by input; behind them stand zeros for pieces that cannot stand where they do.
    pub weights: Box<[HiddenVector]>,
    /// The biases of the neurons.
    pub bias: HiddenVector,
    inputs: PhantomData<I>,
}

impl<I: InputSet> FeatureTransformer<I> {
    /// A feature transformer whose weights are all zero.
    pub fn blank() -> FeatureTransformer<I> {
        let weights = vec![HiddenVector::ZERO; input_count::<I>() + 1].into_boxed_slice();
        FeatureTransformer { weights, bias: HiddenVector::ZERO, inputs: PhantomData }
    }

    /// The vectors of a file in their order: the weights by input, then the biases.
    pub(super) fn vectors(&self) -> impl Iterator<Item = &HiddenVector> {
        self.weights.iter().take(input_count::<I>()).chain([&self.bias])
    }

    /// The vectors of a file in their order, to be filled.
    pub(super) fn vectors_mut(&mut self) -> impl Iterator<Item = &mut HiddenVector> {
        self.weights.iter_mut().take(input_count::<I>()).chain([&mut self.bias])
    }

    /// Whether no sum of 32 weights and a bias can leave its 16 bits.
    pub(super) fn is_within_limits(&self) -> bool {
        self.vectors().all(|vector| vector.is_within(MAX_HIDDEN))
    }

    /// The sum of the weights of some inputs and the biases.
    pub fn sum(&self, inputs: impl IntoIterator<Item = usize>) -> HiddenVector {
        let mut sum = self.bias;
        inputs.into_iter().for_each(|input| sum.add(&self.weights[input]));
        sum
    }

    /// What one image of a perspective makes of a board, computed afresh.
    pub fn fresh(&self, board: &Board, view: Side, image: usize) -> HiddenVector {
        let orientation = Orientation::of::<I>(view, board.king(view), image);
        let pieces =
            board.occupied().into_iter().filter_map(|square| Some((board.piece_on(square)?, square)));
        self.sum(pieces.map(|(piece, square)| orientation.input::<I>(feature(view, piece, square))))
    }

    /// The weights of a piece on a square.
    #[inline]
    pub(super) fn of_piece(
        &self,
        view: Side,
        orientation: Orientation,
        piece: Piece,
        square: Square,
    ) -> &HiddenVector {
        &self.weights[orientation.input::<I>(feature(view, piece, square))]
    }

    /// The sums after a change of the board that leaves the orientation alone, from those before it.
    #[inline]
    pub(super) fn after(
        &self,
        before: &HiddenVector,
        view: Side,
        orientation: Orientation,
        change: BoardChange,
    ) -> HiddenVector {
        let BoardChange { piece, from, to, captured } = change;
        let of = |piece, square| self.of_piece(view, orientation, piece, square);
        match captured {
            None => before.moved(of(piece, from), of(piece, to)),
            Some(victim) => before.captured(of(piece, from), of(victim, to), of(piece, to)),
        }
    }

    /// How many different orientations a perspective can have.
    pub(super) const ORIENTATIONS: usize = 2 * bucket_count::<I>();
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use rand::rngs::StdRng;
    use rand::{Rng, SeedableRng};

    impl<I: InputSet> FeatureTransformer<I> {
        /// A feature transformer of random weights, and of biases as large as they may be.
        pub fn random(seed: u64) -> FeatureTransformer<I> {
            let mut rng = StdRng::seed_from_u64(seed);
            let mut transformer = FeatureTransformer::blank();
            let mut fill = |vector: &mut HiddenVector, limit: i16| {
                vector.0.iter_mut().for_each(|weight| *weight = rng.random_range(-limit..=limit));
            };
            transformer.vectors_mut().for_each(|vector| fill(vector, 400));
            fill(&mut transformer.bias, MAX_HIDDEN);
            transformer
        }
    }

    #[test]
    fn weights_out_of_range_are_noticed() {
        let mut transformer = FeatureTransformer::<Inputs>::random(1);
        assert!(transformer.is_within_limits());
        transformer.weights[77].0[3] = -MAX_HIDDEN - 1;
        assert!(!transformer.is_within_limits());
    }
}
