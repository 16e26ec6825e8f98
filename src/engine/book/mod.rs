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

pub use builder::{BookBuilder, BookFilter};
pub use canonical::CanonicalKey;
pub use choice::{BookChoice, choose};
pub use format::{BookContents, BookError, BookMove, encode};
pub use library::BookLibrary;
pub use reader::Book;
pub use walk::{reached, reached_by};
