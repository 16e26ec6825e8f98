//! The conversation with a client: UCCI 3.0 and UCI, which share everything but words and number formats.
//!
//! ```text
//! stdin ─ reader ─▶ session ─ command, go, position, options ─▶ engine
//! stdout ◀───────── session ◀─ active_search, ucci | uci ◀─────── events of the search
//! ```

mod active_search;
mod command;
mod dialect;
mod draws;
mod execute;
mod go;
mod message;
mod option_table;
mod options;
mod position;
mod ranks;
mod reader;
mod session;
mod session_options;
mod tokens;
mod ucci;
mod uci;

pub use session::run;
