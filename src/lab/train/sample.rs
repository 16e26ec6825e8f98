//! A position in the form used for training.

use std::sync::LazyLock;

use juzhong_engine::eval::arch::{FEATURES, InputSet, Inputs, Orientation, feature};
use juzhong_engine::score::Value;
use xiangqi::board::Position;
use xiangqi::board::attacks::PLACES;
use xiangqi::types::Outcome;
use xiangqi::types::{Kind, Piece, Side, Square};

/// The most pieces on a board.
pub const PIECES: usize = 32;
/// How many images of the board the network looks at: those of the mover's perspective, then the other side's.
pub const IMAGES: usize = 2 * Inputs::IMAGES;

/// The piece and the square, as the mover sees them, that a feature of the mover's perspective stands for.
static PLACED: LazyLock<Vec<(Piece, Square)>> = LazyLock::new(|| {
    let mut placed = vec![(Piece::RedKing, Square::at(0)); FEATURES];
    for piece in Piece::ALL {
        for square in PLACES[piece.index()] {
            placed[usize::from(feature(Side::Red, piece, square)[0])] = (piece, square);
        }
    }
    placed
});

/// A position, its score and the result of its game, as the side to move sees them, in 68 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrainingPosition {
    /// The features of the mover's perspective, from which the inputs of all images follow.
    features: [u16; PIECES],
    score: i16,
    pieces: u8,
    /// Half points that the mover made of the game.
    points: u8,
}

/// The active inputs of each image of the board that the network looks at.
#[derive(Debug, Clone, Copy)]
pub struct ActiveInputs {
    inputs: [[u16; PIECES]; IMAGES],
    pieces: usize,
}

impl TrainingPosition {
    /// Packs a position with its score in centipawns for the side to move, within ±32767, and the outcome of its
    /// game.
    pub fn new(position: &Position, score: Value, outcome: Outcome) -> TrainingPosition {
        let mover = position.side();
        let mut features = [FEATURES as u16; PIECES];
        let places = position.occupied().into_iter().filter_map(|square| {
            let piece = position.piece_on(square)?;
            Some(feature(mover, piece, square)[0])
        });
        features.iter_mut().zip(places).for_each(|(slot, feature)| *slot = feature);
        let points = match outcome {
            Outcome::Draw => 1,
            Outcome::Win(side) => 2 * u8::from(side == mover),
        };
        let pieces = position.occupied().len() as u8;
        let score = score.clamp(-i32::from(i16::MAX), i16::MAX.into()) as i16;
        TrainingPosition { features, score, pieces, points }
    }

    /// What the search gave, in centipawns.
    #[inline]
    pub fn score(&self) -> i16 {
        self.score
    }

    /// What the mover made of the game: 0, a half or 1.
    #[inline]
    pub fn result(&self) -> f32 {
        f32::from(self.points) / 2.0
    }

    /// Pieces on the board, generals included.
    #[inline]
    pub fn pieces(&self) -> u32 {
        self.pieces.into()
    }

    /// The active inputs of each image.
    #[inline]
    pub fn inputs(&self) -> ActiveInputs {
        let placed = &PLACED[..];
        let pieces = usize::from(self.pieces).min(PIECES);
        let features = &self.features[..pieces];
        let general = |side| {
            let king = Piece::new(side, Kind::King);
            let places = features.iter().map(|&feature| placed[usize::from(feature)]);
            places.into_iter().find(|&(piece, _)| piece == king).map_or(Square::at(0), |(_, square)| square)
        };
        let generals = Side::ALL.map(general);
        let mut inputs = [[0; PIECES]; IMAGES];
        for (number, inputs) in inputs.iter_mut().enumerate() {
            // Seen by the mover, who is Red here.
            let view = Side::ALL[number / Inputs::IMAGES];
            let orientation =
                Orientation::of::<Inputs>(view, generals[view.index()], number % Inputs::IMAGES);
            for (input, &active) in inputs.iter_mut().zip(features) {
                let (piece, square) = placed[usize::from(active)];
                *input = orientation.input::<Inputs>(feature(view, piece, square)) as u16;
            }
        }
        ActiveInputs { inputs, pieces }
    }

    /// All of it as bytes, for checksums.
    pub fn to_bytes(self) -> [u8; size_of::<TrainingPosition>()] {
        let mut bytes = [0; size_of::<TrainingPosition>()];
        let words = self.features.into_iter().chain([self.score as u16]).flat_map(u16::to_le_bytes);
        let all = words.chain([self.pieces, self.points]);
        bytes.iter_mut().zip(all).for_each(|(slot, byte)| *slot = byte);
        bytes
    }
}

impl ActiveInputs {
    /// Image by image: those of the mover's perspective, then the other side's.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = &[u16]> {
        self.inputs.iter().map(|inputs| &inputs[..self.pieces])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 b - - 0 1";

    #[test]
    fn a_sample_is_small_and_seen_by_the_mover() {
        assert_eq!(size_of::<TrainingPosition>(), 68);
        let position = Position::from_fen(FEN).unwrap();
        let sample = TrainingPosition::new(&position, -120, Outcome::Win(Side::Black));
        assert_eq!((sample.score(), sample.result(), sample.pieces()), (-120, 1.0, 28));
        assert_eq!(TrainingPosition::new(&position, 0, Outcome::Win(Side::Red)).result(), 0.0);
        assert_eq!(TrainingPosition::new(&position, 0, Outcome::Draw).result(), 0.5);
    }

    #[test]
    fn inputs_are_what_both_sides_see() {
        let position = Position::from_fen(FEN).unwrap();
        let inputs = TrainingPosition::new(&position, 0, Outcome::Draw).inputs();
        let mut images = inputs.iter();
        for view in [Side::Black, Side::Red] {
            for image in 0..Inputs::IMAGES {
                let orientation = Orientation::of::<Inputs>(view, position.king(view), image);
                let seen = position.occupied().into_iter().map(|square| {
                    let piece = position.piece_on(square).unwrap();
                    orientation.input::<Inputs>(feature(view, piece, square)) as u16
                });
                assert_eq!(images.next().unwrap(), seen.collect::<Vec<u16>>());
            }
        }
        assert!(images.next().is_none());
    }

    #[test]
    fn bytes_tell_samples_apart() {
        let position = Position::from_fen(FEN).unwrap();
        let sample = TrainingPosition::new(&position, 7, Outcome::Draw);
        let mut others = [sample; 4];
        others[0].features[31] ^= 1;
        others[1].score = 8;
        others[2].pieces -= 1;
        others[3].points = 2;
        assert!(others.iter().all(|other| other.to_bytes() != sample.to_bytes()));
    }
}
