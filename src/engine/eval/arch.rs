//! The one definition of the network: its sizes, its inputs and its layers, for the engine and the trainer alike.
//!
//! Each side has a perspective: it sees its own pieces at the bottom of the board, whatever its colour. A feature is a
//! piece on a square where it can stand: 9 for each general, 5 for the advisors, 7 for the elephants, 55 for the pawns
//! and 90 for each other kind, for both sides: 692 in all. An [`InputSet`] turns features into inputs: it says whether
//! a perspective is mirrored, and which bucket of weights goes with the square of its own general.
//!
//! To try another network, change [`HIDDEN`], [`OUTPUT_BUCKETS`], [`LAYERS`] or the constants of [`Inputs`] here, and
//! train it; nothing else in the workspace knows these numbers.

use xiangqi::board::attacks::PLACES;
use xiangqi::types::{PerSquare, Piece, Side, Square};

/// The neurons of the feature transformer, for each image of each perspective.
pub const HIDDEN: usize = 64;
/// The sets of weights behind the accumulator, one of which is chosen by the number of pieces left.
pub const OUTPUT_BUCKETS: usize = 8;
/// The sizes of the layers behind the accumulator; the last is the single output neuron.
pub const LAYERS: [usize; 1] = [1];

/// The inputs of the network that the program plays with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inputs;

impl InputSet for Inputs {
    const IMAGES: usize = 2;
    const GENERAL_BUCKETS: [[u8; 3]; 3] = [[0; 3]; 3];
}

/// One in the units of the accumulator.
pub const ONE: i16 = 1024;
/// One in the units of activations, the squared clipped sums of the accumulator.
pub const SQUARED: i32 = 512;
/// One in the units of the weights of the first layer behind the accumulator.
pub const UNIT: i32 = 4096;
/// The largest weight of the feature transformer: the sum of 32 of them and a bias fits 16 bits.
pub const MAX_HIDDEN: i16 = 983;
/// The largest weight of the first layer behind the accumulator: [`HIDDEN`] products with an activation fit 32 bits.
pub const MAX_OUTPUT: i16 = {
    let most = i32::MAX as i64 / (HIDDEN as i64 * SQUARED as i64);
    if most < 8110 { most as i16 } else { 8110 }
};

/// The features of one perspective, without the buckets of the general.
pub const FEATURES: usize = 692;
/// The inputs of one perspective, all buckets of the general counted.
pub const INPUTS: usize = input_count::<Inputs>();
/// The neurons of the first layer behind the accumulator.
pub const FIRST_LAYER: usize = LAYERS[0];
/// The neurons of all layers behind the accumulator.
pub const NEURONS: usize = {
    let (mut sum, mut layer) = (0, 0);
    while layer < LAYERS.len() {
        sum += LAYERS[layer];
        layer += 1;
    }
    sum
};
/// The weights and biases of one output bucket in the layers behind the first one, which are not quantised.
pub const DEEP_WEIGHTS: usize = {
    let (mut sum, mut layer) = (0, 1);
    while layer < LAYERS.len() {
        sum += LAYERS[layer] * (LAYERS[layer - 1] + 1);
        layer += 1;
    }
    sum
};
/// The most images of a perspective that an [`InputSet`] can ask for.
pub const MAX_IMAGES: usize = 2;

const _: () = assert!(33 * MAX_HIDDEN as i32 <= i16::MAX as i32);
const _: () = assert!(HIDDEN as i64 * SQUARED as i64 * MAX_OUTPUT as i64 <= i32::MAX as i64);
// The accumulator and the trainer work on whole vectors of sixteen numbers.
const _: () = assert!(HIDDEN.is_multiple_of(16));
const _: () = assert!(LAYERS[LAYERS.len() - 1] == 1);
const _: () = assert!(INPUTS < u16::MAX as usize);

/// The output bucket for a number of pieces on the board, generals included.
#[inline]
pub fn output_bucket(pieces: u32) -> usize {
    (pieces.saturating_sub(1) as usize * OUTPUT_BUCKETS / 32).min(OUTPUT_BUCKETS - 1)
}

/// How the features of a perspective become inputs of a feature transformer.
pub trait InputSet: Copy {
    /// The images of the board that each perspective looks at.
    ///
    /// With 2 it looks at the board as it is and at its mirror image. With 1 it looks at one of them only, the one in
    /// which its own general stands on file d or e.
    const IMAGES: usize;

    /// The bucket of weights for each square of the perspective's own general, as the perspective sees it: by rank, the
    /// home rank first, then by the files d, e and f.
    ///
    /// Buckets are numbered from 0 without gaps.
    const GENERAL_BUCKETS: [[u8; 3]; 3];
}

/// The number of buckets of the general in an input set.
pub const fn bucket_count<I: InputSet>() -> usize {
    let (mut most, mut place) = (0, 0);
    while place < 9 {
        let bucket = I::GENERAL_BUCKETS[place / 3][place % 3] as usize;
        if bucket > most {
            most = bucket;
        }
        place += 1;
    }
    most + 1
}

/// The number of inputs of one perspective in an input set, all buckets of the general counted.
pub const fn input_count<I: InputSet>() -> usize {
    bucket_count::<I>() * FEATURES
}

/// How one image of a perspective sees the board, which follows from the square of its own general.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Orientation {
    /// Whether the board is mirrored left to right.
    pub mirrored: bool,
    /// The bucket of weights.
    pub bucket: usize,
}

impl Orientation {
    /// The orientation of an image of a perspective whose own general stands on a square.
    #[inline]
    pub fn of<I: InputSet>(view: Side, general: Square, image: usize) -> Orientation {
        let mirrored = if I::IMAGES == 1 { general.file() > 4 } else { image == 1 };
        // What the compiler sees at once for a network without buckets.
        if const { bucket_count::<I>() == 1 } {
            return Orientation { mirrored, bucket: 0 };
        }
        let seen = if view == Side::Red { general } else { general.flipped() };
        let seen = if mirrored { seen.mirrored() } else { seen };
        let (rank, file) = (usize::from(seen.rank()).min(2), usize::from(seen.file()).clamp(3, 5) - 3);
        Orientation { mirrored, bucket: I::GENERAL_BUCKETS[rank][file].into() }
    }

    /// The input that a feature is in this orientation; [`input_count`] for [`FEATURES`], which is no feature.
    #[inline]
    pub fn input<I: InputSet>(self, [plain, mirrored]: FeaturePair) -> usize {
        let feature = usize::from(if self.mirrored { mirrored } else { plain });
        if const { bucket_count::<I>() == 1 } {
            feature
        } else if feature == FEATURES {
            input_count::<I>()
        } else {
            self.bucket * FEATURES + feature
        }
    }
}

/// Whether a general that moves can change an orientation of its side.
pub const fn orientation_changes<I: InputSet>() -> bool {
    bucket_count::<I>() > 1 || I::IMAGES == 1
}

/// The feature that a piece on a square is on the board as it is, and on its mirror image.
///
/// Where the piece cannot stand both are [`FEATURES`], which has no weight.
pub type FeaturePair = [u16; 2];

/// The features by perspective and piece.
static TABLE: [[PerSquare<FeaturePair>; 14]; 2] = {
    let mut first = [[FEATURES as u16; Square::COUNT]; 14];
    let (mut next, mut piece) = (0, 0);
    while piece < 14 {
        let mut square = 0;
        while square < Square::COUNT {
            if PLACES[piece].has(Square::at(square)) {
                first[piece][square] = next;
                next += 1;
            }
            square += 1;
        }
        piece += 1;
    }
    assert!(next as usize == FEATURES);
    let mut table = [const { [const { PerSquare::filled([FEATURES as u16; 2]) }; 14] }; 2];
    let mut piece = 0;
    while piece < 14 {
        let (side, kind) = (Piece::ALL[piece].side(), Piece::ALL[piece].kind());
        let other = Piece::new(if matches!(side, Side::Red) { Side::Black } else { Side::Red }, kind);
        let (mut red, mut black) = (PerSquare::filled([0; 2]), PerSquare::filled([0; 2]));
        let mut index = 0;
        while index < Square::COUNT {
            let (square, mirrored) = (Square::at(index), Square::at(index).mirrored());
            red = red.with(square, [first[piece][index], first[piece][mirrored.index()]]);
            let seen = &first[other.index()];
            black = black.with(square, [seen[square.flipped().index()], seen[mirrored.flipped().index()]]);
            index += 1;
        }
        table[0][piece] = red;
        table[1][piece] = black;
        piece += 1;
    }
    table
};

/// The feature that `piece` on `square` is in the perspective of `view`.
#[inline]
pub fn feature(view: Side, piece: Piece, square: Square) -> FeaturePair {
    TABLE[view.index()][piece.index()][square]
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_place_of_a_piece_is_an_input_of_its_own() {
        for view in Side::ALL {
            for image in [0, 1] {
                let seen: HashSet<u16> = Piece::ALL
                    .into_iter()
                    .flat_map(|piece| {
                        let places = PLACES[piece.index()].into_iter();
                        places.map(move |square| feature(view, piece, square)[image])
                    })
                    .collect();
                assert_eq!(seen, (0..FEATURES as u16).collect());
            }
        }
    }

    #[test]
    fn both_sides_see_alike_and_mirrors_mirror() {
        for piece in Piece::ALL {
            let other = Piece::new(!piece.side(), piece.kind());
            for square in PLACES[piece.index()] {
                let seen = feature(Side::Red, piece, square);
                assert_eq!(feature(Side::Black, other, square.flipped()), seen);
                let [plain, mirrored] = feature(Side::Red, piece, square.mirrored());
                assert_eq!([mirrored, plain], seen);
            }
        }
    }

    #[test]
    fn elsewhere_nothing_is_seen() {
        let nowhere = [FEATURES as u16; 2];
        assert_eq!(feature(Side::Red, Piece::RedPawn, "a0".parse().unwrap()), nowhere);
        assert_eq!(feature(Side::Black, Piece::RedKing, "d9".parse().unwrap()), nowhere);
    }

    #[derive(Clone, Copy)]
    struct Nine;
    impl InputSet for Nine {
        const IMAGES: usize = 2;
        const GENERAL_BUCKETS: [[u8; 3]; 3] = [[0, 1, 2], [3, 4, 5], [6, 7, 8]];
    }

    #[derive(Clone, Copy)]
    struct Turned;
    impl InputSet for Turned {
        const IMAGES: usize = 1;
        const GENERAL_BUCKETS: [[u8; 3]; 3] = [[0, 1, 2], [0, 1, 2], [0, 1, 2]];
    }

    #[test]
    fn orientations_follow_the_own_general() {
        let at = |name: &str| name.parse::<Square>().unwrap();
        let nine = |view, name, image| Orientation::of::<Nine>(view, at(name), image);
        assert_eq!((bucket_count::<Nine>(), bucket_count::<Turned>()), (9, 3));
        for (view, name, buckets) in
            [(Side::Red, "d0", [0, 2]), (Side::Red, "e1", [4, 4]), (Side::Black, "f7", [8, 6])]
        {
            assert_eq!([0, 1].map(|image| nine(view, name, image).bucket), buckets, "{name}");
            assert_eq!([0, 1].map(|image| nine(view, name, image).mirrored), [false, true]);
        }
        let turned = |view, name| Orientation::of::<Turned>(view, at(name), 0);
        assert_eq!(turned(Side::Red, "f0"), Orientation { mirrored: true, bucket: 0 });
        assert_eq!(turned(Side::Black, "d9"), Orientation { mirrored: false, bucket: 0 });
        assert_eq!(turned(Side::Black, "e9"), Orientation { mirrored: false, bucket: 1 });
        for square in Square::all() {
            for view in Side::ALL {
                assert!(Orientation::of::<Turned>(view, square, 0).bucket < 3);
            }
        }
    }

    #[test]
    fn every_bucket_has_inputs_of_its_own() {
        let pair = feature(Side::Red, Piece::RedRook, "b3".parse().unwrap());
        let inputs: HashSet<usize> = (0..9)
            .flat_map(|bucket| {
                [false, true].map(|mirrored| Orientation { mirrored, bucket }.input::<Nine>(pair))
            })
            .collect();
        assert_eq!(inputs.len(), 18);
        assert!(inputs.iter().all(|&input| input < input_count::<Nine>()));
        let none = Orientation { mirrored: true, bucket: 3 }.input::<Nine>([FEATURES as u16; 2]);
        assert_eq!(none, 9 * FEATURES);
        assert_eq!(Orientation { mirrored: false, bucket: 0 }.input::<Inputs>([FEATURES as u16; 2]), INPUTS);
    }

    #[test]
    fn every_number_of_pieces_has_its_bucket() {
        let buckets: Vec<usize> = (0..=32).map(output_bucket).collect();
        assert!(buckets.is_sorted() && buckets[0] == 0 && buckets[32] == OUTPUT_BUCKETS - 1);
        assert_eq!(buckets.iter().filter(|&&bucket| bucket == 3).count(), 32 / OUTPUT_BUCKETS);
    }
}
