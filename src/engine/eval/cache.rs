//! Values computed before: search comes back to many positions, by other orders of moves and at other depths.

use crate::score::Value;

/// Entries; with eight bytes each they fit into the processor's second-level cache.
const SIZE: usize = 1 << 15;
const VALUE: u64 = 0xffff;

/// A small table of values by the key of the position, private to one thread.
pub struct EvalCache(Box<[u64; SIZE]>);

impl EvalCache {
    /// An empty table.
    pub fn new() -> EvalCache {
        EvalCache(Box::new([0; SIZE]))
    }

    /// The value of the position with this key: the one remembered, or else what `compute` says.
    #[inline]
    pub fn get_or(&mut self, key: u64, compute: impl FnOnce() -> Value) -> Value {
        // The low bits of a key give its place, the high ones tell it from others there.
        let entry = &mut self.0[key as usize % SIZE];
        if (*entry ^ key) & !VALUE == 0 {
            return Value::from(*entry as u16 as i16);
        }
        let value = compute();
        *entry = key & !VALUE | u64::from(value as i16 as u16);
        value
    }
}

impl Default for EvalCache {
    fn default() -> EvalCache {
        EvalCache::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_computed_once_and_told_from_others_in_its_place() {
        let mut cache = EvalCache::new();
        let key = 0x1234_5678_9abc_def0;
        assert_eq!(cache.get_or(key, || -20_000), -20_000);
        assert_eq!(cache.get_or(key, || unreachable!()), -20_000);
        assert_eq!(cache.get_or(key ^ 1 << 60, || 7), 7);
        assert_eq!(cache.get_or(key, || 20_000), 20_000);
        assert_eq!(cache.get_or(key, || unreachable!()), 20_000);
    }
}
