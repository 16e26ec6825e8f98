//! The commands beside the protocol, one file a tool. What they have to say is a value: the caller prints it.

pub mod analyse;
pub mod bench;
pub mod book;
pub mod chart;
pub mod convert;
pub mod counts;
pub mod data;
pub mod datagen;
pub mod drawing;
pub mod endgames;
pub mod file;
pub mod games;
pub mod judge;
pub mod perft;
pub mod picture;
pub mod train;
