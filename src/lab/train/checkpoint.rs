//! The file from which a training continues after an interruption. All numbers are little endian.
//!
//! | bytes | what |
//! | --- | --- |
//! | 0-7 | `JZTRAIN` and a zero |
//! | 8-11 | the version, 1 |
//! | 12-15 | CRC-32 of everything behind it |
//! | 16-19 | length of the description, D |
//! | D | the description, JSON in UTF-8 |
//! | ... | weights and the two moments of each, 32-bit floating point, vector by vector |

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::model::{VECTORS, Weights, blank};
use super::optimiser::Moments;
use super::trainer::{Losses, TrainingState};
use crate::support::files;
use juzhong_engine::container::{ContainerError, Format, InputError, read_file};
use juzhong_engine::eval::arch::HIDDEN;

const FORMAT: Format = Format { magic: *b"JZTRAIN\0", versions: 1..=1, name: "checkpoint" };
const VERSION: u32 = 1;
/// Bytes of one number for each weight.
const BLOCK: usize = 4 * HIDDEN * VECTORS;
/// The largest checkpoint, in bytes.
const LARGEST: u64 = 3 * BLOCK as u64 + (1 << 24);

/// The settings of a training, and how far it has come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrainingDescription {
    /// The settings in words; only a training with the same words can continue.
    pub settings: String,
    /// How many games of each file are used.
    pub games: Vec<u64>,
    /// The checksum of the positions.
    pub fingerprint: u32,
    /// The losses of each epoch.
    pub history: Vec<Losses>,
}

/// A training with everything that it has learnt.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    /// The settings and the progress.
    pub description: TrainingDescription,
    /// The weights and the state of the optimiser.
    pub state: TrainingState,
}

/// Why a checkpoint could not be read, written or used.
#[derive(Debug, Error)]
#[error("{}: {fault}", path.display())]
pub struct CheckpointError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    #[source]
    pub fault: CheckpointFault,
}

/// What is wrong with a checkpoint.
#[derive(Debug, Error)]
pub enum CheckpointFault {
    /// The file cannot be written.
    #[error("{0}")]
    System(#[from] std::io::Error),
    /// The file cannot be read.
    #[error("{0}")]
    Unreadable(#[from] InputError),
    /// The file is not a sound container of a checkpoint.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// Bytes are missing or left over.
    #[error("it is too short or too long for a network of this architecture")]
    Length,
    /// The description cannot be read.
    #[error("the description is malformed: {0}")]
    Description(#[from] serde_json::Error),
    /// The checkpoint belongs to another training.
    #[error("it comes from another training: {found}; wanted: {wanted}")]
    OtherTraining {
        /// The settings of the checkpoint.
        found: String,
        /// The settings now.
        wanted: String,
    },
    /// The games have changed.
    #[error("it was trained with other games")]
    OtherGames,
}

impl Checkpoint {
    /// Writes the checkpoint and replaces an older file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), CheckpointError> {
        let written = self.to_bytes().and_then(|bytes| Ok(files::replace(path, &bytes)?));
        written.map_err(|fault| CheckpointError { path: path.to_owned(), fault })
    }

    /// Reads a checkpoint.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is no sound checkpoint.
    pub fn read(path: &Path) -> Result<Checkpoint, CheckpointError> {
        let read = read_file(path, LARGEST).map_err(CheckpointFault::from);
        let checkpoint = read.and_then(|bytes| Checkpoint::from_bytes(&bytes));
        checkpoint.map_err(|fault| CheckpointError { path: path.to_owned(), fault })
    }

    /// The learnt state, if the checkpoint belongs to the training described, which then takes over its history.
    ///
    /// # Errors
    /// Returns an error if the checkpoint is of another training, or of one with other games.
    pub fn resume(
        self,
        path: &Path,
        wanted: &mut TrainingDescription,
    ) -> Result<TrainingState, CheckpointError> {
        let failed = |fault| CheckpointError { path: path.to_owned(), fault };
        let Checkpoint { description: found, state } = self;
        if (&found.games, found.fingerprint) != (&wanted.games, wanted.fingerprint) {
            return Err(failed(CheckpointFault::OtherGames));
        }
        if found.settings != wanted.settings {
            let (found, wanted) = (found.settings, wanted.settings.clone());
            return Err(failed(CheckpointFault::OtherTraining { found, wanted }));
        }
        wanted.history = found.history;
        Ok(state)
    }

    fn to_bytes(&self) -> Result<Vec<u8>, CheckpointFault> {
        let text = serde_json::to_vec(&self.description)?;
        let mut body = (text.len() as u32).to_le_bytes().to_vec();
        body.extend(text);
        let TrainingState { weights, moments, .. } = &self.state;
        for weights in [weights, &moments.first, &moments.second] {
            body.extend(weights.iter().flat_map(|vector| vector.0).flat_map(f32::to_le_bytes));
        }
        Ok(FORMAT.seal(VERSION, &body))
    }

    fn from_bytes(bytes: &[u8]) -> Result<Checkpoint, CheckpointFault> {
        let sealed = FORMAT.open(bytes)?;
        sealed.verify()?;
        let mut fields = sealed.fields();
        let length = fields.u32()?;
        let text = fields.take(length as usize)?;
        let blocks = fields.rest();
        if blocks.len() != 3 * BLOCK {
            return Err(CheckpointFault::Length);
        }
        let description: TrainingDescription = serde_json::from_slice(text)?;
        let (weights, moments) = blocks.split_at(BLOCK);
        let (first, second) = moments.split_at(BLOCK);
        let moments = Moments { first: parse(first), second: parse(second) };
        let state =
            TrainingState { epochs: description.history.len() as u32, weights: parse(weights), moments };
        Ok(Checkpoint { description, state })
    }
}

/// The weights that these bytes hold.
fn parse(bytes: &[u8]) -> Box<Weights> {
    let mut weights = blank();
    let numbers = bytes.chunks_exact(4).map(|word| f32::from_le_bytes([word[0], word[1], word[2], word[3]]));
    let slots = weights.iter_mut().flat_map(|vector| &mut vector.0);
    slots.zip(numbers).for_each(|(slot, number)| *slot = number);
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint() -> Checkpoint {
        let mut state = TrainingState::new(5);
        state.epochs = 2;
        state.moments.first[3].0[7] = -0.25;
        state.moments.second[VECTORS - 1].0[1] = 1e-30;
        let losses = |training| Losses { rate: 0.001, training, validation: 0.25 };
        let description = TrainingDescription {
            settings: "20 epochs".into(),
            games: vec![7, 9],
            fingerprint: 5,
            history: vec![losses(0.5), losses(0.25)],
        };
        Checkpoint { description, state }
    }

    #[test]
    fn a_checkpoint_comes_back_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("point");
        checkpoint().write(&path).unwrap();
        assert_eq!(Checkpoint::read(&path).unwrap(), checkpoint());
        let error = Checkpoint::read(&folder.path().join("none")).unwrap_err().to_string();
        assert!(error.contains("none: "), "{error}");
    }

    #[test]
    fn damage_is_noticed() {
        let whole = checkpoint().to_bytes().unwrap();
        for length in [0, 7, 8, 19, 20, 100, whole.len() - 1] {
            assert!(Checkpoint::from_bytes(&whole[..length]).is_err(), "{length} bytes");
        }
        for place in (0..400).chain([whole.len() - 1]) {
            let mut bytes = whole.clone();
            bytes[place] ^= 0x10;
            assert!(Checkpoint::from_bytes(&bytes).is_err(), "byte {place}");
        }
        let mut long = whole;
        long.push(0);
        assert!(Checkpoint::from_bytes(&long).is_err());
    }
}
