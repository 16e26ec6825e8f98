//! Tuning of an engine's numbers by games: the runner behind `juzhong tune`.
//!
//! ```text
//! cli ─▶ knob (options of the engine) ─▶ course (schedule, state) ─▶ runner of matches
//!                                          ├── spsa (lots, gains, steps)
//!                                          └── report (line, tables, picture)
//! ```

mod cli;
mod knob;
mod report;
mod spsa;
mod tuning;

use std::cell::RefCell;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::arena::engine::{DeclaredOption, EngineFault, EngineLog, ExternalEngine, LogError, StopSignal};
use crate::arena::record::{GameRecord, Termination};
use crate::arena::runner::Runner;
use crate::arena::schedule::ScheduledGame;
use crate::arena::validation::ConfigError;
use crate::support::files;
use crate::support::state::{SavedState, StateError, refuse_existing};
use knob::choose;
use spsa::Spsa;
use tuning::{Tuning, TuningProgress, TuningSchedule};

pub use cli::TuneArgs;
pub use knob::{Knob, KnobError};

/// The interval after which the picture is drawn again.
const REDRAW: Duration = Duration::from_secs(30);

/// Why a tuning did not take place or was aborted.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// The conditions of the games are invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The state file or the picture cannot be used.
    #[error(transparent)]
    State(#[from] StateError),
    /// The engine cannot be started.
    #[error("{name}: {fault}")]
    Engine {
        /// The command of the engine.
        name: String,
        /// What went wrong.
        fault: EngineFault,
    },
    /// The log cannot be written.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The options to tune are invalid.
    #[error(transparent)]
    Knob(#[from] KnobError),
    /// Not exactly one engine is given.
    #[error("--engine: one engine is tuned, not {0}")]
    Engines(usize),
    /// The engine lost a game by misbehaviour, from which nothing can be learnt.
    #[error("game {number}: the engine lost by {termination}{detail}; nothing can be learnt from that")]
    Misbehaviour {
        /// The game, counted from 1.
        number: u32,
        /// How the game ended.
        termination: Termination,
        /// More about the end, in brackets, or nothing.
        detail: String,
    },
    /// The tables cannot be written.
    #[error("{0}")]
    Output(#[from] io::Error),
    /// The user or the system ended the tuning.
    #[error("interrupted")]
    Interrupted,
}

/// Tunes as the arguments say, and writes progress and tables to `out`.
///
/// # Errors
/// Returns an error if the tuning cannot be done, or was interrupted.
pub fn run(args: &TuneArgs, out: &mut impl Write) -> Result<(), TuneError> {
    let config = args.config()?;
    let wishes = args.wishes()?;
    let apart = files::keep_apart(&args.written(), &args.read());
    apart.map_err(|(path, source)| StateError::File { path, source })?;
    if !args.resume {
        refuse_existing(std::iter::once(&args.state), "--state")?;
    }
    if let Some(remark) = config.remark_on_openings() {
        writeln!(out, "{remark}")?;
    }
    let mut left_out = Vec::new();
    let openings = config.load_openings(&mut |line| left_out.push(line)).map_err(ConfigError::from)?;
    for line in left_out {
        writeln!(out, "left out: {line}")?;
    }
    let runner = Runner {
        engines: config.engines.clone(),
        names: ["plus", "minus"].map(str::to_owned).to_vec(),
        limits: config.limits(),
        openings,
        rules: config.rules(),
        concurrency: config.concurrency,
        log: config.log.as_deref().map(EngineLog::create).transpose()?,
        stop: StopSignal::on_interrupt(),
    };
    let knobs = choose(&options(&runner)?, &args.knobs, &wishes)?;
    let spsa = Spsa { knobs, iterations: args.games.div_ceil(2), seed: config.seed };
    let mut plan = config.plan(&runner.openings);
    plan["games"] = (2 * spsa.iterations).into();
    plan["seed"] = spsa.seed.into();
    plan["knobs"] = serde_json::json!(spsa.knobs);
    let state = SavedState::open(&args.state, plan, TuningProgress::new(&spsa, config.concurrency))?;
    if !state.progress.fits(&spsa) {
        let source = serde::de::Error::custom("no tuning can be in this state");
        return Err(StateError::damaged(&args.state, source).into());
    }
    state.write(&args.state)?;
    let course = RefCell::new(Tuning::new(spsa, state.progress.clone()));
    TuningRun::new(args, &course, state).run(&runner, out)
}

/// What the engine says of its options.
fn options(runner: &Runner) -> Result<Vec<DeclaredOption>, TuneError> {
    let spec = &runner.engines[0];
    let failed = |fault| TuneError::Engine { name: spec.cmd.clone(), fault };
    let engine =
        ExternalEngine::start(spec, &spec.cmd, &runner.stop, runner.log.as_ref()).map_err(|fault| {
            if fault == EngineFault::Aborted { TuneError::Interrupted } else { failed(fault) }
        })?;
    let options = engine.options().to_vec();
    engine.quit();
    Ok(options)
}

/// Running a tuning: it keeps the state, shows progress and writes tables.
struct TuningRun<'a> {
    args: &'a TuneArgs,
    course: &'a RefCell<Tuning>,
    state: SavedState<TuningProgress>,
    bar: ProgressBar,
    drawn: Instant,
}

impl<'a> TuningRun<'a> {
    fn new(
        args: &'a TuneArgs,
        course: &'a RefCell<Tuning>,
        state: SavedState<TuningProgress>,
    ) -> TuningRun<'a> {
        let (games, total) = (course.borrow().games(), course.borrow().total());
        let bar = ProgressBar::new(u64::from(total)).with_position(u64::from(games));
        // The template is fixed, so it is always understood.
        if let Ok(style) =
            ProgressStyle::with_template("{pos}/{len} games [{elapsed_precise}, {eta} left] {wide_msg}")
        {
            bar.set_style(style);
        }
        bar.reset_eta();
        TuningRun { args, course, state, bar, drawn: Instant::now() }
    }

    /// Plays all games and writes the tables.
    fn run(mut self, runner: &Runner, out: &mut impl Write) -> Result<(), TuneError> {
        self.draw()?;
        let course = self.course;
        let result = runner.run(&mut TuningSchedule(course), |task, record| self.take(task, &record, out));
        self.bar.finish_and_clear();
        result?;
        self.draw()?;
        let course = course.borrow();
        write!(out, "{} games\n\n{}", course.games(), report::tables(&course))?;
        if course.games() < course.total() { Err(TuneError::Interrupted) } else { Ok(()) }
    }

    /// Keeps what a game changed. A game that was lost by misbehaviour is not kept: it stands for no value, and will
    /// be played again.
    fn take(
        &mut self,
        task: &ScheduledGame,
        record: &GameRecord,
        out: &mut impl Write,
    ) -> Result<bool, TuneError> {
        if record.termination.is_failure() {
            let GameRecord { termination, detail, .. } = record;
            let detail = if detail.is_empty() { String::new() } else { format!(" ({detail})") };
            return Err(TuneError::Misbehaviour {
                number: task.number + 1,
                termination: *termination,
                detail,
            });
        }
        let course = self.course.borrow();
        self.state.progress.clone_from(course.progress());
        self.state.write(&self.args.state)?;
        let line = report::line(&course);
        self.bar.inc(1);
        if self.bar.is_hidden() && course.games().is_multiple_of(self.args.every) {
            writeln!(out, "{} games: {line}", course.games())?;
            out.flush()?;
        }
        self.bar.set_message(line);
        if self.drawn.elapsed() > REDRAW {
            self.draw()?;
        }
        Ok(true)
    }

    fn draw(&mut self) -> Result<(), StateError> {
        self.drawn = Instant::now();
        let Some(path) = &self.args.plot else { return Ok(()) };
        let picture = report::picture(&self.course.borrow()).to_string();
        files::replace(path, picture.as_bytes())
            .map_err(|source| StateError::File { path: path.clone(), source })
    }
}
