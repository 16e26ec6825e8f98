//! The options that concern the session and not the engine.

use super::draws::DrawPolicy;
use super::go::TimeUnit;
use super::ranks::Ranks;

/// The options that concern the session and not the engine.
#[derive(Debug, Clone)]
pub struct SessionOptions {
    /// How moves are spelled in UCI; UCCI always counts ranks from 0.
    pub ranks: Ranks,
    /// The unit of UCCI's clock words.
    pub unit: TimeUnit,
    /// Whether lines that arrive during a search wait for its end.
    pub batch: bool,
    /// Whether every root move and every line received is shown.
    pub debug: bool,
    /// Whether UCI's info lines show the shares of wins, draws and losses.
    pub show_wdl: bool,
    /// When to accept or offer a draw (UCCI).
    pub draw_policy: DrawPolicy,
    /// Whether lost games are resigned (UCCI).
    pub resigns: bool,
    /// Whether the board is drawn in colour; this is no option of the protocols.
    pub colour: bool,
}

impl Default for SessionOptions {
    fn default() -> SessionOptions {
        SessionOptions {
            ranks: Ranks::FromZero,
            unit: TimeUnit::Milliseconds,
            batch: false,
            debug: false,
            show_wdl: false,
            draw_policy: DrawPolicy::Answer,
            resigns: false,
            colour: false,
        }
    }
}
