//! The knobs of the search, all in one table.

macro_rules! knobs {
    ($($(#[$doc:meta])* $name:ident = $value:literal;)*) => {
        $($(#[$doc])* #[inline] pub(super) const fn $name() -> i32 { $value })*
    };
}

knobs! {
    /// Half-width of the first aspiration window, in centipawns.
    aspiration_window = 18;
    /// The first iteration that uses one.
    aspiration_depth = 4;

    /// Reverse futility: up to this depth,
    rfp_depth = 8;
    /// with this margin a ply of depth,
    rfp_margin = 75;
    /// less this if the evaluation is rising.
    rfp_improving = 60;

    /// Razoring: up to this depth,
    razor_depth = 4;
    /// with this margin, and so much more a ply of depth.
    razor_base = 220;
    /// See `razor_base`.
    razor_slope = 190;

    /// Null move: from this depth,
    null_depth = 3;
    /// reduced by this much,
    null_base = 4;
    /// one more for so many plies of depth,
    null_divisor = 4;
    /// and one more for each so many centipawns above beta, up to three.
    null_eval_step = 180;
    /// From this depth on a null-move cut-off is verified by a search without null moves.
    null_verify_depth = 14;

    /// Internal iterative reduction: from this depth a node without a table move is searched a ply less.
    iir_depth = 4;

    /// Late move pruning: this many quiets, plus depth squared, are tried.
    lmp_base = 4;
    /// Up to this depth.
    lmp_depth = 8;
    /// Futility pruning of quiets: up to this reduced depth,
    futility_depth = 8;
    /// with this margin, and so much more a ply.
    futility_base = 110;
    /// See `futility_base`.
    futility_slope = 95;
    /// Quiets whose history is below minus this a ply of depth are left out,
    history_margin = 3500;
    /// up to this depth.
    history_depth = 5;
    /// Exchange pruning up to this depth:
    see_depth = 9;
    /// quiets that lose more than this times depth squared,
    see_quiet = 22;
    /// and captures that lose more than this times depth.
    see_capture = 105;

    /// Late move reduction, in 1024ths of a ply: base,
    lmr_base = 700;
    /// and the divisor of ln(depth) × ln(number), in hundredths.
    lmr_divisor = 235;
    /// Reduction is less by history / this.
    lmr_history = 9000;

    /// Singular extension: from this depth.
    singular_depth = 8;
    /// Margin in centipawns a ply of depth.
    singular_margin = 2;
    /// A move that is this much worse again than the singular margin doubles the extension.
    double_margin = 22;

    /// Quiescence: captures are tried if they may lift the score to within this of alpha.
    qs_futility = 180;

    /// History bonus: this a ply of depth, up to the limit.
    bonus_slope = 160;
    /// See `bonus_slope`.
    bonus_limit = 1800;
}

/// The bonus for a move that was best at this depth; the others get minus this.
#[inline]
pub(super) fn history_bonus(depth: i32) -> i32 {
    (bonus_slope() * depth).min(bonus_limit())
}
