//! The game loop: asks each player in turn, keeps the clocks, and lets the rules decide.

use std::sync::Arc;
use std::time::Duration;

use super::adjudication::{
    Adjudication, DrawByScore, DrawOffers, OfferResult, Offers, ResignByScore, ScoreAdjudicator,
};
use super::clock::{GameClock, Limits};
use super::engine::{Answer, ClockView, EngineFault, ExternalEngine, Go, OptionValues, Protocol, SearchInfo};
use super::openings::Opening;
use super::record::{GameRecord, MoveData, MoveRecord, Termination};
use juzhong_engine::endgame::{EndgameTables, ExactResult};
use xiangqi::board::{PlayError, Position, STARTPOS};
use xiangqi::rules::{Arbiter, CXA2020, GameEnd, NO_CAPTURE_PLIES, Referee, Ruleset};
use xiangqi::types::{Move, Outcome, Side};

/// How games are run, the same for all games of a match.
#[derive(Debug, Clone)]
pub struct GameRules {
    /// The rules by which repetitions are judged.
    pub ruleset: &'static Ruleset,
    /// Plies without capture that draw; `None`: no limit.
    pub no_capture: Option<u32>,
    /// Draws by score.
    pub draw: Option<DrawByScore>,
    /// Losses by score.
    pub resign: Option<ResignByScore>,
    /// Treatment of draw offers.
    pub offers: Offers,
    /// Whether the exact tables of endings end a game.
    pub tables: bool,
    /// Full moves after which a game is drawn.
    pub max_moves: Option<u32>,
    /// Time over the limit that is forgiven.
    pub margin: Duration,
    /// Longest thought where no clock bounds it.
    pub move_timeout: Duration,
}

impl Default for GameRules {
    fn default() -> GameRules {
        GameRules {
            ruleset: &CXA2020,
            no_capture: Some(NO_CAPTURE_PLIES),
            draw: None,
            resign: None,
            offers: Offers::Book,
            tables: false,
            max_moves: None,
            margin: Duration::from_millis(20),
            move_timeout: Duration::from_secs(120),
        }
    }
}

/// One side of a game.
#[derive(Debug)]
pub struct GamePlayer<'a> {
    /// The engine that plays it.
    pub engine: &'a mut ExternalEngine,
    /// What bounds its thinking.
    pub limits: Limits,
    /// Options to set before the game, in addition to those that it was started with.
    pub settings: &'a OptionValues,
}

/// Slack on top of a player's time before it is told to stop, so that a move at the last moment is judged by the
/// clock and not by our own haste.
const SLACK: Duration = Duration::from_millis(5);

/// Plays one game. `EngineFault::Aborted` is the only error: everything else is a result.
pub fn play(
    players: [GamePlayer<'_>; 2],
    opening: &Opening,
    rules: &GameRules,
) -> Result<GameRecord, EngineFault> {
    GameInPlay::new(players, opening, rules).run()
}

/// How a game ended, before it is written down.
struct End {
    outcome: Outcome,
    termination: Termination,
    detail: String,
}

impl End {
    fn new(outcome: Outcome, termination: Termination) -> End {
        End { outcome, termination, detail: String::new() }
    }

    fn lost(loser: Side, termination: Termination, detail: impl Into<String>) -> End {
        End { outcome: Outcome::Win(!loser), termination, detail: detail.into() }
    }
}

struct GameInPlay<'a> {
    players: [GamePlayer<'a>; 2],
    clocks: [Option<GameClock>; 2],
    rules: &'a GameRules,
    referee: Referee,
    position: Position,
    start: String,
    moves: Vec<Move>,
    plies: Vec<MoveRecord>,
    /// Position after the last capture and the number of moves that led to it: what UCCI engines are sent.
    anchor: (String, usize),
    offers: DrawOffers,
    tables: Option<Arc<EndgameTables>>,
    scores: ScoreAdjudicator,
}

impl<'a> GameInPlay<'a> {
    fn new(players: [GamePlayer<'a>; 2], opening: &Opening, rules: &'a GameRules) -> GameInPlay<'a> {
        let clocks = [0, 1].map(|i: usize| players[i].limits.tc.as_ref().map(GameClock::new));
        let start = opening.start().to_fen();
        let mut game = GameInPlay {
            players,
            clocks,
            rules,
            referee: Referee::new(rules.ruleset),
            position: opening.start().clone(),
            anchor: (start.clone(), 0),
            start,
            moves: Vec::new(),
            plies: Vec::new(),
            offers: DrawOffers::new(rules.offers),
            tables: rules.tables.then(EndgameTables::embedded),
            scores: ScoreAdjudicator::new(rules.draw, rules.resign),
        };
        for &mv in opening.moves() {
            // The moves of an opening were tried when it was read.
            if game.make(mv).is_ok() {
                game.plies.push(MoveRecord { mv, thought: None });
            }
        }
        game
    }

    fn run(mut self) -> Result<GameRecord, EngineFault> {
        let end = match self.prepare()? {
            Some(end) => end,
            None => loop {
                if let Some(end) = self.turn()? {
                    break end;
                }
            },
        };
        for player in &mut self.players {
            // An engine that fails now has its game behind it; the next game will see.
            if let Err(EngineFault::Aborted) = player.engine.stop_pondering() {
                return Err(EngineFault::Aborted);
            }
        }
        Ok(GameRecord {
            start: self.start,
            plies: self.plies,
            outcome: end.outcome,
            termination: end.termination,
            detail: end.detail,
            fouls: [Side::Red, Side::Black].map(|side| self.offers.fouls(side)),
        })
    }

    fn prepare(&mut self) -> Result<Option<End>, EngineFault> {
        for side in [Side::Red, Side::Black] {
            let GamePlayer { engine, settings, .. } = &mut self.players[side as usize];
            if let Err(fault) = engine.set_options(settings).and_then(|()| engine.new_game()) {
                return charge(side, fault).map(Some);
            }
        }
        Ok(None)
    }

    /// One move of the side to move.
    fn turn(&mut self) -> Result<Option<End>, EngineFault> {
        let side = self.position.side();
        let round = self.plies.len() as u32 / 2 + 1;
        let go = self.go(side);
        let patience = self.patience(side);
        let engine = &mut self.players[side as usize].engine;
        let (start, moves) = line(engine, &self.start, &self.anchor, &self.moves);
        let thought = match engine.think(start, moves, side, &go, patience) {
            Ok(thought) => thought,
            Err(fault) => return charge(side, fault).map(Some),
        };
        if let Some(end) = self.book_time(side, thought.used) {
            return Ok(Some(end));
        }
        let Answer::Best { mv, ponder, draw, resign } = thought.answer else {
            return Ok(Some(End::lost(side, Termination::NoMove, "")));
        };
        if resign {
            return Ok(Some(End::lost(side, Termination::Resignation, "")));
        }
        let dialect = self.players[side as usize].engine.dialect();
        let Some(legal) = dialect.read_move(&mv).filter(|&mv| self.make(mv).is_ok()) else {
            return Ok(Some(End::lost(side, Termination::IllegalMove, mv)));
        };
        self.plies.push(ply(legal, thought.used, thought.report));
        if let Some(end) = self.board_end().or_else(|| self.other_end(side, round, draw, &thought.report)) {
            return Ok(Some(end));
        }
        match ponder.and_then(|text| dialect.read_move(&text)) {
            Some(expected) if self.players[side as usize].engine.spec().ponder => self.ponder(side, expected),
            _ => Ok(None),
        }
    }

    /// Plays a move if it is legal.
    fn make(&mut self, mv: Move) -> Result<(), PlayError> {
        let captures = self.position.board().piece_on(mv.to()).is_some();
        self.position.play(mv)?;
        self.moves.push(mv);
        if captures {
            self.anchor = (self.position.to_fen(), self.moves.len());
        }
        Ok(())
    }

    /// What ends the game on the board.
    fn board_end(&mut self) -> Option<End> {
        let (outcome, ending) = self.referee.game_over(&self.position, self.rules.no_capture)?;
        let termination = match ending {
            GameEnd::Mate => Termination::Checkmate,
            GameEnd::Stalemate => Termination::Stalemate,
            GameEnd::Bare => Termination::BareDraw,
            GameEnd::NoCapture => Termination::NaturalLimit,
            GameEnd::Repetition => {
                let clause = Arbiter::new(self.rules.ruleset).judge(&self.position).clause();
                let detail = format!("{} {clause}", self.rules.ruleset);
                return Some(End { outcome, termination: Termination::Repetition, detail });
            }
        };
        Some(End::new(outcome, termination))
    }

    /// What ends the game after a move of `side` when the position does not.
    fn other_end(&mut self, side: Side, round: u32, draw: bool, report: &SearchInfo) -> Option<End> {
        match self.offers.moved(side, round, draw) {
            OfferResult::None => {}
            OfferResult::Agreed => return Some(End::new(Outcome::Draw, Termination::Agreement)),
            OfferResult::Fouls => return Some(End::lost(side, Termination::Fouls, "draw offers")),
        }
        match self.scores.moved(side, round, report.score.map(|score| score.points())) {
            Some(Adjudication::Draw) => return Some(End::new(Outcome::Draw, Termination::DrawAdjudication)),
            Some(Adjudication::Lost(loser)) => {
                return Some(End::lost(loser, Termination::ResignAdjudication, ""));
            }
            None => {}
        }
        if let Some(outcome) = self.table_result() {
            return Some(End::new(outcome, Termination::TableAdjudication));
        }
        let over = self.rules.max_moves.is_some_and(|most| self.plies.len() as u32 >= most.saturating_mul(2));
        over.then(|| End::new(Outcome::Draw, Termination::MaxMoves))
    }

    /// The result of the position by the exact tables, if they may end the game. They ignore the no-capture limit: a
    /// win counts only if there is time for it.
    fn table_result(&self) -> Option<Outcome> {
        let exact = self.tables.as_ref()?.probe(&self.position)?;
        let in_time = |plies: u8| {
            self.rules.no_capture.is_none_or(|limit| self.position.quiet_plies() + u32::from(plies) < limit)
        };
        match exact {
            ExactResult::Draw => Some(Outcome::Draw),
            ExactResult::Win(plies) if in_time(plies) => Some(Outcome::Win(self.position.side())),
            ExactResult::Loss(plies) if in_time(plies) => Some(Outcome::Win(!self.position.side())),
            ExactResult::Win(_) | ExactResult::Loss(_) => None,
        }
    }

    fn ponder(&mut self, side: Side, expected: Move) -> Result<Option<End>, EngineFault> {
        if self.position.check_move(expected).is_err() {
            return Ok(None);
        }
        let go = self.go(side);
        let engine = &mut self.players[side as usize].engine;
        let (start, moves) = line(engine, &self.start, &self.anchor, &self.moves);
        match engine.ponder(start, moves, expected, side, &go) {
            Ok(()) => Ok(None),
            Err(fault) => charge(side, fault).map(Some),
        }
    }

    fn go(&self, side: Side) -> Go {
        let view = |side: Side| {
            self.clocks[side as usize].as_ref().map(|clock| ClockView {
                left: clock.left(),
                increment: clock.increment(),
                moves_left: clock.moves_left(),
            })
        };
        let limits = &self.players[side as usize].limits;
        Go {
            own: view(side),
            other: view(!side),
            movetime: limits.movetime.map(Duration::from_millis),
            nodes: limits.nodes,
            depth: limits.depth,
            draw_offered: self.offers.is_offered_to(side),
            ponder: false,
        }
    }

    /// How long the player is waited for.
    fn patience(&self, side: Side) -> Duration {
        let clock = self.clocks[side as usize].as_ref().map(GameClock::left);
        let movetime = self.players[side as usize].limits.movetime.map(Duration::from_millis);
        match clock.into_iter().chain(movetime).min() {
            Some(time) => time + self.rules.margin + SLACK,
            None => self.rules.move_timeout,
        }
    }

    fn book_time(&mut self, side: Side, used: Duration) -> Option<End> {
        let over = |by: Duration| {
            let detail = format!("{:.3} s over the limit", by.as_secs_f64());
            Some(End::lost(side, Termination::TimeForfeit, detail))
        };
        if let Some(clock) = &mut self.clocks[side as usize]
            && let Err(fallen) = clock.spend(used, self.rules.margin)
        {
            return over(fallen.over);
        }
        let limits = &self.players[side as usize].limits;
        let bounded = limits.tc.is_some() || limits.movetime.is_some();
        let limit = match limits.movetime.map(Duration::from_millis) {
            Some(time) => time + self.rules.margin,
            None if bounded => return None,
            None => self.rules.move_timeout,
        };
        if used > limit { over(used - limit) } else { None }
    }
}

/// The position as an engine is sent it: for UCCI from the last capture on, for UCI from the start.
fn line<'a>(
    engine: &ExternalEngine,
    start: &'a str,
    anchor: &'a (String, usize),
    moves: &'a [Move],
) -> (&'a str, &'a [Move]) {
    match engine.dialect().protocol {
        Protocol::Ucci => (&anchor.0, &moves[anchor.1..]),
        Protocol::Uci if start == STARTPOS => ("startpos", moves),
        Protocol::Uci => (start, moves),
    }
}

fn ply(mv: Move, time: Duration, report: SearchInfo) -> MoveRecord {
    let SearchInfo { depth, score, nodes } = report;
    MoveRecord { mv, thought: Some(MoveData { time, score, depth, nodes }) }
}

/// The end that a fault of `side` brings.
fn charge(side: Side, fault: EngineFault) -> Result<End, EngineFault> {
    let termination = match &fault {
        EngineFault::Aborted => return Err(fault),
        EngineFault::Start(_) | EngineFault::Option(_) | EngineFault::Crash(_) => Termination::Crash,
        EngineFault::Disconnect => Termination::Disconnect,
        EngineFault::Hang => Termination::Hang,
    };
    Ok(End::lost(side, termination, fault.to_string()))
}
