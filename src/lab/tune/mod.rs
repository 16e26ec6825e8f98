//! Tuning of an engine's numbers by games: the runner behind `juzhong tune`.
//!
//! ```text
//! cli ─▶ knob (options of the engine) ─▶ course (schedule, state) ─▶ runner of matches
//!                                          ├── spsa (lots, gains, steps)
//!                                          └── tell (line, tables, picture)
//! ```

mod cli;
mod course;
mod knob;
mod spsa;
mod tell;

use std::cell::RefCell;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::arena::cli::{MatchError, complain, signalled, traffic};
use crate::arena::config::ConfigError;
use crate::arena::engine::{Declared, Engine, Fault};
use crate::arena::record::{GameRecord, Termination};
use crate::arena::runner::Stage;
use crate::arena::schedule::Task;
use crate::arena::storage::{State, StorageError, refuse_existing};
use crate::support::files;
use course::{Course, Games, Progress};
use knob::choose;
use spsa::Spsa;

pub use cli::TuneArgs;
pub use knob::{Knob, KnobError};

/// The picture is drawn again after so long.
const REDRAW: Duration = Duration::from_secs(30);

/// Why a tuning did not take place or was broken off.
#[derive(Debug, thiserror::Error)]
enum TuneError {
    #[error(transparent)]
    Match(#[from] MatchError),
    #[error(transparent)]
    Knob(#[from] KnobError),
    #[error("--engine: one engine is tuned, not {0}")]
    Engines(usize),
    #[error("game {number}: the engine lost by {termination}{detail}; nothing can be learnt from that")]
    Failure { number: u32, termination: Termination, detail: String },
}

impl From<ConfigError> for TuneError {
    fn from(error: ConfigError) -> TuneError {
        TuneError::Match(error.into())
    }
}

impl From<StorageError> for TuneError {
    fn from(error: StorageError) -> TuneError {
        TuneError::Match(error.into())
    }
}

impl From<io::Error> for TuneError {
    fn from(error: io::Error) -> TuneError {
        TuneError::Match(error.into())
    }
}

/// Tunes as the arguments say. Exit status 0 when all games are played, 1 when it was interrupted, 2 when it could not
/// be done.
pub fn run(args: &TuneArgs) -> ExitCode {
    match tune(args, &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read the tables has had enough.
        Err(TuneError::Match(MatchError::Io(error))) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(error) => {
            let interrupted = matches!(error, TuneError::Match(MatchError::Interrupted));
            complain("tune", &error, if interrupted { 1 } else { 2 })
        }
    }
}

fn tune(args: &TuneArgs, out: &mut impl Write) -> Result<(), TuneError> {
    let config = args.config()?;
    let wishes = args.wishes()?;
    let apart = files::keep_apart(&args.written(), &args.read());
    apart.map_err(|(path, source)| StorageError::File { path, source })?;
    if !args.resume {
        refuse_existing(std::iter::once(&args.state), "--state")?;
    }
    let openings = config.load_openings().map_err(ConfigError::from)?;
    let stage = Stage {
        engines: config.engines.clone(),
        names: ["plus", "minus"].map(str::to_owned).to_vec(),
        limits: config.limits(),
        openings,
        rules: config.rules(),
        concurrency: config.concurrency,
        traffic: traffic(config.log.as_deref())?,
        brake: signalled(),
    };
    let knobs = choose(&options(&stage)?, &args.knobs, &wishes)?;
    let spsa = Spsa { knobs, iterations: args.games.div_ceil(2), seed: config.seed };
    let mut plan = config.plan(&stage.openings);
    plan["games"] = (2 * spsa.iterations).into();
    plan["seed"] = spsa.seed.into();
    plan["knobs"] = serde_json::json!(spsa.knobs);
    let state = State::open(&args.state, plan, Progress::new(&spsa, config.concurrency))?;
    if !state.progress.fits(&spsa) {
        let source = serde::de::Error::custom("no tuning can be in this state");
        return Err(StorageError::damaged(&args.state, source).into());
    }
    state.write(&args.state)?;
    let course = RefCell::new(Course::new(spsa, state.progress.clone()));
    Session::new(args, &course, state).run(&stage, out)
}

/// What the engine says of its options.
fn options(stage: &Stage) -> Result<Vec<Declared>, TuneError> {
    let spec = &stage.engines[0];
    let failed = |fault| MatchError::Engine { name: spec.cmd.clone(), fault };
    let engine = Engine::start(spec, &spec.cmd, &stage.brake, stage.traffic.as_ref())
        .map_err(|fault| if fault == Fault::Aborted { MatchError::Interrupted } else { failed(fault) })?;
    let options = engine.options().to_vec();
    engine.quit();
    Ok(options)
}

/// A tuning as it is held: state kept, progress shown, tables written.
struct Session<'a> {
    args: &'a TuneArgs,
    course: &'a RefCell<Course>,
    state: State<Progress>,
    bar: ProgressBar,
    drawn: Instant,
}

impl<'a> Session<'a> {
    fn new(args: &'a TuneArgs, course: &'a RefCell<Course>, state: State<Progress>) -> Session<'a> {
        let (games, total) = (course.borrow().games(), course.borrow().total());
        let bar = ProgressBar::new(u64::from(total)).with_position(u64::from(games));
        // The template is fixed, so it is always understood.
        if let Ok(style) =
            ProgressStyle::with_template("{pos}/{len} games [{elapsed_precise}, {eta} left] {wide_msg}")
        {
            bar.set_style(style);
        }
        bar.reset_eta();
        Session { args, course, state, bar, drawn: Instant::now() }
    }

    /// Plays all games and writes the tables.
    fn run(mut self, stage: &Stage, out: &mut impl Write) -> Result<(), TuneError> {
        self.draw()?;
        let course = self.course;
        let result = stage.run(&mut Games(course), |task, record| self.take(task, &record, out));
        self.bar.finish_and_clear();
        result?;
        self.draw()?;
        let course = course.borrow();
        write!(out, "{} games\n\n{}", course.games(), tell::tables(&course))?;
        if course.games() < course.total() { Err(MatchError::Interrupted.into()) } else { Ok(()) }
    }

    /// Keeps what a game changed. A game that was lost by misbehaviour is not kept: it stands for no value, and will
    /// be played again.
    fn take(&mut self, task: &Task, record: &GameRecord, out: &mut impl Write) -> Result<bool, TuneError> {
        if record.termination.is_failure() {
            let GameRecord { termination, detail, .. } = record;
            let detail = if detail.is_empty() { String::new() } else { format!(" ({detail})") };
            return Err(TuneError::Failure { number: task.number + 1, termination: *termination, detail });
        }
        let course = self.course.borrow();
        self.state.progress.clone_from(course.progress());
        self.state.write(&self.args.state)?;
        let line = tell::line(&course);
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

    fn draw(&mut self) -> Result<(), StorageError> {
        self.drawn = Instant::now();
        let Some(path) = &self.args.plot else { return Ok(()) };
        let picture = tell::picture(&self.course.borrow()).to_string();
        files::replace(path, picture.as_bytes())
            .map_err(|source| StorageError::File { path: path.clone(), source })
    }
}
