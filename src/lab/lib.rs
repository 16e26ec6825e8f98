//! The laboratory of Juzhong: matches, tuning, training, analysis and conversion.

pub mod analyse;
pub mod arena;
pub mod book;
pub mod check;
pub mod convert;
pub mod data;
pub mod datagen;
pub mod endgames;
pub mod judge;
pub mod support;
pub mod train;
pub mod tune;
