//! Plays the games of a schedule, several at a time.

use std::collections::HashMap;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use super::clock::Limits;
use super::engine::{EngineFault, EngineLog, EngineSpec, ExternalEngine, OptionValues, Restart, StopSignal};
use super::game::{GamePlayer, GameRules, play};
use super::openings::Opening;
use super::record::{GameRecord, Termination};
use super::schedule::{GameSchedule, NextGame, ScheduledGame};
use xiangqi::types::{Outcome, Side};

/// What all games of a match have in common.
#[derive(Debug)]
pub struct Runner {
    /// The engines.
    pub engines: Vec<EngineSpec>,
    /// The names of the engines, in their order.
    pub names: Vec<String>,
    /// Limits of red and black where an engine has none of its own.
    pub limits: [Limits; 2],
    /// The openings, at least one.
    pub openings: Vec<Opening>,
    /// Rules of the games.
    pub rules: GameRules,
    /// Games at a time.
    pub concurrency: usize,
    /// Log of all traffic.
    pub log: Option<EngineLog>,
    /// Stops everything when raised.
    pub stop: Arc<StopSignal>,
}

impl Runner {
    /// The opening of a game.
    pub fn opening(&self, task: &ScheduledGame) -> &Opening {
        &self.openings[task.opening as usize % self.openings.len()]
    }

    /// What bounds the thinking of a side in a game.
    pub fn limits(&self, task: &ScheduledGame, side: Side) -> Limits {
        let engine = match side {
            Side::Red => task.red,
            Side::Black => task.black,
        };
        self.engines[engine].limits.or(&self.limits[side as usize])
    }

    /// Plays what `schedule` hands out, and gives each finished game to `take`; when that returns `false`, or the stop
    /// signal is raised, running games are aborted and discarded.
    pub fn run<E>(
        &self,
        schedule: &mut dyn GameSchedule,
        mut take: impl FnMut(&ScheduledGame, GameRecord) -> Result<bool, E>,
    ) -> Result<(), E> {
        let (jobs, queue) = channel::<GameJob>();
        let queue = Mutex::new(queue);
        let (sender, finished) = channel();
        thread::scope(|scope| {
            let workers: Vec<_> = (0..self.concurrency.max(1))
                .map(|_| {
                    let sender = sender.clone();
                    let queue = &queue;
                    scope.spawn(move || {
                        GameThread { runner: self, engines: HashMap::new() }.work(queue, &sender)
                    })
                })
                .collect();
            drop(sender);
            let result = self.direct(schedule, jobs, &finished, &mut take);
            if !matches!(result, Ok(true)) {
                self.stop.raise();
            }
            for worker in workers {
                if let Err(panic) = worker.join() {
                    resume_unwind(panic);
                }
            }
            result.map(|_| ())
        })
    }

    /// Hands out games and takes results; `true` when the schedule is complete.
    fn direct<E>(
        &self,
        schedule: &mut dyn GameSchedule,
        jobs: Sender<GameJob>,
        finished: &Receiver<(ScheduledGame, GameRecord)>,
        take: &mut impl FnMut(&ScheduledGame, GameRecord) -> Result<bool, E>,
    ) -> Result<bool, E> {
        let mut running = 0;
        loop {
            while running < self.concurrency.max(1) {
                match schedule.next() {
                    NextGame::Play(task) => {
                        running += 1;
                        let settings = [Side::Red, Side::Black].map(|side| schedule.settings(&task, side));
                        if jobs.send(GameJob { task, settings }).is_err() {
                            return Ok(false);
                        }
                    }
                    NextGame::Wait => break,
                    NextGame::Done if running == 0 => return Ok(true),
                    NextGame::Done => break,
                }
            }
            // The workers hang up when the stop signal was raised.
            let Ok((task, record)) = finished.recv() else { return Ok(false) };
            running -= 1;
            schedule.finished(&task, record.half_points(Side::Red));
            if !take(&task, record)? {
                return Ok(false);
            }
        }
    }
}

/// A game to be played, with the options of red and black for it.
struct GameJob {
    task: ScheduledGame,
    settings: [OptionValues; 2],
}

/// Plays games one after the other, keeping engines from game to game.
struct GameThread<'a> {
    runner: &'a Runner,
    engines: HashMap<usize, ExternalEngine>,
}

impl GameThread<'_> {
    fn work(mut self, queue: &Mutex<Receiver<GameJob>>, finished: &Sender<(ScheduledGame, GameRecord)>) {
        loop {
            let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(job) = job else { break };
            let Ok(record) = self.game(&job) else { break };
            if finished.send((job.task, record)).is_err() {
                break;
            }
        }
        for (_, engine) in self.engines.drain() {
            engine.quit();
        }
    }

    fn game(&mut self, GameJob { task, settings }: &GameJob) -> Result<GameRecord, EngineFault> {
        let unused: Vec<usize> =
            self.engines.keys().copied().filter(|&i| i != task.red && i != task.black).collect();
        for i in unused {
            if let Some(engine) = self.engines.remove(&i) {
                engine.quit();
            }
        }
        let (red, black) = (self.seat(task.red), self.seat(task.black));
        let (mut red, mut black) = match (red, black) {
            (Ok(red), Ok(black)) => (red, black),
            (Err(EngineFault::Aborted), _) | (_, Err(EngineFault::Aborted)) => {
                return Err(EngineFault::Aborted);
            }
            (Err(fault), other) => {
                self.engines.extend(other.ok().map(|engine| (task.black, engine)));
                return Ok(not_started(self.runner.opening(task), Side::Red, &fault));
            }
            (Ok(red), Err(fault)) => {
                self.engines.insert(task.red, red);
                return Ok(not_started(self.runner.opening(task), Side::Black, &fault));
            }
        };
        let players = [
            GamePlayer {
                engine: &mut red,
                limits: self.runner.limits(task, Side::Red),
                settings: &settings[0],
            },
            GamePlayer {
                engine: &mut black,
                limits: self.runner.limits(task, Side::Black),
                settings: &settings[1],
            },
        ];
        let record = play(players, self.runner.opening(task), &self.runner.rules)?;
        for (engine, index, side) in [(red, task.red, Side::Red), (black, task.black, Side::Black)] {
            let broken = record.loser() == Some(side) && record.termination.breaks_connection();
            if broken {
                drop(engine);
            } else if engine.spec().restart == Restart::Game {
                engine.quit();
            } else {
                self.engines.insert(index, engine);
            }
        }
        Ok(record)
    }

    fn seat(&mut self, index: usize) -> Result<ExternalEngine, EngineFault> {
        match self.engines.remove(&index) {
            Some(engine) => Ok(engine),
            None => ExternalEngine::start(
                &self.runner.engines[index],
                &self.runner.names[index],
                &self.runner.stop,
                self.runner.log.as_ref(),
            ),
        }
    }
}

/// The game that an engine loses because it cannot be started.
fn not_started(opening: &Opening, loser: Side, fault: &EngineFault) -> GameRecord {
    GameRecord {
        start: opening.start().to_fen(),
        plies: Vec::new(),
        outcome: Outcome::Win(!loser),
        termination: Termination::Crash,
        detail: fault.to_string(),
        fouls: [0, 0],
    }
}

/// A schedule whose first games were played in an earlier run: it reports them to the schedule within and hands
/// out the others.
#[derive(Debug)]
pub struct Resumed<S> {
    inner: S,
    done: HashMap<u32, u8>,
}

impl<S: GameSchedule> Resumed<S> {
    /// A schedule in which the games of `done` (number of the game, half points of red) are played already.
    pub fn new(inner: S, done: HashMap<u32, u8>) -> Resumed<S> {
        Resumed { inner, done }
    }
}

impl<S: GameSchedule> GameSchedule for Resumed<S> {
    fn next(&mut self) -> NextGame {
        loop {
            match self.inner.next() {
                NextGame::Play(task) => match self.done.remove(&task.number) {
                    Some(points) => self.inner.finished(&task, points),
                    None => return NextGame::Play(task),
                },
                other => return other,
            }
        }
    }

    fn settings(&self, task: &ScheduledGame, side: Side) -> OptionValues {
        self.inner.settings(task, side)
    }

    fn finished(&mut self, task: &ScheduledGame, red_half_points: u8) {
        self.inner.finished(task, red_half_points);
    }

    fn total(&self) -> Option<u32> {
        self.inner.total()
    }
}
