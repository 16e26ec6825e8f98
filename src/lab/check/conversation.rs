//! A conversation with an engine under examination: every line is kept and nothing is taken for granted.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::{Checked, StepFailure};
use crate::arena::engine::{
    Answer, ClockUnit, DeclaredOption, EngineDialect, EngineSpec, OutputEvent, Process, Protocol,
    RankNumbering,
};
use xiangqi::board::Position;
use xiangqi::types::Move;

/// Time for answers that should come at once, made generous for a busy machine.
pub(super) const SOON: Duration = Duration::from_secs(2);

/// Time for a short search.
pub(super) const SEARCH: Duration = Duration::from_secs(20);

/// A running engine and all it has said.
pub(super) struct Conversation {
    process: Process,
    ear: Receiver<(Instant, OutputEvent)>,
    /// Lines of the greeting, its last word included.
    pub greeting: Vec<String>,
    /// Options declared in the greeting.
    pub declared: Vec<DeclaredOption>,
    /// How the engine is spoken to.
    pub dialect: EngineDialect,
}

impl Conversation {
    /// Starts the program without a word.
    pub fn open(spec: &EngineSpec, protocol: Protocol) -> Checked<Conversation> {
        let (sender, ear) = channel();
        let errors = sender.clone();
        let (process, output) = Process::spawn(
            spec,
            "engine",
            None,
            Some(Box::new(move |at, heard| {
                let _ = errors.send((at, heard));
            })),
        )
        .map_err(|e| StepFailure::new(format!("does not start: {e}")))?;
        output.listen(move |at, heard| {
            // Nobody listens any more once the conversation is over.
            let _ = sender.send((at, heard));
        });
        let ranks = spec.ranks.unwrap_or(RankNumbering::FromZero);
        let dialect = EngineDialect { protocol, ranks, unit: ClockUnit::Milliseconds };
        Ok(Conversation { process, ear, greeting: Vec::new(), declared: Vec::new(), dialect })
    }

    /// Starts the program and greets it; in UCI a program of several variants is set to xiangqi.
    pub fn start(spec: &EngineSpec, protocol: Protocol) -> Checked<Conversation> {
        let mut engine = Conversation::open(spec, protocol)?;
        engine.say(protocol.greeting())?;
        engine.greeting = engine.until(protocol.greeting_end(), spec.start_time(), |line| {
            line.trim() == protocol.greeting_end()
        })?;
        engine.declared = engine.greeting.iter().filter_map(|line| DeclaredOption::read(line)).collect();
        if protocol == Protocol::Uci && engine.has("UCI_Variant") {
            engine.say("setoption name UCI_Variant value xiangqi")?;
            engine.dialect.ranks = spec.ranks.unwrap_or(RankNumbering::FromOne);
        }
        // A book answers at once, and tells nothing of how the engine searches.
        for book in ["usebook", "OwnBook"] {
            if engine.has(book) {
                engine.say(&engine.dialect.set_option(book, "false"))?;
            }
        }
        Ok(engine)
    }

    /// Whether the engine declared an option.
    pub fn has(&self, option: &str) -> bool {
        self.declared.iter().any(|declared| declared.is_called(option))
    }

    /// Sends lines.
    pub fn say(&mut self, lines: &str) -> Checked<()> {
        self.send(&format!("{lines}\n"))
    }

    /// Sends text as it is.
    pub fn send(&mut self, text: &str) -> Checked<()> {
        self.process.say(text).map_err(|_| StepFailure::new("no longer reads its input"))
    }

    /// Closes the engine's input.
    pub fn end_input(&mut self) {
        self.process.close_input();
    }

    /// The number of the process in the system.
    pub fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Lines up to and with the first that `wanted` takes; `what` names it.
    pub fn until(
        &mut self,
        what: &str,
        patience: Duration,
        wanted: impl Fn(&str) -> bool,
    ) -> Checked<Vec<String>> {
        let end = Instant::now() + patience;
        let mut lines = Vec::new();
        loop {
            match self.ear.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok((_, OutputEvent::Line(line))) => {
                    let found = wanted(&line);
                    lines.push(line);
                    if found {
                        return Ok(lines);
                    }
                }
                Ok((_, OutputEvent::Error(_))) => {}
                Ok((_, OutputEvent::End)) | Err(RecvTimeoutError::Disconnected) => {
                    return Err(StepFailure::new(format!("the program ended before `{what}`")));
                }
                Err(RecvTimeoutError::Timeout) => {
                    return Err(StepFailure::new(format!("no `{what}` within {} s", patience.as_secs_f64())));
                }
            }
        }
    }

    /// Everything said in a span of time, both outputs.
    pub fn listen(&mut self, span: Duration) -> Vec<OutputEvent> {
        let end = Instant::now() + span;
        let mut heard = Vec::new();
        while let Ok((_, what)) = self.ear.recv_timeout(end.saturating_duration_since(Instant::now())) {
            heard.push(what);
        }
        heard
    }

    /// Lines of the standard output in a span of time.
    pub fn lines_in(&mut self, span: Duration) -> Vec<String> {
        let lines = self.listen(span).into_iter().filter_map(|heard| match heard {
            OutputEvent::Line(line) => Some(line),
            OutputEvent::Error(_) | OutputEvent::End => None,
        });
        lines.collect()
    }

    /// Waits until the engine has worked off everything sent so far.
    pub fn sync(&mut self) -> Checked<Vec<String>> {
        self.say("isready")?;
        self.until("readyok", SOON, |line| line.trim() == "readyok")
    }

    /// Waits for the program's end; the lines said until then.
    pub fn ends_within(&mut self, patience: Duration) -> Checked<Vec<String>> {
        let end = Instant::now() + patience;
        let mut lines = Vec::new();
        loop {
            match self.ear.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok((_, OutputEvent::Line(line))) => lines.push(line),
                Ok((_, OutputEvent::Error(_))) => {}
                Ok((_, OutputEvent::End)) | Err(RecvTimeoutError::Disconnected) => return Ok(lines),
                Err(RecvTimeoutError::Timeout) => {
                    return Err(StepFailure::new(format!(
                        "still running after {} s",
                        patience.as_secs_f64()
                    )));
                }
            }
        }
    }

    /// The end of a search: lines up to `bestmove` or `nobestmove`.
    pub fn search_end(&mut self, patience: Duration) -> Checked<Vec<String>> {
        self.until("bestmove", patience, is_search_end)
    }

    /// Sends lines that end with a `go` and waits for the end of the search.
    pub fn search(&mut self, lines: &str, patience: Duration) -> Checked<Vec<String>> {
        self.say(lines)?;
        self.search_end(patience)
    }

    /// Sends lines that end with a `go`; the lines up to the end of the search, and the time it took.
    pub fn timed_search(&mut self, lines: &str, patience: Duration) -> Checked<(Vec<String>, Duration)> {
        let began = Instant::now();
        let lines = self.search(lines, patience)?;
        Ok((lines, began.elapsed()))
    }

    /// The move with which a search ended, as written.
    pub fn move_text(lines: &[String]) -> Checked<String> {
        let last = lines.last().map_or("", String::as_str);
        match Answer::read(last) {
            Answer::Best { mv, .. } => Ok(mv),
            _ => Err(StepFailure::new(format!("`{last}` where a move is wanted"))),
        }
    }

    /// The move with which a search ended, legal in `position`.
    pub fn legal_move(&self, lines: &[String], position: &Position) -> Checked<Move> {
        let text = Conversation::move_text(lines)?;
        let mv = self.dialect.read_move(&text).filter(|&mv| position.check_move(mv).is_ok());
        mv.ok_or_else(|| StepFailure::new(format!("`{text}` is no legal move in {}", position.to_fen())))
    }

    /// Moves (words with ranks 0-9) in the engine's coordinates.
    pub fn words(&self, moves: &str) -> String {
        let moves = moves.split_whitespace().filter_map(|word| word.parse().ok());
        moves.map(|mv| self.dialect.move_text(mv)).collect::<Vec<_>>().join(" ")
    }

    /// A `position` line after `moves` (words with ranks 0-9) from `start`, in the engine's coordinates.
    pub fn position(&self, start: &str, moves: &str) -> String {
        let moves: Vec<Move> = moves.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        self.dialect.position(start, &moves)
    }
}

/// Whether a line ends a search.
pub(super) fn is_search_end(line: &str) -> bool {
    matches!(Answer::read(line), Answer::Best { .. } | Answer::NoBest)
}

/// The position after `moves` (words with ranks 0-9) from `start`.
pub(super) fn board(start: &str, moves: &str) -> Checked<Position> {
    let mut position = match start {
        "startpos" => Position::startpos(),
        fen => Position::from_fen(fen).map_err(|e| StepFailure::new(e.to_string()))?,
    };
    for word in moves.split_whitespace() {
        let mv: Move = word.parse().map_err(|_| StepFailure::new(format!("`{word}` is no move")))?;
        position.play(mv).map_err(|e| StepFailure::new(e.to_string()))?;
    }
    Ok(position)
}
