//! Juzhong (橘中), a xiangqi engine that obeys the rule book.

pub mod arena;
pub mod board;
pub mod book;
pub mod cli;
pub mod cpu;
pub mod data;
pub mod endgame;
pub mod engine;
pub mod eval;
pub mod input;
pub mod notation;
pub mod protocol;
pub mod rules;
pub mod search;
pub mod tools;
pub mod types;
