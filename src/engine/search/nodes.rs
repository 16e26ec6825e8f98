//! How the nodes of several threads are counted and limited.

use std::sync::atomic::{AtomicU64, Ordering};

use crossbeam::utils::CachePadded;

/// The node counts of all threads, each on a cache line of its own, and the nodes that are left to them.
pub(super) struct NodeCounts {
    searched: Box<[CachePadded<AtomicU64>]>,
    /// Nodes that no thread has claimed yet, if they are limited.
    left: Option<CachePadded<AtomicU64>>,
}

/// The number of nodes between two looks of a thread at the clock and the stop flag, a power of two.
const POLL_NODES: u64 = 1024;
/// The divisor of the nodes left that bounds unused claims: all threads together hold less than this part of them.
const SLACK: u64 = 128;

impl NodeCounts {
    /// Counts for `threads` threads, which may search at most `limit` nodes together.
    pub(super) fn new(threads: usize, limit: Option<u64>) -> NodeCounts {
        NodeCounts {
            searched: (0..threads).map(|_| CachePadded::default()).collect(),
            left: limit.map(|limit| CachePadded::new(AtomicU64::new(limit))),
        }
    }

    /// Notes how many nodes a thread has searched in all.
    pub(super) fn publish(&self, id: usize, nodes: u64) {
        self.searched[id].store(nodes, Ordering::Relaxed);
    }

    /// How many nodes the threads have searched, as far as they have published it.
    pub(super) fn total(&self) -> u64 {
        self.searched.iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum()
    }

    /// The total, with the count of one thread replaced by its own latest number.
    pub(super) fn total_with(&self, id: usize, nodes: u64) -> u64 {
        self.publish(id, nodes);
        self.total()
    }

    /// How many nodes a thread may search before it asks again; 0 if the limit is reached. One thread searches exactly
    /// as many as the limit says, several at most one in a hundred less.
    pub(super) fn claim(&self) -> u64 {
        let Some(left) = &self.left else { return POLL_NODES };
        let threads = self.searched.len() as u64;
        let share = |left: u64| if threads == 1 { left } else { (left / (SLACK * threads)).max(1) };
        let claim = |left: u64| (left > 0).then(|| left - share(left).min(POLL_NODES).min(left));
        match left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, claim) {
            Ok(before) => share(before).min(POLL_NODES).min(before),
            Err(_) => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_add_up_to_the_limit_and_leave_little_unused() {
        for (threads, limit) in [(1, 1), (1, 3000), (2, 100), (2, 1), (3, 50_000), (64, 200_000)] {
            let counts = NodeCounts::new(threads, Some(limit));
            let claims: Vec<u64> =
                std::iter::from_fn(|| Some(counts.claim()).filter(|&claim| claim > 0)).collect();
            assert_eq!(claims.iter().sum::<u64>(), limit, "{threads} threads, {limit} nodes");
            let last: u64 = claims.iter().rev().take(threads - 1).sum();
            assert!(last * 100 <= limit.max(100 * (threads as u64 - 1)), "{threads}: {last} of {limit}");
        }
        assert_eq!(NodeCounts::new(4, None).claim(), POLL_NODES);
    }

    #[test]
    fn counts_are_summed_up() {
        let counts = NodeCounts::new(3, None);
        counts.publish(0, 5);
        counts.publish(2, 7);
        counts.publish(0, 6);
        assert_eq!((counts.total(), counts.total_with(1, 10)), (13, 23));
    }
}
