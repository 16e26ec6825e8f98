//! The rules of xiangqi (Chinese chess): positions, legal moves, notation, records and repetition rulings.

pub mod board;
pub mod diagram;
pub mod explain;
pub mod notation;
pub mod perft;
pub mod rules;
pub mod types;
