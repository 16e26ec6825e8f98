//! The transposition table: what is known of positions searched before, shared by all threads.
//!
//! Each entry is one 64-bit word, read and written with relaxed atomics: an entry is always whole, no matter which
//! thread writes at the same time, and no lock is needed. Four entries share a 32-byte cluster.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use thiserror::Error;

use super::memory::available_megabytes;
use crate::score::{MATE_BOUND, Value};
use xiangqi::types::Move;

/// What a stored score says about the true score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// The stored score is the true score.
    Exact,
    /// The true score is at least the stored one.
    Lower,
    /// The true score is at most the stored one.
    Upper,
}

/// What the table knows of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TtEntry {
    /// The best move, or a move that failed high.
    pub mv: Option<Move>,
    /// The score, with mates counted from the root of the search that probes.
    pub score: Value,
    /// The remaining depth it was searched to.
    pub depth: i32,
    /// What the score means.
    pub bound: Bound,
    /// Whether the position was on a principal variation.
    pub pv: bool,
}

/// The error that a table could not be allocated.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("a hash table of {wanted} MB cannot be allocated; {kept} MB stay in use")]
pub struct HashError {
    /// The size asked for, in MB.
    pub wanted: usize,
    /// The size still in use, in MB.
    pub kept: usize,
}

const CLUSTER: usize = 4;

/// The entries in which a position may be stored, aligned so that one fetch brings them all.
#[derive(Default)]
#[repr(align(32))]
struct Cluster([AtomicU64; CLUSTER]);

/// Clusters of a table for leaves: 1 MB, which stays in the second-level cache of its thread's processor.
const LEAF_CLUSTERS: usize = (1 << 20) / size_of::<Cluster>();
/// Generations wrap within five bits.
const AGES: u8 = 32;

// The word, from the low bit: tag 18, move 14, score 16, depth 8, bound 2, pv 1, age 5.
const TAG_BITS: u32 = 18;
const MOVE_SHIFT: u32 = 18;
const SCORE_SHIFT: u32 = 32;
const DEPTH_SHIFT: u32 = 48;
const BOUND_SHIFT: u32 = 56;
const PV_SHIFT: u32 = 58;
const AGE_SHIFT: u32 = 59;

fn pack(key: u64, entry: TtEntry, age: u8) -> u64 {
    // Empty words have bound 0, so a stored one never does.
    let bound = match entry.bound {
        Bound::Exact => 1,
        Bound::Lower => 2,
        Bound::Upper => 3,
    };
    tag(key)
        | entry.mv.map_or(0, |mv| u64::from(mv.word())) << MOVE_SHIFT
        | u64::from(entry.score as i16 as u16) << SCORE_SHIFT
        | (entry.depth.clamp(0, 255) as u64) << DEPTH_SHIFT
        | bound << BOUND_SHIFT
        | u64::from(entry.pv) << PV_SHIFT
        | u64::from(age) << AGE_SHIFT
}

fn unpack(word: u64) -> Option<TtEntry> {
    let bound = match word >> BOUND_SHIFT & 3 {
        1 => Bound::Exact,
        2 => Bound::Lower,
        3 => Bound::Upper,
        _ => return None,
    };
    Some(TtEntry {
        mv: Move::from_word((word >> MOVE_SHIFT & 0x3fff) as u16),
        score: Value::from((word >> SCORE_SHIFT) as u16 as i16),
        depth: depth_of(word),
        bound,
        pv: word >> PV_SHIFT & 1 != 0,
    })
}

fn tag(key: u64) -> u64 {
    key & ((1 << TAG_BITS) - 1)
}

fn depth_of(word: u64) -> i32 {
    (word >> DEPTH_SHIFT & 0xff) as i32
}

fn age_of(word: u64) -> u8 {
    (word >> AGE_SHIFT) as u8
}

/// Asks the kernel for huge pages behind memory that is reserved but not yet touched. Every probe lands on another
/// page; with small pages the search spent a quarter of its time on address translation.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn prefer_huge_pages<T>(reserved: &Vec<T>) {
    const HUGE: usize = 2 << 20;
    let start = (reserved.as_ptr() as usize).next_multiple_of(HUGE);
    let end = reserved.as_ptr() as usize + reserved.capacity() * size_of::<T>();
    if start < end {
        // SAFETY: the range lies within one allocation of this program, and the advice changes neither its
        // contents nor its protection. It may be refused: nothing depends on it but speed.
        unsafe { libc::madvise(start as *mut libc::c_void, end - start, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn prefer_huge_pages<T>(_: &Vec<T>) {}

/// The transposition table.
pub struct TranspositionTable {
    clusters: Box<[Cluster]>,
    age: AtomicU8,
}

impl TranspositionTable {
    /// A table of about `mb` MB (1 at least); or, if there is no memory for it, an error that says that
    /// `kept` MB stay in use.
    pub fn new(mb: usize, kept: usize) -> Result<TranspositionTable, HashError> {
        let error = HashError { wanted: mb, kept };
        if available_megabytes().is_some_and(|most| mb > most) {
            return Err(error);
        }
        let count = mb.max(1).checked_mul((1 << 20) / size_of::<Cluster>()).ok_or(error.clone())?;
        let mut clusters = Vec::new();
        clusters.try_reserve_exact(count).map_err(|_| error)?;
        prefer_huge_pages(&clusters);
        clusters.resize_with(count, Default::default);
        Ok(TranspositionTable { clusters: clusters.into_boxed_slice(), age: AtomicU8::new(0) })
    }

    /// A small table for one thread alone.
    ///
    /// Most positions are searched to a few plies only, and are asked about again soon or never. In a large table each of
    /// them waits for memory, or for the cache of the processor on which another thread wrote last. With a table of its
    /// own for less than six plies (`leaf_depth`) one thread searches 1.1 to 1.17 times as many nodes a second.
    pub fn for_leaves() -> TranspositionTable {
        let clusters = (0..LEAF_CLUSTERS).map(|_| Default::default()).collect();
        TranspositionTable { clusters, age: AtomicU8::new(0) }
    }

    /// Its size in MB.
    pub fn megabytes(&self) -> usize {
        size_of_val(&*self.clusters) >> 20
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.clusters.iter().flat_map(|cluster| &cluster.0).for_each(|word| word.store(0, Ordering::Relaxed));
        self.age.store(0, Ordering::Relaxed);
    }

    /// Marks the beginning of a new search: entries of older searches may be overwritten first.
    pub fn next_age(&self) {
        self.age.store((self.age.load(Ordering::Relaxed) + 1) % AGES, Ordering::Relaxed);
    }

    #[inline]
    fn cluster(&self, key: u64) -> &[AtomicU64; CLUSTER] {
        // The high word of the product spreads keys over any number of clusters.
        let index = (u128::from(key) * self.clusters.len() as u128) >> 64;
        &self.clusters[index as usize].0
    }

    /// Asks the processor to fetch what is known of a position that will be probed soon.
    ///
    /// A profile of the search found a third of its time waiting for this memory.
    #[inline]
    #[allow(unsafe_code)]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: a prefetch is a hint that reads nothing and cannot fault; the address is that of a
            // cluster of this table. Leaving it out changes no result.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(self.cluster(key)).cast()) }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known of the position with this key; mate scores are made relative to a root `ply` plies up.
    #[inline]
    pub fn probe(&self, key: u64, ply: usize) -> Option<TtEntry> {
        let words = self.cluster(key).iter().map(|word| word.load(Ordering::Relaxed));
        let mut entry = words.filter(|&word| tag(word) == tag(key)).find_map(unpack)?;
        entry.score = match entry.score {
            score if score >= MATE_BOUND => score - ply as Value,
            score if score <= -MATE_BOUND => score + ply as Value,
            score => score,
        };
        Some(entry)
    }

    /// Stores what was found of a position `ply` plies below the root.
    #[inline]
    pub fn store(&self, key: u64, ply: usize, mut entry: TtEntry) {
        let age = self.age.load(Ordering::Relaxed);
        let cluster = self.cluster(key);
        let mut victim = (&cluster[0], i32::MAX);
        for slot in cluster {
            let word = slot.load(Ordering::Relaxed);
            if let Some(old) = unpack(word)
                && tag(word) == tag(key)
            {
                // A shallower bound does not push out a deeper one of this search, but the move is kept.
                let keep = entry.bound != Bound::Exact && entry.depth + 4 <= old.depth;
                if keep && age_of(word) == age {
                    return;
                }
                entry.mv = entry.mv.or(old.mv);
                victim = (slot, i32::MIN);
                break;
            }
            let staleness = i32::from(age.wrapping_sub(age_of(word)) % AGES);
            let worth = if unpack(word).is_none() { i32::MIN + 1 } else { depth_of(word) - 8 * staleness };
            if worth < victim.1 {
                victim = (slot, worth);
            }
        }
        entry.score = match entry.score {
            score if score >= MATE_BOUND => score + ply as Value,
            score if score <= -MATE_BOUND => score - ply as Value,
            score => score,
        };
        victim.0.store(pack(key, entry, age), Ordering::Relaxed);
    }

    /// How full of this search's entries the table is, per mille, from a sample.
    pub fn hashfull(&self) -> u32 {
        let age = self.age.load(Ordering::Relaxed);
        let sample = &self.clusters[..self.clusters.len().min(250)];
        let used = sample.iter().flat_map(|cluster| &cluster.0).filter(|word| {
            let word = word.load(Ordering::Relaxed);
            unpack(word).is_some() && age_of(word) == age
        });
        (used.count() * 1000 / (sample.len() * CLUSTER)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{mate_in, mated_in};

    fn entry(score: Value, depth: i32) -> TtEntry {
        TtEntry { mv: "h2e2".parse().ok(), score, depth, bound: Bound::Lower, pv: true }
    }

    #[test]
    fn words_round_trip() {
        for score in [-30_000, -1, 0, 1, 357, 29_999] {
            for depth in [0, 1, 77, 255] {
                for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
                    for pv in [false, true] {
                        for mv in [None, "a0a1".parse().ok(), "i9i0".parse().ok()] {
                            let entry = TtEntry { mv, score, depth, bound, pv };
                            let word = pack(u64::MAX, entry, 31);
                            assert_eq!(unpack(word), Some(entry));
                            assert_eq!((tag(word), age_of(word)), ((1 << 18) - 1, 31));
                        }
                    }
                }
            }
        }
        assert_eq!(unpack(0), None);
    }

    #[test]
    fn mates_are_stored_from_their_own_position() {
        let table = TranspositionTable::new(1, 0).unwrap();
        table.store(7, 3, entry(mate_in(8), 5));
        assert_eq!(table.probe(7, 1).unwrap().score, mate_in(6));
        table.store(7 << 40, 3, entry(mated_in(8), 5));
        assert_eq!(table.probe(7 << 40, 5).unwrap().score, mated_in(10));
    }

    #[test]
    fn deep_entries_stay_until_they_are_old() {
        let table = TranspositionTable::new(1, 0).unwrap();
        // The same cluster: keys that differ in the tag only.
        table.store(1, 0, entry(10, 20));
        for key in 2..40 {
            table.store(key, 0, entry(0, 3));
        }
        assert_eq!(table.probe(1, 0).unwrap().depth, 20);
        for _ in 0..4 {
            table.next_age();
        }
        for key in 2..6 {
            table.store(key, 0, entry(0, 3));
        }
        assert_eq!(table.probe(1, 0), None);
        table.clear();
        assert_eq!(table.probe(5, 0), None);
    }

    #[test]
    fn the_table_for_leaves_is_small() {
        let table = TranspositionTable::for_leaves();
        assert_eq!(table.megabytes(), 1);
        table.store(7, 3, entry(5, 2));
        assert_eq!(table.probe(7, 3), Some(entry(5, 2)));
    }

    #[test]
    fn impossible_sizes_are_refused() {
        for wanted in
            [usize::MAX / 2, 33_554_432, available_megabytes().map_or(usize::MAX / 2, |most| most + 1000)]
        {
            assert_eq!(TranspositionTable::new(wanted, 16).err(), Some(HashError { wanted, kept: 16 }));
        }
    }
}
