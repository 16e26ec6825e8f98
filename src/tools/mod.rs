//! The commands beside the protocol, one file a tool.

pub mod perft;
