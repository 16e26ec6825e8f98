//! The arguments of `bench`, on the command line and in a session alike.

use thiserror::Error;

use crate::engine::{MOST_HASH, MOST_THREADS};

/// The default depth, in plies.
const DEFAULT_DEPTH: u32 = 10;
/// The default size of the transposition table, in megabytes.
const DEFAULT_HASH: usize = 16;

/// How to run a bench.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BenchArgs {
    /// The depth to search, in plies.
    pub depth: u32,
    /// Search threads; with more than one the node sum is not reproducible.
    pub threads: usize,
    /// The size of the transposition table, in megabytes.
    pub hash_mb: usize,
}

/// The error for a word that is not an argument of `bench`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`bench` wants {usage}, not `{0}`", usage = BenchArgs::USAGE)]
pub struct BenchArgsError(pub String);

impl Default for BenchArgs {
    fn default() -> BenchArgs {
        BenchArgs { depth: DEFAULT_DEPTH, threads: 1, hash_mb: DEFAULT_HASH }
    }
}

impl BenchArgs {
    /// The arguments in short.
    pub const USAGE: &str = "[depth] N, threads N or hash N";

    /// Reads the words behind `bench`: `9`, `depth 9 threads 2`, `--depth 9 --hash=64`, in any order and case.
    ///
    /// # Errors
    /// Returns the first word that is not an argument, or is a number out of range.
    pub fn parse<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<BenchArgs, BenchArgsError> {
        let mut args = BenchArgs::default();
        let mut words = words.into_iter().flat_map(|word| word.splitn(2, '='));
        while let Some(word) = words.next() {
            let name = word.trim_start_matches('-').to_ascii_lowercase();
            if let Ok(depth @ 1..) = word.parse() {
                args.depth = depth;
                continue;
            }
            let value = words.next().unwrap_or("");
            match (name.as_str(), value.parse::<usize>()) {
                ("depth", Ok(depth @ 1..=0xffff)) => args.depth = depth as u32,
                ("threads", Ok(threads @ 1..=MOST_THREADS)) => args.threads = threads,
                ("hash", Ok(megabytes @ 1..=MOST_HASH)) => args.hash_mb = megabytes,
                _ => return Err(BenchArgsError(if value.is_empty() { word } else { value }.to_owned())),
            }
        }
        Ok(args)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_and_without_dashes_are_the_same() {
        let wanted = BenchArgs { depth: 7, threads: 2, hash_mb: 64 };
        for line in [
            "7 threads 2 hash 64",
            "--depth 7 --threads 2 --hash 64",
            "hash 64 THREADS 2 depth 7",
            "--hash=64 --depth=7 threads=2",
        ] {
            assert_eq!(BenchArgs::parse(line.split(' ')), Ok(wanted.clone()), "{line}");
        }
        assert_eq!(BenchArgs::parse([]), Ok(BenchArgs::default()));
    }

    #[test]
    fn the_first_wrong_word_is_named() {
        for (line, wrong) in [
            ("depth", "depth"),
            ("0", "0"),
            ("-5", "-5"),
            ("--depth 0", "0"),
            ("threads 0", "0"),
            ("hash x", "x"),
            ("hash 99999999999", "99999999999"),
            ("more", "more"),
            ("colour 3", "3"),
        ] {
            assert_eq!(BenchArgs::parse(line.split(' ')), Err(BenchArgsError(wrong.into())), "{line}");
        }
    }
}
