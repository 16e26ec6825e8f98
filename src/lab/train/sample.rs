//! A position as it is learnt from.

use std::sync::LazyLock;

use juzhong_engine::eval::{FEATURES, feature};
use juzhong_engine::score::Value;
use xiangqi::board::Position;
use xiangqi::board::attacks::PLACES;
use xiangqi::types::{Outcome, Piece, Side};

/// The most pieces on a board.
pub const PIECES: usize = 32;
/// How often the hidden neurons look at a board: with the eyes of the mover and of the other side, each time as it
/// is and mirrored.
pub const LOOKS: usize = 4;

/// What the mover sees as one input is another one in each of the looks.
static IMAGES: LazyLock<Vec<[u16; LOOKS]>> = LazyLock::new(|| {
    let mut images = vec![[FEATURES as u16; LOOKS]; FEATURES];
    for piece in Piece::ALL {
        for square in PLACES[piece.index()] {
            let [[plain, mirrored], other] = Side::ALL.map(|view| feature(view, piece, square));
            images[usize::from(plain)] = [plain, mirrored, other[0], other[1]];
        }
    }
    images
});

/// A position, its score and the result of its game, as the side to move sees them, in 68 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// What the mover sees; the other looks follow from it.
    inputs: [u16; PIECES],
    score: i16,
    pieces: u8,
    /// Half points that the mover made of the game.
    points: u8,
}

/// The inputs of all looks at a position.
#[derive(Debug, Clone, Copy)]
pub struct Looks {
    inputs: [[u16; PIECES]; LOOKS],
    pieces: usize,
}

impl Sample {
    /// Packs a position with its score in centipawns for the side to move, within ±32767, and the outcome of its
    /// game.
    pub fn new(position: &Position, score: Value, outcome: Outcome) -> Sample {
        let mover = position.side();
        let mut inputs = [FEATURES as u16; PIECES];
        let places = position.occupied().into_iter().filter_map(|square| {
            let piece = position.piece_on(square)?;
            Some(feature(mover, piece, square)[0])
        });
        inputs.iter_mut().zip(places).for_each(|(slot, input)| *slot = input);
        let points = match outcome {
            Outcome::Draw => 1,
            Outcome::Win(side) => 2 * u8::from(side == mover),
        };
        let pieces = position.occupied().len() as u8;
        let score = score.clamp(-i32::from(i16::MAX), i16::MAX.into()) as i16;
        Sample { inputs, score, pieces, points }
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

    /// The inputs of all looks.
    #[inline]
    pub fn looks(&self) -> Looks {
        let mut inputs = [[0; PIECES]; LOOKS];
        let pieces = usize::from(self.pieces).min(PIECES);
        for (slot, &input) in self.inputs[..pieces].iter().enumerate() {
            for (look, &image) in inputs.iter_mut().zip(&IMAGES[usize::from(input)]) {
                look[slot] = image;
            }
        }
        Looks { inputs, pieces }
    }

    /// All of it as bytes, for checksums.
    pub fn to_bytes(self) -> [u8; size_of::<Sample>()] {
        let mut bytes = [0; size_of::<Sample>()];
        let words = self.inputs.into_iter().chain([self.score as u16]).flat_map(u16::to_le_bytes);
        let all = words.chain([self.pieces, self.points]);
        bytes.iter_mut().zip(all).for_each(|(slot, byte)| *slot = byte);
        bytes
    }
}

impl Looks {
    /// Look by look: the mover's as it is and mirrored, then the other side's.
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
        assert_eq!(size_of::<Sample>(), 68);
        let position = Position::from_fen(FEN).unwrap();
        let sample = Sample::new(&position, -120, Outcome::Win(Side::Black));
        assert_eq!((sample.score(), sample.result(), sample.pieces()), (-120, 1.0, 28));
        assert_eq!(Sample::new(&position, 0, Outcome::Win(Side::Red)).result(), 0.0);
        assert_eq!(Sample::new(&position, 0, Outcome::Draw).result(), 0.5);
    }

    #[test]
    fn looks_are_what_both_sides_see() {
        let position = Position::from_fen(FEN).unwrap();
        let looks = Sample::new(&position, 0, Outcome::Draw).looks();
        let wanted = [Side::Black, Side::Red].into_iter().flat_map(|view| {
            [0, 1].map(|image| {
                let pieces = position.occupied().into_iter();
                let seen = pieces.map(|square| feature(view, position.piece_on(square).unwrap(), square));
                seen.map(|pair| pair[image]).collect::<Vec<u16>>()
            })
        });
        assert!(looks.iter().eq(wanted));
    }

    #[test]
    fn bytes_tell_samples_apart() {
        let position = Position::from_fen(FEN).unwrap();
        let sample = Sample::new(&position, 7, Outcome::Draw);
        let mut others = [sample; 4];
        others[0].inputs[31] ^= 1;
        others[1].score = 8;
        others[2].pieces -= 1;
        others[3].points = 2;
        assert!(others.iter().all(|other| other.to_bytes() != sample.to_bytes()));
    }
}
