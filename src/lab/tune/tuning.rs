//! How far a tuning is, and which games come next.
//!
//! An iteration is a pair of games from one opening with colours exchanged. Several are played at a time, and which
//! game ends first is chance; yet a tuning at fixed nodes depends on its seed alone: iteration k is played around the
//! centre as it was after iteration k - `lag`, and moves the centre when all iterations before it have. So it makes no
//! difference either when a tuning is interrupted: a game that has to be played again is the same game.

use std::cell::RefCell;
use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::spsa::{Spsa, SpsaSide};
use crate::arena::engine::{OptionValue, OptionValues};
use crate::arena::schedule::{GameSchedule, NextGame, ScheduledGame};
use xiangqi::types::Side;

/// Index of the engine that plays [`SpsaSide::Plus`]; the other one is 1.
const PLUS: usize = 0;
/// Iterations under way for each game that is played at a time: enough that no player waits for a long game.
const LAG: u32 = 4;
/// The number of points of the course that are kept for the picture.
const POINTS: u32 = 200;

/// What is kept of a tuning.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TuningProgress {
    /// By how many iterations the centre that is played around may be behind, at least 1.
    lag: u32,
    /// Iterations that have moved the centre.
    iterations: u32,
    /// The centre after the last of them, the newest behind; one more than `lag` at most.
    centres: VecDeque<Vec<f64>>,
    /// Finished games of later iterations: number, and half points of [`SpsaSide::Plus`].
    ahead: Vec<(u32, u8)>,
    /// The centre after some iterations, for the picture.
    course: Vec<(u32, Vec<f64>)>,
}

impl TuningProgress {
    /// The beginning of a tuning with this many games at a time.
    pub fn new(spsa: &Spsa, concurrency: usize) -> TuningProgress {
        let lag = u32::try_from(concurrency).unwrap_or(u32::MAX).clamp(1, u32::MAX / LAG) * LAG;
        let start = spsa.start();
        TuningProgress {
            lag,
            iterations: 0,
            centres: VecDeque::from([start.clone()]),
            ahead: Vec::new(),
            course: vec![(0, start)],
        }
    }

    /// Whether a tuning can be in this state.
    pub fn fits(&self, spsa: &Spsa) -> bool {
        let whole = |centre: &Vec<f64>| {
            let fits = |(knob, value): (&super::Knob, &f64)| knob.clamp(*value) == *value;
            centre.len() == spsa.knobs.len() && spsa.knobs.iter().zip(centre).all(fits)
        };
        let games = 2 * u64::from(self.iterations)..2 * u64::from(spsa.iterations);
        self.lag > 0
            && self.iterations <= spsa.iterations
            && self.centres.len() as u64 == 1 + u64::from(self.iterations.min(self.lag))
            && self.centres.iter().chain(self.course.iter().map(|(_, centre)| centre)).all(whole)
            && self.ahead.iter().all(|&(game, points)| games.contains(&u64::from(game)) && points <= 2)
    }
}

/// A tuning on its way.
#[derive(Debug)]
pub struct Tuning {
    spsa: Spsa,
    progress: TuningProgress,
    /// The game to hand out next, unless it is played already.
    next: u32,
}

impl Tuning {
    /// A tuning that goes on from `progress`, which [`TuningProgress::fits`].
    pub fn new(spsa: Spsa, progress: TuningProgress) -> Tuning {
        let next = 2 * progress.iterations;
        Tuning { spsa, progress, next }
    }

    /// What is tuned and how.
    pub const fn spsa(&self) -> &Spsa {
        &self.spsa
    }

    /// The progress to keep in order to continue later.
    pub const fn progress(&self) -> &TuningProgress {
        &self.progress
    }

    /// The values so far.
    pub fn centre(&self) -> &[f64] {
        self.progress.centres.back().map_or(&[], Vec::as_slice)
    }

    /// The values after some iterations, from the beginning to now.
    pub fn points(&self) -> impl Iterator<Item = (u32, &[f64])> {
        let progress = &self.progress;
        let points = progress.course.iter().map(|(iteration, centre)| (*iteration, centre.as_slice()));
        points.chain(std::iter::once((progress.iterations, self.centre())))
    }

    /// Games that are over.
    pub fn games(&self) -> u32 {
        2 * self.progress.iterations + self.progress.ahead.len() as u32
    }

    /// All games.
    pub const fn total(&self) -> u32 {
        2 * self.spsa.iterations
    }

    fn result(&self, game: u32) -> Option<u8> {
        self.progress.ahead.iter().find(|(number, _)| *number == game).map(|(_, points)| *points)
    }

    fn next(&mut self) -> NextGame {
        // Games that were over when the tuning was taken up are left out, of which a step forgets some.
        self.next = self.next.max(2 * self.progress.iterations);
        while self.result(self.next).is_some() {
            self.next += 1;
        }
        let (number, iteration) = (self.next, self.next / 2);
        if iteration >= self.spsa.iterations {
            return NextGame::Done;
        }
        if iteration > self.progress.iterations.saturating_add(self.progress.lag) {
            return NextGame::Wait;
        }
        self.next += 1;
        let (red, black) = if number % 2 == 0 { (PLUS, 1 - PLUS) } else { (1 - PLUS, PLUS) };
        NextGame::Play(ScheduledGame {
            number,
            round: iteration + 1,
            red,
            black,
            opening: iteration,
            pair: iteration,
        })
    }

    /// The options of one side for a game.
    fn settings(&self, task: &ScheduledGame, side: Side) -> OptionValues {
        let TuningProgress { lag, iterations, centres, .. } = &self.progress;
        let oldest = iterations + 1 - centres.len() as u32;
        let wanted = task.pair.saturating_sub(*lag);
        let Some(centre) = centres.get(wanted.saturating_sub(oldest) as usize) else {
            return OptionValues::new();
        };
        let wing = if player(task, side) == PLUS { SpsaSide::Plus } else { SpsaSide::Minus };
        let values = self.spsa.values(centre, task.pair, wing).into_iter().map(OptionValue::Spin);
        self.spsa.knobs.iter().map(|knob| knob.name.clone()).zip(values).collect()
    }

    /// Records a game, and each iteration that it completes.
    fn finished(&mut self, task: &ScheduledGame, red_half_points: u8) {
        let points = if task.red == PLUS { red_half_points } else { 2 - red_half_points };
        self.progress.ahead.push((task.number, points));
        let pair = |course: &Tuning| {
            let first = 2 * course.progress.iterations;
            Some(course.result(first)? + course.result(first + 1)?)
        };
        while let Some(points) = pair(self) {
            self.step(f64::from(points) - 2.0);
        }
    }

    /// Ends an iteration, which [`SpsaSide::Plus`] won by so many games.
    fn step(&mut self, result: f64) {
        let mut centre = self.centre().to_vec();
        let progress = &mut self.progress;
        self.spsa.step(&mut centre, progress.iterations, result);
        progress.iterations += 1;
        progress.ahead.retain(|&(game, _)| game >= 2 * progress.iterations);
        if progress.iterations.is_multiple_of(self.spsa.iterations.div_ceil(POINTS)) {
            progress.course.push((progress.iterations, centre.clone()));
        }
        progress.centres.push_back(centre);
        if progress.centres.len() as u64 > u64::from(progress.lag) + 1 {
            progress.centres.pop_front();
        }
    }
}

/// The engine that has a side.
fn player(task: &ScheduledGame, side: Side) -> usize {
    match side {
        Side::Red => task.red,
        Side::Black => task.black,
    }
}

/// Hands out the games of a course that others look at meanwhile.
#[derive(Debug)]
pub struct TuningSchedule<'a>(pub &'a RefCell<Tuning>);

impl GameSchedule for TuningSchedule<'_> {
    fn next(&mut self) -> NextGame {
        self.0.borrow_mut().next()
    }

    fn settings(&self, task: &ScheduledGame, side: Side) -> OptionValues {
        self.0.borrow().settings(task, side)
    }

    fn finished(&mut self, task: &ScheduledGame, red_half_points: u8) {
        self.0.borrow_mut().finished(task, red_half_points);
    }

    fn total(&self) -> Option<u32> {
        Some(self.0.borrow().total())
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::tune::Knob;

    fn spsa(iterations: u32) -> Spsa {
        let knob = |name: &str, start| Knob {
            name: name.to_owned(),
            start,
            least: 0,
            most: 100,
            bounds: [0, 100],
            c_end: 4.0,
            r_end: 0.05,
        };
        Spsa { knobs: vec![knob("a", 30), knob("b", 70)], iterations, seed: 7 }
    }

    fn course(iterations: u32) -> Tuning {
        let spsa = spsa(iterations);
        let progress = TuningProgress::new(&spsa, 2);
        Tuning::new(spsa, progress)
    }

    fn value(settings: &OptionValues, name: &str) -> f64 {
        settings[name].to_string().parse().unwrap()
    }

    /// Half points of red: the side nearer to (60, 40) wins, chance apart.
    fn play(course: &Tuning, task: &ScheduledGame) -> u8 {
        let far = |side| {
            let settings = course.settings(task, side);
            (value(&settings, "a") - 60.0).abs() + (value(&settings, "b") - 40.0).abs()
        };
        let mut chance = ChaCha8Rng::seed_from_u64(u64::from(task.number));
        let lead = far(Side::Black) - far(Side::Red) + chance.random_range(-20.0..20.0);
        if lead.abs() < 1.0 { 1 } else { 2 * u8::from(lead > 0.0) }
    }

    /// Plays up to `games` games, `concurrency` at a time, which end in an order by chance; those that are running
    /// in the end are lost.
    fn run(course: &mut Tuning, games: usize, concurrency: usize, order: u64) {
        let mut chance = ChaCha8Rng::seed_from_u64(order);
        let (mut running, mut played) = (Vec::new(), 0);
        while played < games {
            while running.len() < concurrency
                && let NextGame::Play(task) = course.next()
            {
                let points = play(course, &task);
                running.push((task, points));
            }
            if running.is_empty() {
                break;
            }
            let (task, points) = running.swap_remove(chance.random_range(0..running.len()));
            course.finished(&task, points);
            played += 1;
        }
    }

    #[test]
    fn a_tuning_depends_neither_on_chance_nor_on_interruptions() {
        let mut whole = course(300);
        run(&mut whole, usize::MAX, 2, 1);
        assert_eq!((whole.games(), whole.next()), (600, NextGame::Done));
        assert!((whole.centre()[0] - 60.0).abs() < 15.0 && (whole.centre()[1] - 40.0).abs() < 15.0);
        let mut part = course(300);
        for (round, concurrency) in [(2u64, 2), (3, 1), (4, 16)] {
            run(&mut part, 37, concurrency, round);
            assert!(part.progress().fits(part.spsa()));
            let text = serde_json::to_string(part.progress()).unwrap();
            let progress: TuningProgress = serde_json::from_str(&text).unwrap();
            assert_eq!(&progress, part.progress());
            assert_eq!(part.games() as u64, 37 * (round - 1), "no game is lost that was over");
            part = Tuning::new(spsa(300), progress);
        }
        run(&mut part, usize::MAX, 7, 5);
        assert_eq!(part.progress(), whole.progress());
        assert_eq!(part.points().count(), 150 + 2, "every other iteration, the first and the last");
    }

    #[test]
    fn both_sides_of_the_centre_have_both_colours_and_the_same_values() {
        let mut course = course(10);
        let mut task = || match course.next() {
            NextGame::Play(task) => task,
            other => panic!("{other:?}"),
        };
        let (first, second) = (task(), task());
        assert_eq!((first.opening, second.opening, first.red, second.black), (0, 0, 0, 0));
        for (one, other) in [(Side::Red, Side::Black), (Side::Black, Side::Red)] {
            assert_eq!(course.settings(&first, one), course.settings(&second, other));
        }
        let [plus, minus] = [Side::Red, Side::Black].map(|side| value(&course.settings(&first, side), "a"));
        let before = course.centre()[0];
        course.finished(&second, 0);
        assert_eq!(course.centre()[0], before, "half an iteration says nothing");
        course.finished(&first, 2);
        assert!((course.centre()[0] - before) * (plus - minus) > 0.0, "the centre goes to the winner");
    }

    #[test]
    fn nobody_runs_far_ahead() {
        let mut course = course(100);
        let handed = std::iter::from_fn(|| match course.next() {
            NextGame::Play(task) => Some(task),
            _ => None,
        });
        let handed: Vec<ScheduledGame> = handed.collect();
        assert_eq!((handed.len(), course.next()), (2 * (8 + 1), NextGame::Wait));
        course.finished(&handed[0], 1);
        assert_eq!(course.next(), NextGame::Wait);
        course.finished(&handed[1], 1);
        assert!(matches!(course.next(), NextGame::Play(_)));
    }

    #[test]
    fn a_state_that_cannot_be_is_noticed() {
        let spsa = spsa(50);
        let mut course = Tuning::new(spsa.clone(), TuningProgress::new(&spsa, 2));
        run(&mut course, 30, 2, 1);
        let fits = |change: fn(&mut TuningProgress)| {
            let mut progress = course.progress().clone();
            change(&mut progress);
            progress.fits(&spsa)
        };
        assert!(fits(|_| {}));
        assert!(!fits(|p| p.lag = 0));
        assert!(!fits(|p| p.iterations = 51));
        assert!(!fits(|p| p.centres.clear()));
        assert!(!fits(|p| p.centres[0][0] = f64::NAN));
        assert!(!fits(|p| p.centres[0][0] = 101.0));
        assert!(!fits(|p| p.course[0].1.truncate(1)));
        assert!(!fits(|p| p.ahead.push((0, 1))));
        assert!(!fits(|p| p.ahead.push((99, 3))));
    }
}
