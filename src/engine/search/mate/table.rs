//! What has been proved of positions already met.
//!
//! A proof must not rest on a mistaken identity, so each entry keeps its whole key, unlike in the transposition table.

use super::allowance::Allowance;
use xiangqi::types::Move;

/// What is known of one position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Known {
    /// The attacker mates with this.
    pub mate: Option<Allowance>,
    /// The attacker does not mate with this.
    pub none: Option<Allowance>,
    /// The move that decided last: one that mates, or one that escapes.
    pub mv: Option<Move>,
}

impl Known {
    /// Whether there is a mate with the allowance, if that follows from what is known.
    #[inline]
    pub(super) fn verdict(&self, allowance: Allowance) -> Option<bool> {
        if self.mate.is_some_and(|enough| allowance.covers(enough)) {
            Some(true)
        } else if self.none.is_some_and(|short| short.covers(allowance)) {
            Some(false)
        } else {
            None
        }
    }
}

// The word, from the low bit: move 14, mate 7 + 7, none 7 + 7, effort 6. An absent allowance has no moves.
const ALLOWANCE_BITS: u32 = 7;
const MOVE_BITS: u32 = 14;
const MATE_SHIFT: u32 = MOVE_BITS;
const NONE_SHIFT: u32 = MATE_SHIFT + 2 * ALLOWANCE_BITS;
const EFFORT_SHIFT: u32 = NONE_SHIFT + 2 * ALLOWANCE_BITS;

/// The most moves that an allowance in the table can have.
pub(super) const MOST_MOVES: u8 = (1 << ALLOWANCE_BITS) - 1;

fn pack(known: Known, effort: u32) -> u64 {
    let allowance = |allowance: Option<Allowance>| {
        allowance
            .map_or(0, |allowance| u64::from(allowance.moves) | u64::from(allowance.quiets) << ALLOWANCE_BITS)
    };
    known.mv.map_or(0, |mv| u64::from(mv.word()))
        | allowance(known.mate) << MATE_SHIFT
        | allowance(known.none) << NONE_SHIFT
        | u64::from(effort) << EFFORT_SHIFT
}

fn unpack(word: u64) -> Known {
    let allowance = |shift: u32| {
        let part = |shift: u32| (word >> shift) as u8 & MOST_MOVES;
        (part(shift) > 0).then(|| Allowance::new(part(shift), part(shift + ALLOWANCE_BITS)))
    };
    Known {
        mate: allowance(MATE_SHIFT),
        none: allowance(NONE_SHIFT),
        mv: Move::from_word(word as u16 & ((1 << MOVE_BITS) - 1)),
    }
}

/// Four entries of a key and a word share a cache line.
type ProofBucket = [[u64; 2]; 4];

/// The proofs of one search.
pub(super) struct ProofTable {
    buckets: Vec<ProofBucket>,
}

impl ProofTable {
    /// A table of about `mb` MB. Memory is taken only as entries come in.
    pub(super) fn new(mb: usize) -> ProofTable {
        let count = mb.max(1) * ((1 << 20) / size_of::<ProofBucket>());
        ProofTable { buckets: vec![ProofBucket::default(); count] }
    }

    #[inline]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    /// What is known of the position with this key.
    #[inline]
    pub(super) fn probe(&self, key: u64) -> Known {
        let bucket = &self.buckets[self.index(key)];
        bucket
            .iter()
            .find(|slot| slot[0] == key && slot[1] != 0)
            .map_or(Known::default(), |slot| unpack(slot[1]))
    }

    /// Notes whether the attacker mates with the allowance, by which move that was decided, and how many nodes it
    /// took to know.
    pub(super) fn store(
        &mut self,
        key: u64,
        allowance: Allowance,
        mates: bool,
        mv: Option<Move>,
        nodes: u64,
    ) {
        let mut known = self.probe(key);
        known.mv = mv.or(known.mv);
        *(if mates { &mut known.mate } else { &mut known.none }) = Some(allowance);
        let index = self.index(key);
        let bucket = &mut self.buckets[index];
        let effort = |slot: &[u64; 2]| (slot[1] != 0, slot[1] >> EFFORT_SHIFT);
        let own = bucket.iter().position(|slot| slot[0] == key && slot[1] != 0);
        let cheapest = || (0..bucket.len()).min_by_key(|&slot| effort(&bucket[slot]));
        if let Some(slot) = own.or_else(cheapest) {
            bucket[slot] = [key, pack(known, (nodes + 1).ilog2())];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowance(moves: u8, quiets: u8) -> Option<Allowance> {
        Some(Allowance::new(moves, quiets))
    }

    #[test]
    fn words_hold_what_was_put_into_them() {
        for mate in [None, allowance(1, 0), allowance(100, 3)] {
            for none in [None, allowance(7, 7), allowance(100, 100)] {
                for mv in [None, "a0a1".parse().ok(), "i9i8".parse().ok()] {
                    let known = Known { mate, none, mv };
                    assert_eq!(unpack(pack(known, 63)), known);
                }
            }
        }
    }

    #[test]
    fn more_mates_and_less_does_not() {
        let known = Known { mate: allowance(5, 1), none: allowance(4, 1), mv: None };
        assert_eq!(known.verdict(Allowance::new(6, 2)), Some(true));
        assert_eq!(known.verdict(Allowance::new(3, 0)), Some(false));
        assert_eq!(known.verdict(Allowance::new(5, 0)), None);
        assert_eq!(known.verdict(Allowance::new(4, 2)), None);
    }

    #[test]
    fn both_verdicts_on_a_position_are_kept_and_the_costliest_stay() {
        let mut table = ProofTable::new(1);
        let mv: Move = "h2e2".parse().unwrap();
        table.store(9, Allowance::new(3, 1), true, Some(mv), 5000);
        table.store(9, Allowance::new(2, 1), false, None, 5000);
        // The same bucket: keys that differ in the low bits only.
        for key in 10..40 {
            table.store(key, Allowance::new(2, 0), false, None, 3);
        }
        assert_eq!(table.probe(9), Known { mate: allowance(3, 1), none: allowance(2, 1), mv: Some(mv) });
        assert_eq!(table.probe(8), Known::default());
    }
}
