//! Tournaments: Swiss system, knockout, and the standings by the rule book.

mod knockout;
mod standings;
mod swiss;
mod waves;

pub use knockout::Knockout;
pub use standings::{Played, Scoring, TieBreak, byes, standings};
pub use swiss::Swiss;
pub use waves::Waves;
