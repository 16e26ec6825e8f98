//! Schedules in which what is played next depends on the results so far.

use std::collections::{BTreeMap, VecDeque};

use super::super::schedule::{GameSchedule, NextGame, ScheduledGame};
use super::standings::Played;

/// A meeting of two players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pairing {
    /// Who has red first.
    pub red: usize,
    /// Who has black first.
    pub black: usize,
    /// Games from one opening: 1, or 2 with colours exchanged.
    pub games: u32,
    /// The round it belongs to, from 1.
    pub round: u32,
}

/// Plans a tournament wave by wave.
pub trait Planner {
    /// The meetings that follow the games played so far, all of which are finished; none at the end. Called with
    /// the same games it answers the same.
    fn wave(&mut self, played: &[Played]) -> Vec<Pairing>;
}

/// Hands out the games of a planner. A wave begins when the one before is finished, so that the numbers of games do not
/// depend on which game ends first, and an interrupted tournament can be continued.
#[derive(Debug)]
pub struct Waves<P> {
    planner: P,
    ready: VecDeque<ScheduledGame>,
    /// Results by number of the game.
    played: BTreeMap<u32, Played>,
    issued: u32,
    openings: u32,
}

impl<P: Planner> Waves<P> {
    /// The games of `planner`.
    pub fn new(planner: P) -> Waves<P> {
        Waves { planner, ready: VecDeque::new(), played: BTreeMap::new(), issued: 0, openings: 0 }
    }

    fn plan(&mut self) {
        let played: Vec<Played> = self.played.values().copied().collect();
        for pairing in self.planner.wave(&played) {
            let Pairing { red, black, games, round } = pairing;
            for game in 0..games {
                let (red, black) = if game % 2 == 0 { (red, black) } else { (black, red) };
                let opening = self.openings + game / 2;
                self.ready.push_back(ScheduledGame {
                    number: self.issued,
                    round,
                    red,
                    black,
                    opening,
                    pair: opening,
                });
                self.issued += 1;
            }
            self.openings += games.div_ceil(2);
        }
    }
}

impl<P: Planner> GameSchedule for Waves<P> {
    fn next(&mut self) -> NextGame {
        if self.ready.is_empty() && self.played.len() as u32 == self.issued {
            self.plan();
        }
        match self.ready.pop_front() {
            Some(task) => NextGame::Play(task),
            None if self.played.len() as u32 == self.issued => NextGame::Done,
            None => NextGame::Wait,
        }
    }

    fn finished(&mut self, task: &ScheduledGame, red_half_points: u8) {
        let ScheduledGame { red, black, round, .. } = *task;
        self.played.insert(task.number, Played { red, black, round, red_half_points, fouls: [0, 0] });
    }

    fn total(&self) -> Option<u32> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Twice;

    impl Planner for Twice {
        fn wave(&mut self, played: &[Played]) -> Vec<Pairing> {
            let round = played.len() as u32 / 2 + 1;
            if round > 2 { Vec::new() } else { vec![Pairing { red: 0, black: 1, games: 2, round }] }
        }
    }

    #[test]
    fn a_wave_waits_for_the_one_before() {
        let mut waves = Waves::new(Twice);
        let mut take = || match waves.next() {
            NextGame::Play(task) => Ok(task),
            other => Err(other),
        };
        let (first, second) = (take().unwrap(), take().unwrap());
        assert_eq!((first.red, second.red, first.opening, second.opening), (0, 1, 0, 0));
        assert_eq!(take(), Err(NextGame::Wait));
        waves.finished(&second, 1);
        assert_eq!(waves.next(), NextGame::Wait);
        waves.finished(&first, 1);
        let NextGame::Play(third) = waves.next() else { panic!("no second wave") };
        assert_eq!((third.number, third.round, third.opening), (2, 2, 1));
        let NextGame::Play(fourth) = waves.next() else { panic!("no second game") };
        waves.finished(&third, 2);
        waves.finished(&fourth, 0);
        assert_eq!(waves.next(), NextGame::Done);
    }
}
