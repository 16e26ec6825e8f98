//! The opening book: which moves were played in a position, how often, and with what results.
//!
//! ```text
//! games ─ builder ─▶ contents ─ format ─▶ file ─ format ─▶ reader ─▶ choice, library ─▶ engine
//! ```
//!
//! A position and its mirror image are one to the book, known by the smaller of their two keys.

mod builder;
mod canonical;
mod choice;
mod format;
mod library;
mod reader;
mod walk;

pub use builder::{Builder, Sieve};
pub use canonical::Canonical;
pub use choice::{Choice, choose};
pub use format::{BookError, Contents, Entry, encode};
pub use library::Library;
pub use reader::Book;
pub use walk::{reached, reached_by};
