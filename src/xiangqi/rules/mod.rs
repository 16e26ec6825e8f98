//! The rules that end a game, and the rulings on repetition.
//!
//! Everybody asks here: the search at its nodes, the match runner after each move, the judge tool. A verdict
//! is a value, never a score. This room knows nothing of search.
//!
//! # How a repetition is ruled on
//!
//! 1. *The loop* ([`last_loop`]): how the last move closed it, and how often it was played.
//! 2. *Classes*: each of its moves is a check, a kill, a chase, or idle ([`Class`]), with the evidence. A
//!    class depends on the position before the move and on the move, not on the game.
//! 3. *Conduct* ([`Conduct`]): what each side did over the whole loop. One idle move clears it.
//! 4. *Verdict*: a [`Ruleset`] is a scale of conducts. The graver one loses unless it changes, equal ones
//!    draw; the scale also says after how many loops that is final.
//!
//! [`Arbiter`] does this once, for people; [`Referee`] does it for search, where the same loops come up again
//! and again.
//!
//! # How a class is found
//!
//! Everything is judged on the board after the move with the turn handed back to the mover.
//!
//! *Chinese rules.* A **kill** is a mate by consecutive checks (24.2). A **chase** is a *plan*: a capture, or
//! a check that wins something, by other than king or pawn (26.1), such that the exchange on the square gains
//! and the complete exchange, in which the other side may take and check anywhere, gains; an even one is enough
//! where each side takes its own and where a root or a pinned piece pays with what it held (24.3, 26.5).
//! Wood is counted as in 26.6 and 26.7: rook = two minor pieces, horse = cannon, advisor = elephant, a crossed
//! pawn floats below a rook. King and pawn hunt only together with another piece, on the same victim, or by
//! taking with check (26.8). A plan that came out as well before the move is old, and idle (1999, 29.2); it
//! stays old if the move only took a piece out of danger without taking part (26.3). In check, what hung
//! already was given away by the checker (26.3). A like piece that may be taken and may take, at no loss to
//! whoever accepts, is an **exchange** (24.4, 26.10), with a rook beside it too (26.11); against a cheaper
//! captor, or one of the same worth that joins in, it is a chase (26.4, 26.11(2)). A plan is **joint** if none
//! of the pieces can be spared (24.17) and of an **under-protected** piece if it wins though the victim is
//! retaken (24.15); both are the lesser offence (26.9). The general's answer to check is idle (26.1(2)), and
//! so is what the last attacking piece hits beside when it holds a draw against more (26.2).
//!
//! *Asian rules.* A chase is a new legal capture of a piece that cannot be retaken, or of a rook by a horse or
//! cannon, by other than king or pawn; of like pieces only if the victim could not take back (15, 29, D51-57).
//! The offence is to chase one and the same piece with every move; two that every move hits are two (32).
//!
//! # Where the rulesets differ
//!
//! | | CXA 2020 | CXA 1999 | Asian |
//! | --- | --- | --- | --- |
//! | perpetual kill, kill and check or chase in turn | forbidden | forbidden | allowed |
//! | winning a piece by check | chase | chase | nothing |
//! | several victims in turn | chase | chase | allowed |
//! | both sides attack | joint and under-protected weigh less | draw | the frozen rook weighs more |
//! | pawns, while both sides attack | idle | chase | idle |
//! | a pawn given for a rook | gain | even | nothing |
//! | final after | perpetual check three loops, else four | four loops | three loops |
//! | a drawn loop of the first 25 rounds of a game | Red changes or loses (3.3) | draw | draw |
//!
//! # Where other programs differ, and why we do not follow them
//!
//! Other programs know the Asian reading only, whatever the option is called. Their verdicts on the figures of
//! the Chinese book agree in about half of the cases, most of them draws. They part from it over
//!
//! - kills, for they know none: a perpetual kill, or a kill and a check in turn, is drawn by them and lost by
//!   the book (24.13); a chase against a perpetual kill is lost by them and drawn by the book (26.9(4));
//! - pieces won by check or after a series of exchanges, which the book counts (24.3) and they do not see;
//! - several victims, a chase by the book (24.11), allowed by them (32);
//! - chase of a rook against chase of an unprotected piece, even by the book, while they look only at whether
//!   either is protected;
//! - joint and under-protected chases, the lesser offence of 2020 (26.9).
//!
//! Under the Asian rules we follow the text where programs disagree with it or with each other: one check in the
//! loop does not excuse a chase by the other side (some let any check void it), a rook frozen by a horse is
//! better protected than others (19; some draw by design), uncovered pieces chase as the moved one does (some
//! look at the moved piece alone), and protection is judged after the capture, so that pins and false roots count.

mod arbiter;
mod chase;
mod classify;
mod contact;
mod effect;
mod endings;
mod exchange;
mod gain;
mod history;
mod idle;
mod marks;
mod measure;
mod pursuit;
mod reason;
mod referee;
mod repetition;
mod ruleset;
mod threat;
mod trade;

pub use arbiter::{Arbiter, Judged, Judgement, Status};
pub use effect::{Chase, Class, Effect, Evidence, Root};
pub use endings::{NO_CAPTURE_PLIES, is_bare};
pub use history::{Loop, last_loop};
pub use reason::{Reason, kind_name};
pub use referee::Referee;
pub use ruleset::{
    ALWAYSDRAW, ASIAN, CHECKBAN, CXA1999, CXA2020, Conduct, Grade, RIPE, Reading, Ruleset, UnknownRuleset,
    Words,
};

use crate::board::Position;
use crate::types::Outcome;

/// Why a game is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The side to move is in check and has no legal move (将死).
    Mate,
    /// The side to move has no legal move although it is not in check (困毙); it loses just the same.
    Stalemate,
    /// Neither side has a piece that can cross the river.
    Bare,
    /// The no-capture limit is reached.
    NoCapture,
    /// A repetition was ruled on.
    Repetition,
}

/// The order in which a game ends: mate, a ruling, bare boards, the limit.
fn ended(
    position: &Position,
    no_capture_limit: Option<u32>,
    ruled: impl FnOnce() -> Option<Outcome>,
) -> Option<(Outcome, Ending)> {
    if !position.has_legal_move() {
        let ending = if position.in_check() { Ending::Mate } else { Ending::Stalemate };
        return Some((Outcome::Win(!position.side()), ending));
    }
    if let Some(outcome) = ruled() {
        return Some((outcome, Ending::Repetition));
    }
    if is_bare(position) {
        return Some((Outcome::Draw, Ending::Bare));
    }
    match no_capture_limit {
        Some(limit) if position.quiet_plies() >= limit => Some((Outcome::Draw, Ending::NoCapture)),
        _ => None,
    }
}
