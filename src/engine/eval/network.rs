//! The network: a feature transformer, and layers behind it.
//!
//! With the board looked at as it is and mirrored left to right, a position and its mirror image are worth the same,
//! and half as many weights are learnt from the same games. The layers behind the accumulator depend on how many pieces
//! are left (the output bucket), and on whose perspective the sums come from, the mover's or the other side's.
//!
//! value = scale · output, in centipawns for the side to move; with one layer behind the accumulator,
//! output = bias + Σ weight · clamp(sum, 0, 1)².
//!
//! The weights of the feature transformer and of the first layer are 16-bit integers, in the units that
//! [`arch`](super::arch) names.

use super::accumulator::Accumulator;
use super::arch::{InputSet, Inputs, OUTPUT_BUCKETS, output_bucket};
use super::layers::Layers;
use super::transformer::{FeatureTransformer, HiddenVector};
use crate::score::Value;
use xiangqi::board::Board;
use xiangqi::types::Side;

/// The weights of a network.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    /// The weights between the inputs and the accumulator.
    pub transformer: FeatureTransformer,
    /// The layers behind the accumulator, one set for each of the [`OUTPUT_BUCKETS`].
    pub layers: Box<[Layers]>,
    /// The centipawns of an output of one.
    pub scale: i32,
    /// Which training it comes from.
    pub(super) name: String,
}

impl Network {
    /// A network whose weights are all zero, to be filled.
    ///
    /// Its name is shown to clients line by line: control characters are left out, and at most 100 others are kept.
    pub fn blank(name: &str, scale: i32) -> Network {
        Network {
            transformer: FeatureTransformer::blank(),
            layers: vec![Layers::BLANK; OUTPUT_BUCKETS].into_boxed_slice(),
            scale,
            name: name.chars().filter(|c| !c.is_control()).take(100).collect(),
        }
    }

    /// Which training it comes from.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The accumulator of a board, computed afresh.
    pub fn accumulator(&self, board: &Board) -> Accumulator {
        Accumulator::fresh(&self.transformer, board)
    }

    /// The value of a board for the side to move, in centipawns, computed afresh.
    pub fn evaluate(&self, board: &Board, side: Side) -> Value {
        self.value(&self.accumulator(board), side, output_bucket(board.occupied().len()))
    }

    /// The value for the side to move of an accumulator and an output bucket, in centipawns within
    /// ±[`MAX_EVAL`](crate::score::MAX_EVAL).
    #[inline]
    pub fn value(&self, accumulator: &Accumulator, side: Side, bucket: usize) -> Value {
        let perspectives = [side, !side].map(|view| accumulator.perspective::<Inputs>(view));
        self.layers[bucket].value(perspectives, self.scale)
    }

    /// The value for the side to move, from the active inputs of each image of its perspective and then of the other
    /// side's, and an output bucket.
    pub fn value_of_inputs<'a>(&self, inputs: impl IntoIterator<Item = &'a [u16]>, bucket: usize) -> Value {
        let sums: Vec<HiddenVector> = inputs
            .into_iter()
            .map(|inputs| self.transformer.sum(inputs.iter().map(|&input| usize::from(input))))
            .collect();
        let (own, other) = sums.split_at(Inputs::IMAGES.min(sums.len()));
        self.layers[bucket].value([own, other], self.scale)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::arch::{
        FIRST_LAYER, HIDDEN, LAYERS, MAX_HIDDEN, MAX_OUTPUT, ONE, Orientation, SQUARED, UNIT, feature,
    };
    use super::*;
    use crate::score::MAX_EVAL;
    use rand::{Rng, SeedableRng, rngs::StdRng};
    use xiangqi::board::Position;
    use xiangqi::types::{MoveList, Square};

    impl Network {
        /// A network of random weights, as large as they may be.
        pub fn random(seed: u64) -> Network {
            let mut rng = StdRng::seed_from_u64(seed);
            let mut network = Network::blank("random", 400);
            network.transformer = FeatureTransformer::random(seed);
            for layers in &mut network.layers {
                let weights = layers.first.iter_mut().flatten().flat_map(|vector| &mut vector.0);
                weights.for_each(|weight| *weight = rng.random_range(-MAX_OUTPUT..=MAX_OUTPUT));
                layers.first_bias = std::array::from_fn(|_| rng.random_range(-1_000_000..1_000_000));
                layers.deep = std::array::from_fn(|_| rng.random_range(-1.0..1.0));
            }
            network
        }
    }

    /// Calls `check` on the positions of random games.
    pub fn along_random_games(games: u64, mut check: impl FnMut(&mut Position)) {
        for seed in 0..games {
            let mut rng = StdRng::seed_from_u64(seed);
            let mut position = Position::startpos();
            for _ in 0..150 {
                let moves: MoveList = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.make(moves[rng.random_range(0..moves.len())]);
                check(&mut position);
            }
        }
    }

    fn value(network: &Network, position: &Position) -> Value {
        network.evaluate(position.board(), position.side())
    }

    /// The formula of the module, in plain numbers, weight by weight.
    fn plain_value(network: &Network, position: &Position) -> Value {
        let layers = &network.layers[output_bucket(position.occupied().len())];
        let mut outputs = layers.first_bias.map(i64::from);
        for (side, view) in [position.side(), !position.side()].into_iter().enumerate() {
            for image in 0..Inputs::IMAGES {
                let orientation = Orientation::of::<Inputs>(view, position.king(view), image);
                for neuron in 0..HIDDEN {
                    let mut sum = i64::from(network.transformer.bias.0[neuron]);
                    for square in Square::all() {
                        if let Some(piece) = position.piece_on(square) {
                            let input = orientation.input::<Inputs>(feature(view, piece, square));
                            sum += i64::from(network.transformer.weights[input].0[neuron]);
                        }
                    }
                    let clipped = sum.clamp(0, i64::from(ONE));
                    let square = clipped * clipped / 2048;
                    for (output, weights) in outputs.iter_mut().zip(&layers.first) {
                        *output += square * i64::from(weights[side].0[neuron]);
                    }
                }
            }
        }
        if LAYERS.len() == 1 {
            return (outputs[0] * i64::from(network.scale) / i64::from(SQUARED * UNIT)) as Value;
        }
        let mut known: Vec<f64> = outputs.iter().map(|&sum| sum as f64 / f64::from(SQUARED * UNIT)).collect();
        let mut deep = layers.deep.iter().map(|&weight| f64::from(weight));
        for &size in &LAYERS[1..] {
            let mut take = |count: usize| deep.by_ref().take(count).collect::<Vec<f64>>();
            let (matrix, biases) = (take(known.len() * size), take(size));
            let squares: Vec<f64> = known.iter().map(|sum| sum.clamp(0.0, 1.0).powi(2)).collect();
            let rows = matrix.chunks(squares.len()).zip(biases);
            known = rows
                .map(|(row, bias)| bias + row.iter().zip(&squares).map(|(w, s)| w * s).sum::<f64>())
                .collect();
        }
        (known[0] * f64::from(network.scale)).clamp(f64::from(-MAX_EVAL), f64::from(MAX_EVAL)) as Value
    }

    /// The FEN with each rank changed by `rank`, and the ranks and the side to move swapped if `turn`.
    fn transformed(position: &Position, turn: bool, rank: impl Fn(&str) -> String) -> Position {
        let fen = position.to_fen();
        let mut fields = fen.split(' ');
        let (board, side) = (fields.next().unwrap(), fields.next().unwrap());
        let mut ranks: Vec<_> = board.split('/').map(rank).collect();
        if turn {
            ranks.reverse();
        }
        let side = if (side == "b") == turn { "w" } else { "b" };
        Position::from_fen(&format!("{} {side} - - 0 1", ranks.join("/"))).unwrap()
    }

    /// Whether a general stands on file e, where a mirrored perspective cannot tell left from right.
    fn general_in_the_middle(position: &Position) -> bool {
        Side::ALL.into_iter().any(|side| position.king(side).file() == 4)
    }

    #[test]
    fn neither_colour_nor_wing_matters() {
        let network = Network::random(1);
        let swap =
            |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
        along_random_games(40, |position| {
            let here = value(&network, position);
            let swapped = transformed(position, true, |rank| rank.chars().map(swap).collect());
            assert_eq!(value(&network, &swapped), here, "{position:?}");
            if Inputs::IMAGES == 2 || !general_in_the_middle(position) {
                let mirrored = transformed(position, false, |rank| rank.chars().rev().collect());
                assert_eq!(value(&network, &mirrored), here, "{position:?}");
            }
        });
    }

    #[test]
    fn values_are_what_the_formula_says() {
        for seed in 0..4 {
            let network = Network::random(seed);
            along_random_games(8, |position| {
                let (value, plain) = (value(&network, position), plain_value(&network, position));
                // Floating-point sums may differ in their last bits.
                let slack = if LAYERS.len() == 1 { 0 } else { 2 };
                assert!((value - plain).abs() <= slack, "{value} {plain} {position:?}");
            });
        }
    }

    #[test]
    fn the_largest_weights_do_not_overflow() {
        let mut network = Network::blank("large", 400);
        network.transformer.vectors_mut().for_each(|vector| *vector = HiddenVector([MAX_HIDDEN; HIDDEN]));
        for (weight, limit) in [(MAX_OUTPUT, MAX_EVAL), (-MAX_OUTPUT, -MAX_EVAL)] {
            for layers in &mut network.layers {
                layers.first = [[HiddenVector([weight; HIDDEN]); 2]; FIRST_LAYER];
            }
            let found = value(&network, &Position::startpos());
            assert!(found == limit || LAYERS.len() > 1, "{found}");
        }
    }
}
