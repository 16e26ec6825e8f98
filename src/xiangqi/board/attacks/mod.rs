//! Attack sets of every piece, from small tables built at compile time.
//!
//! A rook's or cannon's set along a rank depends on the seven inner squares of that rank, along a file on
//! its eight inner squares: 128 and 256 rows a square. The occupancy of each line is kept as a word of its
//! own ([`Lines`]), so that finding the row is one shift and one mask; no magic multipliers, no BMI2.

mod geometry;
mod lines;

pub use geometry::{
    PALACES, PLACES, RED_HALF, advisor, between, check_zone, cross, horse_leg, horse_ring, horses_to, king,
    pawn, pawn_steps, pawns_to, place,
};
pub use lines::{Lines, cannon, elephant, horse, rook};
