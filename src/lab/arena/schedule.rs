//! Which games a match consists of, and in which order.

use serde::{Deserialize, Serialize};

use super::engine::OptionValues;
use xiangqi::types::Side;

/// One game to be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduledGame {
    /// Number of the game, from 0.
    pub number: u32,
    /// Round, from 1.
    pub round: u32,
    /// Engine with the red pieces.
    pub red: usize,
    /// Engine with the black pieces.
    pub black: usize,
    /// Number of the opening, from 0; it wraps round where there are fewer.
    pub opening: u32,
    /// Number of the pair of games, with colours exchanged, that this one belongs to.
    pub pair: u32,
}

/// What a schedule wants next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextGame {
    /// This game.
    Play(ScheduledGame),
    /// The results of running games.
    Wait,
    /// Nothing: the match is complete.
    Done,
}

/// Hands out the games of a match. The games handed out depend only on the results reported, so that a match can be
/// continued by reporting what was played.
pub trait GameSchedule {
    /// The next game to start.
    fn next(&mut self) -> NextGame;

    /// Options that a side is given for a game, in addition to those of its engine; asked once, when the game is handed out.
    fn settings(&self, _: &ScheduledGame, _: Side) -> OptionValues {
        OptionValues::new()
    }

    /// Records the result of a game: half points (0, 1 or 2) of red.
    fn finished(&mut self, task: &ScheduledGame, red_half_points: u8);

    /// Number of games, where it is known beforehand.
    fn total(&self) -> Option<u32>;
}

impl GameSchedule for Box<dyn GameSchedule> {
    fn next(&mut self) -> NextGame {
        (**self).next()
    }

    fn settings(&self, task: &ScheduledGame, side: Side) -> OptionValues {
        (**self).settings(task, side)
    }

    fn finished(&mut self, task: &ScheduledGame, red_half_points: u8) {
        (**self).finished(task, red_half_points);
    }

    fn total(&self) -> Option<u32> {
        (**self).total()
    }
}

/// Encounters that each consist of the same number of games: a match of two, a gauntlet, or a round robin.
#[derive(Debug, Clone)]
pub struct Encounters {
    pairings: Vec<(usize, usize)>,
    games: u32,
    next: u32,
}

impl Encounters {
    /// A match of the first engine against each of the others: `games` games an encounter.
    pub fn gauntlet(engines: usize, games: u32) -> Encounters {
        Encounters { pairings: (1..engines).map(|other| (0, other)).collect(), games, next: 0 }
    }

    /// Everybody against everybody, `games` games an encounter, in the order of the round-robin table (循环赛对局
    /// 秩序表): the first player stays, the others rotate.
    pub fn round_robin(engines: usize, games: u32) -> Encounters {
        let pairings = round_robin_rounds(engines).into_iter().flatten().collect();
        Encounters { pairings, games, next: 0 }
    }
}

/// The rounds of a round robin; with an odd number of players one rests in each.
pub fn round_robin_rounds(players: usize) -> Vec<Vec<(usize, usize)>> {
    let seats = players + players % 2;
    (1..seats)
        .map(|round| {
            let seat = |i: usize| if i == 0 { 0 } else { (i - 1 + round - 1) % (seats - 1) + 1 };
            (0..seats / 2)
                .map(|i| (seat(i), seat(seats - 1 - i)))
                // The fixed player has red in every other round; at the other tables the rotation alternates.
                .map(|(a, b)| if a == 0 && round % 2 == 0 { (b, a) } else { (a, b) })
                .filter(|&(a, b)| a < players && b < players)
                .collect()
        })
        .collect()
}

impl GameSchedule for Encounters {
    fn next(&mut self) -> NextGame {
        let encounters = self.pairings.len() as u32;
        if self.next >= encounters.saturating_mul(self.games) {
            return NextGame::Done;
        }
        let number = self.next;
        self.next += 1;
        // All encounters play their first pair, then all their second: an unfinished match is still balanced.
        let block = number / (2 * encounters);
        let games_of_pair = (self.games - 2 * block).min(2);
        let within = number % (2 * encounters);
        let (encounter, swapped) = (within / games_of_pair, within % games_of_pair == 1);
        let (a, b) = self.pairings[encounter as usize];
        let (red, black) = if swapped { (b, a) } else { (a, b) };
        let pair = block * encounters + encounter;
        NextGame::Play(ScheduledGame { number, round: block + 1, red, black, opening: block, pair })
    }

    fn finished(&mut self, _: &ScheduledGame, _: u8) {}

    fn total(&self) -> Option<u32> {
        (self.pairings.len() as u32).checked_mul(self.games)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    fn all(mut schedule: Encounters) -> Vec<ScheduledGame> {
        std::iter::from_fn(|| match schedule.next() {
            NextGame::Play(task) => Some(task),
            NextGame::Wait | NextGame::Done => None,
        })
        .collect()
    }

    #[test]
    fn pairs_exchange_colours_on_one_opening() {
        let tasks = all(Encounters::gauntlet(2, 5));
        let seen: Vec<_> = tasks.iter().map(|t| (t.red, t.black, t.opening, t.pair)).collect();
        assert_eq!(seen, [(0, 1, 0, 0), (1, 0, 0, 0), (0, 1, 1, 1), (1, 0, 1, 1), (0, 1, 2, 2)]);
    }

    #[test]
    fn everybody_meets_everybody_equally() {
        for engines in 2..9 {
            for games in 1..6 {
                let tasks = all(Encounters::round_robin(engines, games));
                assert_eq!(tasks.len(), engines * (engines - 1) / 2 * games as usize);
                let mut met: BTreeMap<(usize, usize), u32> = BTreeMap::new();
                let mut pairs: BTreeMap<u32, Vec<ScheduledGame>> = BTreeMap::new();
                for task in tasks {
                    *met.entry((task.red.min(task.black), task.red.max(task.black))).or_default() += 1;
                    pairs.entry(task.pair).or_default().push(task);
                }
                assert!(met.values().all(|&n| n == games));
                for pair in pairs.values().filter(|pair| pair.len() == 2) {
                    assert_eq!((pair[0].red, pair[0].opening), (pair[1].black, pair[1].opening));
                }
            }
        }
    }

    #[test]
    fn in_each_round_everybody_plays_once() {
        for players in 2..12 {
            let rounds = round_robin_rounds(players);
            assert_eq!(rounds.len(), players - 1 + players % 2);
            for round in rounds {
                let seats: BTreeSet<usize> = round.iter().flat_map(|&(a, b)| [a, b]).collect();
                assert_eq!(seats.len(), round.len() * 2);
                assert_eq!(round.len(), players / 2);
            }
        }
    }
}
