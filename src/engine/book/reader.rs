//! Books in memory, and what they know of a position.

use std::borrow::Cow;
use std::path::Path;

use once_cell::sync::Lazy;

use super::canonical::CanonicalKey;
use super::format::{BookContents, BookError, BookIndex, BookMove};
use crate::container::{self, LoadError};
use xiangqi::board::Position;

/// The largest book, in bytes, because books are kept in memory.
const LARGEST: u64 = 1 << 32;

/// The book that is part of the program. `book/README.md` describes how it was made.
static EMBEDDED: &[u8] = include_bytes!("../../../book/juzhong.book");

/// A checked book, in whose bytes positions are looked up by binary search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Book {
    bytes: Cow<'static, [u8]>,
    index: BookIndex,
}

impl Book {
    /// The book in these bytes, all of which are checked.
    ///
    /// # Errors
    /// Returns the first fault in the bytes.
    pub fn new(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Book, BookError> {
        let bytes = bytes.into();
        let index = BookIndex::check(&bytes)?;
        Ok(Book { bytes, index })
    }

    /// The book that is part of the program.
    pub fn embedded() -> &'static Book {
        static BOOK: Lazy<Book> = Lazy::new(|| {
            Book::new(EMBEDDED).unwrap_or_else(|error| unreachable!("the book of this program: {error}"))
        });
        &BOOK
    }

    /// Reads a book file.
    ///
    /// # Errors
    /// Returns an error that names the file and what is wrong with it.
    pub fn read(path: &Path) -> Result<Book, LoadError<BookError>> {
        container::load(path, LARGEST, Book::new)
    }

    /// How many positions the book knows.
    pub fn positions(&self) -> usize {
        self.index.positions
    }

    /// How many moves the book holds.
    pub fn moves(&self) -> usize {
        self.index.moves
    }

    /// The file of the book.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What the book knows of a position: its legal moves among those of the book, best first.
    ///
    /// ```
    /// use juzhong_engine::book::Book;
    /// use xiangqi::board::Position;
    /// let best = Book::embedded().probe(&Position::startpos()).next().unwrap();
    /// assert_eq!(best.mv.to_string(), "h2e2");
    /// ```
    pub fn probe<'a>(&'a self, position: &'a Position) -> impl Iterator<Item = BookMove> + 'a {
        let canonical = CanonicalKey::of(position);
        let found = self.find(canonical.key).map_or(0..0, |index| self.index.range(&self.bytes, index));
        found
            .filter_map(|index| self.index.entry(&self.bytes, index))
            .map(move |entry| BookMove { mv: canonical.restored(entry.mv), ..entry })
            .filter(|entry| position.is_pseudo_legal(entry.mv) && position.is_legal(entry.mv))
    }

    /// Whether the book knows the position with this canonical key.
    pub fn knows(&self, key: u64) -> bool {
        self.find(key).is_some()
    }

    /// Everything in the book, with the moves as they are stored.
    pub fn contents(&self) -> BookContents {
        let entry = |index| self.index.entry(&self.bytes, index);
        let entries = |index| self.index.range(&self.bytes, index).filter_map(entry).collect();
        (0..self.positions()).map(|index| (self.index.key(&self.bytes, index), entries(index))).collect()
    }

    fn find(&self, key: u64) -> Option<usize> {
        let (mut low, mut high) = (0, self.positions());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.index.key(&self.bytes, middle).cmp(&key) {
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }
}
