//! The conversation with one engine: it is greeted, set up, asked for moves, stopped, and ended.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::dialect::{Answer, EngineDialect, Go, SearchInfo};
use super::log::EngineLog;
use super::message::EngineMessage;
use super::messages::EngineMessages;
use super::options::{DeclaredOption, refusal};
use super::process::Process;
use super::spec::{ClockUnit, EngineSpec, OptionValues, Protocol, RankNumbering};
use super::stop::StopSignal;
use xiangqi::types::{Move, Side};

/// How an engine forfeited its game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EngineFault {
    /// It could not be started or did not finish its greeting.
    #[error("does not start: {0}")]
    Start(String),
    /// It cannot be set up as wanted: an option that it did not announce, or a value out of range.
    #[error("{0}")]
    Option(String),
    /// It ended with an error or by a signal.
    #[error("crashed: {0}")]
    Crash(String),
    /// It ended as if all were well, or closed its output.
    #[error("disconnected")]
    Disconnect,
    /// It gave no answer in time, not even to `stop`, or does not read.
    #[error("hangs")]
    Hang,
    /// The match is being stopped, which is no engine's fault.
    #[error("stopped")]
    Aborted,
}

/// An engine's answer to `go`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineMove {
    /// What it answered: a [`Answer::Best`] or [`Answer::NoBest`].
    pub answer: Answer,
    /// From the moment the position was sent to the moment the answer arrived.
    pub used: Duration,
    /// The last report on its search.
    pub report: SearchInfo,
}

/// How many times its stopping time an engine that overstepped its time is waited for: an answer by then is late, and
/// without one the engine hangs.
const LATE: u32 = 5;

/// Why waiting for a line ended without one.
enum Silence {
    Timeout,
    Fault(EngineFault),
}

impl From<EngineFault> for Silence {
    fn from(fault: EngineFault) -> Silence {
        Silence::Fault(fault)
    }
}

/// A running engine, ready for games. Dropping it kills the process.
#[derive(Debug)]
pub struct ExternalEngine {
    spec: EngineSpec,
    label: String,
    identity: String,
    process: Process,
    source: EngineMessages,
    dialect: EngineDialect,
    declared: Vec<DeclaredOption>,
    expected: Option<Move>,
}

impl ExternalEngine {
    /// Starts an engine, greets it and sets its options. `label` names it in the log until it says its name.
    pub fn start(
        spec: &EngineSpec,
        label: &str,
        stop: &Arc<StopSignal>,
        log: Option<&EngineLog>,
    ) -> Result<ExternalEngine, EngineFault> {
        let protocols: &[Protocol] = match spec.proto {
            Some(Protocol::Ucci) => &[Protocol::Ucci],
            Some(Protocol::Uci) => &[Protocol::Uci],
            // Old UCCI engines exit at any other first word; UCI engines answer an unknown one with a remark.
            None => &[Protocol::Ucci, Protocol::Uci],
        };
        let mut engine = ExternalEngine::spawn(spec, label, stop, log)?;
        for (i, &protocol) in protocols.iter().enumerate() {
            let last = i + 1 == protocols.len();
            let patience =
                if last { spec.start_time() } else { spec.start_time().min(Duration::from_secs(2)) };
            match engine.greet(protocol, patience) {
                Ok(()) => {
                    engine.set_up()?;
                    return Ok(engine);
                }
                Err(Silence::Timeout) => {}
                Err(Silence::Fault(EngineFault::Aborted)) => return Err(EngineFault::Aborted),
                Err(Silence::Fault(fault)) if last => {
                    return Err(EngineFault::Start(fault.to_string()));
                }
                Err(Silence::Fault(_)) => engine = ExternalEngine::spawn(spec, label, stop, log)?,
            }
        }
        let asked = protocols.iter().map(|p| p.greeting_end()).collect::<Vec<_>>().join(" or ");
        Err(EngineFault::Start(format!("no {asked} within {} s", spec.start_timeout)))
    }

    fn spawn(
        spec: &EngineSpec,
        label: &str,
        stop: &Arc<StopSignal>,
        log: Option<&EngineLog>,
    ) -> Result<ExternalEngine, EngineFault> {
        let (process, output) = Process::spawn(spec, label, log.cloned(), None)
            .map_err(|error| EngineFault::Start(error.to_string()))?;
        let source = EngineMessages::new(output, spec.ponder, stop);
        Ok(ExternalEngine {
            spec: spec.clone(),
            label: label.to_owned(),
            identity: String::new(),
            process,
            source,
            dialect: EngineDialect {
                protocol: spec.proto.unwrap_or(Protocol::Ucci),
                ranks: spec.ranks.unwrap_or(RankNumbering::FromZero),
                unit: spec.unit.unwrap_or(ClockUnit::Milliseconds),
            },
            declared: Vec::new(),
            expected: None,
        })
    }

    fn greet(&mut self, protocol: Protocol, patience: Duration) -> Result<(), Silence> {
        self.dialect.protocol = protocol;
        self.tell(protocol.greeting())?;
        let until = Instant::now() + patience;
        loop {
            let (_, line, _) = self.next_line(until)?;
            match Answer::read(&line) {
                Answer::Greeted => return Ok(()),
                Answer::Name(name) => self.identity = name,
                Answer::Option => self.declared.extend(DeclaredOption::read(&line)),
                _ => {}
            }
        }
    }

    /// Sends the options that the protocol and the user want.
    fn set_up(&mut self) -> Result<(), EngineFault> {
        if let Some(refusal) = refusal(&self.declared, &self.spec.options) {
            return Err(EngineFault::Option(refusal));
        }
        let mut lines = Vec::new();
        if let Some(variant) = self.declared("UCI_Variant")
            && self.dialect.protocol == Protocol::Uci
        {
            lines.push(self.dialect.set_option(&variant.name, "xiangqi"));
            // Programs of many variants count ranks from one; those of xiangqi alone from zero.
            self.dialect.ranks = self.spec.ranks.unwrap_or(RankNumbering::FromOne);
        }
        if self.declared("usemillisec").is_some() {
            lines.push(self.dialect.set_option("usemillisec", "true"));
        } else if self.dialect.protocol == Protocol::Ucci {
            // Its older versions announce nothing and count in milliseconds all the same.
            let known = self.identity.starts_with("Fairy-Stockfish");
            let unit = if known { ClockUnit::Milliseconds } else { ClockUnit::Seconds };
            self.dialect.unit = self.spec.unit.unwrap_or(unit);
        }
        if let Some(ponder) = self.declared("ponder") {
            lines.push(self.dialect.set_option(&ponder.name, &self.spec.ponder.to_string()));
        }
        for line in lines {
            self.tell(&line)?;
        }
        self.set_options(&self.spec.options.clone())
    }

    /// Sets options, whatever spelling they are given in. It must not be thinking.
    pub fn set_options(&mut self, settings: &OptionValues) -> Result<(), EngineFault> {
        let mut lines = String::new();
        for (name, value) in settings {
            let spelt = self.declared(name).map_or(name, |option| &option.name);
            lines += &self.dialect.set_option(spelt, &value.to_string());
            lines.push('\n');
        }
        if lines.is_empty() { Ok(()) } else { self.say(&lines) }
    }

    /// The options that the engine declared.
    pub fn options(&self) -> &[DeclaredOption] {
        &self.declared
    }

    /// The option that the engine declared under a name, in any spelling.
    pub fn declared(&self, name: &str) -> Option<&DeclaredOption> {
        self.declared.iter().find(|option| option.is_called(name))
    }

    /// The name given by the user, or else by the engine itself, or else the label it was started under.
    pub fn name(&self) -> &str {
        let names = [&self.spec.name, &self.identity, &self.label];
        names.into_iter().find(|name| !name.is_empty()).map_or("", String::as_str)
    }

    /// What is known of the engine.
    pub const fn spec(&self) -> &EngineSpec {
        &self.spec
    }

    /// How the engine is spoken to.
    pub const fn dialect(&self) -> EngineDialect {
        self.dialect
    }

    /// Prepares a new game and waits until the engine is ready.
    pub fn new_game(&mut self) -> Result<(), EngineFault> {
        self.expected = None;
        let clear = match self.dialect.protocol {
            Protocol::Uci => "ucinewgame".to_owned(),
            Protocol::Ucci => {
                let clear = self.declared("newgame").or_else(|| self.declared("clear hash"));
                self.dialect.set_option(clear.map_or("newgame", |option| &option.name), "")
            }
        };
        self.tell(&clear)?;
        self.tell("isready")?;
        let until = Instant::now() + self.spec.start_time();
        loop {
            match self.next_line(until) {
                Ok((_, line, _)) if Answer::read(&line) == Answer::Ready => return Ok(()),
                Ok(_) => {}
                Err(Silence::Timeout) => return Err(EngineFault::Hang),
                Err(Silence::Fault(fault)) => return Err(fault),
            }
        }
    }

    /// Asks for a move in the position after `moves` from `start` (`startpos` or FEN), `mover` being to move. After
    /// `patience` it is told to stop; the caller has to check whether the answer is late.
    pub fn think(
        &mut self,
        start: &str,
        moves: &[Move],
        mover: Side,
        go: &Go,
        patience: Duration,
    ) -> Result<EngineMove, EngineFault> {
        let mut began = None;
        if let Some(expected) = self.expected.take() {
            if moves.last() == Some(&expected) {
                began = Some(Instant::now());
                let draw = go.draw_offered && self.dialect.protocol == Protocol::Ucci;
                self.tell(if draw { "ponderhit draw" } else { "ponderhit" })?;
            } else {
                self.tell("stop")?;
                self.answer(Instant::now() + self.spec.stop_time()).map_err(|silence| self.fault(silence))?;
            }
        }
        let began = match began {
            Some(at) => at,
            None => {
                let lines =
                    format!("{}\n{}\n", self.dialect.position(start, moves), self.dialect.go(go, mover));
                let at = Instant::now();
                self.say(&lines)?;
                at
            }
        };
        let thought = |(at, answer, report): (Instant, Answer, SearchInfo)| EngineMove {
            answer,
            used: at.saturating_duration_since(began),
            report,
        };
        match self.answer(began + patience) {
            Ok(answer) => Ok(thought(answer)),
            Err(Silence::Fault(fault)) => Err(fault),
            Err(Silence::Timeout) => {
                self.tell("stop")?;
                // An answer that comes late at all shows that the engine does not hang.
                let last = Instant::now() + LATE * self.spec.stop_time();
                self.answer(last).map(thought).map_err(|silence| self.fault(silence))
            }
        }
    }

    /// Lets the engine think on the opponent's time about the position in which `expected` was answered.
    pub fn ponder(
        &mut self,
        start: &str,
        moves: &[Move],
        expected: Move,
        mover: Side,
        go: &Go,
    ) -> Result<(), EngineFault> {
        let mut line: Vec<Move> = moves.to_vec();
        line.push(expected);
        let go = Go { ponder: true, ..*go };
        self.expected = Some(expected);
        self.say(&format!("{}\n{}\n", self.dialect.position(start, &line), self.dialect.go(&go, mover)))
    }

    /// Ends a search on the opponent's time at the end of a game.
    pub fn stop_pondering(&mut self) -> Result<(), EngineFault> {
        if self.expected.take().is_some() {
            self.tell("stop")?;
            self.answer(Instant::now() + self.spec.stop_time()).map_err(|silence| self.fault(silence))?;
        }
        Ok(())
    }

    /// Tells the engine to quit, and kills it if it does not end within its time.
    pub fn quit(mut self) {
        if self.tell("quit").is_err() {
            return;
        }
        self.process.close_input();
        let until = Instant::now() + self.spec.stop_time();
        loop {
            match self.source.next(until) {
                EngineMessage::Line { .. } if Instant::now() < until => {}
                _ => return,
            }
        }
    }

    /// The next `bestmove` or `nobestmove`.
    fn answer(&mut self, until: Instant) -> Result<(Instant, Answer, SearchInfo), Silence> {
        loop {
            let (at, line, report) = self.next_line(until)?;
            let answer = Answer::read(&line);
            if matches!(answer, Answer::Best { .. } | Answer::NoBest) {
                return Ok((at, answer, report));
            }
        }
    }

    fn next_line(&mut self, until: Instant) -> Result<(Instant, String, SearchInfo), Silence> {
        match self.source.next(until) {
            EngineMessage::Line { at, text, report } => Ok((at, text, report)),
            EngineMessage::Wake => Err(Silence::Fault(EngineFault::Aborted)),
            EngineMessage::End => Err(Silence::Fault(self.post_mortem())),
            EngineMessage::Timeout => Err(Silence::Timeout),
        }
    }

    /// How a program that closed its output ended.
    fn post_mortem(&mut self) -> EngineFault {
        match self.process.kill() {
            Ok(status) if !status.success() => EngineFault::Crash(status.to_string()),
            _ => EngineFault::Disconnect,
        }
    }

    fn tell(&mut self, line: &str) -> Result<(), EngineFault> {
        self.say(&format!("{line}\n"))
    }

    fn say(&mut self, lines: &str) -> Result<(), EngineFault> {
        self.process.say(lines).map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock => EngineFault::Hang,
            _ => self.post_mortem(),
        })
    }

    fn fault(&self, silence: Silence) -> EngineFault {
        match silence {
            Silence::Timeout => EngineFault::Hang,
            Silence::Fault(fault) => fault,
        }
    }
}
