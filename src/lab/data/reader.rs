//! Reading games, one after the other.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::format::{FORMAT, GamesFormatError, GamesHeader, LONGEST_BODY, LONGEST_DESCRIPTION};
use super::game::TrainingGame;
use juzhong_engine::container::{self, ContainerError, PREAMBLE, RecordError, fill};

/// Why a file of games cannot be used, or not beyond some byte.
#[derive(Debug, Error)]
#[error("{}: {}{fault}", path.display(), place(*at, fault))]
pub struct DataError {
    /// The file.
    pub path: PathBuf,
    /// The number of bytes before the fault.
    pub at: u64,
    /// What is wrong there.
    pub fault: DataFault,
}

/// The place of a fault in the file, for those faults that have one.
fn place(at: u64, fault: &DataFault) -> String {
    match fault {
        DataFault::Format(_) => format!("byte {at}: "),
        DataFault::System(_) | DataFault::Exists => String::new(),
    }
}

/// What is wrong with a file of games.
#[derive(Debug, Error)]
pub enum DataFault {
    /// The file exists and would be overwritten.
    #[error("exists; --resume goes on with it, another name begins anew")]
    Exists,
    /// The system cannot read or write the file.
    #[error("{0}")]
    System(#[from] io::Error),
    /// The bytes are not sound games.
    #[error("{0}")]
    Format(#[from] GamesFormatError),
}

/// An iterator over the games of a file. It ends after the last game, or after the first error; what came before
/// is whole.
#[derive(Debug)]
pub struct GamesReader<R = BufReader<File>> {
    path: PathBuf,
    source: R,
    header: GamesHeader,
    at: u64,
    ended: bool,
}

impl GamesReader {
    /// Opens a file of games.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is no file of games.
    pub fn open(path: &Path) -> Result<GamesReader, DataError> {
        let file = File::open(path);
        let file = file.map_err(|error| DataError { path: path.to_owned(), at: 0, fault: error.into() })?;
        GamesReader::new(BufReader::new(file), path)
    }
}

impl<R: Read> GamesReader<R> {
    /// Reads games from any source, which errors call `path`.
    ///
    /// # Errors
    /// Returns an error if the source cannot be read or holds no games.
    pub fn new(mut source: R, path: &Path) -> Result<GamesReader<R>, DataError> {
        let mut begin = || -> Result<(GamesHeader, usize), DataFault> {
            let mut preamble = [0; PREAMBLE];
            let length = fill(&mut source, &mut preamble)?;
            match FORMAT.check_preamble(&preamble[..length]) {
                Ok(_) => (),
                Err(ContainerError::Length { .. }) => return Err(GamesFormatError::Cut("its head").into()),
                Err(error) => return Err(GamesFormatError::from(error).into()),
            }
            let text = match container::read_record(&mut source, LONGEST_DESCRIPTION) {
                Ok(Some(text)) => text,
                Ok(None) => return Err(GamesFormatError::Cut("its head").into()),
                Err(RecordError::TooLong) => {
                    return Err(GamesFormatError::Header("it is too long".to_owned()).into());
                }
                Err(error) => return Err(fault(error, "its head", "the description")),
            };
            Ok((GamesHeader::decode(&text)?, PREAMBLE + container::RECORD_HEADER + text.len()))
        };
        match begin() {
            Ok((header, at)) => {
                Ok(GamesReader { path: path.to_owned(), source, header, at: at as u64, ended: false })
            }
            Err(fault) => Err(DataError { path: path.to_owned(), at: 0, fault }),
        }
    }

    /// The description of how the games were made.
    pub fn header(&self) -> &GamesHeader {
        &self.header
    }

    /// The number of bytes that have been read and found whole.
    pub fn position(&self) -> u64 {
        self.at
    }

    fn read_game(&mut self) -> Result<Option<TrainingGame>, DataFault> {
        let body = match container::read_record(&mut self.source, LONGEST_BODY) {
            Ok(Some(body)) => body,
            Ok(None) => return Ok(None),
            Err(error) => return Err(fault(error, "a game", "a game")),
        };
        let game = TrainingGame::decode(&body)?;
        self.at += (container::RECORD_HEADER + body.len()) as u64;
        Ok(Some(game))
    }
}

/// The fault of a file whose record cannot be read; `cut` and `checked` name the record in the two messages.
fn fault(error: RecordError, cut: &'static str, checked: &'static str) -> DataFault {
    match error {
        RecordError::System(error) => error.into(),
        RecordError::Cut => GamesFormatError::Cut(cut).into(),
        RecordError::TooLong => GamesFormatError::Game("the game is longer than a game can be").into(),
        RecordError::Checksum => GamesFormatError::Checksum(checked).into(),
    }
}

impl<R: Read> Iterator for GamesReader<R> {
    type Item = Result<TrainingGame, DataError>;

    fn next(&mut self) -> Option<Result<TrainingGame, DataError>> {
        if self.ended {
            return None;
        }
        let game = self.read_game();
        self.ended = !matches!(game, Ok(Some(_)));
        let failed = |fault| DataError { path: self.path.clone(), at: self.at, fault };
        game.map_err(failed).transpose()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::data::ScoredMove;
    use xiangqi::types::{Outcome, Side};

    fn header() -> GamesHeader {
        GamesHeader { program: "juzhong 0".into(), evaluation: "hand-made".into(), nodes: 1000, seed: 7 }
    }

    fn games() -> Vec<TrainingGame> {
        let ply = |mv: &str, score| ScoredMove::new(mv.parse().unwrap(), score);
        let fen = "4k4/9/9/9/9/9/9/9/4R4/3K5 w - - 0 1";
        vec![
            TrainingGame {
                seed: 1,
                start: None,
                plies: vec![ply("h2e2", None), ply("h9g7", Some(-30_000))],
                outcome: Outcome::Draw,
            },
            TrainingGame {
                seed: u64::MAX,
                start: Some(fen.to_owned()),
                plies: vec![ply("e1e2", Some(431))],
                outcome: Outcome::Win(Side::Red),
            },
            TrainingGame { seed: 3, start: None, plies: Vec::new(), outcome: Outcome::Win(Side::Black) },
        ]
    }

    fn bytes() -> Vec<u8> {
        let mut bytes = header().encode().unwrap();
        games().iter().for_each(|game| bytes.extend(game.encode().unwrap()));
        bytes
    }

    /// The games that can be read, and the error that ended it.
    fn read(bytes: &[u8]) -> (Vec<TrainingGame>, Option<String>) {
        let reader = match GamesReader::new(bytes, Path::new("x")) {
            Ok(reader) => reader,
            Err(error) => return (Vec::new(), Some(error.to_string())),
        };
        let (mut games, mut error) = (Vec::new(), None);
        for game in reader {
            match game {
                Ok(game) => games.push(game),
                Err(reason) => error = Some(reason.to_string()),
            }
        }
        (games, error)
    }

    #[test]
    fn games_come_back_as_they_were() {
        let bytes = bytes();
        assert_eq!(read(&bytes), (games(), None));
        assert_eq!(GamesReader::new(&bytes[..], Path::new("x")).unwrap().header(), &header());
    }

    #[test]
    fn a_cut_file_gives_what_is_whole_and_says_where_it_ends() {
        let whole = bytes();
        let head = header().encode().unwrap().len();
        let mut ends = vec![head];
        games().iter().for_each(|game| ends.push(ends.last().unwrap() + game.encode().unwrap().len()));
        for length in 0..whole.len() {
            let (read, error) = read(&whole[..length]);
            let complete = ends.iter().filter(|&&end| end <= length).count();
            assert_eq!(read, games()[..complete.saturating_sub(1)], "{length} bytes");
            if ends.contains(&length) {
                assert_eq!(error, None, "{length} bytes");
            } else {
                let at = ends.iter().rfind(|&&end| end <= length).unwrap_or(&0);
                assert!(error.unwrap().starts_with(&format!("x: byte {at}: ")), "{length} bytes");
            }
        }
    }

    #[test]
    fn every_changed_byte_is_noticed() {
        let whole = bytes();
        for place in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[place] ^= 0x10;
            let (read, error) = read(&bytes);
            assert!(error.is_some() && games().starts_with(&read), "byte {place}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_cause_panic(noise in prop::collection::vec(any::<u8>(), 0..200), place in 0usize..400) {
            read(&noise);
            let mut bytes = bytes();
            let place = place.min(bytes.len());
            bytes.truncate(place);
            bytes.extend(noise);
            let (read, _) = read(&bytes);
            prop_assert!(read.len() <= 3 + 200 / 20);
        }

        #[test]
        fn bodies_with_right_checksums_are_still_looked_at(body in prop::collection::vec(any::<u8>(), 0..80)) {
            if let Ok(game) = TrainingGame::decode(&body) {
                prop_assert_eq!(&game.encode().unwrap()[container::RECORD_HEADER..], &body[..]);
            }
        }
    }
}
