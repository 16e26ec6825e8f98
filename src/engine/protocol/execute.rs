//! What each command does, once the session has decided to obey it.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use super::active_search::ActiveSearch;
use super::command::Command;
use super::dialect::{Dialect, probe_line};
use super::go::GoCommand;
use super::message::Message;
use super::options::{self, AllOptions, ButtonAction};
use super::position::{Built, PositionCommand};
use super::ranks::Ranks;
use super::session::{Activity, Session};
use super::tokens::excerpt;
use super::ucci::Ucci;
use super::uci::Uci;
use crate::bench::{self, BenchArgs};
use crate::book::BookChoice;
use crate::engine::Engine;
use crate::eval::Evaluator;
use crate::search::{Bound, Event, HashError, Info, SearchReport, SearchStats};
use xiangqi::diagram::Diagram;
use xiangqi::explain;
use xiangqi::perft;
use xiangqi::rules::Arbiter;
use xiangqi::types::Move;

const HELP: &str = include_str!("help.txt");

impl<W: Write> Session<W> {
    /// Obeys a command.
    pub(super) fn execute(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Nothing | Command::Quit => Ok(()),
            Command::Uci => self.greet(&Uci),
            Command::Ucci => self.greet(&Ucci),
            Command::IsReady => self.ready(),
            Command::SetOption(text) => self.set_option(text),
            Command::Position(setup) => self.set_position(&setup),
            Command::BarePosition(setup) => {
                // Whoever leaves out `position` counts ranks from 0, even after setting the variant.
                self.options.ranks = Ranks::FromZero;
                self.set_position(&setup)
            }
            Command::BanMoves(moves) => self.ban(&moves),
            Command::Go(go, fault) => {
                if let Some(fault) = fault {
                    self.note(&fault.to_string())?;
                }
                self.go(&go)
            }
            Command::PonderHit { draw } => {
                self.ponderhit(draw);
                Ok(())
            }
            Command::Stop => self.stop(),
            Command::Probe(setup) => self.probe(setup.as_ref()),
            Command::NewGame => {
                self.engine.new_game();
                Ok(())
            }
            Command::Debug(on) => {
                self.options.debug = on;
                Ok(())
            }
            Command::Draw => self.draw(),
            Command::Eval => {
                self.open_files()?;
                self.say_all(&self.engine.trace().to_string())
            }
            Command::Judge => self.judge(),
            Command::Bench(args) => self.bench(args),
            Command::Perft(depth) => self.perft(depth),
            Command::Flip => match self.engine.flip() {
                Ok(()) => Ok(()),
                Err(error) => self.note(&error.to_string()),
            },
            Command::Help => self.say_all(HELP),
        }
    }

    fn draw(&mut self) -> io::Result<()> {
        let first_rank = self.dialect.ranks(self.options.ranks).first();
        let diagram = Diagram { first_rank, ..Diagram::new(self.engine.position(), self.options.colour) };
        self.say_all(&diagram.to_string())
    }

    fn judge(&mut self) -> io::Result<()> {
        let arbiter = Arbiter::new(self.engine.settings.rules);
        self.say_all(&explain::table(&arbiter.judge(self.engine.position())))
    }

    fn greet(&mut self, dialect: &'static dyn Dialect) -> io::Result<()> {
        self.dialect = dialect;
        for line in dialect.identity() {
            self.say(&line)?;
        }
        for line in options::all().filter_map(|spec| dialect.option(&spec)) {
            self.say(&line)?;
        }
        self.say(dialect.conventions().welcome)
    }

    fn ready(&mut self) -> io::Result<()> {
        if matches!(self.activity, Activity::Idle) {
            self.open_files()?;
            let prepared = self.engine.prepare();
            self.note_hash(prepared)?;
        }
        self.say("readyok")
    }

    fn note_hash(&mut self, outcome: Result<(), HashError>) -> io::Result<()> {
        outcome.or_else(|refusal| self.note(&refusal.to_string()))
    }

    /// Opens the network, the tables of endings and the books of the settings and tells which cannot be used.
    fn open_files(&mut self) -> io::Result<()> {
        if let Err(fault) = self.engine.open_network() {
            self.note(&format!("{fault}; the network {} stays", self.engine.network().name()))?;
        }
        if let Err(fault) = self.engine.open_endgames() {
            self.note(&format!("{fault}; the tables of endings before it stay"))?;
        }
        let faults = self.engine.open_books();
        faults.iter().try_for_each(|fault| self.note(&fault.to_string()))
    }

    fn set_option(&mut self, text: &str) -> io::Result<()> {
        let mut values = AllOptions { engine: &mut self.engine.settings, session: &mut self.options };
        match options::set(&mut values, text) {
            Ok(None) => Ok(()),
            Ok(Some(ButtonAction::ClearHash | ButtonAction::NewGame)) => {
                self.engine.new_game();
                Ok(())
            }
            Err(error) => self.note(&error.to_string()),
        }
    }

    fn set_position(&mut self, setup: &PositionCommand) -> io::Result<()> {
        let ranks = self.dialect.ranks(self.options.ranks);
        let built = match setup.build(ranks) {
            Ok(built) if built.illegal.is_some() => self.build_respelled(setup, ranks).unwrap_or(built),
            Ok(built) => built,
            Err(error) => {
                let reason = error.to_string();
                self.note(&reason)?;
                self.refused = Some(reason);
                return Ok(());
            }
        };
        self.refused = None;
        self.engine.set_position(built.position);
        if let Some(breach) = built.breach {
            self.note(&format!("no game leads to this position, which is played all the same: {breach}"))?;
        }
        built.illegal.map_or(Ok(()), |illegal| self.note(&illegal.to_string()))
    }

    /// The position if all its moves make sense in the spelling that was not expected. Then that is how the client
    /// spells: some set `UCI_Variant` because it is announced and count ranks from 0 all the same.
    fn build_respelled(&mut self, setup: &PositionCommand, expected: Ranks) -> Option<Built> {
        let other = expected.other();
        if self.dialect.ranks(other) != other {
            return None;
        }
        let built = setup.build(other).ok().filter(|built| built.illegal.is_none())?;
        self.options.ranks = other;
        Some(built)
    }

    fn ban(&mut self, texts: &[&str]) -> io::Result<()> {
        let (moves, faults) = self.root_moves(texts);
        self.engine.ban(moves);
        self.note_bad_moves(&faults)
    }

    /// The legal moves among `texts`, and the texts that are none.
    fn root_moves<'a>(&self, texts: &[&'a str]) -> (Vec<Move>, Vec<&'a str>) {
        let legal = self.engine.position().legal_moves();
        let ranks = self.dialect.ranks(self.options.ranks);
        let (mut moves, mut faults) = (Vec::new(), Vec::new());
        for text in texts {
            match ranks.read(text) {
                Ok(mv) if legal.contains(&mv) => moves.push(mv),
                _ => faults.push(*text),
            }
        }
        (moves, faults)
    }

    fn note_bad_moves(&mut self, texts: &[&str]) -> io::Result<()> {
        if texts.is_empty() {
            return Ok(());
        }
        self.note(&format!("no legal moves here, left out: {}", excerpt(&texts.join(" "))))
    }

    fn go(&mut self, go: &GoCommand) -> io::Result<()> {
        self.asked_to_go = true;
        if let Some(reason) = &self.refused {
            // A move of the position before would be taken for one of the position that was refused.
            let note = format!("no move, for there is no position: {reason}");
            self.note(&note)?;
            return self.say(self.dialect.conventions().no_move);
        }
        self.open_files()?;
        if go.depth == Some(0) && self.dialect.conventions().depth_zero {
            let score = self.dialect.score(self.engine.trace().value());
            self.say(&format!("info depth 0 score {score}"))?;
            return self.say(self.dialect.conventions().no_move);
        }
        let (only, faults) = self.root_moves(&go.only);
        self.note_bad_moves(&faults)?;
        let mut limits = go.limits(self.engine.position().side(), self.options.unit);
        limits.only = only;
        if let Some(choice) = self.engine.book_move(&limits) {
            return self.play_from_book(go, &choice);
        }
        self.activity = Activity::Searching(ActiveSearch::new(go));
        let mut events = EventSender { inbox: self.to_inbox.clone(), done: false };
        let outcome = self.engine.start(limits, move |event| events.tell(event));
        self.note_hash(outcome)?;
        if self.ended && !self.options.batch {
            self.halt();
        }
        Ok(())
    }

    /// Answers at once, with a line for the user and one for the client's display.
    fn play_from_book(&mut self, go: &GoCommand, choice: &BookChoice) -> io::Result<()> {
        self.note(&choice.describe(self.engine.position()))?;
        let (info, report) = news_of(&self.engine, choice);
        self.activity = Activity::Searching(ActiveSearch::new(go));
        self.report(Event::Info(info))?;
        self.report(Event::Done(report))
    }

    fn ponderhit(&mut self, draw: bool) {
        let Activity::Searching(search) = &mut self.activity else { return };
        search.draw_offered |= draw;
        if !search.pondering {
            return;
        }
        search.pondering = false;
        if search.ends_at_hit {
            self.halt();
        } else {
            self.engine.ponderhit();
        }
    }

    fn stop(&mut self) -> io::Result<()> {
        match (&self.activity, self.dialect.conventions().idle_stop) {
            // Once a search was asked for, a `stop` that finds none has crossed its answer: a second one would be
            // taken for the answer to the next `go`.
            (Activity::Idle, Some(word)) if !self.asked_to_go => self.say(word),
            (Activity::Idle, _) => Ok(()),
            _ => {
                self.halt();
                Ok(())
            }
        }
    }

    fn probe(&mut self, setup: Option<&PositionCommand>) -> io::Result<()> {
        let ranks = self.dialect.ranks(self.options.ranks);
        let entry = match setup.map(|setup| setup.build(ranks)) {
            None => self.engine.probe(self.engine.position()),
            Some(Ok(Built { position, illegal: None, .. })) => self.engine.probe(&position),
            // A position that cannot be reached is stored nowhere.
            Some(Ok(_) | Err(_)) => None,
        };
        self.say(&probe_line(self.dialect, entry.as_ref(), ranks))
    }

    fn bench(&mut self, args: BenchArgs) -> io::Result<()> {
        self.work(move |stop, write| {
            if let Err(error) = bench::run(&args, stop, &mut *write) {
                write(error.to_string());
            }
        })
    }

    fn perft(&mut self, depth: u32) -> io::Result<()> {
        let (position, ranks) = (self.engine.position().clone(), self.dialect.ranks(self.options.ranks));
        self.work(move |stop, write| match perft::divide(&position, depth, stop) {
            Some(counts) => perft::lines(&counts, |mv| ranks.spell(mv)).into_iter().for_each(write),
            None => write("perft stopped".to_owned()),
        })
    }

    /// Runs a tool on a thread of its own; its lines come back as messages.
    fn work(
        &mut self,
        tool: impl FnOnce(&AtomicBool, &mut dyn FnMut(String)) + Send + 'static,
    ) -> io::Result<()> {
        let stop = Arc::new(AtomicBool::new(self.ended && !self.options.batch));
        let (flag, inbox) = (stop.clone(), self.to_inbox.clone());
        let run = move || {
            let ended = EndOfTool(inbox);
            tool(&flag, &mut |line| drop(ended.0.send(Message::Tool(line))));
        };
        thread::Builder::new().name("tool".into()).spawn(run)?;
        self.activity = Activity::RunningTool(stop);
        Ok(())
    }
}

/// Carries the events of a search to the session, and tells it if the search goes without an answer. If the
/// session has gone, nobody wants to know.
struct EventSender {
    inbox: Sender<Message>,
    done: bool,
}

impl EventSender {
    fn tell(&mut self, event: Event) {
        self.done |= matches!(event, Event::Done(_));
        drop(self.inbox.send(Message::Search(event)));
    }
}

impl Drop for EventSender {
    fn drop(&mut self) {
        if !self.done {
            drop(self.inbox.send(Message::SearchLost));
        }
    }
}

/// A move from the book as a search would report it: it has no depth, and the score is the evaluation behind it.
fn news_of(engine: &Engine, choice: &BookChoice) -> (Info, SearchReport) {
    let (best, ponder) = (choice.entry.mv, choice.reply);
    let mut after = engine.position().clone();
    after.make(best);
    let score = -Evaluator::new(engine.network(), &after).evaluate(&after);
    let (depth, nodes, time) = (0, 0, Duration::ZERO);
    let pv = std::iter::once(best).chain(ponder).collect();
    let info =
        Info { depth, seldepth: 0, multipv: 1, score, bound: Bound::Exact, nodes, time, hashfull: 0, pv };
    (
        info,
        SearchReport { best: Some(best), ponder, score, depth, nodes, time, stats: SearchStats::default() },
    )
}

/// Tells the session that a tool is through, however it ends.
struct EndOfTool(Sender<Message>);

impl Drop for EndOfTool {
    fn drop(&mut self) {
        drop(self.0.send(Message::ToolEnded));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn a_search_that_dies_is_missed() {
        let (inbox, messages) = mpsc::channel();
        drop(EventSender { inbox: inbox.clone(), done: false });
        assert!(matches!(messages.try_recv(), Ok(Message::SearchLost)));
        drop(EventSender { inbox, done: true });
        assert!(messages.try_recv().is_err());
    }
}
