//! The rules that end a game, and the rulings on repetition.
//!
//! Search asks at its nodes, the match runner after each move, and the judge tool at the end of a game; all get
//! the same ruling. A verdict is a value with a reason and a status, never a score.
//!
//! # How a repetition is ruled on
//!
//! 1. *The loop* ([`last_loop`]): how the last move closed it, and how often it was played.
//! 2. *The class of each move* ([`MoveClass`]): check, kill, chase or a kind of idle, with the evidence. The
//!    Chinese definitions are in `cxa`, the Asian ones in `axf`.
//! 3. *The conduct of each side* ([`Conduct`]): what it did over the whole loop. One idle move clears it.
//! 4. *The verdict* ([`Verdict`]): a [`Ruleset`] is a scale of offences. The side with the graver conduct
//!    loses unless it changes, and equal ones draw; the scale also says after how many loops that is final.
//!
//! [`Arbiter`] gives the whole [`Ruling`] with its reasons; [`Referee`] gives the result alone, quickly, for
//! search and for the end of a game. Which text of which book is decided where stands in `docs/RULES.md`.

mod arbiter;
mod axf;
mod bilingual;
mod budget;
mod captures;
mod classify;
mod conduct;
mod context;
mod cxa;
mod effect;
mod game_end;
mod loops;
mod reason;
mod referee;
mod ruleset;
mod verdict;

pub use arbiter::{Arbiter, ClassifiedMove, Ruling};
pub use bilingual::Bilingual;
pub use effect::{Chase, Effect, Evidence, MoveClass, Protection};
pub use game_end::{GameEnd, NO_CAPTURE_PLIES, is_bare};
pub use loops::{Loop, last_loop};
pub use reason::kind_name;
pub use referee::{NodeRuling, Referee};
pub use ruleset::{
    ALWAYSDRAW, ASIAN, CHECKBAN, CXA1999, CXA2020, Classifier, Conduct, Offence, OpeningRule, RIPE, Ruleset,
    UnknownRuleset,
};
pub use verdict::{Verdict, VerdictStatus};
