//! A conversation with a client: one loop, which alone reads, decides and writes.
//!
//! Lines, events of the search and the output of tools all arrive through one channel, in order. So nothing is
//! ever written in the middle of something else, and what a line does depends on one state only:
//!
//! | state | leaves by |
//! | --- | --- |
//! | idle | `go`, `bench`, `perft`, `quit`, the end of the input |
//! | search | the search's last event, which is answered with the move |
//! | working (a tool) | the tool's end |

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use super::active_search::{ActiveSearch, BURST, Renderer, no_mate};
use super::command::Command;
use super::dialect::{Dialect, LONGEST_LINE};
use super::message::Message;
use super::reader;
use super::session_options::SessionOptions;
use super::tokens::excerpt;
use super::uci::Uci;
use crate::engine::Engine;
use crate::search::{Event, SearchReport, SearchStats};

/// How long a leaving session waits for a search or a tool to end.
const LAST_WAIT: Duration = Duration::from_millis(1000);

/// What the engine is busy with.
pub(super) enum Activity {
    Idle,
    Searching(ActiveSearch),
    /// A tool runs, and stops when this is set.
    RunningTool(Arc<AtomicBool>),
}

/// What becomes of a line.
enum Handling {
    Now,
    AfterSearch,
    Never,
}

/// A conversation: the engine, how it speaks, and what it is doing.
pub struct Session<W: Write> {
    pub(super) engine: Engine,
    pub(super) options: SessionOptions,
    pub(super) dialect: &'static dyn Dialect,
    pub(super) activity: Activity,
    /// Why the last position was refused; no move can be given before another is accepted.
    pub(super) refused: Option<String>,
    /// Whether a search has been asked for since the session began.
    pub(super) asked_to_go: bool,
    /// Lines that wait for the end of the search, in the order in which they came.
    waiting: VecDeque<String>,
    /// Lines that have waited and come before any new ones.
    due: VecDeque<String>,
    /// Whether the client has closed its end.
    pub(super) ended: bool,
    inbox: Receiver<Message>,
    pub(super) to_inbox: Sender<Message>,
    output: W,
}

/// Holds a conversation until `quit`, the end of the input, or an output that nobody reads. Drawings of the board
/// are in colour if the output is a terminal that shows it.
pub fn run(input: impl Read + Send + 'static, output: impl Write, colour: bool) -> io::Result<()> {
    let (to_inbox, inbox) = mpsc::channel();
    reader::spawn(input, to_inbox.clone())?;
    let mut session = Session::new(inbox, to_inbox, output);
    session.options.colour = colour;
    session.converse()
}

impl<W: Write> Session<W> {
    fn new(inbox: Receiver<Message>, to_inbox: Sender<Message>, output: W) -> Session<W> {
        Session {
            engine: Engine::new(),
            options: SessionOptions::default(),
            dialect: &Uci,
            activity: Activity::Idle,
            refused: None,
            asked_to_go: false,
            waiting: VecDeque::new(),
            due: VecDeque::new(),
            ended: false,
            inbox,
            to_inbox,
            output,
        }
    }

    fn converse(mut self) -> io::Result<()> {
        while let Some(message) = self.next() {
            if !self.attend(message)? {
                let farewell = self.dialect.conventions().farewell;
                return self.leave(farewell);
            }
        }
        self.leave(None)
    }

    /// The next thing to attend to; nothing if all is done and the client has gone.
    fn next(&mut self) -> Option<Message> {
        if matches!(self.activity, Activity::Idle) {
            self.due.append(&mut self.waiting);
        }
        if let Some(line) = self.due.pop_front() {
            return Some(Message::Line(line));
        }
        match &self.activity {
            Activity::Idle if self.ended => return None,
            Activity::Searching(search) if search.keeps_lines() => {
                return match self.inbox.recv_timeout(BURST) {
                    Err(RecvTimeoutError::Timeout) => Some(Message::Silence),
                    message => message.ok(),
                };
            }
            _ => {}
        }
        // The session holds a sender itself, so the channel never closes.
        self.inbox.recv().ok()
    }

    /// Deals with one message; false means that the client has said `quit`.
    fn attend(&mut self, message: Message) -> io::Result<bool> {
        match message {
            Message::Line(line) => return self.hear(line),
            Message::End => self.end_of_input(),
            Message::Search(event) => self.report(event)?,
            Message::SearchLost => self.search_lost()?,
            Message::Silence => self.show_kept()?,
            Message::Tool(line) => self.say(&line)?,
            Message::ToolEnded => self.activity = Activity::Idle,
        }
        Ok(true)
    }

    /// Whether a search runs that does not end by itself.
    fn is_endless(&self) -> bool {
        matches!(&self.activity, Activity::Searching(search) if search.endless)
    }

    /// The client has gone. In batch mode what it left is worked off, unless that would never end.
    fn end_of_input(&mut self) {
        self.ended = true;
        if !self.options.batch || self.is_endless() {
            self.halt();
        }
    }

    /// Ends whatever is going on as soon as possible.
    pub(super) fn halt(&mut self) {
        match &mut self.activity {
            Activity::Idle => {}
            Activity::Searching(search) => {
                search.stopping = true;
                self.engine.stop();
            }
            Activity::RunningTool(stop) => stop.store(true, Ordering::Relaxed),
        }
    }

    /// Stops, waits for the answer that is still owed, and says goodbye.
    fn leave(mut self, farewell: Option<&str>) -> io::Result<()> {
        self.halt();
        while !matches!(self.activity, Activity::Idle) {
            match self.inbox.recv_timeout(LAST_WAIT) {
                Ok(Message::Search(event)) => self.report(event)?,
                Ok(Message::SearchLost) => self.search_lost()?,
                Ok(Message::ToolEnded) => break,
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
        farewell.map_or(Ok(()), |word| self.say(word))
    }

    /// Takes a line in; false means that it is `quit`.
    fn hear(&mut self, line: String) -> io::Result<bool> {
        let busy = !matches!(self.activity, Activity::Idle);
        if self.options.debug && !line.trim().is_empty() {
            self.note(&format!("{} [{}]", if busy { "busyline" } else { "idleline" }, excerpt(&line)))?;
        }
        if self.options.batch && busy && !self.is_endless() {
            self.waiting.push_back(line);
            return Ok(true);
        }
        match Command::parse(&line) {
            Err(error) => self.note(&error.to_string())?,
            Ok(Command::Quit) => return Ok(false),
            Ok(command) => match self.handling(&command) {
                Handling::Now => self.execute(command)?,
                Handling::AfterSearch => self.waiting.push_back(line),
                Handling::Never => {
                    self.note(&format!("not during a search: {}", excerpt(&line)))?;
                }
            },
        }
        Ok(true)
    }

    /// Whether a `go` waits for the end of the present search.
    fn go_waits(&self) -> bool {
        self.waiting.iter().any(|line| matches!(Command::parse(line), Ok(Command::Go(..))))
    }

    /// Whether a command is executed now, later, or not at all.
    fn handling(&self, command: &Command) -> Handling {
        use Command::*;
        match (&self.activity, command) {
            (Activity::Idle, _) => Handling::Now,
            // They belong to a `go` that waits itself.
            (Activity::Searching(_), Stop | PonderHit { .. }) if self.go_waits() => Handling::AfterSearch,
            (_, Nothing | Uci | Ucci | IsReady | PonderHit { .. } | Stop | Probe(_) | Debug(_)) => {
                Handling::Now
            }
            (_, Draw | Eval | Help) => Handling::Now,
            (Activity::RunningTool(_), _) => Handling::AfterSearch,
            // After `stop`, many clients send the next position at once, without waiting for the move.
            (Activity::Searching(search), _) if search.stopping => Handling::AfterSearch,
            (_, Go(..) | Bench(_) | Perft(_)) => Handling::Never,
            _ if self.dialect.conventions().defers => Handling::AfterSearch,
            _ => Handling::Never,
        }
    }

    /// Passes on what the search reports; its last event makes the engine idle.
    pub(super) fn report(&mut self, event: Event) -> io::Result<()> {
        let renderer = Renderer { dialect: self.dialect, options: &self.options, engine: &self.engine };
        let Activity::Searching(search) = &mut self.activity else { return Ok(()) };
        let lines = match event {
            Event::Info(info) => search.on_info(info, &renderer),
            Event::CurrMove { depth, mv, number } => {
                search.on_current_move(depth, mv, number, &renderer).into_iter().collect()
            }
            Event::NoMate(found) => vec![self.dialect.note(&no_mate(found))],
            Event::Done(report) => {
                let lines = search.on_done(&report, &renderer);
                self.activity = Activity::Idle;
                lines
            }
        };
        self.say_lines(&lines)
    }

    /// Shows the lines a search has kept to itself so far.
    fn show_kept(&mut self) -> io::Result<()> {
        let renderer = Renderer { dialect: self.dialect, options: &self.options, engine: &self.engine };
        let Activity::Searching(search) = &mut self.activity else { return Ok(()) };
        let lines = search.flush(&renderer);
        self.say_lines(&lines)
    }

    /// The search has gone without an answer, which the client must get all the same.
    fn search_lost(&mut self) -> io::Result<()> {
        if matches!(self.activity, Activity::Idle) {
            return Ok(());
        }
        self.note("the search has failed: any legal move is played")?;
        let best = self.engine.position().legal_moves().first().copied();
        let (score, time) = (0, Duration::ZERO);
        let stats = SearchStats::default();
        self.report(Event::Done(SearchReport { best, ponder: None, score, depth: 0, nodes: 0, time, stats }))
    }

    fn say_lines(&mut self, lines: &[String]) -> io::Result<()> {
        lines.iter().try_for_each(|line| self.say(line))
    }

    pub(super) fn note(&mut self, text: &str) -> io::Result<()> {
        let line = self.dialect.note(text);
        self.say(&line)
    }

    pub(super) fn say_all(&mut self, text: &str) -> io::Result<()> {
        text.lines().try_for_each(|line| self.say(line))
    }

    /// Sends one line at once. No client may find more than it can read in it.
    pub(super) fn say(&mut self, line: &str) -> io::Result<()> {
        let mut end = line.len().min(LONGEST_LINE - 1);
        while !line.is_char_boundary(end) {
            end -= 1;
        }
        self.output.write_all(&line.as_bytes()[..end])?;
        self.output.write_all(b"\n")?;
        self.output.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::go::GoCommand;
    use xiangqi::board::Position;

    #[test]
    fn a_lost_search_is_answered_all_the_same() {
        let (to_inbox, inbox) = mpsc::channel();
        let mut session = Session::new(inbox, to_inbox, Vec::new());
        session.activity = Activity::Searching(ActiveSearch::new(&GoCommand::default()));
        session.attend(Message::SearchLost).unwrap();
        assert!(matches!(session.activity, Activity::Idle));
        let said = String::from_utf8(session.output.clone()).unwrap();
        let answer = said.lines().last().unwrap().strip_prefix("bestmove ").unwrap();
        assert!(Position::startpos().legal_moves().contains(&answer.parse().unwrap()), "{said}");
        session.attend(Message::SearchLost).unwrap();
        assert_eq!(session.output.len(), said.len(), "an idle session has nothing to add");
    }
}
