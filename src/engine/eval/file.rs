//! The bytes of a network. All numbers are little endian.
//!
//! | bytes | what |
//! | --- | --- |
//! | 0-7 | `JZNET`, a zero and a line break of two bytes, which a transfer as text would spoil |
//! | 8-11 | the version, 1 |
//! | 12-15 | CRC-32 of everything behind it |
//! | 16-27 | inputs, hidden neurons, buckets: 4 bytes each |
//! | 28-31 | centipawns of an output of one |
//! | 32-33 | length of the name, N |
//! | N | the name of its training, UTF-8 |
//! | 2 I H | hidden weights, input by input |
//! | 2 H | hidden biases |
//! | 4 B H | output weights: of each bucket, for the mover's sight and the other side's |
//! | 4 B | output biases |

use std::path::{Path, PathBuf};
use std::sync::Arc;

use once_cell::sync::Lazy;
use thiserror::Error;

use super::features::FEATURES;
use super::network::{BUCKETS, HIDDEN, MAX_HIDDEN, MAX_OUTPUT, Network, Row};
use crate::input::{self, InputError};

const MAGIC: &[u8; 8] = b"JZNET\0\r\n";
const VERSION: u32 = 1;
/// Where the checked part begins.
const CHECKED: usize = 16;
/// Where the name begins.
const HEADER: usize = 34;
/// No file of a network is larger, in bytes.
const LARGEST: u64 = 1 << 24;
/// No output of one is worth more centipawns.
const MAX_SCALE: u32 = 10_000;

/// Why bytes are no network.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NetworkError {
    /// They do not begin like one.
    #[error("this is no network of Juzhong")]
    NotANetwork,
    /// A format of another time.
    #[error("version {0} of the format is unknown, {VERSION} is wanted")]
    Version(u32),
    /// Another architecture.
    #[error("a network of {0}x{1}x{2} where {FEATURES}x{HIDDEN}x{BUCKETS} is wanted")]
    Architecture(u32, u32, u32),
    /// Bytes are missing or left over.
    #[error("{found} bytes where {wanted} are wanted")]
    Length {
        /// How many there should be.
        wanted: usize,
        /// How many there are.
        found: usize,
    },
    /// Something was changed since the network was made.
    #[error("the checksum does not fit: the network is damaged")]
    Checksum,
    /// Numbers with which sums would overflow.
    #[error("{0} out of range")]
    Range(&'static str),
    /// The name is not UTF-8.
    #[error("the name is no text")]
    Name,
}

/// Why a file gives no network.
#[derive(Debug, Error)]
#[error("{}: {fault}", path.display())]
pub struct NetworkFileError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong.
    #[source]
    pub fault: NetworkFault,
}

/// What is wrong with a file.
#[derive(Debug, Error)]
pub enum NetworkFault {
    /// It cannot be read.
    #[error("{0}")]
    Unreadable(#[from] InputError),
    /// It is no network.
    #[error("{0}")]
    Format(#[from] NetworkError),
}

impl Network {
    /// The network that is part of the program.
    pub fn embedded() -> Arc<Network> {
        static EMBEDDED: Lazy<Arc<Network>> = Lazy::new(|| {
            let bytes = include_bytes!("juzhong.net");
            match Network::from_bytes(bytes) {
                Ok(network) => Arc::new(network),
                Err(error) => unreachable!("the embedded network: {error}"),
            }
        });
        Arc::clone(&EMBEDDED)
    }

    /// The network in a file, or the one that is part of the program if there is none.
    ///
    /// # Errors
    /// The file gives no network.
    pub fn open(file: Option<&Path>) -> Result<Arc<Network>, NetworkFileError> {
        file.map_or_else(|| Ok(Network::embedded()), |path| Network::read(path).map(Arc::new))
    }

    /// Reads the network in a file.
    ///
    /// # Errors
    /// It cannot be read or holds no network of this architecture.
    pub fn read(path: &Path) -> Result<Network, NetworkFileError> {
        let failed = |fault| NetworkFileError { path: path.to_owned(), fault };
        let bytes = input::read(path, LARGEST).map_err(|error| failed(error.into()))?;
        Network::from_bytes(&bytes).map_err(|error| failed(error.into()))
    }

    /// The network that these bytes hold.
    ///
    /// # Errors
    /// They hold none, or one that is damaged or of another architecture.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        if !bytes.starts_with(MAGIC) {
            return Err(NetworkError::NotANetwork);
        }
        let found = bytes.len();
        if found < HEADER {
            return Err(NetworkError::Length { wanted: HEADER, found });
        }
        let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        if word(8) != VERSION {
            return Err(NetworkError::Version(word(8)));
        }
        let [inputs, hidden, buckets] = [word(16), word(20), word(24)];
        if [inputs, hidden, buckets].map(|number| number as usize) != [FEATURES, HIDDEN, BUCKETS] {
            return Err(NetworkError::Architecture(inputs, hidden, buckets));
        }
        let name = usize::from(u16::from_le_bytes([bytes[32], bytes[33]]));
        let weights = 2 * (FEATURES + 1 + 2 * BUCKETS) * HIDDEN;
        let wanted = HEADER + name + weights + 4 * BUCKETS;
        if found != wanted {
            return Err(NetworkError::Length { wanted, found });
        }
        if crc32fast::hash(&bytes[CHECKED..]) != word(12) {
            return Err(NetworkError::Checksum);
        }
        if word(28) == 0 || word(28) > MAX_SCALE {
            return Err(NetworkError::Range("the scale is"));
        }
        let (name, rest) = bytes[HEADER..].split_at(name);
        let name = std::str::from_utf8(name).map_err(|_| NetworkError::Name)?;
        let mut network = Network::blank(name, word(28) as i32);
        let (rows, biases) = rest.split_at(weights);
        network.fill(rows, biases);
        network.check()?;
        Ok(network)
    }

    fn fill(&mut self, rows: &[u8], biases: &[u8]) {
        let mut rows = rows.chunks_exact(2 * HIDDEN).map(|bytes| {
            let mut row = Row::ZERO;
            let numbers = bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
            row.0.iter_mut().zip(numbers).for_each(|(weight, number)| *weight = number);
            row
        });
        // The row of no input stays zero.
        let known = self.hidden.iter_mut().take(FEATURES).chain([&mut self.bias]);
        let known = known.chain(self.output.iter_mut().flatten());
        known.zip(&mut rows).for_each(|(row, read)| *row = read);
        let numbers =
            biases.chunks_exact(4).map(|word| i32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        self.output_bias.iter_mut().zip(numbers).for_each(|(bias, number)| *bias = number);
    }

    /// That no sum can overflow.
    fn check(&self) -> Result<(), NetworkError> {
        let within = |row: &Row, limit: i16| row.0.iter().all(|weight| (-limit..=limit).contains(weight));
        if !self.hidden.iter().chain([&self.bias]).all(|row| within(row, MAX_HIDDEN)) {
            return Err(NetworkError::Range("a hidden weight is"));
        }
        if !self.output.iter().flatten().all(|row| within(row, MAX_OUTPUT)) {
            return Err(NetworkError::Range("an output weight is"));
        }
        Ok(())
    }

    /// The bytes of the network.
    pub fn to_bytes(&self) -> Vec<u8> {
        let name = self.name.as_bytes();
        let mut checked = Vec::new();
        for number in [FEATURES as u32, HIDDEN as u32, BUCKETS as u32, self.scale as u32] {
            checked.extend(number.to_le_bytes());
        }
        // `blank` keeps names short.
        checked.extend((name.len() as u16).to_le_bytes());
        checked.extend(name);
        let rows = self.hidden.iter().take(FEATURES).chain([&self.bias]).chain(self.output.iter().flatten());
        rows.flat_map(|row| row.0).for_each(|weight| checked.extend(weight.to_le_bytes()));
        self.output_bias.iter().for_each(|bias| checked.extend(bias.to_le_bytes()));
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(crc32fast::hash(&checked).to_le_bytes());
        bytes.extend(checked);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The bytes with their checksum made right.
    fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
        let sum = crc32fast::hash(&bytes[CHECKED..]);
        bytes[12..CHECKED].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    #[test]
    fn a_network_comes_back_as_it_was() {
        let network = Network::random(1);
        assert_eq!(Network::from_bytes(&network.to_bytes()), Ok(network));
        assert!(!Network::embedded().name().is_empty());
    }

    #[test]
    fn a_bad_file_is_refused_with_its_cause() {
        let whole = Network::random(2).to_bytes();
        let changed = |at: usize, byte: u8| {
            let mut bytes = whole.clone();
            bytes[at] = byte;
            bytes
        };
        let cause = |bytes: &[u8]| Network::from_bytes(bytes).unwrap_err().to_string();
        assert_eq!(cause(b""), "this is no network of Juzhong");
        assert_eq!(cause(&changed(0, b'X')), "this is no network of Juzhong");
        assert!(cause(&changed(8, 9)).starts_with("version 9 "));
        assert!(cause(&changed(20, 7)).starts_with("a network of 692x7x8 where "));
        assert!(cause(&whole[..whole.len() - 1]).contains(" bytes where "));
        assert!(cause(&whole[..20]).contains("20 bytes where "));
        assert!(cause(&changed(5000, 1)).contains("damaged") || whole[5000] == 1);
        assert_eq!(cause(&sealed(changed(31, 1))), "the scale is out of range");
        assert_eq!(cause(&sealed(changed(HEADER, 0xff))), "the name is no text");
        assert_eq!(cause(&sealed(changed(HEADER + 6 + 1, 0x7f))), "a hidden weight is out of range");
        let last = whole.len() - 4 * BUCKETS - 1;
        assert_eq!(cause(&sealed(changed(last, 0x7f))), "an output weight is out of range");
    }

    #[test]
    fn a_file_that_cannot_be_read_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("none.net");
        let error = Network::read(&missing).unwrap_err().to_string();
        assert!(error.starts_with(missing.to_str().unwrap()), "{error}");
        assert!(Network::read(folder.path()).is_err(), "a folder is no network");
    }

    proptest! {
        #[test]
        fn no_bytes_cause_panic(place in 0usize..2000, byte: u8, length in 0usize..3000) {
            let mut bytes = Network::random(3).to_bytes();
            bytes[place] = byte;
            prop_assert!(Network::from_bytes(&bytes[..length]).is_err());
            let _ = Network::from_bytes(&sealed(bytes));
        }
    }
}
