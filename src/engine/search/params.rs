//! The knobs of the search, all in one table.
//!
//! They are constants, unless the program is built with the feature `tune`: then each is an option of the
//! protocol and can be set within its range, so that matches can find better values (`juzhong tune`).

use std::sync::atomic::{AtomicI32, Ordering};

/// A knob: a number that the search depends on.
#[derive(Debug)]
pub struct Tunable {
    /// Its name, in small letters with underscores.
    pub name: &'static str,
    /// The value that it has from the beginning.
    pub default: i32,
    /// The least value that makes sense.
    pub least: i32,
    /// The largest value that makes sense.
    pub most: i32,
    value: AtomicI32,
}

impl Tunable {
    /// Sets the value, brought within its range. No search may be running: it would use both values.
    pub fn set(&self, value: i32) {
        self.value.store(value.clamp(self.least, self.most), Ordering::Relaxed);
    }

    /// The value.
    #[inline]
    pub fn get(&self) -> i32 {
        self.value.load(Ordering::Relaxed)
    }
}

/// The knobs that can be turned: all of them with the feature `tune`, else none.
pub fn tunables() -> &'static [&'static Tunable] {
    #[cfg(feature = "tune")]
    return KNOBS;
    #[cfg(not(feature = "tune"))]
    &[]
}

macro_rules! knobs {
    ($($(#[$doc:meta])* $name:ident = $value:literal in $least:literal to $most:literal;)*) => {
        $(
            const _: () = assert!($least <= $value && $value <= $most);

            $(#[$doc])*
            #[cfg(not(feature = "tune"))]
            #[inline]
            pub(super) const fn $name() -> i32 {
                $value
            }

            $(#[$doc])*
            #[cfg(feature = "tune")]
            #[inline]
            pub(super) fn $name() -> i32 {
                cells::$name.get()
            }
        )*

        #[cfg(feature = "tune")]
        #[allow(non_upper_case_globals)]
        mod cells {
            use super::{AtomicI32, Tunable};
            $(pub(super) static $name: Tunable = Tunable {
                name: stringify!($name),
                default: $value,
                least: $least,
                most: $most,
                value: AtomicI32::new($value),
            };)*
        }

        #[cfg(feature = "tune")]
        static KNOBS: &[&Tunable] = &[$(&cells::$name),*];
    };
}

knobs! {
    /// Half-width of the first aspiration window, in centipawns.
    aspiration_window = 18 in 5 to 60;
    /// The first iteration that uses one.
    aspiration_depth = 4 in 2 to 8;

    /// Less deep than this a position is remembered by the thread that searched it, not by all.
    leaf_depth = 6 in 0 to 12;

    /// With more than one thread positions from this depth on are remembered by all as well as by the thread itself.
    smp_common_depth = 4 in 0 to 12;
    /// Of each eight iterations helpers leave out about so many, each helper others.
    smp_skip = 3 in 0 to 7;
    /// The first aspiration window of a helper is wider by this much, in centipawns, times its number modulo 4.
    smp_window = 4 in 0 to 40;
    /// Late moves are reduced by this much more in every second thread, in 1024ths of a ply.
    smp_reduction = 0 in -1024 to 1024;

    /// Reverse futility: up to this depth,
    rfp_depth = 8 in 4 to 14;
    /// with this margin a ply of depth,
    rfp_margin = 75 in 30 to 150;
    /// less this if the evaluation is rising.
    rfp_improving = 60 in 0 to 150;

    /// Null move: from this depth,
    null_depth = 3 in 1 to 6;
    /// reduced by this much,
    null_base = 4 in 2 to 7;
    /// one more for so many plies of depth,
    null_divisor = 4 in 2 to 8;
    /// and one more for each so many centipawns above beta, up to three.
    null_eval_step = 180 in 60 to 400;
    /// From this depth on a null-move cut-off is verified by a search without null moves.
    null_verify_depth = 14 in 8 to 40;

    /// Internal iterative reduction: from this depth a node without a table move is searched a ply less.
    iir_depth = 4 in 2 to 12;

    /// Late move pruning: this many quiets, plus depth squared, are tried.
    lmp_base = 4 in 1 to 10;
    /// Up to this depth.
    lmp_depth = 8 in 4 to 14;
    /// Futility pruning of quiets: up to this reduced depth,
    futility_depth = 8 in 4 to 14;
    /// with this margin, and so much more a ply.
    futility_base = 110 in 20 to 250;
    /// See `futility_base`.
    futility_slope = 95 in 30 to 200;
    /// Quiets whose history is below minus this a ply of depth are left out,
    history_margin = 3500 in 1000 to 8000;
    /// up to this depth.
    history_depth = 5 in 0 to 10;
    /// Exchange pruning up to this depth:
    see_depth = 9 in 4 to 14;
    /// quiets that lose more than this times depth squared,
    see_quiet = 22 in 5 to 60;
    /// and captures that lose more than this times depth.
    see_capture = 105 in 30 to 200;

    /// Late move reduction, in 1024ths of a ply: base,
    lmr_base = 700 in 0 to 1500;
    /// and the divisor of ln(depth) × ln(number), in hundredths.
    lmr_divisor = 235 in 120 to 400;
    /// Reduction is less by history / this.
    lmr_history = 9000 in 3000 to 24000;

    /// Singular extension: from this depth.
    singular_depth = 8 in 5 to 12;
    /// Margin in centipawns a ply of depth.
    singular_margin = 2 in 1 to 6;
    /// A move that is this much worse again than the singular margin doubles the extension.
    double_margin = 22 in 0 to 80;

    /// Quiescence: captures are tried if they may lift the score to within this of alpha.
    qs_futility = 180 in 50 to 400;

    /// History bonus: this a ply of depth, up to the limit.
    bonus_slope = 160 in 50 to 400;
    /// See `bonus_slope`.
    bonus_limit = 1800 in 600 to 4000;
    /// A quiet move is rewarded by this for each centipawn that it lifts the evaluation,
    eval_bonus = 6 in 0 to 40;
    /// up to this.
    eval_bonus_limit = 1500 in 0 to 4000;
}

/// The bonus for a move that was best at this depth; the others get minus this.
#[inline]
pub(super) fn history_bonus(depth: i32) -> i32 {
    (bonus_slope() * depth).min(bonus_limit())
}
