//! What a session keeps in mind while a search runs, and the lines that the search's events become.

use std::time::{Duration, Instant};

use super::dialect::{Dialect, InfoStyle, current_move_line, info_line};
use super::draws::is_hopeless;
use super::go::GoCommand;
use super::ranks::Ranks;
use super::session_options::SessionOptions;
use crate::engine::Engine;
use crate::score::{mated_in, ruled};
use crate::search::{Bound, Info, NoMate, Refuted, SearchReport};
use xiangqi::types::Move;

/// Root moves and bounds are shown only when a search takes longer than this.
const PATIENCE: Duration = Duration::from_millis(3000);

/// Lines that go out within this time of each other are one burst, since a client may find them in one read.
pub const BURST: Duration = Duration::from_millis(50);

/// A running search.
#[derive(Debug)]
pub struct ActiveSearch {
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
    /// When the present burst of lines began.
    burst_began: Instant,
    /// How many bytes of info lines the present burst has.
    burst_bytes: usize,
    /// Whether the user has been told that the score rests on a ruling.
    ruling_noted: bool,
    /// The newest line of each number that has not been shown yet.
    kept: Vec<Info>,
    /// The first move of the best line shown last.
    best_shown: Option<Move>,
}

/// Who speaks, and how: everything that decides what a line looks like.
pub struct Renderer<'a> {
    /// In which protocol.
    pub dialect: &'a dyn Dialect,
    /// What the client has set.
    pub options: &'a SessionOptions,
    /// The engine, at the root of the search.
    pub engine: &'a Engine,
}

impl Renderer<'_> {
    fn ranks(&self) -> Ranks {
        self.dialect.ranks(self.options.ranks)
    }

    fn line(&self, info: &Info) -> String {
        let wdl = self.options.show_wdl.then(|| self.engine.wdl(info));
        let style = InfoStyle { numbered: self.engine.settings.multipv > 1, wdl };
        info_line(self.dialect, &lengthened(info.clone(), self.engine), &style, self.ranks())
    }
}

impl ActiveSearch {
    /// The state at the start of a search.
    pub fn new(go: &GoCommand) -> ActiveSearch {
        let now = Instant::now();
        ActiveSearch {
            draw_offered: go.draw,
            pondering: go.ponder,
            endless: go.ponder || go.is_unlimited(),
            ends_at_hit: go.ponder && !go.infinite && go.is_unlimited(),
            stopping: false,
            started: now,
            burst_began: now,
            burst_bytes: 0,
            ruling_noted: false,
            kept: Vec::new(),
            best_shown: None,
        }
    }

    /// The lines to send for a piece of news. A line may be kept for a while, or replaced by a newer one.
    pub fn on_info(&mut self, info: Info, renderer: &Renderer) -> Vec<String> {
        if info.bound != Bound::Exact {
            let wanted = renderer.dialect.conventions().bounds && self.is_long(renderer);
            return if wanted { vec![self.show(&info, renderer)] } else { Vec::new() };
        }
        self.kept.retain(|kept| kept.multipv != info.multipv);
        self.kept.push(info);
        if self.burst_began.elapsed() >= BURST {
            self.burst_bytes = 0;
        }
        let most = renderer.dialect.conventions().burst_bytes;
        if self.burst_bytes < most || renderer.options.debug { self.flush(renderer) } else { Vec::new() }
    }

    /// The line for a root move about to be searched, where somebody may be waiting for one.
    pub fn on_current_move(
        &self,
        depth: u32,
        mv: Move,
        number: usize,
        renderer: &Renderer,
    ) -> Option<String> {
        self.is_long(renderer).then(|| current_move_line(depth, mv, number, renderer.ranks()))
    }

    /// The last lines: what has been kept, a line that begins with the move played if none did, and the answer.
    pub fn on_done(&mut self, report: &SearchReport, renderer: &Renderer) -> Vec<String> {
        let mut lines = self.flush(renderer);
        let Some(best) = report.best else {
            lines.push(format!("info depth 0 score {}", renderer.dialect.score(mated_in(0))));
            lines.push(renderer.dialect.conventions().no_move.to_owned());
            return lines;
        };
        if self.best_shown != Some(best) {
            // cchess fails where no line shows the score of the move played.
            lines.push(self.show(&summary(report, best), renderer));
        }
        lines.push(self.answer(report, best, renderer));
        lines
    }

    fn answer(&self, report: &SearchReport, best: Move, renderer: &Renderer) -> String {
        let mut line = format!("bestmove {}", renderer.ranks().spell(best));
        if let Some(ponder) = report.ponder {
            line.push_str(&format!(" ponder {}", renderer.ranks().spell(ponder)));
        }
        if renderer.dialect.conventions().draws {
            let quiet_plies = renderer.engine.position().quiet_plies();
            if renderer.options.draw_policy.agrees(report.score, quiet_plies, self.draw_offered) {
                line.push_str(" draw");
            } else if renderer.options.resigns && is_hopeless(report.score) {
                line.push_str(" resign");
            }
        }
        line
    }

    /// Whether lines are kept that ought to be shown some time.
    pub fn keeps_lines(&self) -> bool {
        !self.kept.is_empty()
    }

    /// Everything kept, in the order of the lines' numbers.
    pub fn flush(&mut self, renderer: &Renderer) -> Vec<String> {
        let mut kept = std::mem::take(&mut self.kept);
        kept.sort_by_key(|info| info.multipv);
        let ruled = kept.iter().find_map(|info| ruled(info.score).filter(|_| info.multipv <= 1));
        let mut lines = Vec::new();
        if let Some(won) = ruled.filter(|_| !std::mem::replace(&mut self.ruling_noted, true)) {
            let text =
                format!("the score rests on a repetition ruling: a {}", if won { "win" } else { "loss" });
            lines.push(renderer.dialect.note(&text));
        }
        lines.extend(kept.iter().map(|info| self.show(info, renderer)));
        lines
    }

    fn show(&mut self, info: &Info, renderer: &Renderer) -> String {
        if info.multipv <= 1 {
            self.best_shown = info.pv.first().copied();
        }
        let line = renderer.line(info);
        if self.burst_bytes == 0 {
            self.burst_began = Instant::now();
        }
        self.burst_bytes += line.len();
        line
    }

    /// Whether the user may be waiting for a sign of life.
    fn is_long(&self, renderer: &Renderer) -> bool {
        renderer.options.debug || self.started.elapsed() >= PATIENCE
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
fn summary(report: &SearchReport, best: Move) -> Info {
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
