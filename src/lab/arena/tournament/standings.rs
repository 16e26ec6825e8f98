//! Places in a tournament, with the tie-breaks of the rule book (1999, articles 14 and 15).
//!
//! Round robin (15.1): points, then 小分, wins, direct result, fouls. Swiss system (15.2): points, then 对手分, wins,
//! fouls. Players who cannot be told apart share a place.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use xiangqi::types::Side;

/// How games are counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Scoring {
    /// 1 for a win, ½ for a draw (1999, 14.1).
    #[default]
    #[value(name = "1-half-0")]
    #[serde(rename = "1-half-0")]
    Half,
    /// 2 for a win, 1 for a draw.
    #[value(name = "2-1-0")]
    #[serde(rename = "2-1-0")]
    Two,
    /// The system of 2007: 3 for a win, a draw counts 1 for red and 2 for black; red has more time in return.
    #[value(name = "2007")]
    #[serde(rename = "2007")]
    Black2007,
}

impl Scoring {
    /// Units of a game for a side with these half points (0, 1, 2): half points under [`Scoring::Half`], points
    /// under the others.
    pub const fn units(self, half_points: u8, side: Side) -> u32 {
        match (self, half_points, side) {
            (_, 0, _) => 0,
            (Scoring::Half | Scoring::Two, 1, _) | (Scoring::Black2007, 1, Side::Red) => 1,
            (Scoring::Black2007, 1, Side::Black) | (Scoring::Half | Scoring::Two, _, _) => 2,
            (Scoring::Black2007, _, _) => 3,
        }
    }

    /// Units as points are written.
    pub fn show(self, units: u32) -> String {
        match self {
            Scoring::Half => halves(units),
            Scoring::Two | Scoring::Black2007 => units.to_string(),
        }
    }
}

/// A number of halves as people write it.
fn halves(halves: u32) -> String {
    match (halves / 2, halves % 2) {
        (whole, 0) => whole.to_string(),
        (0, _) => "½".to_owned(),
        (whole, _) => format!("{whole}½"),
    }
}

/// A finished game in the form that standings need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Played {
    /// Who had red.
    pub red: usize,
    /// Who had black.
    pub black: usize,
    /// The round, from 1.
    pub round: u32,
    /// Half points of red: 0, 1, 2.
    pub red_half_points: u8,
    /// Fouls of red and black.
    pub fouls: [u32; 2],
}

impl Played {
    /// The game as one player saw it: opponent, half points, side, fouls; `None` if the player was not in it.
    fn seen_by(&self, player: usize) -> Option<(usize, u8, Side, u32)> {
        if player == self.red {
            Some((self.black, self.red_half_points, Side::Red, self.fouls[0]))
        } else if player == self.black {
            Some((self.red, 2 - self.red_half_points, Side::Black, self.fouls[1]))
        } else {
            None
        }
    }
}

/// What separates players with the same points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TieBreak {
    /// 小分: the points of the opponents beaten, and half the points of those drawn with, game by game.
    Beaten,
    /// 对手分: the points of all opponents, game by game.
    Opponents,
    /// 胜局: games won.
    Wins,
    /// 直胜: points from the games among the players that are still level.
    Direct,
    /// 犯规: fewer fouls.
    Fouls,
}

impl TieBreak {
    /// The tie-breaks of a round robin in their order (15.1).
    pub const ROUND_ROBIN: [TieBreak; 4] =
        [TieBreak::Beaten, TieBreak::Wins, TieBreak::Direct, TieBreak::Fouls];

    /// The tie-breaks of the Swiss system in their order (15.2).
    pub const SWISS: [TieBreak; 3] = [TieBreak::Opponents, TieBreak::Wins, TieBreak::Fouls];

    /// A value as it is written in a table.
    pub fn show(self, value: u32, scoring: Scoring) -> String {
        match self {
            // In halves of units.
            TieBreak::Beaten => match scoring {
                Scoring::Half if value.is_multiple_of(2) => halves(value / 2),
                Scoring::Half => format!("{:.2}", f64::from(value) / 4.0),
                Scoring::Two | Scoring::Black2007 => halves(value),
            },
            TieBreak::Opponents | TieBreak::Direct => scoring.show(value),
            TieBreak::Wins | TieBreak::Fouls => value.to_string(),
        }
    }

    /// The name of the tie-break in Chinese and English.
    pub const fn name(self) -> &'static str {
        match self {
            TieBreak::Beaten => "小分 beaten",
            TieBreak::Opponents => "对手分 opponents",
            TieBreak::Wins => "胜局 wins",
            TieBreak::Direct => "直胜 direct",
            TieBreak::Fouls => "犯规 fouls",
        }
    }
}

/// The place of one player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The player.
    pub player: usize,
    /// Place from 1, the same for players that cannot be told apart.
    pub place: usize,
    /// Units of points.
    pub units: u32,
    /// Games won, drawn, lost.
    pub results: [u32; 3],
    /// Value of each tie-break, in the order given. 小分 is in halves of units; 直胜 is missing where it was not
    /// asked.
    pub values: Vec<Option<u32>>,
    /// The tie-break that puts this player behind the one before; `None` where points do, or nothing.
    pub behind_by: Option<TieBreak>,
}

/// Players that had a bye (轮空), once for each game of a meeting in each round: in a finished round of an odd field, the
/// one without a game has won a whole meeting of `games` games.
pub fn byes(players: usize, games: u32, played: &[Played]) -> Vec<usize> {
    let last = played.iter().map(|game| game.round).max().unwrap_or(0);
    if players.is_multiple_of(2) {
        return Vec::new();
    }
    (1..=last)
        .filter_map(|round| {
            let in_round = |player: &usize| {
                played.iter().any(|game| game.round == round && game.seen_by(*player).is_some())
            };
            let idle: Vec<usize> = (0..players).filter(|player| !in_round(player)).collect();
            if let [player] = idle[..] { Some(player) } else { None }
        })
        .flat_map(|player| std::iter::repeat_n(player, games as usize))
        .collect()
}

/// Places after the games played. A bye in `byes` counts as a win without an opponent.
pub fn standings(
    players: usize,
    played: &[Played],
    byes: &[usize],
    scoring: Scoring,
    tie_breaks: &[TieBreak],
) -> Vec<Standing> {
    let units: Vec<u32> = (0..players)
        .map(|player| {
            let games = played.iter().filter_map(|game| game.seen_by(player));
            let free = byes.iter().filter(|&&free| free == player).count() as u32;
            games.map(|(_, half, side, _)| scoring.units(half, side)).sum::<u32>()
                + free * scoring.units(2, Side::Red)
        })
        .collect();
    let mut table: Vec<Standing> = (0..players)
        .map(|player| Standing {
            player,
            place: 0,
            units: units[player],
            results: results(player, played),
            values: vec![None; tie_breaks.len()],
            behind_by: None,
        })
        .collect();
    table.sort_by_key(|standing| std::cmp::Reverse(standing.units));
    settle(&mut table, 0, tie_breaks, played, &units, scoring);
    // Players who are level in everything share the place of the first of them.
    for i in 0..table.len() {
        let level = i > 0 && table[i].units == table[i - 1].units && table[i].behind_by.is_none();
        table[i].place = if level { table[i - 1].place } else { i + 1 };
    }
    table
}

fn results(player: usize, played: &[Played]) -> [u32; 3] {
    let mut results = [0; 3];
    for (_, half, ..) in played.iter().filter_map(|game| game.seen_by(player)) {
        results[usize::from(2 - half)] += 1;
    }
    results
}

/// Orders each run of players with equal points (or equal in all tie-breaks before `depth`) by the next tie-break.
fn settle(
    table: &mut [Standing],
    depth: usize,
    tie_breaks: &[TieBreak],
    played: &[Played],
    units: &[u32],
    scoring: Scoring,
) {
    let Some(&tie_break) = tie_breaks.get(depth) else { return };
    let level = |a: &Standing, b: &Standing| match depth {
        0 => a.units == b.units,
        _ => a.values[depth - 1] == b.values[depth - 1],
    };
    for run in table.chunk_by_mut(level) {
        let group: Vec<usize> = run.iter().map(|standing| standing.player).collect();
        let needed = tie_break != TieBreak::Direct || group.len() > 1;
        for standing in run.iter_mut().filter(|_| needed) {
            let value = value(tie_break, standing.player, &group, played, units, scoring);
            standing.values[depth] = Some(value);
        }
        let order = |a: &Standing, b: &Standing| match tie_break {
            TieBreak::Fouls => a.values[depth].cmp(&b.values[depth]),
            _ => b.values[depth].cmp(&a.values[depth]),
        };
        run.sort_by(order);
        for i in 1..run.len() {
            if order(&run[i - 1], &run[i]) == Ordering::Less {
                run[i].behind_by = Some(tie_break);
            }
        }
        settle(run, depth + 1, tie_breaks, played, units, scoring);
    }
}

fn value(
    tie_break: TieBreak,
    player: usize,
    group: &[usize],
    played: &[Played],
    units: &[u32],
    scoring: Scoring,
) -> u32 {
    let games = played.iter().filter_map(|game| game.seen_by(player));
    match tie_break {
        TieBreak::Beaten => games.map(|(other, half, ..)| u32::from(half) * units[other]).sum(),
        TieBreak::Opponents => games.map(|(other, ..)| units[other]).sum(),
        TieBreak::Wins => games.filter(|&(_, half, ..)| half == 2).count() as u32,
        TieBreak::Direct => games
            .filter(|(other, ..)| group.contains(other))
            .map(|(_, half, side, _)| scoring.units(half, side))
            .sum(),
        TieBreak::Fouls => games.map(|(.., fouls)| fouls).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(red: usize, black: usize, red_half_points: u8) -> Played {
        Played { red, black, round: 1, red_half_points, fouls: [0, 0] }
    }

    fn order(table: &[Standing]) -> Vec<(usize, usize)> {
        table.iter().map(|standing| (standing.place, standing.player)).collect()
    }

    fn round_robin(games: &[Played], players: usize) -> Vec<Standing> {
        standings(players, games, &[], Scoring::Half, &TieBreak::ROUND_ROBIN)
    }

    #[test]
    fn scoring_systems() {
        let units = |scoring: Scoring| {
            [(2, Side::Red), (1, Side::Red), (1, Side::Black), (0, Side::Black)]
                .map(|(h, s)| scoring.units(h, s))
        };
        assert_eq!(units(Scoring::Half), [2, 1, 1, 0]);
        assert_eq!(units(Scoring::Two), [2, 1, 1, 0]);
        assert_eq!(units(Scoring::Black2007), [3, 1, 2, 0]);
        assert_eq!(["½", "1½"], [1, 3].map(|n| Scoring::Half.show(n)).each_ref().map(String::as_str));
    }

    #[test]
    fn small_points_come_first() {
        // 0 beats 1 and 2, loses to 3: 2 points. 1 beats 2 and 3, loses to 0: 2 points.
        // 2 beats 3: 1 point. 3 beats 0: 1 point.
        let games =
            [game(0, 1, 2), game(0, 2, 2), game(3, 0, 2), game(1, 2, 2), game(1, 3, 2), game(2, 3, 2)];
        let table = round_robin(&games, 4);
        // 0's beaten opponents have 2 + 1 points, 1's have 1 + 1: in halves of half points 2*(4+2) and 2*(2+2).
        assert_eq!(order(&table), [(1, 0), (2, 1), (3, 3), (4, 2)]);
        assert_eq!(table[0].values[0], Some(12));
        assert_eq!(table[1].values[0], Some(8));
        assert_eq!(table[1].behind_by, Some(TieBreak::Beaten));
        // 3 beat the first (2 points), 2 beat the last (1 point).
        assert_eq!((table[2].values[0], table[3].values[0]), (Some(8), Some(4)));
    }

    #[test]
    fn direct_result_after_wins() {
        // Three players, two games each pair: 0 beats 1 once and draws once, both share with 2 alike.
        let games =
            [game(0, 1, 1), game(1, 0, 1), game(0, 2, 2), game(2, 0, 2), game(1, 2, 2), game(2, 1, 2)];
        let table = round_robin(&games, 3);
        // 0 and 1: points 2, small points equal, wins equal, direct result equal: shared.
        let shared: Vec<_> = table.iter().filter(|s| s.player != 2).map(|s| s.place).collect();
        assert_eq!(shared[0], shared[1]);
        let games = [game(0, 1, 2), game(1, 2, 2), game(2, 0, 2)];
        let circle = round_robin(&games, 3);
        assert!(circle.iter().all(|standing| standing.place == 1), "{circle:?}");
    }

    #[test]
    fn fewer_fouls_decide_last() {
        let mut games = [game(0, 1, 2), game(1, 0, 2)];
        games[0].fouls = [1, 0];
        let table = round_robin(&games, 2);
        assert_eq!(order(&table), [(1, 1), (2, 0)]);
        assert_eq!(table[1].behind_by, Some(TieBreak::Fouls));
    }

    #[test]
    fn swiss_counts_opponents_and_byes() {
        // Round 1: 0 beats 1, 2 is free. Round 2: 2 beats 0, 1 is free.
        let mut games = [game(0, 1, 2), game(0, 2, 0)];
        games[1].round = 2;
        assert_eq!(byes(3, 1, &games), [2, 1]);
        let table = standings(3, &games, &byes(3, 1, &games), Scoring::Two, &TieBreak::SWISS);
        assert_eq!(order(&table), [(1, 2), (2, 0), (3, 1)]);
        // 0 met both others: 2 + 4 points; 1 met 0 only.
        assert_eq!(table[1].values[0], Some(6));
        assert_eq!(table[2].values[0], Some(2));
        assert_eq!(table[2].behind_by, Some(TieBreak::Opponents));
    }

    #[test]
    fn a_bye_is_a_whole_meeting() {
        // Two games a meeting: 0 beats 1 twice while 2 is free.
        let games = [game(0, 1, 2), game(1, 0, 0)];
        assert_eq!(byes(3, 2, &games), [2, 2]);
        let table = standings(3, &games, &byes(3, 2, &games), Scoring::Two, &TieBreak::SWISS);
        let units: Vec<_> = table.iter().map(|standing| (standing.player, standing.units)).collect();
        assert_eq!(units, [(0, 4), (2, 4), (1, 0)]);
    }

    #[test]
    fn draws_of_2007_favour_black() {
        let table = standings(2, &[game(0, 1, 1)], &[], Scoring::Black2007, &TieBreak::ROUND_ROBIN);
        assert_eq!((order(&table), table[0].units, table[1].units), (vec![(1, 1), (2, 0)], 2, 1));
    }
}
