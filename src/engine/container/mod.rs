//! The container of every binary file of Juzhong, and the reading of such files.
//!
//! There are two kinds of container, and both begin with a magic of 8 bytes and a version of 4. A *sealed* container
//! (a network, a book, tables of endings, a checkpoint) is read as a whole: a checksum of 4 bytes follows, and then
//! the body that it covers. A *stream* (training games) grows by records, each of which has the length of its body, its
//! checksum and its body, so that a file whose writing was cut short keeps its whole records. All numbers are little
//! endian, all checksums are CRC-32, and a magic contains a zero or a line break of two bytes, which a transfer as text
//! would spoil.

mod load;

pub use load::{InputError, LoadError, LoadFault, load, read_file};

use std::io::{self, Read};
use std::ops::RangeInclusive;

use thiserror::Error;

/// The length of the magic, in bytes.
const MAGIC: usize = 8;
/// The number of bytes before the records of a stream: magic and version.
pub const PREAMBLE: usize = 12;
/// The number of bytes before the body of a sealed container: magic, version and checksum.
pub const HEADER: usize = 16;
/// The number of bytes before the body of a record: its length and its checksum.
pub const RECORD_HEADER: usize = 8;

/// A format of files that are kept in a container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Format {
    /// The first bytes of each file.
    pub magic: [u8; MAGIC],
    /// The versions that can be read.
    pub versions: RangeInclusive<u32>,
    /// What such a file is, for messages: "network", "book".
    pub name: &'static str,
}

/// Why bytes are not a sound container of a format.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ContainerError {
    /// The bytes do not begin with the magic of the format.
    #[error("this is no {0} of Juzhong")]
    Foreign(&'static str),
    /// The file has a version that this program does not know.
    #[error("version {found} of the format is unknown, {newest} is wanted")]
    Version {
        /// The version of the file.
        found: u32,
        /// The newest version that is known.
        newest: u32,
    },
    /// Bytes are missing or left over.
    #[error("{found} bytes where {wanted} are wanted")]
    Length {
        /// The number of bytes that there should be, as far as was read.
        wanted: u64,
        /// The number of bytes that there are.
        found: u64,
    },
    /// The content was changed after the file was written.
    #[error("the checksum does not fit: the {0} is damaged")]
    Checksum(&'static str),
}

/// A sealed container whose magic and version are right.
#[derive(Debug, Clone)]
pub struct Sealed<'a> {
    format: &'a Format,
    /// The version of the file, one that the format knows.
    pub version: u32,
    checksum: u32,
    body: &'a [u8],
}

impl Format {
    /// Reads the magic and the version of a stream or of a sealed container.
    ///
    /// # Errors
    /// Returns an error if the magic is different or the version is unknown.
    pub fn check_preamble(&self, bytes: &[u8]) -> Result<u32, ContainerError> {
        if !bytes.starts_with(&self.magic) {
            return Err(ContainerError::Foreign(self.name));
        }
        let mut fields = Fields::new(&bytes[MAGIC..], MAGIC);
        let found = fields.u32()?;
        if self.versions.contains(&found) {
            Ok(found)
        } else {
            Err(ContainerError::Version { found, newest: *self.versions.end() })
        }
    }

    /// The bytes with which a stream begins.
    pub fn preamble(&self, version: u32) -> Vec<u8> {
        debug_assert!(self.versions.contains(&version));
        [&self.magic[..], &version.to_le_bytes()].concat()
    }

    /// The bytes of a file with this body, under its header and checksum.
    pub fn seal(&self, version: u32, body: &[u8]) -> Vec<u8> {
        let mut bytes = self.preamble(version);
        bytes.extend(crc32fast::hash(body).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    /// Opens a sealed container; its checksum is checked by [`Sealed::verify`].
    ///
    /// # Errors
    /// Returns an error if the magic, the version or the checksum is missing or wrong.
    pub fn open<'a>(&'a self, bytes: &'a [u8]) -> Result<Sealed<'a>, ContainerError> {
        let version = self.check_preamble(bytes)?;
        let mut fields = Fields::new(&bytes[PREAMBLE..], PREAMBLE);
        let checksum = fields.u32()?;
        Ok(Sealed { format: self, version, checksum, body: fields.rest() })
    }
}

impl<'a> Sealed<'a> {
    /// The fields of the body, which are not to be trusted before [`Sealed::verify`].
    pub fn fields(&self) -> Fields<'a> {
        Fields::new(self.body, HEADER)
    }

    /// Compares the length of the file with the one that its body asks for.
    ///
    /// # Errors
    /// Returns an error if the file is longer or shorter.
    pub fn check_length(&self, wanted: u64) -> Result<(), ContainerError> {
        let found = (HEADER + self.body.len()) as u64;
        if found == wanted { Ok(()) } else { Err(ContainerError::Length { wanted, found }) }
    }

    /// Compares the checksum with the body.
    ///
    /// # Errors
    /// Returns an error if they do not fit each other.
    pub fn verify(&self) -> Result<(), ContainerError> {
        let sound = crc32fast::hash(self.body) == self.checksum;
        if sound { Ok(()) } else { Err(ContainerError::Checksum(self.format.name)) }
    }
}

/// A reader of the numbers in a container, one after the other.
#[derive(Debug, Clone)]
pub struct Fields<'a> {
    bytes: &'a [u8],
    /// How many bytes of the file have been read.
    at: usize,
}

impl<'a> Fields<'a> {
    /// The fields in `bytes`, before which the file has `at` others.
    pub fn new(bytes: &'a [u8], at: usize) -> Fields<'a> {
        Fields { bytes, at }
    }

    /// How many bytes of the file have been read.
    pub fn position(&self) -> usize {
        self.at
    }

    /// The next `length` bytes.
    ///
    /// # Errors
    /// Returns an error if there are fewer.
    pub fn take(&mut self, length: usize) -> Result<&'a [u8], ContainerError> {
        let Some((taken, rest)) = self.bytes.split_at_checked(length) else {
            let [wanted, found] = [length, self.bytes.len()].map(|length| self.at as u64 + length as u64);
            return Err(ContainerError::Length { wanted, found });
        };
        (self.bytes, self.at) = (rest, self.at + length);
        Ok(taken)
    }

    /// The next `N` bytes.
    ///
    /// # Errors
    /// Returns an error if there are fewer.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], ContainerError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    /// The next number of one byte.
    ///
    /// # Errors
    /// Returns an error if the file has ended.
    pub fn u8(&mut self) -> Result<u8, ContainerError> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    /// The next number of two bytes.
    ///
    /// # Errors
    /// Returns an error if the file has ended.
    pub fn u16(&mut self) -> Result<u16, ContainerError> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    /// The next number of four bytes.
    ///
    /// # Errors
    /// Returns an error if the file has ended.
    pub fn u32(&mut self) -> Result<u32, ContainerError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// The next number of eight bytes.
    ///
    /// # Errors
    /// Returns an error if the file has ended.
    pub fn u64(&mut self) -> Result<u64, ContainerError> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// All bytes that are left.
    pub fn rest(self) -> &'a [u8] {
        self.bytes
    }
}

/// The bytes of a record of a stream.
pub fn record(body: &[u8]) -> Vec<u8> {
    let mut bytes = (body.len() as u32).to_le_bytes().to_vec();
    bytes.extend(crc32fast::hash(body).to_le_bytes());
    bytes.extend(body);
    bytes
}

/// Why there is no next record in a stream.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The system cannot read on.
    #[error(transparent)]
    System(#[from] io::Error),
    /// The stream ends within the record.
    #[error("the file ends in the middle of a record")]
    Cut,
    /// The record says that it is longer than one can be.
    #[error("a record is longer than it can be")]
    TooLong,
    /// The record was changed after it was written.
    #[error("the checksum of a record does not fit")]
    Checksum,
}

/// The body of the next record, of at most `longest` bytes; `None` at the end of the stream.
///
/// # Errors
/// Returns an error if the record is cut off, damaged or too long, or cannot be read.
pub fn read_record(source: &mut impl Read, longest: usize) -> Result<Option<Vec<u8>>, RecordError> {
    let mut header = [0; RECORD_HEADER];
    match fill(source, &mut header)? {
        0 => return Ok(None),
        RECORD_HEADER => (),
        _ => return Err(RecordError::Cut),
    }
    let [length, checksum] =
        [[0, 1, 2, 3], [4, 5, 6, 7]].map(|at| u32::from_le_bytes(at.map(|at| header[at])));
    let length = length as usize;
    if length > longest {
        return Err(RecordError::TooLong);
    }
    let mut body = vec![0; length];
    if fill(source, &mut body)? < length {
        return Err(RecordError::Cut);
    }
    if crc32fast::hash(&body) == checksum { Ok(Some(body)) } else { Err(RecordError::Checksum) }
}

/// Fills the buffer as far as the source goes, and returns how far that is.
///
/// # Errors
/// Returns an error if the source cannot be read.
pub fn fill(source: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match source.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(bytes) => filled += bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMAT: Format = Format { magic: *b"JZTEST\r\n", versions: 2..=3, name: "test" };

    #[test]
    fn a_body_comes_back_as_it_was() {
        let bytes = FORMAT.seal(3, &[7, 1, 0, 9, 9]);
        let sealed = FORMAT.open(&bytes).unwrap();
        assert_eq!((sealed.version, sealed.verify()), (3, Ok(())));
        assert_eq!(sealed.check_length(21), Ok(()));
        let mut fields = sealed.fields();
        assert_eq!((fields.u8(), fields.u16(), fields.position()), (Ok(7), Ok(1), 19));
        assert_eq!(fields.u32(), Err(ContainerError::Length { wanted: 23, found: 21 }));
        assert_eq!(fields.rest(), [9, 9]);
    }

    #[test]
    fn damage_of_every_byte_and_every_cut_are_noticed() {
        let whole = FORMAT.seal(2, b"body");
        let sound = |bytes: &[u8]| {
            let sealed = FORMAT.open(bytes)?;
            sealed.check_length(20)?;
            sealed.verify()
        };
        assert_eq!(sound(&whole), Ok(()));
        for place in 0..whole.len() {
            assert!(sound(&whole[..place]).is_err());
            let mut bytes = whole.clone();
            // A version that is unknown too: 2 ^ 0x10.
            bytes[place] ^= 0x10;
            let wanted = match place {
                0..8 => ContainerError::Foreign("test"),
                8..12 => ContainerError::Version { found: 2 ^ 0x10 << (8 * (place - 8)), newest: 3 },
                _ => ContainerError::Checksum("test"),
            };
            assert_eq!(sound(&bytes), Err(wanted), "byte {place}");
        }
        assert_eq!(
            FORMAT.open(&FORMAT.seal(2, b"")[..14]).err().unwrap().to_string(),
            "14 bytes where 16 are wanted"
        );
    }

    #[test]
    fn records_are_read_up_to_the_first_that_is_not_whole() {
        let whole = [record(b"one"), record(b""), record(b"three")].concat();
        let read = |bytes: &[u8], longest| {
            let (mut source, mut bodies) = (bytes, Vec::new());
            loop {
                match read_record(&mut source, longest) {
                    Ok(Some(body)) => bodies.push(body),
                    Ok(None) => return (bodies, None),
                    Err(error) => return (bodies, Some(error.to_string())),
                }
            }
        };
        let all: Vec<Vec<u8>> = vec![b"one".to_vec(), Vec::new(), b"three".to_vec()];
        assert_eq!(read(&whole, 5), (all.clone(), None));
        assert_eq!(read(&whole, 4).1.unwrap(), "a record is longer than it can be");
        for length in 0..whole.len() {
            let ends = [0, 11, 19];
            let (bodies, error) = read(&whole[..length], 5);
            assert_eq!(bodies, all[..ends.iter().filter(|&&end| end <= length).count() - 1]);
            assert_eq!(error.is_none(), ends.contains(&length), "{length}");
        }
        let mut changed = whole;
        changed[9] ^= 1;
        assert_eq!(read(&changed, 5), (Vec::new(), Some("the checksum of a record does not fit".to_owned())));
    }
}
