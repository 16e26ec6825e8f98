//! What a session keeps in mind while a search runs, and the lines that the search's events become.

use std::time::Duration;

use super::dialect::{Dialect, InfoStyle, current_move_line, info_line};
use super::go::Go;
use super::manners::{self, Peace, Prospect};
use super::ranks::Ranks;
use crate::search::{Bound, Info, Report};
use crate::types::Move;
use crate::types::score::mated_in;

/// Root moves and bounds are shown only when a search takes longer than this.
const PATIENCE: Duration = Duration::from_millis(3000);

/// A running search.
#[derive(Debug, Default)]
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
    /// How long the search has been going on, as far as its events told.
    elapsed: Duration,
    /// The newest line of each number that has not been shown yet.
    kept: Vec<Info>,
    /// The first move of the best line shown last.
    shown: Option<Move>,
}

/// How lines are to be written.
pub struct Style<'a> {
    /// In which protocol.
    pub dialect: &'a dyn Dialect,
    /// How much an info line tells.
    pub info: InfoStyle,
    /// How moves are spelt.
    pub ranks: Ranks,
    /// Whether to show everything at once.
    pub debug: bool,
}

impl Thinking {
    /// The state at the start of a search.
    pub fn new(go: &Go) -> Thinking {
        Thinking {
            draw_offered: go.draw,
            pondering: go.ponder,
            endless: go.ponder || go.is_unlimited(),
            ends_at_hit: go.ponder && !go.infinite && go.is_unlimited(),
            ..Thinking::default()
        }
    }

    /// The lines to send for a piece of news.
    pub fn on_info(&mut self, info: Info, style: &Style) -> Vec<String> {
        self.elapsed = info.time;
        if info.bound != Bound::Exact {
            let wanted = style.dialect.knows_bounds() && (style.debug || info.time >= PATIENCE);
            return if wanted { vec![self.line(&info, style)] } else { Vec::new() };
        }
        self.kept.retain(|kept| kept.multipv != info.multipv);
        self.kept.push(info);
        if self.elapsed < style.dialect.silence() && !style.debug { Vec::new() } else { self.flush(style) }
    }

    /// The line for a root move about to be searched, where somebody may be waiting for one.
    pub fn on_current_move(&self, depth: u32, mv: Move, number: usize, style: &Style) -> Option<String> {
        let wanted = style.debug || self.elapsed >= PATIENCE;
        wanted.then(|| current_move_line(depth, mv, number, style.ranks))
    }

    /// The last lines: what has been kept, a line that begins with the move played if none did, and the answer.
    pub fn on_done(
        &mut self,
        report: &Report,
        quiet_plies: u32,
        manners: (Peace, bool),
        style: &Style,
    ) -> Vec<String> {
        let mut lines = self.flush(style);
        let Some(best) = report.best else {
            lines.push(format!("info depth 0 score {}", style.dialect.score(mated_in(0))));
            lines.push(style.dialect.no_move().to_owned());
            return lines;
        };
        if self.shown != Some(best) {
            // cchess fails where no line shows the score of the move played.
            lines.push(self.line(&summary(report, best), style));
        }
        lines.push(self.answer(report, best, quiet_plies, manners, style));
        lines
    }

    fn answer(
        &self,
        report: &Report,
        best: Move,
        quiet_plies: u32,
        (peace, gives_up): (Peace, bool),
        style: &Style,
    ) -> String {
        let mut line = format!("bestmove {}", style.ranks.spell(best));
        if let Some(ponder) = report.ponder {
            line.push_str(&format!(" ponder {}", style.ranks.spell(ponder)));
        }
        if style.dialect.knows_draws() {
            let prospect = Prospect { score: report.score, quiet_plies, offered: self.draw_offered };
            if let Some(word) = manners::word(prospect, peace, gives_up) {
                line.push_str(&format!(" {word}"));
            }
        }
        line
    }

    /// Everything kept, in the order of the lines' numbers.
    fn flush(&mut self, style: &Style) -> Vec<String> {
        let mut kept = std::mem::take(&mut self.kept);
        kept.sort_by_key(|info| info.multipv);
        kept.iter().map(|info| self.line(info, style)).collect()
    }

    fn line(&mut self, info: &Info, style: &Style) -> String {
        if info.multipv <= 1 {
            self.shown = info.pv.first().copied();
        }
        info_line(style.dialect, info, &style.info, style.ranks)
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
