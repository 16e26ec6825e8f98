//! Juzhong (橘中), a xiangqi engine that obeys the rule book.

pub mod board;
pub mod cpu;
pub mod eval;
pub mod notation;
pub mod rules;
pub mod search;
pub mod tools;
pub mod types;
