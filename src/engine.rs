//! The engine as both protocols and the tools drive it: a position, the settings, and a pool of searchers.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use crate::board::{FenError, Position};
use crate::book::{BookError, Choice, Library};
use crate::endgame::{Tables, TablesFileError};
use crate::eval::{Network, NetworkFileError, Trace};
use crate::rules::{CXA2020, Ruleset};
use crate::search::level::{LEAST_ELO, MOST_ELO};
use crate::search::tt::Entry;
use crate::search::{Event, HashError, Level, Limits, Pool, SearchOptions};
use crate::types::Move;
use crate::types::score::Value;

/// The transposition table's size where nobody names one, in megabytes.
pub const DEFAULT_HASH: usize = 64;
/// The largest size that may be asked for, in megabytes (32 TB: what there is decides).
pub const MOST_HASH: usize = 33_554_432;
/// The most threads that may be asked for.
pub const MOST_THREADS: usize = 1024;
/// The skill level of full strength.
pub const FULL_SKILL: u8 = 20;
/// What stands in the settings in place of a file where no tables of endings are wanted.
pub const NO_ENDGAMES: &str = "off";
/// The points of rating between two skill levels.
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
    /// Search threads; 0 leaves the choice to the engine: one a core, less what `idle` leaves to others.
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
    /// By which rules repetitions are judged.
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
    /// The opening books; empty for the one of the program.
    pub book_files: Vec<String>,
    /// The file of the network; empty for the one of the program.
    pub network_file: String,
    /// The file of the tables of endings; empty for those of the program, [`NO_ENDGAMES`] for none.
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
            quiet_rounds: 60,
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

    /// The settings as the search takes them.
    fn search_options(&self, seed: u64) -> SearchOptions {
        SearchOptions {
            multipv: self.multipv,
            move_overhead: self.move_overhead,
            rules: self.rules,
            no_capture_limit: (self.quiet_rounds > 0).then_some(2 * self.quiet_rounds),
            ponder: self.ponder,
            level: self.elo_to_play().map(Level::of_elo),
            noise: self.noise,
            seed,
        }
    }

    /// The rating to play at, or `None` for full strength. Each skill level is a hundred points, from the least
    /// rating up.
    fn elo_to_play(&self) -> Option<u32> {
        let by_skill = (self.skill < FULL_SKILL).then_some(LEAST_ELO + SKILL_STEP * u32::from(self.skill));
        let by_rating = self.limit_strength.then_some(self.elo);
        by_skill.into_iter().chain(by_rating).min()
    }
}

/// A position, the settings, and the searchers, who come into being when they are first needed.
pub struct Engine {
    /// How to play.
    pub settings: Settings,
    position: Position,
    banned: Vec<Move>,
    pool: Option<Pool>,
    library: Library,
    network: Arc<Network>,
    /// The file that it was asked from last.
    network_file: String,
    endgames: Arc<Tables>,
    /// The file that they were asked from last.
    endgame_file: String,
    /// Drawn afresh for each game, so that a weakened engine does not always play the same one.
    seed: u64,
}

impl Engine {
    /// An engine at the start position. Nothing large is allocated yet.
    pub fn new() -> Engine {
        Engine {
            settings: Settings::default(),
            position: Position::startpos(),
            banned: Vec::new(),
            pool: None,
            library: Library::new(rand::random()),
            network: Network::embedded(),
            network_file: String::new(),
            endgames: Tables::embedded(),
            endgame_file: String::new(),
            seed: rand::random(),
        }
    }

    /// The position on the board, with the game that led to it.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Takes over another position; bans on moves end.
    pub fn set_position(&mut self, position: Position) {
        self.position = position;
        self.banned.clear();
    }

    /// Exchanges the colours: every piece goes to the other side's mirror rank, and the other side is to move.
    /// The record of moves and the bans are lost.
    pub fn flip(&mut self) -> Result<(), FenError> {
        self.set_position(Position::from_fen(&flipped(&self.position.to_fen()))?);
        Ok(())
    }

    /// Names the moves that must not be played here, in place of those named before.
    pub fn ban(&mut self, moves: Vec<Move>) {
        self.banned = moves;
    }

    /// Gets ready to search: makes the pool if there is none, and gives it the threads and the hash size of the
    /// settings. If the memory cannot be had, the size in use becomes the setting and the search can go on.
    pub fn prepare(&mut self) -> Result<(), HashError> {
        self.ready().1
    }

    fn ready(&mut self) -> (&mut Pool, Result<(), HashError>) {
        let (threads, wanted) = (self.settings.threads_in_use(), self.settings.hash_in_use());
        let pool = self.pool.get_or_insert_with(|| Pool::new(threads, DEFAULT_HASH));
        pool.set_threads(threads);
        pool.set_network(Arc::clone(&self.network));
        pool.set_endgames(Arc::clone(&self.endgames));
        let resized = if wanted == pool.hash_mb() { Ok(()) } else { pool.resize_hash(wanted) };
        let outcome = resized.and(pool.prepare());
        if outcome.is_err() {
            self.settings.hash_mb = pool.hash_mb();
        }
        (pool, outcome)
    }

    /// Opens the book files of the settings, unless they are open; tells of those that cannot be used.
    pub fn open_books(&mut self) -> Vec<BookError> {
        let wanted: &[String] = if self.settings.use_book { &self.settings.book_files } else { &[] };
        self.library.open(wanted)
    }

    /// Reads the network of the settings, unless that was tried already; tells if it cannot be used. The one before
    /// then stays.
    pub fn open_network(&mut self) -> Result<(), NetworkFileError> {
        if self.network_file == self.settings.network_file {
            return Ok(());
        }
        self.network_file.clone_from(&self.settings.network_file);
        let file = Some(self.network_file.as_str()).filter(|file| !file.is_empty());
        self.network = Network::open(file.map(Path::new))?;
        Ok(())
    }

    /// Reads the tables of endings of the settings, unless that was tried already; tells if they cannot be used. Those
    /// before then stay.
    pub fn open_endgames(&mut self) -> Result<(), TablesFileError> {
        if self.endgame_file == self.settings.endgame_file {
            return Ok(());
        }
        self.endgame_file.clone_from(&self.settings.endgame_file);
        self.endgames = match self.endgame_file.as_str() {
            "" => Tables::embedded(),
            name if name.eq_ignore_ascii_case(NO_ENDGAMES) => Arc::new(Tables::none()),
            file => Tables::open(Some(Path::new(file)))?,
        };
        Ok(())
    }

    /// The network that values positions.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// What the network sees in the position.
    pub fn trace(&self) -> Trace {
        Trace::new(&self.network, &self.position)
    }

    /// A move from the opening book, if the settings allow it, the book knows one, and a move of a game is
    /// asked for: one that has a clock or a time to think. Whoever limits depth, nodes or moves, bans moves or
    /// wants several lines, asks for a search.
    pub fn book_move(&mut self, limits: &Limits) -> Option<Choice> {
        let Limits { depth, nodes, soft_nodes, movetime, clock, infinite, ponder, mate, only, banned } =
            limits;
        let timed = clock.is_some() || movetime.is_some();
        let free = only.is_empty() && banned.is_empty() && self.banned.is_empty();
        let limited = depth.is_some() || nodes.is_some() || soft_nodes.is_some() || mate.is_some();
        let of_a_game = timed && free && !limited && !infinite && !ponder && self.settings.multipv == 1;
        let asked = self.settings.use_book && of_a_game;
        asked.then(|| self.library.choose(&self.position, self.settings.noise)).flatten()
    }

    /// Starts a search and returns at once; events go to `sink` from another thread, the last of them
    /// [`Event::Done`]. Tells if the hash had to stay small.
    pub fn start(
        &mut self,
        mut limits: Limits,
        sink: impl FnMut(Event) + Send + 'static,
    ) -> Result<(), HashError> {
        let asked = Instant::now();
        limits.banned = self.banned.clone();
        let options = self.settings.search_options(self.seed);
        let position = self.position.clone();
        let (pool, outcome) = self.ready();
        // A client that never asks `isready` starts its clock before the memory is there.
        spend(&mut limits, asked.elapsed());
        *pool.options() = options;
        pool.start(&position, limits, sink);
        outcome
    }

    /// Ends the running search as soon as possible.
    pub fn stop(&self) {
        if let Some(pool) = &self.pool {
            pool.stop();
        }
    }

    /// The opponent played the expected move: the search goes on on our own clock.
    pub fn ponderhit(&self) {
        if let Some(pool) = &self.pool {
            pool.ponderhit();
        }
    }

    /// What the transposition table knows about a position.
    pub fn probe(&self, position: &Position) -> Option<Entry> {
        self.pool.as_ref().and_then(|pool| pool.probe(position))
    }

    /// A new game begins: everything learnt from the last is forgotten. The position stays.
    pub fn new_game(&mut self) {
        self.seed = rand::random();
        if let Some(pool) = &mut self.pool {
            pool.clear();
        }
    }
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new()
    }
}

/// Takes time that has already passed from the limits.
fn spend(limits: &mut Limits, passed: Duration) {
    let clock = limits.clock.as_mut().map(|clock| &mut clock.remaining);
    for budget in limits.movetime.as_mut().into_iter().chain(clock) {
        *budget = budget.saturating_sub(passed);
    }
}

/// The FEN with the colours exchanged and the ranks in reverse order.
fn flipped(fen: &str) -> String {
    let (board, rest) = fen.split_once(' ').unwrap_or((fen, "w"));
    let exchanged = |c: char| if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    let ranks: Vec<String> = board.rsplit('/').map(|rank| rank.chars().map(exchanged).collect()).collect();
    let (side, rest) = rest.split_at(1);
    format!("{} {}{rest}", ranks.join("/"), if side == "w" { 'b' } else { 'w' })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Clock;

    #[test]
    fn flipping_twice_is_nothing() {
        let mut engine = Engine::new();
        engine.set_position(Position::from_fen("3ak4/4a4/9/9/P8/9/4R4/9/4A4/3AK4 w - - 8 20").unwrap());
        engine.flip().unwrap();
        assert_eq!(engine.position().to_fen(), "3ak4/4a4/9/4r4/9/p8/9/9/4A4/3AK4 b - - 8 20");
        engine.flip().unwrap();
        assert_eq!(engine.position().to_fen(), "3ak4/4a4/9/9/P8/9/4R4/9/4A4/3AK4 w - - 8 20");
    }

    #[test]
    fn bans_hold_unless_they_leave_nothing() {
        let mut engine = Engine::new();
        let mv: Move = "h2e2".parse().unwrap();
        engine.ban(vec![mv]);
        assert_eq!(engine.banned, [mv]);
        engine.set_position(Position::startpos());
        assert!(engine.banned.is_empty(), "a new position ends the bans");
    }

    #[test]
    fn the_book_answers_only_for_a_move_of_a_game() {
        let mut engine = Engine::new();
        let timed = Limits { movetime: Some(Duration::from_secs(1)), ..Limits::default() };
        assert!(engine.book_move(&timed).is_some());
        let e2: Move = "h2e2".parse().unwrap();
        for limits in [
            Limits::default(),
            Limits { depth: Some(5), ..timed.clone() },
            Limits { nodes: Some(5), ..timed.clone() },
            Limits { mate: Some(5), ..timed.clone() },
            Limits { infinite: true, ..timed.clone() },
            Limits { ponder: true, ..timed.clone() },
            Limits { only: vec![e2], ..timed.clone() },
        ] {
            assert_eq!(engine.book_move(&limits), None, "{limits:?}");
        }
        engine.ban(vec![e2]);
        assert_eq!(engine.book_move(&timed), None);
        engine.set_position(Position::startpos());
        engine.settings.multipv = 2;
        assert_eq!(engine.book_move(&timed), None);
        engine.settings = Settings { use_book: false, ..Settings::default() };
        assert_eq!(engine.book_move(&timed), None);
    }

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
    fn time_that_has_passed_is_taken_from_every_budget() {
        let ms = Duration::from_millis;
        let clock = |left| Some(Clock { remaining: ms(left), increment: ms(7), moves_to_go: None });
        let mut limits = Limits { movetime: Some(ms(50)), clock: clock(90), ..Limits::default() };
        spend(&mut limits, ms(60));
        assert_eq!((limits.movetime, limits.clock), (Some(ms(0)), clock(30)));
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

    #[test]
    fn a_hash_too_large_leaves_the_size_in_use() {
        let mut engine = Engine::new();
        engine.settings.hash_mb = 2;
        assert!(engine.prepare().is_ok());
        engine.settings.hash_mb = MOST_HASH;
        let refusal = engine.prepare().unwrap_err();
        assert_eq!((refusal.wanted, refusal.kept, engine.settings.hash_mb), (MOST_HASH, 2, 2));
        engine.settings.hash_mb = 3;
        assert!(engine.prepare().is_ok(), "the next size is tried again");
    }
}
