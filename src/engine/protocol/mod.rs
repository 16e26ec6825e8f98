//! The conversation with a client: UCCI 3.0 and UCI, which share everything but words and number formats.
//!
//! ```text
//! stdin ─ reader ─▶ session ─ command, go, setup, options ─▶ engine
//! stdout ◀───────── session ◀─ thinking, ucci | uci ◀─────── events of the search
//! ```

mod command;
mod dialect;
mod go;
mod manners;
mod obey;
mod option_table;
mod options;
mod ranks;
mod reader;
mod session;
mod setup;
mod thinking;
mod ucci;
mod uci;
mod words;

pub use session::run;
