//! The books an engine plays from.

use std::path::Path;

use rand::SeedableRng;
use rand::rngs::StdRng;

use super::choice::{BookChoice, choose};
use super::format::BookError;
use super::reader::Book;
use crate::container::LoadError;
use crate::score::Value;
use xiangqi::board::Position;

/// The books in use, and the random numbers that choose between their moves.
pub struct BookLibrary {
    /// The opened book files that could be used; if there are none, the built-in book is used.
    books: Vec<Book>,
    /// The file names last given, so that files are read only once.
    named: Vec<String>,
    rng: StdRng,
}

/// The random part of the evaluation at which the weights of moves count by their square root, in centipawns.
const HALF_SHARP: f64 = 20.0;

impl BookLibrary {
    /// A library with only the built-in book; `seed` decides between its moves.
    pub fn new(seed: u64) -> BookLibrary {
        BookLibrary { books: Vec::new(), named: Vec::new(), rng: StdRng::seed_from_u64(seed) }
    }

    /// Uses these book files, in this order, and returns an error for each that cannot be used. Files already in use
    /// are not read again.
    pub fn open(&mut self, files: &[String]) -> Vec<LoadError<BookError>> {
        if self.named == files {
            return Vec::new();
        }
        self.named = files.to_vec();
        let mut faults = Vec::new();
        let read = files.iter().map(|file| Book::read(Path::new(file)));
        self.books = read.filter_map(|book| book.map_err(|fault| faults.push(fault)).ok()).collect();
        faults
    }

    /// Draws a move for the position. `noise` is the random part of the evaluation in centipawns: the larger it is, the
    /// more often lesser moves are played.
    pub fn choose(&mut self, position: &Position, noise: Value) -> Option<BookChoice> {
        let sharpness = HALF_SHARP / (HALF_SHARP + f64::from(noise));
        if self.books.is_empty() {
            choose([Book::embedded()], position, sharpness, &mut self.rng)
        } else {
            choose(&self.books, position, sharpness, &mut self.rng)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::{BookContents, encode};

    #[test]
    fn bad_files_are_named_once_and_left_out() {
        let mut library = BookLibrary::new(1);
        let files = vec!["/nowhere/a.book".to_owned()];
        let faults = library.open(&files);
        assert!(faults.len() == 1 && faults[0].to_string().starts_with("/nowhere/a.book: "), "{faults:?}");
        assert!(library.open(&files).is_empty());
        assert!(library.choose(&Position::startpos(), 0).is_some(), "the book of the program steps in");
    }

    #[test]
    fn a_named_book_takes_the_place_of_our_own() {
        let path = std::env::temp_dir().join(format!("juzhong-library-{}.book", std::process::id()));
        std::fs::write(&path, encode(&BookContents::new())).unwrap();
        let mut library = BookLibrary::new(1);
        assert!(library.open(&[path.display().to_string()]).is_empty());
        assert_eq!(library.choose(&Position::startpos(), 0), None);
        assert!(library.open(&[]).is_empty());
        assert!(library.choose(&Position::startpos(), 80).is_some());
        std::fs::remove_file(&path).unwrap();
    }
}
