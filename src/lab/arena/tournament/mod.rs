//! Tournaments: Swiss system, knockout, and the standings by the rule book.

mod knockout;
mod standings;
mod swiss;
mod waves;

pub use knockout::{Knockout, Tie};
pub use standings::{Played, Scoring, Standing, TieBreak, byes, standings};
pub use swiss::Swiss;
pub use waves::{Pairing, Planner, Waves};
