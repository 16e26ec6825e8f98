//! The commands beside the protocol, one file a tool. What they have to say is a value: the caller prints it.

pub mod bench;
pub mod book;
pub mod drawing;
pub mod judge;
pub mod perft;
pub mod selfplay;
pub mod tune;
