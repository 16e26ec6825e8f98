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
    /// The first iteration that uses an aspiration window.
    aspiration_depth = 4 in 2 to 8;

    /// Below this depth in plies, a position is stored in the table of the thread that searched it, not in the common
    /// one.
    leaf_depth = 6 in 0 to 12;

    /// With more than one thread, positions from this depth in plies on are stored in the common table as well as in
    /// the thread's own.
    smp_common_depth = 4 in 0 to 12;
    /// About how many of every eight iterations a helper thread leaves out; each helper leaves out different ones.
    smp_skip = 3 in 0 to 7;
    /// The first aspiration window of a helper is wider by this much, in centipawns, times its number modulo 4.
    smp_window = 4 in 0 to 40;
    /// Late moves are reduced by this much more in every second thread, in 1024ths of a ply.
    smp_reduction = 0 in -1024 to 1024;

    /// Reverse futility pruning: the largest depth, in plies.
    rfp_depth = 8 in 4 to 14;
    /// Reverse futility pruning: the margin in centipawns per ply of depth.
    rfp_margin = 75 in 30 to 150;
    /// Reverse futility pruning: by how many centipawns the margin is smaller if the evaluation is rising.
    rfp_improving = 60 in 0 to 150;

    /// Null move pruning: the smallest depth, in plies.
    null_depth = 3 in 1 to 6;
    /// Null move pruning: the basic reduction, in plies.
    null_base = 4 in 2 to 7;
    /// Null move pruning: the plies of depth that reduce by one ply more.
    null_divisor = 4 in 2 to 8;
    /// Null move pruning: the centipawns above beta that reduce by one ply more, up to three plies.
    null_eval_step = 180 in 60 to 400;
    /// Null move pruning: the depth in plies from which on a cut-off is verified by a search without null moves.
    null_verify_depth = 14 in 8 to 40;

    /// Internal iterative reduction: from this depth a node without a table move is searched a ply less.
    iir_depth = 4 in 2 to 12;

    /// Late move pruning: the number of quiet moves that are tried in addition to the depth squared.
    lmp_base = 4 in 1 to 10;
    /// Late move pruning: the largest depth, in plies.
    lmp_depth = 8 in 4 to 14;
    /// Futility pruning of quiet moves: the largest reduced depth, in plies.
    futility_depth = 8 in 4 to 14;
    /// Futility pruning of quiet moves: the margin at reduced depth 0, in centipawns.
    futility_base = 110 in 20 to 250;
    /// Futility pruning of quiet moves: the additional margin per ply of reduced depth, in centipawns.
    futility_slope = 95 in 30 to 200;
    /// History pruning: quiet moves are left out if their history is below minus this per ply of depth.
    history_margin = 3500 in 1000 to 8000;
    /// History pruning: the largest depth, in plies.
    history_depth = 5 in 0 to 10;
    /// Exchange pruning (SEE): the largest depth, in plies.
    see_depth = 9 in 4 to 14;
    /// Exchange pruning (SEE): quiet moves are left out if they lose more centipawns than this times the reduced depth
    /// squared.
    see_quiet = 22 in 5 to 60;
    /// Exchange pruning (SEE): captures are left out if they lose more centipawns than this times the depth.
    see_capture = 105 in 30 to 200;

    /// Late move reduction: the base, in 1024ths of a ply.
    lmr_base = 700 in 0 to 1500;
    /// Late move reduction: the divisor of ln(depth) × ln(move number), in hundredths.
    lmr_divisor = 235 in 120 to 400;
    /// Late move reduction: the history score that makes the reduction one ply smaller.
    lmr_history = 9000 in 3000 to 24000;

    /// Singular extension: the smallest depth, in plies.
    singular_depth = 8 in 5 to 12;
    /// Singular extension: the margin in centipawns per ply of depth.
    singular_margin = 2 in 1 to 6;
    /// Singular extension: the extension is doubled if all other moves fall short by this many more centipawns than the
    /// margin.
    double_margin = 22 in 0 to 80;

    /// Quiescence: captures are tried if they may lift the score to within this many centipawns of alpha.
    qs_futility = 180 in 50 to 400;

    /// History bonus: the bonus per ply of depth.
    bonus_slope = 160 in 50 to 400;
    /// History bonus: the largest bonus.
    bonus_limit = 1800 in 600 to 4000;
    /// Evaluation bonus: the history bonus of a quiet move for each centipawn by which it raises the evaluation.
    eval_bonus = 6 in 0 to 40;
    /// Evaluation bonus: the largest bonus.
    eval_bonus_limit = 1500 in 0 to 4000;
}

/// The bonus for a move that was best at this depth; the others get minus this.
#[inline]
pub(super) fn history_bonus(depth: i32) -> i32 {
    (bonus_slope() * depth).min(bonus_limit())
}
