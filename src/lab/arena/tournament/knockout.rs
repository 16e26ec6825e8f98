//! Knockout (淘汰制): the loser of a meeting is out.

use std::collections::BTreeMap;

use super::standings::Played;
use super::waves::{Pairing, Planner};

/// Extra pairs of games after a level meeting before a single game decides.
const EXTRA_PAIRS: u32 = 2;

/// A knockout. Players are seeded in their order; the first get a bye where the field is not a power of two. A level
/// meeting is followed by up to two more pairs of games, then by a single game in which the better seed has red and a
/// draw counts for black.
#[derive(Debug, Clone)]
pub struct Knockout {
    players: usize,
    games: u32,
}

/// The state of one meeting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meeting {
    /// More games are needed: this many.
    Open { games: u32 },
    /// This player advances.
    Won(usize),
}

impl Knockout {
    /// A knockout with meetings of `games` games each.
    pub const fn new(players: usize, games: u32) -> Knockout {
        Knockout { players, games }
    }

    /// The seeds of the first round in the order of the bracket: 1 against the last, and so on, so that the best meet
    /// last.
    fn bracket(size: usize) -> Vec<usize> {
        let mut order = vec![0];
        while order.len() < size {
            let doubled = order.len() * 2;
            order = order.into_iter().flat_map(|seed| [seed, doubled - 1 - seed]).collect();
        }
        order
    }

    /// The state of the meeting of `a` (who has red first) and `b` after its games.
    fn meeting(&self, a: usize, b: usize, games: &[Played]) -> Meeting {
        let points = |games: &[Played]| -> (u32, u32) {
            games.iter().fold((0, 0), |(x, y), game| {
                let (red, black) = (u32::from(game.red_half_points), u32::from(2 - game.red_half_points));
                if game.red == a { (x + red, y + black) } else { (x + black, y + red) }
            })
        };
        let regular = self.games as usize;
        let decider = regular + 2 * EXTRA_PAIRS as usize;
        let mut complete = regular;
        loop {
            if games.len() < complete {
                return Meeting::Open { games: (complete - games.len()) as u32 };
            }
            let (x, y) = points(&games[..complete]);
            if x != y {
                return Meeting::Won(if x > y { a } else { b });
            }
            if complete > decider {
                // Level after the game that decides: it was drawn, and black wins.
                return Meeting::Won(games[complete - 1].black);
            }
            complete += if complete == decider { 1 } else { 2 };
        }
    }

    /// The meetings so far, round by round, and who won them.
    pub fn meetings(&self, played: &[Played]) -> Vec<Tie> {
        let mut by_meeting: BTreeMap<(usize, usize), Vec<Played>> = BTreeMap::new();
        for &game in played {
            by_meeting.entry((game.red.min(game.black), game.red.max(game.black))).or_default().push(game);
        }
        let size = self.players.next_power_of_two();
        let mut field: Vec<Option<usize>> =
            Knockout::bracket(size).into_iter().map(|seed| (seed < self.players).then_some(seed)).collect();
        let (mut ties, mut round) = (Vec::new(), 1);
        while field.len() > 1 {
            let mut next = Vec::new();
            for two in field.chunks_exact(2) {
                let (a, b) = match (two[0], two[1]) {
                    (Some(a), Some(b)) => (a.min(b), a.max(b)),
                    (one, other) => {
                        next.push(one.or(other));
                        continue;
                    }
                };
                let games = by_meeting.get(&(a, b)).map_or(&[][..], Vec::as_slice);
                let meeting = self.meeting(a, b, games);
                if let Meeting::Won(winner) = meeting {
                    next.push(Some(winner));
                }
                ties.push(Tie { round, players: [a, b], meeting });
            }
            // A round begins when the one before is over.
            if ties.iter().any(|tie| tie.winner().is_none()) {
                break;
            }
            (field, round) = (next, round + 1);
        }
        ties
    }
}

/// A meeting of two players in one round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tie {
    /// The round, from 1.
    pub round: u32,
    /// The players, the better seed first.
    pub players: [usize; 2],
    meeting: Meeting,
}

impl Tie {
    /// The player who advances, if that is decided.
    pub const fn winner(&self) -> Option<usize> {
        match self.meeting {
            Meeting::Won(winner) => Some(winner),
            Meeting::Open { .. } => None,
        }
    }
}

impl Planner for Knockout {
    fn wave(&mut self, played: &[Played]) -> Vec<Pairing> {
        let open = |tie: Tie| match tie.meeting {
            Meeting::Open { games } => {
                let [red, black] = tie.players;
                Some(Pairing { red, black, games, round: tie.round })
            }
            Meeting::Won(_) => None,
        };
        self.meetings(played).into_iter().filter_map(open).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play_out(players: usize, games: u32, half_points: impl Fn(usize, usize) -> u8) -> Vec<Played> {
        let mut knockout = Knockout::new(players, games);
        let mut played: Vec<Played> = Vec::new();
        loop {
            let wave = knockout.wave(&played);
            if wave.is_empty() {
                return played;
            }
            for pairing in wave {
                for game in 0..pairing.games {
                    let (red, black) = if game % 2 == 0 {
                        (pairing.red, pairing.black)
                    } else {
                        (pairing.black, pairing.red)
                    };
                    let red_half_points = half_points(red, black);
                    played.push(Played { red, black, round: pairing.round, red_half_points, fouls: [0, 0] });
                }
            }
        }
    }

    #[test]
    fn the_bracket_keeps_the_best_apart() {
        assert_eq!(Knockout::bracket(8), [0, 7, 3, 4, 1, 6, 2, 5]);
    }

    #[test]
    fn the_stronger_goes_on() {
        for players in 2..17 {
            let played = play_out(players, 2, |red, black| if red < black { 2 } else { 0 });
            assert_eq!(played.len(), 2 * (players - 1), "{players}");
            let last = played.last().unwrap();
            assert_eq!((last.red.min(last.black), last.red.max(last.black)), (0, 1), "{players}");
        }
    }

    #[test]
    fn level_meetings_go_on_until_black_draws() {
        let played = play_out(2, 2, |_, _| 1);
        // Two games, two extra pairs, one game that decides.
        assert_eq!(played.len(), 7);
        let mut knockout = Knockout::new(2, 2);
        assert_eq!(knockout.meeting(0, 1, &played), Meeting::Won(1));
        assert_eq!(knockout.wave(&played[..2]), [Pairing { red: 0, black: 1, games: 2, round: 1 }]);
        assert_eq!(knockout.wave(&played[..6]), [Pairing { red: 0, black: 1, games: 1, round: 1 }]);
    }
}
