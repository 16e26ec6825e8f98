//! The Swiss system (积分编排制): in each round players with like points meet, and no two players meet twice.

use super::standings::{Played, Scoring, TieBreak, byes, standings};
use super::waves::{Pairing, Planner};

/// Attempts at a pairing without repeated meetings before one is allowed.
const PATIENCE: u32 = 50_000;

/// A Swiss tournament.
#[derive(Debug, Clone)]
pub struct Swiss {
    players: usize,
    rounds: u32,
    games: u32,
    scoring: Scoring,
}

/// What pairing needs to know of a player.
#[derive(Debug, Clone, Default)]
struct Card {
    opponents: Vec<usize>,
    /// Games with red less games with black.
    balance: i32,
    /// 1 after a game with red, -1 after one with black.
    last: i32,
}

impl Swiss {
    /// A tournament of `rounds` rounds, `games` games (1, or 2 with colours exchanged) a meeting.
    pub const fn new(players: usize, rounds: u32, games: u32, scoring: Scoring) -> Swiss {
        Swiss { players, rounds, games, scoring }
    }

    /// Enough rounds to find a winner and to place those behind him: one more than a knockout needs.
    pub const fn usual_rounds(players: usize) -> u32 {
        players.next_power_of_two().trailing_zeros() + 1
    }

    fn cards(&self, played: &[Played]) -> Vec<Card> {
        let mut cards = vec![Card::default(); self.players];
        for game in played {
            for (player, other, colour) in [(game.red, game.black, 1), (game.black, game.red, -1)] {
                let card = &mut cards[player];
                card.opponents.push(other);
                card.balance += colour;
                card.last = colour;
            }
        }
        cards
    }
}

impl Planner for Swiss {
    fn wave(&mut self, played: &[Played]) -> Vec<Pairing> {
        let round = played.iter().map(|game| game.round).max().unwrap_or(0) + 1;
        if round > self.rounds || self.players < 2 {
            return Vec::new();
        }
        let free = byes(self.players, self.games, played);
        let table = standings(self.players, played, &free, self.scoring, &TieBreak::SWISS);
        let mut order: Vec<usize> = table.iter().map(|standing| standing.player).collect();
        if order.len() % 2 == 1 {
            // The last in the table who has not yet been free.
            let last = order.iter().rposition(|player| !free.contains(player)).unwrap_or(order.len() - 1);
            order.remove(last);
        }
        if played.is_empty() {
            // The first round: the upper half against the lower.
            let half = order.len() / 2;
            order = (0..half).flat_map(|i| [order[i], order[i + half]]).collect();
        }
        let cards = self.cards(played);
        let mut pairs = Vec::new();
        let mut patience = PATIENCE;
        if !pair(&order, &cards, &mut pairs, &mut patience) {
            pairs = order.chunks_exact(2).map(|two| (two[0], two[1])).collect();
        }
        let colours = |(i, (a, b)): (usize, (usize, usize))| {
            let (red, black) = if prefers_red(&cards[a], &cards[b], i) { (a, b) } else { (b, a) };
            Pairing { red, black, games: self.games, round }
        };
        pairs.into_iter().enumerate().map(colours).collect()
    }
}

/// Pairs neighbours in `order`, going further down where two have met; `false` when there is no way, or not found
/// in time.
fn pair(order: &[usize], cards: &[Card], pairs: &mut Vec<(usize, usize)>, patience: &mut u32) -> bool {
    let Some((&first, rest)) = order.split_first() else { return true };
    for (i, &other) in rest.iter().enumerate() {
        if cards[first].opponents.contains(&other) {
            continue;
        }
        if *patience == 0 {
            return false;
        }
        *patience -= 1;
        let remaining: Vec<usize> = rest[..i].iter().chain(&rest[i + 1..]).copied().collect();
        pairs.push((first, other));
        if pair(&remaining, cards, pairs, patience) {
            return true;
        }
        pairs.pop();
    }
    false
}

/// Whether the first of two players gets red: the one who had it less often, or not last; otherwise colours alternate
/// from board to board.
fn prefers_red(a: &Card, b: &Card, board: usize) -> bool {
    let key = |card: &Card| (card.balance, card.last);
    match key(a).cmp(&key(b)) {
        std::cmp::Ordering::Less => true,
        std::cmp::Ordering::Greater => false,
        std::cmp::Ordering::Equal => board.is_multiple_of(2),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Plays a tournament in which the player with the lower number wins.
    fn played_out(players: usize, rounds: u32) -> Vec<Played> {
        let mut swiss = Swiss::new(players, rounds, 1, Scoring::Half);
        let mut played: Vec<Played> = Vec::new();
        loop {
            let wave = swiss.wave(&played);
            if wave.is_empty() {
                return played;
            }
            played.extend(wave.iter().map(|p| Played {
                red: p.red,
                black: p.black,
                round: p.round,
                red_half_points: if p.red < p.black { 2 } else { 0 },
                fouls: [0, 0],
            }));
        }
    }

    #[test]
    fn nobody_meets_twice_and_everybody_plays() {
        for players in 2..20 {
            let rounds = Swiss::usual_rounds(players).min(players as u32 - 1);
            let played = played_out(players, rounds);
            assert_eq!(played.len(), players / 2 * rounds as usize, "{players}");
            let met: BTreeSet<_> = played.iter().map(|g| (g.red.min(g.black), g.red.max(g.black))).collect();
            assert_eq!(met.len(), played.len(), "{players}: a meeting repeated");
            let free = byes(players, 1, &played);
            assert_eq!(free.len(), if players % 2 == 1 { rounds as usize } else { 0 });
            assert_eq!(free.iter().collect::<BTreeSet<_>>().len(), free.len(), "{players}: free twice");
        }
    }

    #[test]
    fn the_strongest_wins_and_colours_are_shared() {
        let played = played_out(16, 5);
        let table = standings(16, &played, &[], Scoring::Half, &TieBreak::SWISS);
        assert_eq!((table[0].player, table[0].units), (0, 10));
        for player in 0..16 {
            let reds = played.iter().filter(|g| g.red == player).count();
            assert!((1..=4).contains(&reds), "player {player}: {reds} times red in 5 rounds");
        }
    }

    #[test]
    fn more_rounds_than_opponents_repeat_meetings() {
        assert_eq!(played_out(2, 3).len(), 3);
    }

    #[test]
    fn usual_numbers_of_rounds() {
        assert_eq!([2, 8, 9, 16].map(Swiss::usual_rounds), [2, 4, 5, 5]);
    }
}
