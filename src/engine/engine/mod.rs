//! The engine that both protocols and the tools drive: a position, the settings, and a pool of search threads.

mod lag;
mod settings;

pub use settings::{
    DEFAULT_HASH, FULL_SKILL, Idle, MOST_HASH, MOST_THREADS, NO_ENDGAMES, QUIET_ROUNDS, Settings,
};

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::book::{BookChoice, BookError, BookLibrary};
use crate::container::LoadError;
use crate::endgame::{EndgameTables, EndgameTablesError, ExactResult};
use crate::eval::{Network, NetworkError, Trace, known_wdl, wdl};
use crate::search::TtEntry;
use crate::search::{Event, HashError, Info, SearchLimits, ThreadPool};
use lag::Lag;
use xiangqi::board::{FenError, Position};
use xiangqi::rules::is_bare;
use xiangqi::types::Move;

/// A position, the settings, and a search pool, which is created when it is first needed.
pub struct Engine {
    /// How to play.
    pub settings: Settings,
    position: Position,
    banned: Vec<Move>,
    pool: Option<ThreadPool>,
    library: BookLibrary,
    network: Arc<Network>,
    /// The file from which the network was last requested.
    network_file: String,
    endgames: Arc<EndgameTables>,
    /// The file from which the tables of endings were last requested.
    endgame_file: String,
    lag: Lag,
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
            library: BookLibrary::new(rand::random()),
            network: Network::embedded(),
            network_file: String::new(),
            endgames: EndgameTables::embedded(),
            endgame_file: String::new(),
            lag: Lag::default(),
            seed: rand::random(),
        }
    }

    /// The position on the board, with the game that led to it.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Sets another position, and lifts all bans on moves.
    pub fn set_position(&mut self, position: Position) {
        self.position = position;
        self.banned.clear();
    }

    /// Exchanges the colours: every piece goes to the other side's mirror rank, and the other side is to move. The
    /// record of moves and the bans are dropped.
    pub fn flip(&mut self) -> Result<(), FenError> {
        self.set_position(Position::from_fen(&flipped(&self.position.to_fen()))?);
        Ok(())
    }

    /// Sets the moves that must not be played in this position, replacing earlier bans.
    pub fn ban(&mut self, moves: Vec<Move>) {
        self.banned = moves;
    }

    /// Gets ready to search: makes the pool if there is none, and gives it the threads and the hash size of the
    /// settings. If the memory cannot be allocated, the size in use becomes the setting and the search can continue.
    pub fn prepare(&mut self) -> Result<(), HashError> {
        self.ready().1
    }

    fn ready(&mut self) -> (&mut ThreadPool, Result<(), HashError>) {
        let (threads, wanted) = (self.settings.threads_in_use(), self.settings.hash_in_use());
        let pool = self.pool.get_or_insert_with(|| ThreadPool::new(threads, DEFAULT_HASH));
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

    /// Opens the book files of the settings, unless they are open already, and returns an error for each that cannot be
    /// used.
    pub fn open_books(&mut self) -> Vec<LoadError<BookError>> {
        let wanted: &[String] = if self.settings.use_book { &self.settings.book_files } else { &[] };
        self.library.open(wanted)
    }

    /// Reads the network of the settings, unless that was tried already. Returns an error if it cannot be used; the
    /// previous network then stays.
    pub fn open_network(&mut self) -> Result<(), LoadError<NetworkError>> {
        if self.network_file == self.settings.network_file {
            return Ok(());
        }
        self.network_file.clone_from(&self.settings.network_file);
        let file = Some(self.network_file.as_str()).filter(|file| !file.is_empty());
        self.network = Network::open(file.map(Path::new))?;
        Ok(())
    }

    /// Reads the tables of endings of the settings, unless that was tried already. Returns an error if they cannot be
    /// used; the previous tables then stay.
    pub fn open_endgames(&mut self) -> Result<(), LoadError<EndgameTablesError>> {
        if self.endgame_file == self.settings.endgame_file {
            return Ok(());
        }
        self.endgame_file.clone_from(&self.settings.endgame_file);
        self.endgames = match self.endgame_file.as_str() {
            "" => EndgameTables::embedded(),
            name if name.eq_ignore_ascii_case(NO_ENDGAMES) => Arc::new(EndgameTables::none()),
            file => EndgameTables::open(Some(Path::new(file)))?,
        };
        Ok(())
    }

    /// The network that evaluates positions.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// What the network sees in the position.
    pub fn trace(&self) -> Trace {
        Trace::new(&self.network, &self.position)
    }

    /// The chances of a win, a draw and a loss for the side to move that a line of a search promises, in per mille. They
    /// are certain where the tables of endings know the position or the end of the line; else they follow the score.
    pub fn wdl(&self, info: &Info) -> [u16; 3] {
        let known = |position: &Position| {
            if is_bare(position.board()) { Some(ExactResult::Draw) } else { self.endgames.probe(position) }
        };
        let mut position = self.position.clone();
        let mut exact = known(&position);
        for &mv in &info.pv {
            if exact.is_some() || position.play(mv).is_err() {
                break;
            }
            let turned = position.side() != self.position.side();
            exact = known(&position).map(|exact| if turned { exact.before() } else { exact });
        }
        exact.and_then(|exact| known_wdl(exact, info.score)).unwrap_or_else(|| wdl(info.score))
    }

    /// A move from the opening book, if the settings allow it, the book knows one, and a move of a game is asked for,
    /// that is, one with a clock or a time to think. A request that limits depth, nodes or moves, bans moves or wants
    /// several lines asks for a search.
    pub fn book_move(&mut self, limits: &SearchLimits) -> Option<BookChoice> {
        let SearchLimits { depth, nodes, soft_nodes, movetime, clock, infinite, ponder, mate, only, banned } =
            limits;
        let timed = clock.is_some() || movetime.is_some();
        let free = only.is_empty() && banned.is_empty() && self.banned.is_empty();
        let limited = depth.is_some() || nodes.is_some() || soft_nodes.is_some() || mate.is_some();
        let of_a_game = timed && free && !limited && !infinite && !ponder && self.settings.multipv == 1;
        let asked = self.settings.use_book && of_a_game;
        asked.then(|| self.library.choose(&self.position, self.settings.noise)).flatten()
    }

    /// Starts a search and returns at once; events go to `sink` from another thread, the last of them [`Event::Done`].
    /// Returns an error if the hash had to stay small.
    pub fn start(
        &mut self,
        mut limits: SearchLimits,
        mut sink: impl FnMut(Event) + Send + 'static,
    ) -> Result<(), HashError> {
        let asked = Instant::now();
        limits.banned = self.banned.clone();
        let position = self.position.clone();
        let answered = self.lag.begin(&position, &limits, asked);
        let lag = self.lag.average(self.settings.move_overhead);
        let options = self.settings.search_options(&position, self.seed, lag);
        let (pool, outcome) = self.ready();
        // A client that never asks `isready` starts its clock before the memory is there.
        spend(&mut limits, asked.elapsed());
        *pool.options() = options;
        pool.start(&position, limits, move |event| {
            let done = matches!(event, Event::Done(_));
            sink(event);
            if done {
                // The first answer is the only one.
                let _ = answered.set(Instant::now());
            }
        });
        outcome
    }

    /// Ends the running search as soon as possible.
    pub fn stop(&self) {
        if let Some(pool) = &self.pool {
            pool.stop();
        }
    }

    /// Tells the search that the opponent played the expected move: it continues on the engine's own clock.
    pub fn ponderhit(&self) {
        if let Some(pool) = &self.pool {
            pool.ponderhit();
        }
    }

    /// What the transposition table knows about a position.
    pub fn probe(&self, position: &Position) -> Option<TtEntry> {
        self.pool.as_ref().and_then(|pool| pool.probe(position))
    }

    /// Begins a new game: everything learnt from the last one is forgotten. The position stays.
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

/// Subtracts the time that has already passed from the limits.
fn spend(limits: &mut SearchLimits, passed: Duration) {
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
        let timed = SearchLimits { movetime: Some(Duration::from_secs(1)), ..SearchLimits::default() };
        assert!(engine.book_move(&timed).is_some());
        let e2: Move = "h2e2".parse().unwrap();
        for limits in [
            SearchLimits::default(),
            SearchLimits { depth: Some(5), ..timed.clone() },
            SearchLimits { nodes: Some(5), ..timed.clone() },
            SearchLimits { mate: Some(5), ..timed.clone() },
            SearchLimits { infinite: true, ..timed.clone() },
            SearchLimits { ponder: true, ..timed.clone() },
            SearchLimits { only: vec![e2], ..timed.clone() },
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
    fn time_that_has_passed_is_taken_from_every_budget() {
        let ms = Duration::from_millis;
        let clock = |left| Some(Clock { remaining: ms(left), increment: ms(7), moves_to_go: None });
        let mut limits = SearchLimits { movetime: Some(ms(50)), clock: clock(90), ..SearchLimits::default() };
        spend(&mut limits, ms(60));
        assert_eq!((limits.movetime, limits.clock), (Some(ms(0)), clock(30)));
    }

    #[test]
    fn the_clock_tells_what_is_lost_on_the_way() {
        let mut engine = Engine::new();
        engine.settings.move_overhead = Duration::from_millis(400);
        let mut left = Duration::from_secs(1);
        for moves in [[].as_slice(), &["h0g2", "h9g7"]] {
            let mut position = Position::startpos();
            moves.iter().for_each(|mv| position.make(mv.parse().unwrap()));
            engine.set_position(position);
            let clock = Clock { remaining: left, increment: Duration::ZERO, moves_to_go: None };
            let (sender, receiver) = std::sync::mpsc::channel();
            let asked = Instant::now();
            let tell = move |event| {
                if let Event::Done(_) = event {
                    sender.send(()).unwrap()
                }
            };
            engine.start(SearchLimits { clock: Some(clock), ..SearchLimits::default() }, tell).unwrap();
            receiver.recv().unwrap();
            left -= asked.elapsed();
            if let Some(pool) = &mut engine.pool {
                pool.wait();
            }
        }
        assert!(engine.lag.average(Duration::from_millis(400)) < Duration::from_millis(400));
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
