//! Running a match: it records games as they end, shows progress and prints tables.

use std::collections::HashMap;
use std::io::Write;

use indicatif::{ProgressBar, ProgressStyle};

use super::cli::MatchError;
use super::config::MatchConfig;
use super::ledger::{GameLine, Ledger};
use super::pgn::{self, Tags};
use super::record::GameRecord;
use super::report::MatchReport;
use super::runner::{Resumed, Runner};
use super::schedule::{GameSchedule, ScheduledGame};
use super::stats::{Sprt, SprtStatus};
use super::storage::MatchFiles;
use xiangqi::types::Side;

/// A match in progress.
pub(super) struct MatchRun<'a> {
    config: &'a MatchConfig,
    runner: &'a Runner,
    storage: Option<MatchFiles>,
    ledger: Ledger,
    done: HashMap<u32, u8>,
    sprt: Option<Sprt>,
    limits: String,
    bar: ProgressBar,
    date: String,
}

impl<'a> MatchRun<'a> {
    /// A match that begins, or continues after `games`.
    pub fn new(
        config: &'a MatchConfig,
        runner: &'a Runner,
        storage: Option<MatchFiles>,
        games: Vec<GameLine>,
    ) -> MatchRun<'a> {
        let mut ledger = Ledger::new(runner.names.len());
        let mut done = HashMap::new();
        for line in games {
            ledger.add(&line);
            done.insert(line.task.number, line.half_points(Side::Red));
        }
        let [red, black] = config.limits().map(|limits| limits.to_string());
        let limits = if red == black { red } else { format!("red {red}, black {black}") };
        let sprt = config.sprt.and_then(|sprt| sprt.test().ok());
        MatchRun {
            config,
            runner,
            storage,
            ledger,
            done,
            sprt,
            limits,
            bar: ProgressBar::hidden(),
            date: today(),
        }
    }

    fn report(&self) -> MatchReport<'_> {
        MatchReport {
            names: &self.runner.names,
            sprt: self.sprt.as_ref(),
            limits: &self.limits,
            format: self.config.format,
            scoring: self.config.scoring,
            games: self.config.games(),
        }
    }

    /// Plays the match to its end and prints the tables.
    pub fn run(mut self, out: &mut impl Write) -> Result<(), MatchError> {
        let mut schedule = Resumed::new(self.config.schedule(), std::mem::take(&mut self.done));
        self.bar = progress_bar(schedule.total().unwrap_or(0), self.ledger.games());
        self.bar.set_message(self.report().live(&self.ledger));
        if let Some(remark) = self.config.remark_on_openings().filter(|_| self.ledger.games() == 0) {
            writeln!(out, "{remark}")?;
        }
        let runner = self.runner;
        let result = if self.is_decided() {
            Ok(())
        } else {
            runner.run(&mut schedule, |task, record| self.take(task, &record, out))
        };
        self.bar.finish_and_clear();
        result?;
        write!(out, "{}", self.report().tables(&self.ledger))?;
        if let Some(line) = self.report().commit_line(&self.ledger) {
            writeln!(out, "{line}")?;
        }
        let interrupted = runner.stop.is_raised() && !self.is_decided();
        if interrupted { Err(MatchError::Interrupted) } else { Ok(()) }
    }

    /// Records a game; `false` when no more are needed.
    fn take(
        &mut self,
        task: &ScheduledGame,
        record: &GameRecord,
        out: &mut impl Write,
    ) -> Result<bool, MatchError> {
        let names = [task.red, task.black].map(|i| self.runner.names[i].as_str());
        let line = GameLine::new(*task, names, record);
        self.ledger.add(&line);
        if let Some(storage) = &mut self.storage {
            let controls = [Side::Red, Side::Black].map(|side| self.runner.limits(task, side).to_string());
            let round = format!("{}.{}", task.round, task.number + 1);
            let tags = Tags {
                event: &self.config.event,
                site: &self.config.site,
                date: &self.date,
                round: &round,
                names,
                controls: [&controls[0], &controls[1]],
            };
            storage.add(&pgn::write(&tags, record, self.config.notation)?, &line)?;
        }
        self.bar.inc(1);
        let state = self.report().live(&self.ledger);
        let games = self.ledger.games();
        if self.config.every == 0 && self.bar.is_hidden() {
            writeln!(out, "{}; {state}", line.told())?;
            out.flush()?;
        } else if self.config.every > 0 && games.is_multiple_of(self.config.every) {
            self.bar.suspend(|| writeln!(out, "{games} {state}"))?;
        }
        self.bar.set_message(state);
        Ok(!self.is_decided())
    }

    fn is_decided(&self) -> bool {
        let pairs = self.ledger.between(0, 1).1;
        self.sprt.as_ref().is_some_and(|sprt| sprt.status(&pairs.sample()) != SprtStatus::Running)
    }
}

/// A bar on the terminal; nothing where there is none.
fn progress_bar(total: u32, done: u64) -> ProgressBar {
    let bar = ProgressBar::new(u64::from(total)).with_position(done);
    // The template is fixed, so it is always understood.
    if let Ok(style) = ProgressStyle::with_template("{pos}/{len} {msg} [{elapsed_precise}, {eta} left]") {
        bar.set_style(style);
    }
    bar
}

/// The date of today in UTC, as PGN writes it.
fn today() -> String {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let (year, month, day) = civil_date(since.as_secs() / 86_400);
    format!("{year}.{month:02}.{day:02}")
}

/// Year, month and day of a number of days since 1970-01-01, counting years from March so that leap days come
/// last.
fn civil_date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    (year, month, day_of_year - (153 * shifted + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        assert_eq!(civil_date(0), (1970, 1, 1));
        assert_eq!(civil_date(59), (1970, 3, 1));
        assert_eq!(civil_date(11_016), (2000, 2, 29));
        assert_eq!(civil_date(20_786), (2026, 11, 29));
    }
}
