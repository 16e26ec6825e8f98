//! Juzhong (橘中), a xiangqi engine that obeys the rule book.

pub mod types;
