//! Attack sets of every piece, from small tables built at compile time.
//!
//! What a rook or cannon attacks along a rank depends on the seven inner squares of that rank, and along a file
//! on its eight inner squares, so the tables have 128 and 256 rows for each square of a line. The occupancy of
//! each line is kept as a word of its own ([`Lines`]): finding the row takes one shift and one mask, with
//! neither magic multipliers nor BMI2.
//!
//! ```
//! use xiangqi::board::{Lines, attacks};
//! use xiangqi::types::Bitboard;
//!
//! // The cannon on h2 sees along its file up to the piece on h6, and captures the next one, on h9.
//! let occupied: Bitboard = ["h2".parse()?, "h6".parse()?, "h9".parse()?].into_iter().collect();
//! let lines = Lines::new(occupied);
//! let cannon = "h2".parse()?;
//! assert!(attacks::rook(cannon, &lines).has("h6".parse()?));
//! assert_eq!(attacks::cannon(cannon, &lines) & occupied, Bitboard::of("h9".parse()?));
//! # Ok::<(), xiangqi::types::SquareError>(())
//! ```

mod geometry;
mod lines;

pub use geometry::{
    PLACES, advisor, between, check_zone, horse_leg, horse_ring, horses_to, king, pawn, pawns_to,
};
pub(crate) use geometry::{RED_HALF, cross, leg_of_leap, pawn_steps};
pub use lines::{Lines, cannon, elephant, horse, rook};
