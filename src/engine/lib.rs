//! The engine Juzhong (橘中): evaluation, endings, opening book, search and the two protocols.

pub mod bench;
pub mod book;
pub mod container;
pub mod counts;
pub mod endgame;
pub mod engine;
pub mod eval;
pub mod protocol;
pub mod score;
pub mod search;
