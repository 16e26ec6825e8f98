//! What one thread sees of the tables: the common one for deep positions, and one of its own for shallow ones.

use super::params::{leaf_depth, smp_common_depth};
use super::tt::{TranspositionTable, TtEntry};

/// The table of one thread, backed by the common table.
///
/// A position searched less deep than `leaf_depth` is stored in the thread's own table. With more than one thread, such
/// positions from `smp_common_depth` on go to the common table as well, and are looked up in both.
#[derive(Clone, Copy)]
pub(super) struct TieredTable<'a> {
    common: &'a TranspositionTable,
    own: &'a TranspositionTable,
    /// From this depth on the common table is used.
    common_from: i32,
}

impl<'a> TieredTable<'a> {
    /// The tables of one of the search threads.
    pub(super) fn new(
        common: &'a TranspositionTable,
        own: &'a TranspositionTable,
        threads: usize,
    ) -> TieredTable<'a> {
        let common_from = if threads > 1 { smp_common_depth().min(leaf_depth()) } else { leaf_depth() };
        TieredTable { common, own, common_from }
    }

    /// Prefetches the entry of a position that will soon be probed at about this depth.
    #[inline]
    pub(super) fn prefetch(&self, key: u64, depth: i32) {
        self.own.prefetch(key);
        if depth >= self.common_from {
            self.common.prefetch(key);
        }
    }

    /// What is known of a position that is to be searched to this depth.
    #[inline]
    pub(super) fn probe(&self, key: u64, ply: usize, depth: i32) -> Option<TtEntry> {
        let common = if depth >= self.common_from { self.common.probe(key, ply) } else { None };
        common.or_else(|| self.own.probe(key, ply))
    }

    /// Stores what was found of a position.
    #[inline]
    pub(super) fn store(&self, key: u64, ply: usize, entry: TtEntry) {
        if entry.depth >= self.common_from {
            self.common.store(key, ply, entry);
        }
        if entry.depth < leaf_depth() {
            self.own.store(key, ply, entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Bound;

    #[test]
    fn one_thread_keeps_shallow_positions_to_itself_and_several_share_them() {
        for (threads, shared) in [(1, leaf_depth()), (2, smp_common_depth().min(leaf_depth()))] {
            let common = TranspositionTable::new(1, 0).unwrap();
            let (own, other) = (TranspositionTable::for_leaves(), TranspositionTable::for_leaves());
            let here = TieredTable::new(&common, &own, threads);
            let there = TieredTable::new(&common, &other, threads);
            for depth in 0..10 {
                let entry = TtEntry { mv: None, score: 7, depth, bound: Bound::Lower, pv: false };
                let key = (depth as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                here.store(key, 0, entry);
                assert_eq!(here.probe(key, 0, depth), Some(entry));
                assert_eq!(there.probe(key, 0, depth).is_some(), depth >= shared, "{threads} {depth}");
            }
        }
    }
}
