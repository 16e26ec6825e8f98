//! How the engine is to play.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;
use std::time::Duration;

use crate::score::Value;
use crate::search::handicap::{LEAST_ELO, MOST_ELO};
use crate::search::{Handicap, SearchOptions};
use xiangqi::board::Position;
use xiangqi::rules::{CXA2020, Ruleset};

/// The default size of the transposition table, in megabytes.
pub const DEFAULT_HASH: usize = 64;
/// The largest size that may be asked for, in megabytes (32 TB: the real limit is the machine's memory).
pub const MOST_HASH: usize = 33_554_432;
/// The most threads that may be asked for.
pub const MOST_THREADS: usize = 1024;
/// Rounds without a capture that draw a game by the rule book.
pub const QUIET_ROUNDS: u32 = 60;
/// The skill level of full strength.
pub const FULL_SKILL: u8 = 20;
/// The value of [`Settings::endgame_file`] that turns the tables of endings off.
pub const NO_ENDGAMES: &str = "off";
/// The rating points between two skill levels.
const SKILL_STEP: u32 = (MOST_ELO - LEAST_ELO) / FULL_SKILL as u32;

/// How much of the machine to leave to others when the engine chooses its number of threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Idle {
    /// Nothing.
    #[default]
    None,
    /// A quarter of the cores.
    Small,
    /// Half of them.
    Medium,
    /// Three quarters.
    Large,
}

/// How the engine is to play. Settings take effect at the next search.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Search threads; 0 leaves the choice to the engine: one per core, less what `idle` leaves to other programs.
    pub threads: usize,
    /// How much of the machine to leave to others.
    pub idle: Idle,
    /// Size of the transposition table in megabytes; 0 means [`DEFAULT_HASH`].
    pub hash_mb: usize,
    /// Whether the client lets the engine think on the opponent's time: it changes the time plan only.
    pub ponder: bool,
    /// How many best lines to find.
    pub multipv: usize,
    /// Time lost between the engine and its client each move.
    pub move_overhead: Duration,
    /// The rules by which repetitions are judged.
    pub rules: &'static Ruleset,
    /// Rounds without a capture that draw the game; 0: never.
    pub quiet_rounds: u32,
    /// Skill level, 0 to [`FULL_SKILL`].
    pub skill: u8,
    /// Whether the strength is limited to that of `elo`.
    pub limit_strength: bool,
    /// The rating asked for, [`LEAST_ELO`] to [`MOST_ELO`].
    pub elo: u32,
    /// Random part of the evaluation, in centipawns.
    pub noise: Value,
    /// Whether to play from the opening book.
    pub use_book: bool,
    /// The files of the opening books; empty for the built-in book.
    pub book_files: Vec<String>,
    /// The file of the network; empty for the built-in network.
    pub network_file: String,
    /// The file of the tables of endings; empty for the built-in tables, [`NO_ENDGAMES`] for none.
    pub endgame_file: String,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            threads: 1,
            idle: Idle::None,
            hash_mb: DEFAULT_HASH,
            ponder: false,
            multipv: 1,
            move_overhead: Duration::from_millis(10),
            rules: &CXA2020,
            quiet_rounds: QUIET_ROUNDS,
            skill: FULL_SKILL,
            limit_strength: false,
            elo: LEAST_ELO,
            noise: 0,
            use_book: true,
            book_files: Vec::new(),
            network_file: String::new(),
            endgame_file: String::new(),
        }
    }
}

impl Settings {
    /// The number of threads a search will have.
    pub fn threads_in_use(&self) -> usize {
        if self.threads > 0 {
            return self.threads;
        }
        let cores = available_parallelism().map_or(1, NonZeroUsize::get);
        let left_to_others = match self.idle {
            Idle::None => 0,
            Idle::Small => cores / 4,
            Idle::Medium => cores / 2,
            Idle::Large => cores * 3 / 4,
        };
        (cores - left_to_others).clamp(1, MOST_THREADS)
    }

    /// The size of the table a search will have, in megabytes.
    pub fn hash_in_use(&self) -> usize {
        if self.hash_mb == 0 { DEFAULT_HASH } else { self.hash_mb }
    }

    /// The settings in the form that the search of `position` takes, with the average time `lag` lost per move.
    pub(super) fn search_options(&self, position: &Position, seed: u64, lag: Duration) -> SearchOptions {
        SearchOptions {
            multipv: self.multipv,
            move_overhead: self.move_overhead,
            lag,
            rules: self.rules,
            no_capture_limit: self.no_capture_limit(position),
            ponder: self.ponder,
            handicap: self.elo_to_play().map(Handicap::of_elo),
            noise: self.noise,
            seed,
        }
    }

    /// The plies without a capture that draw a game going on from `position`, if there is a limit that still matters.
    ///
    /// Where every quiet move is drawn by the limit, the search would find all of them alike. So the limit is left out
    /// once it has been reached, by a program that did not end the game, and on the last ply before it, unless a
    /// capture can still avoid it.
    fn no_capture_limit(&self, position: &Position) -> Option<u32> {
        let limit = Some(2 * self.quiet_rounds).filter(|&limit| limit > 0)?;
        let counted = position.quiet_plies();
        let wins_something =
            || position.legal_moves().iter().any(|&mv| position.is_capture(mv) && position.see(mv, 1));
        let matters = counted + 1 < limit || counted < limit && wins_something();
        matters.then_some(limit)
    }

    /// The rating to play at, or `None` for full strength. Each skill level is a hundred points, from the least
    /// rating up.
    fn elo_to_play(&self) -> Option<u32> {
        let by_skill = (self.skill < FULL_SKILL).then_some(LEAST_ELO + SKILL_STEP * u32::from(self.skill));
        let by_rating = self.limit_strength.then_some(self.elo);
        by_skill.into_iter().chain(by_rating).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engine_chooses_threads_as_idle_says() {
        let mut settings = Settings { threads: 0, ..Settings::default() };
        let all = settings.threads_in_use();
        settings.idle = Idle::Large;
        assert!((1..=all).contains(&settings.threads_in_use()));
        settings.threads = 3;
        assert_eq!(settings.threads_in_use(), 3);
    }

    #[test]
    fn a_limit_that_has_been_reached_is_left_out() {
        let settings = Settings::default();
        let limit = |board: &str, quiet: u32| {
            settings.no_capture_limit(&Position::from_fen(&format!("{board} w - - {quiet} 80")).unwrap())
        };
        let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
        assert_eq!(
            [0, 118, 119, 120, 500].map(|quiet| limit(start, quiet)),
            [Some(120), Some(120), None, None, None]
        );
        let hanging = "3k5/9/9/9/9/9/9/r8/9/R3K4";
        assert_eq!([119, 120].map(|quiet| limit(hanging, quiet)), [Some(120), None]);
        let endless = Settings { quiet_rounds: 0, ..Settings::default() };
        assert_eq!(endless.no_capture_limit(&Position::startpos()), None);
    }

    #[test]
    fn limited_strength_takes_the_lower_rating() {
        let mut settings = Settings::default();
        assert_eq!(settings.elo_to_play(), None);
        settings.elo = 1350;
        assert_eq!(settings.elo_to_play(), None);
        settings.limit_strength = true;
        assert_eq!(settings.elo_to_play(), Some(1350));
        settings.skill = 3;
        assert_eq!(settings.elo_to_play(), Some(1100));
        settings.limit_strength = false;
        settings.skill = 0;
        assert_eq!(settings.elo_to_play(), Some(LEAST_ELO));
    }
}
