//! Writing games: appended one by one, so that an interrupted run loses at most the last.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::format::{GamesFormatError, GamesHeader};
use super::game::TrainingGame;
use super::reader::{DataError, DataFault, GamesReader};

/// A file that games are appended to.
#[derive(Debug)]
pub struct GamesWriter {
    path: PathBuf,
    file: File,
    at: u64,
}

impl GamesWriter {
    /// Creates a file of games.
    ///
    /// # Errors
    /// Returns an error if the file exists already or cannot be created.
    pub fn create(path: &Path, header: &GamesHeader) -> Result<GamesWriter, DataError> {
        let failed = |fault: DataFault| DataError { path: path.to_owned(), at: 0, fault };
        let bytes = header.encode().map_err(|error| failed(error.into()))?;
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(path)
            .map_err(|error| failed(error.into()))?;
        file.write_all(&bytes).map_err(|error| failed(error.into()))?;
        Ok(GamesWriter { path: path.to_owned(), file, at: bytes.len() as u64 })
    }

    /// Opens a file to append to. What an interrupted run left behind the last whole game is cut off; every game
    /// before it is handed to `see`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or written, or is damaged elsewhere than at its end.
    pub fn resume(
        path: &Path,
        mut see: impl FnMut(TrainingGame),
    ) -> Result<(GamesWriter, GamesHeader), DataError> {
        let mut reader = GamesReader::open(path)?;
        let header = reader.header().clone();
        for game in reader.by_ref() {
            match game {
                Ok(game) => see(game),
                Err(DataError { fault: DataFault::Format(GamesFormatError::Cut(_)), .. }) => break,
                Err(error) => return Err(error),
            }
        }
        let at = reader.position();
        let failed = |error: io::Error| DataError { path: path.to_owned(), at, fault: error.into() };
        // Windows does not let a file be cut that is open for appending.
        let mut file = OpenOptions::new().write(true).open(path).map_err(failed)?;
        file.set_len(at).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        Ok((GamesWriter { path: path.to_owned(), file, at }, header))
    }

    /// Appends a game, in one write.
    ///
    /// # Errors
    /// Returns an error if the game cannot be written or does not fit the format.
    pub fn add(&mut self, game: &TrainingGame) -> Result<(), DataError> {
        let written = game.encode().map_err(DataFault::from).and_then(|bytes| {
            self.file.write_all(&bytes)?;
            Ok(bytes.len() as u64)
        });
        match written {
            Ok(length) => {
                self.at += length;
                Ok(())
            }
            Err(fault) => Err(DataError { path: self.path.clone(), at: self.at, fault }),
        }
    }

    /// Flushes everything to the disk.
    ///
    /// # Errors
    /// Returns an error if the system cannot do so.
    pub fn sync(&self) -> Result<(), DataError> {
        self.file.sync_data().map_err(|error| DataError {
            path: self.path.clone(),
            at: self.at,
            fault: error.into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::data::ScoredMove;
    use xiangqi::types::Outcome;

    fn game(seed: u64) -> TrainingGame {
        let plies = vec![ScoredMove::new("h2e2".parse().unwrap(), Some(seed as i32))];
        TrainingGame { seed, start: None, plies, outcome: Outcome::Draw }
    }

    #[test]
    fn a_run_cut_short_goes_on_after_its_last_whole_game() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let header = GamesHeader { program: "p".into(), evaluation: "e".into(), nodes: 5, seed: 1 };
        let mut writer = GamesWriter::create(&path, &header).unwrap();
        (0..3).for_each(|seed| writer.add(&game(seed)).unwrap());
        writer.sync().unwrap();
        assert!(GamesWriter::create(&path, &header).is_err(), "a file is never overwritten");
        let whole = fs::read(&path).unwrap();
        fs::write(&path, &whole[..whole.len() - 5]).unwrap();
        let mut seen = Vec::new();
        let (mut writer, read) = GamesWriter::resume(&path, |game| seen.push(game)).unwrap();
        assert_eq!((seen, read), (vec![game(0), game(1)], header));
        writer.add(&game(2)).unwrap();
        assert_eq!(fs::read(&path).unwrap(), whole);
    }

    #[test]
    fn damage_within_is_not_cut_away() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let header = GamesHeader { program: "p".into(), evaluation: "e".into(), nodes: 5, seed: 1 };
        let mut writer = GamesWriter::create(&path, &header).unwrap();
        (0..2).for_each(|seed| writer.add(&game(seed)).unwrap());
        let mut bytes = fs::read(&path).unwrap();
        let last = bytes.len() - 1;
        bytes[last - 30] ^= 1;
        fs::write(&path, &bytes).unwrap();
        assert!(GamesWriter::resume(&path, |_| ()).is_err());
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}
