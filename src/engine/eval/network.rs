//! The network: two layers over what both sides see.
//!
//! Every hidden neuron looks at the board twice, as it is and mirrored left to right, so that a position and its
//! mirror image are worth the same, and half as many weights are learnt from the same games. The sums of a hidden
//! neuron go through a squared clipped ramp, x ↦ clamp(x, 0, 1)²; the output weights depend on how many pieces are
//! left (a bucket) and on whose sight the neuron has, the mover's or the other side's.
//!
//! value = scale · (bias + Σ weight · clamp(sum, 0, 1)²), in centipawns for the side to move.
//!
//! All weights are 16-bit integers: hidden sums in units of 1 / [`ONE`], their squares in units of 1 / [`SQUARED`],
//! output weights in units of 1 / [`UNIT`]. The loops are written so that the compiler turns them into vector code.

use super::features::{FEATURES, Pair, feature};
use crate::score::{MAX_EVAL, Value};
use xiangqi::board::{Board, BoardChange};
use xiangqi::types::Side;

/// Hidden neurons; each looks twice at what each side sees.
pub const HIDDEN: usize = 64;
/// Sets of output weights, by the number of pieces left.
pub const BUCKETS: usize = 8;
/// One in the units of hidden sums.
pub const ONE: i16 = 1024;
/// One in the units of squared hidden sums.
pub const SQUARED: i32 = 512;
/// One in the units of output weights.
pub const UNIT: i32 = 4096;
/// The largest output weight: [`HIDDEN`] products with a square must fit 32 bits.
pub const MAX_OUTPUT: i16 = 8110;
/// The largest hidden weight: 32 of them and a bias must fit 16 bits.
pub const MAX_HIDDEN: i16 = 983;

const _: () = assert!(33 * MAX_HIDDEN as i32 <= i16::MAX as i32);
const _: () = assert!(HIDDEN as i64 * SQUARED as i64 * MAX_OUTPUT as i64 <= i32::MAX as i64);

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

    /// This, less `gone`, and `come` added.
    #[inline]
    fn moved(&self, gone: &Row, come: &Row) -> Row {
        let mut row = Row::ZERO;
        for (at, sum) in row.0.iter_mut().enumerate() {
            *sum = self.0[at].wrapping_sub(gone.0[at]).wrapping_add(come.0[at]);
        }
        row
    }

    /// This, less `gone` and `taken`, and `come` added.
    #[inline]
    fn captured(&self, gone: &Row, taken: &Row, come: &Row) -> Row {
        let mut row = Row::ZERO;
        for (at, sum) in row.0.iter_mut().enumerate() {
            let less = gone.0[at].wrapping_add(taken.0[at]);
            *sum = self.0[at].wrapping_sub(less).wrapping_add(come.0[at]);
        }
        row
    }

    /// Σ weight · clamp(sum, 0, [`ONE`])², in units of 1 / ([`SQUARED`] · [`UNIT`]).
    #[inline]
    fn dot(&self, weights: &Row) -> i32 {
        let terms = self.0.iter().zip(&weights.0).map(|(&sum, &weight)| {
            let sum = sum.clamp(0, ONE);
            // The upper half of a product of 16-bit numbers, which is one instruction: sum² / 2048.
            let square = ((i32::from(sum << 3) * i32::from(sum << 2)) >> 16) as i16;
            i32::from(square) * i32::from(weight)
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
    /// By bucket, in units of 1 / ([`SQUARED`] · [`UNIT`]).
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
    /// A network without any weight, to be filled. Its name is shown to clients line by line: control characters are
    /// left out, and at most 100 others are kept.
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
            name: name.chars().filter(|c| !c.is_control()).take(100).collect(),
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
    fn put(&self, sight: &mut Sight, pair: Pair) {
        sight.0.iter_mut().zip(pair).for_each(|(sums, input)| sums.add(self.row(input)));
    }

    #[inline]
    fn row(&self, input: u16) -> &Row {
        &self.hidden[usize::from(input)]
    }

    /// The sums after a change of the board, from those before it.
    #[inline]
    pub fn after(&self, before: &Sums, change: BoardChange) -> Sums {
        let BoardChange { piece, from, to, captured } = change;
        Side::ALL.map(|view| {
            let (gone, come) = (feature(view, piece, from), feature(view, piece, to));
            let taken = captured.map(|victim| feature(view, victim, to));
            Sight([0, 1].map(|image| {
                let before = &before[view.index()].0[image];
                let (gone, come) = (self.row(gone[image]), self.row(come[image]));
                match taken {
                    None => before.moved(gone, come),
                    Some(taken) => before.captured(gone, self.row(taken[image]), come),
                }
            }))
        })
    }

    /// The value for the side to move with these sums and so many pieces on the board, in centipawns within
    /// ±[`MAX_EVAL`].
    #[inline]
    pub fn value(&self, sums: &Sums, side: Side, pieces: u32) -> Value {
        self.value_in(sums, side, bucket(pieces))
    }

    /// The same by a set of output weights, of [`BUCKETS`].
    #[inline]
    pub(super) fn value_in(&self, sums: &Sums, side: Side, bucket: usize) -> Value {
        let mut output = i64::from(self.output_bias[bucket]);
        for (view, weights) in [side, !side].into_iter().zip(&self.output[bucket]) {
            for sums in &sums[view.index()].0 {
                output += i64::from(sums.dot(weights));
            }
        }
        let value = output * i64::from(self.scale) / i64::from(SQUARED * UNIT);
        value.clamp(i64::from(-MAX_EVAL), i64::from(MAX_EVAL)) as Value
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use rand::{Rng, SeedableRng, rngs::StdRng};
    use xiangqi::board::Position;
    use xiangqi::types::{MoveList, Square};

    impl Network {
        /// A network of random weights, as large as they may be.
        pub fn random(seed: u64) -> Network {
            let mut rng = StdRng::seed_from_u64(seed);
            let mut network = Network::blank("random", 400);
            let mut fill = |row: &mut Row, limit: i16| {
                row.0.iter_mut().for_each(|weight| *weight = rng.random_range(-limit..=limit));
            };
            network.hidden[..FEATURES].iter_mut().for_each(|row| fill(row, 400));
            fill(&mut network.bias, MAX_HIDDEN);
            network.output.iter_mut().flatten().for_each(|row| fill(row, MAX_OUTPUT));
            network.output_bias = std::array::from_fn(|_| rng.random_range(-1_000_000..1_000_000));
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
        network.value(&network.sums(position.board()), position.side(), position.occupied().len())
    }

    /// The formula of the module, in plain integers, weight by weight.
    fn plain_value(network: &Network, position: &Position) -> Value {
        let count = position.occupied().len();
        let mut output = i64::from(network.output_bias[bucket(count)]);
        for (sight, view) in [position.side(), !position.side()].into_iter().enumerate() {
            for image in [0, 1] {
                for neuron in 0..HIDDEN {
                    let mut sum = i64::from(network.bias.0[neuron]);
                    for square in Square::all() {
                        if let Some(piece) = position.piece_on(square) {
                            let input = feature(view, piece, square)[image];
                            sum += i64::from(network.hidden[usize::from(input)].0[neuron]);
                        }
                    }
                    let clipped = sum.clamp(0, i64::from(ONE));
                    let square = clipped * clipped / 2048;
                    output += square * i64::from(network.output[bucket(count)][sight].0[neuron]);
                }
            }
        }
        (output * i64::from(network.scale) / i64::from(SQUARED * UNIT)) as Value
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

    #[test]
    fn neither_colour_nor_wing_matters() {
        let network = Network::random(1);
        let swap =
            |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
        along_random_games(40, |position| {
            let here = value(&network, position);
            let swapped = transformed(position, true, |rank| rank.chars().map(swap).collect());
            assert_eq!(value(&network, &swapped), here, "{position:?}");
            let mirrored = transformed(position, false, |rank| rank.chars().rev().collect());
            assert_eq!(value(&network, &mirrored), here, "{position:?}");
        });
    }

    #[test]
    fn values_are_what_the_formula_says() {
        for seed in 0..4 {
            let network = Network::random(seed);
            along_random_games(8, |position| {
                assert_eq!(value(&network, position), plain_value(&network, position), "{position:?}");
            });
        }
    }

    #[test]
    fn the_largest_weights_do_not_overflow() {
        let mut network = Network::blank("large", 400);
        network.hidden[..FEATURES].iter_mut().for_each(|row| *row = Row([MAX_HIDDEN; HIDDEN]));
        network.bias = Row([MAX_HIDDEN; HIDDEN]);
        for (weight, limit) in [(MAX_OUTPUT, MAX_EVAL), (-MAX_OUTPUT, -MAX_EVAL)] {
            network.output = [[Row([weight; HIDDEN]); 2]; BUCKETS];
            assert_eq!(value(&network, &Position::startpos()), limit);
        }
    }

    #[test]
    fn every_number_of_pieces_has_its_bucket() {
        let buckets: Vec<usize> = (0..=32).map(bucket).collect();
        assert!(buckets.is_sorted() && buckets[0] == 0 && buckets[32] == BUCKETS - 1);
        assert_eq!(buckets.iter().filter(|&&bucket| bucket == 3).count(), 4);
    }
}
