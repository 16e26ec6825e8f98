//! The bytes of a network. All numbers are little endian.
//!
//! | bytes | what |
//! | --- | --- |
//! | 0-7 | `JZNET`, a zero and a line break of two bytes, which a transfer as text would spoil |
//! | 8-11 | the version: 1 if the inputs have two images and one bucket and only the output neuron follows, otherwise 2 |
//! | 12-15 | CRC-32 of everything behind it |
//! | 16-27 | inputs, hidden neurons, buckets: 4 bytes each |
//! | | in version 2 only: images (1), the bucket of each square of the general (9), layers behind the accumulator (1), the size of each (4) |
//! | 4 | centipawns of an output of one |
//! | 2 | length of the name, N |
//! | N | the name of its training, UTF-8 |
//! | 2 I H | weights of the feature transformer, input by input |
//! | 2 H | biases of the feature transformer |
//! | 4 B H L | weights of the L neurons of the first layer: of each bucket and neuron, for the mover's perspective and the other's |
//! | 4 B L | biases of the first layer, of each bucket and neuron |
//! | 4 B D | the D weights and biases of the other layers of each bucket, floating-point numbers |

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use once_cell::sync::Lazy;
use thiserror::Error;

use super::arch::{
    DEEP_WEIGHTS, FIRST_LAYER, HIDDEN, INPUTS, InputSet, Inputs, LAYERS, OUTPUT_BUCKETS, bucket_count,
};
use super::layers::Layers;
use super::network::Network;
use super::transformer::HiddenVector;
use crate::container::{self, ContainerError, Fields, Format, LoadError};

const FORMAT: Format = Format { magic: *b"JZNET\0\r\n", versions: 1..=2, name: "network" };
/// The largest file of a network, in bytes.
const LARGEST: u64 = 1 << 28;
/// The largest number of centipawns of an output of one.
const MAX_SCALE: u32 = 10_000;

/// The version that can describe this architecture: version 1 can describe only those of its time.
const VERSION: u32 =
    if bucket_count::<Inputs>() == 1 && Inputs::IMAGES == 2 && LAYERS.len() == 1 { 1 } else { 2 };

/// The numbers that describe an architecture.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Shape {
    inputs: u32,
    hidden: u32,
    output_buckets: u32,
    images: u8,
    general_buckets: [u8; 9],
    layers: Vec<u32>,
}

impl Shape {
    /// The architecture of this program.
    fn own() -> Shape {
        let mut general_buckets = [0; 9];
        general_buckets
            .iter_mut()
            .zip(Inputs::GENERAL_BUCKETS.iter().flatten())
            .for_each(|(to, from)| *to = *from);
        Shape {
            inputs: INPUTS as u32,
            hidden: HIDDEN as u32,
            output_buckets: OUTPUT_BUCKETS as u32,
            images: Inputs::IMAGES as u8,
            general_buckets,
            layers: LAYERS.iter().map(|&size| size as u32).collect(),
        }
    }

    fn read(fields: &mut Fields, version: u32) -> Result<Shape, ContainerError> {
        let [inputs, hidden, output_buckets] = [fields.u32()?, fields.u32()?, fields.u32()?];
        let shape =
            Shape { inputs, hidden, output_buckets, images: 2, general_buckets: [0; 9], layers: vec![1] };
        if version == 1 {
            return Ok(shape);
        }
        let (images, general_buckets) = (fields.u8()?, fields.array()?);
        let layers = (0..fields.u8()?).map(|_| fields.u32()).collect::<Result<_, _>>()?;
        Ok(Shape { images, general_buckets, layers, ..shape })
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        for number in [self.inputs, self.hidden, self.output_buckets] {
            bytes.extend(number.to_le_bytes());
        }
        if VERSION > 1 {
            bytes.push(self.images);
            bytes.extend(self.general_buckets);
            bytes.push(self.layers.len() as u8);
            self.layers.iter().for_each(|size| bytes.extend(size.to_le_bytes()));
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shape { inputs, hidden, output_buckets, images, general_buckets, layers } = self;
        write!(f, "{inputs}x{hidden}x{output_buckets}")?;
        if *images != 2 || general_buckets != &[0; 9] {
            write!(f, " with {images} images and the buckets ")?;
            general_buckets.iter().try_for_each(|bucket| write!(f, "{bucket}"))?;
        }
        if layers != &[1] {
            write!(f, " with the layers {layers:?}")?;
        }
        Ok(())
    }
}

/// Why bytes are not a network of this architecture.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NetworkError {
    /// The bytes are not a sound container of a network.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The network has another architecture.
    #[error("a network of {found} where {wanted} is wanted")]
    Architecture {
        /// The architecture of the network.
        found: String,
        /// The architecture of this program.
        wanted: String,
    },
    /// A number is so large that sums would overflow.
    #[error("{0} out of range")]
    Range(&'static str),
    /// The name is not UTF-8.
    #[error("the name is no text")]
    Name,
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
    /// Returns an error if the file gives no network.
    pub fn open(file: Option<&Path>) -> Result<Arc<Network>, LoadError<NetworkError>> {
        file.map_or_else(|| Ok(Network::embedded()), |path| Network::read(path).map(Arc::new))
    }

    /// Reads the network in a file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or holds no network of this architecture.
    pub fn read(path: &Path) -> Result<Network, LoadError<NetworkError>> {
        container::load(path, LARGEST, |bytes| Network::from_bytes(&bytes))
    }

    /// The network that these bytes hold.
    ///
    /// # Errors
    /// Returns an error if they hold none, or one that is damaged or of another architecture.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        let sealed = FORMAT.open(bytes)?;
        let mut fields = sealed.fields();
        let found = Shape::read(&mut fields, sealed.version)?;
        if found != Shape::own() {
            let [found, wanted] = [found, Shape::own()].map(|shape| shape.to_string());
            return Err(NetworkError::Architecture { found, wanted });
        }
        let scale = fields.u32()?;
        let name = usize::from(fields.u16()?);
        let first = 2 * HIDDEN * 2 * FIRST_LAYER + 4 * FIRST_LAYER;
        let layers = OUTPUT_BUCKETS * (first + 4 * DEEP_WEIGHTS);
        sealed.check_length((fields.position() + name + 2 * (INPUTS + 1) * HIDDEN + layers) as u64)?;
        sealed.verify()?;
        if scale == 0 || scale > MAX_SCALE {
            return Err(NetworkError::Range("the scale is"));
        }
        let name = std::str::from_utf8(fields.take(name)?).map_err(|_| NetworkError::Name)?;
        let mut network = Network::blank(name, scale as i32);
        network.fill(&mut fields)?;
        if !network.transformer.is_within_limits() {
            return Err(NetworkError::Range("a hidden weight is"));
        }
        if !network.layers.iter().all(Layers::is_within_limits) {
            return Err(NetworkError::Range("an output weight is"));
        }
        Ok(network)
    }

    fn fill(&mut self, fields: &mut Fields) -> Result<(), ContainerError> {
        let Network { transformer, layers, .. } = self;
        let first = layers.iter_mut().flat_map(|layers| layers.first.iter_mut().flatten());
        for vector in transformer.vectors_mut().chain(first) {
            read_vector(vector, fields)?;
        }
        for bias in layers.iter_mut().flat_map(|layers| &mut layers.first_bias) {
            *bias = fields.u32()? as i32;
        }
        for weight in layers.iter_mut().flat_map(|layers| &mut layers.deep) {
            *weight = f32::from_bits(fields.u32()?);
        }
        Ok(())
    }

    /// The bytes of the network.
    pub fn to_bytes(&self) -> Vec<u8> {
        let name = self.name.as_bytes();
        let mut body = Vec::new();
        Shape::own().write(&mut body);
        body.extend((self.scale as u32).to_le_bytes());
        // `blank` keeps names short.
        body.extend((name.len() as u16).to_le_bytes());
        body.extend(name);
        let first = self.layers.iter().flat_map(|layers| layers.first.iter().flatten());
        let vectors = self.transformer.vectors().chain(first);
        vectors.flat_map(|vector| vector.0).for_each(|weight| body.extend(weight.to_le_bytes()));
        let biases = self.layers.iter().flat_map(|layers| layers.first_bias);
        biases.for_each(|bias| body.extend(bias.to_le_bytes()));
        let deep = self.layers.iter().flat_map(|layers| layers.deep);
        deep.for_each(|weight| body.extend(weight.to_le_bytes()));
        FORMAT.seal(VERSION, &body)
    }
}

fn read_vector(vector: &mut HiddenVector, fields: &mut Fields) -> Result<(), ContainerError> {
    let numbers = fields.take(2 * HIDDEN)?.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
    vector.0.iter_mut().zip(numbers).for_each(|(weight, number)| *weight = number);
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Where the body begins, which the checksum covers.
    const CHECKED: usize = container::HEADER;
    /// Where the name begins in version 1.
    const HEADER: usize = CHECKED + 18;

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
        let last = whole.len() - 4 * OUTPUT_BUCKETS - 1;
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
