//! What a session keeps in mind while a search runs, and the lines that the search's events become.

use std::time::{Duration, Instant};

use super::dialect::{Dialect, InfoStyle, current_move_line, info_line};
use super::go::Go;
use super::manners::{self, Prospect};
use super::options::Talk;
use super::ranks::Ranks;
use crate::engine::Engine;
use crate::score::mated_in;
use crate::search::{Bound, Info, NoMate, Refuted, Report};
use xiangqi::types::Move;

/// Root moves and bounds are shown only when a search takes longer than this.
const PATIENCE: Duration = Duration::from_millis(3000);

/// A running search.
#[derive(Debug)]
pub struct Thinking {
    /// The opponent has offered a draw.
    pub draw_offered: bool,
    /// The opponent's move is only expected so far.
    pub pondering: bool,
    /// The search does not end by itself.
    pub endless: bool,
    /// A hit is the only thing that can end the search, since it was given no limit beside `ponder`.
    pub ends_at_hit: bool,
    /// `stop` was received.
    pub stopping: bool,
    /// When the search began.
    started: Instant,
    /// When lines were shown last, or the search began.
    last_shown: Instant,
    /// The newest line of each number that has not been shown yet.
    kept: Vec<Info>,
    /// The first move of the best line shown last.
    best_shown: Option<Move>,
}

/// Who speaks, and how: everything that decides what a line looks like.
pub struct Voice<'a> {
    /// In which protocol.
    pub dialect: &'a dyn Dialect,
    /// What the client has set.
    pub talk: &'a Talk,
    /// The engine, at the root of the search.
    pub engine: &'a Engine,
}

impl Voice<'_> {
    fn ranks(&self) -> Ranks {
        self.dialect.ranks(self.talk.ranks)
    }

    fn line(&self, info: &Info) -> String {
        let style = InfoStyle { numbered: self.engine.settings.multipv > 1, wdl: self.talk.show_wdl };
        info_line(self.dialect, &lengthened(info.clone(), self.engine), &style, self.ranks())
    }
}

impl Thinking {
    /// The state at the start of a search.
    pub fn new(go: &Go) -> Thinking {
        let now = Instant::now();
        Thinking {
            draw_offered: go.draw,
            pondering: go.ponder,
            endless: go.ponder || go.is_unlimited(),
            ends_at_hit: go.ponder && !go.infinite && go.is_unlimited(),
            stopping: false,
            started: now,
            last_shown: now,
            kept: Vec::new(),
            best_shown: None,
        }
    }

    /// The lines to send for a piece of news. A line may be kept for a while, or replaced by a newer one.
    pub fn on_info(&mut self, info: Info, voice: &Voice) -> Vec<String> {
        if info.bound != Bound::Exact {
            let wanted = voice.dialect.customs().bounds && self.is_long(voice);
            return if wanted { vec![self.show(&info, voice)] } else { Vec::new() };
        }
        self.kept.retain(|kept| kept.multipv != info.multipv);
        self.kept.push(info);
        let due = self.last_shown.elapsed() >= voice.dialect.customs().silence;
        if due || voice.talk.debug { self.flush(voice) } else { Vec::new() }
    }

    /// The line for a root move about to be searched, where somebody may be waiting for one.
    pub fn on_current_move(&self, depth: u32, mv: Move, number: usize, voice: &Voice) -> Option<String> {
        self.is_long(voice).then(|| current_move_line(depth, mv, number, voice.ranks()))
    }

    /// The last lines: what has been kept, a line that begins with the move played if none did, and the answer.
    pub fn on_done(&mut self, report: &Report, voice: &Voice) -> Vec<String> {
        let mut lines = self.flush(voice);
        let Some(best) = report.best else {
            lines.push(format!("info depth 0 score {}", voice.dialect.score(mated_in(0))));
            lines.push(voice.dialect.customs().no_move.to_owned());
            return lines;
        };
        if self.best_shown != Some(best) {
            // cchess fails where no line shows the score of the move played.
            lines.push(self.show(&summary(report, best), voice));
        }
        lines.push(self.answer(report, best, voice));
        lines
    }

    fn answer(&self, report: &Report, best: Move, voice: &Voice) -> String {
        let mut line = format!("bestmove {}", voice.ranks().spell(best));
        if let Some(ponder) = report.ponder {
            line.push_str(&format!(" ponder {}", voice.ranks().spell(ponder)));
        }
        if voice.dialect.customs().draws {
            let quiet_plies = voice.engine.position().quiet_plies();
            let prospect = Prospect { score: report.score, quiet_plies, offered: self.draw_offered };
            if let Some(word) = manners::word(prospect, voice.talk.peace, voice.talk.gives_up) {
                line.push_str(&format!(" {word}"));
            }
        }
        line
    }

    /// Whether lines are kept that ought to be shown some time.
    pub fn keeps_lines(&self) -> bool {
        !self.kept.is_empty()
    }

    /// Everything kept, in the order of the lines' numbers.
    pub fn flush(&mut self, voice: &Voice) -> Vec<String> {
        let mut kept = std::mem::take(&mut self.kept);
        kept.sort_by_key(|info| info.multipv);
        kept.iter().map(|info| self.show(info, voice)).collect()
    }

    fn show(&mut self, info: &Info, voice: &Voice) -> String {
        self.last_shown = Instant::now();
        if info.multipv <= 1 {
            self.best_shown = info.pv.first().copied();
        }
        voice.line(info)
    }

    /// Whether the user may be waiting for a sign of life.
    fn is_long(&self, voice: &Voice) -> bool {
        voice.talk.debug || self.started.elapsed() >= PATIENCE
    }
}

/// What is to be said when no mate was found.
pub fn no_mate(NoMate { moves, certainty }: NoMate) -> String {
    match certainty {
        Refuted::All => format!("no mate in {moves}"),
        Refuted::Checks => format!("mate in {moves} neither found nor refuted; none by checks alone"),
        Refuted::Nothing => format!("mate in {moves} neither found nor refuted"),
    }
}

/// A line that says of a move played what the report knows.
fn summary(report: &Report, best: Move) -> Info {
    Info {
        depth: report.depth,
        seldepth: report.depth,
        multipv: 1,
        score: report.score,
        bound: Bound::Exact,
        nodes: report.nodes,
        time: report.time,
        hashfull: 0,
        pv: std::iter::once(best).chain(report.ponder).collect(),
    }
}

/// variantfishtest takes a line of one move with score zero for the end of the game: a reply is added to it.
fn lengthened(mut info: Info, engine: &Engine) -> Info {
    if let [only] = info.pv[..]
        && info.score == 0
    {
        let mut position = engine.position().clone();
        if position.play(only).is_ok() {
            let moves = position.legal_moves();
            let expected = engine.probe(&position).and_then(|entry| entry.mv).filter(|mv| moves.contains(mv));
            info.pv.extend(expected.or(moves.first().copied()));
        }
    }
    info
}
