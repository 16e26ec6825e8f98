//! A pair of values, one for the middle game and one for the endgame, in a single word.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use crate::types::score::Value;

/// A middle-game and an endgame value in centipawns, each within ±16,000 also when summed.
///
/// Both live in one `i32` (the middle game in the upper half), so that one addition adds both.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Tapered(i32);

impl Tapered {
    /// Nothing.
    pub const ZERO: Tapered = Tapered(0);

    /// The pair of a middle-game and an endgame value.
    pub const fn new(middle: i16, end: i16) -> Tapered {
        Tapered(((middle as i32) << 16) + end as i32)
    }

    /// This pair and another, in constants.
    pub(super) const fn plus(self, other: Tapered) -> Tapered {
        Tapered(self.0 + other.0)
    }

    /// The middle-game value.
    #[inline]
    pub const fn middle(self) -> Value {
        // A negative endgame value has borrowed one from the upper half.
        (self.0 + 0x8000) >> 16
    }

    /// The endgame value.
    #[inline]
    pub const fn end(self) -> Value {
        self.0 as i16 as Value
    }

    /// The value at `phase` (0 = endgame to [`FULL_PHASE`](super::FULL_PHASE) = opening), rounded towards 0.
    #[inline]
    pub const fn at(self, phase: i32) -> Value {
        (self.middle() * phase + self.end() * (super::FULL_PHASE - phase)) / super::FULL_PHASE
    }
}

impl std::fmt::Debug for Tapered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}, {})", self.middle(), self.end())
    }
}

impl Add for Tapered {
    type Output = Tapered;
    #[inline]
    fn add(self, other: Tapered) -> Tapered {
        Tapered(self.0 + other.0)
    }
}

impl Sub for Tapered {
    type Output = Tapered;
    #[inline]
    fn sub(self, other: Tapered) -> Tapered {
        Tapered(self.0 - other.0)
    }
}

impl Neg for Tapered {
    type Output = Tapered;
    #[inline]
    fn neg(self) -> Tapered {
        Tapered(-self.0)
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;
    #[inline]
    fn mul(self, count: i32) -> Tapered {
        Tapered(self.0 * count)
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Tapered) {
        *self = *self + other;
    }
}

impl SubAssign for Tapered {
    #[inline]
    fn sub_assign(&mut self, other: Tapered) {
        *self = *self - other;
    }
}

impl Sum for Tapered {
    fn sum<I: Iterator<Item = Tapered>>(pairs: I) -> Tapered {
        pairs.fold(Tapered::ZERO, Tapered::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_halves_keep_their_sign_through_sums() {
        let values = [-700, -1, 0, 1, 333];
        for (a, b) in values.iter().flat_map(|&a| values.iter().map(move |&b| (a, b))) {
            let pair = Tapered::new(a, b);
            assert_eq!((pair.middle(), pair.end()), (a.into(), b.into()));
            let more = pair * 3 - Tapered::new(5, -7) + -pair;
            assert_eq!((more.middle(), more.end()), (i32::from(a) * 2 - 5, i32::from(b) * 2 + 7));
        }
    }

    #[test]
    fn the_phase_goes_from_end_to_middle() {
        let pair = Tapered::new(64, -32);
        assert_eq!((pair.at(super::super::FULL_PHASE), pair.at(0)), (64, -32));
        assert_eq!(pair.at(super::super::FULL_PHASE / 2), 16);
        assert_eq!((-pair).at(5), -pair.at(5));
    }
}
