//! Counts of results: single games, and pairs of games from one opening.

use serde::{Deserialize, Serialize};

/// Wins, draws and losses of one player.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameTally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl GameTally {
    /// Counts one game worth `half_points` (0 loss, 1 draw, 2 win) to the player.
    pub const fn add(&mut self, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Number of games.
    pub const fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Mean score of a game, 0 to 1; one half where there are no games.
    pub fn score(self) -> f64 {
        if self.games() == 0 {
            return 0.5;
        }
        (self.wins as f64 + self.draws as f64 / 2.0) / self.games() as f64
    }

    /// Share of drawn games, 0 to 1.
    pub fn draw_rate(self) -> f64 {
        if self.games() == 0 { 0.0 } else { self.draws as f64 / self.games() as f64 }
    }

    /// The same games as the opponent sees them.
    pub const fn reversed(self) -> GameTally {
        GameTally { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// The games as a sample of scores.
    pub fn sample(self) -> ScoreSample {
        ScoreSample { counts: vec![self.losses as f64, self.draws as f64, self.wins as f64], games_a_draw: 1 }
    }
}

/// Pairs of games by their sum of points: 0, ½, 1, 1½ or 2. Both games of a pair start from one opening, with
/// colours exchanged, so their results depend on each other and the pair is the unit of the statistics.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Counts a pair whose two games brought `half_points` (0 to 4) together.
    pub const fn add(&mut self, half_points: u8) {
        self.0[if half_points > 4 { 4 } else { half_points as usize }] += 1;
    }

    /// Number of pairs.
    pub fn count(self) -> u64 {
        self.0.iter().sum()
    }

    /// The same pairs as the opponent sees them.
    pub const fn reversed(self) -> Pentanomial {
        let [a, b, c, d, e] = self.0;
        Pentanomial([e, d, c, b, a])
    }

    /// The pairs as a sample of scores.
    pub fn sample(self) -> ScoreSample {
        ScoreSample { counts: self.0.iter().map(|&n| n as f64).collect(), games_a_draw: 2 }
    }
}

/// A sample of evenly spaced scores from 0 to 1, each drawn from one or two games.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreSample {
    /// How often each score was seen, lowest first.
    pub counts: Vec<f64>,
    /// Games behind one observation: 1 for single games, 2 for pairs.
    pub games_a_draw: u32,
}

impl ScoreSample {
    /// Number of observations.
    pub fn size(&self) -> f64 {
        self.counts.iter().sum()
    }

    /// Score of the i-th cell.
    pub fn score(&self, i: usize) -> f64 {
        i as f64 / (self.counts.len() - 1) as f64
    }

    /// Pairs of score and probability, as observed.
    pub fn distribution(&self) -> Vec<(f64, f64)> {
        let size = self.size();
        self.counts.iter().enumerate().map(|(i, n)| (self.score(i), n / size)).collect()
    }

    /// The sample with every empty cell given a thousandth of an observation, so that no outcome counts as
    /// impossible and every likelihood is finite.
    pub fn without_empty_cells(mut self) -> ScoreSample {
        for count in &mut self.counts {
            *count = count.max(1e-3);
        }
        self
    }
}

/// Mean and variance of a distribution of (value, probability).
pub(super) fn moments(distribution: &[(f64, f64)]) -> (f64, f64) {
    let mean: f64 = distribution.iter().map(|(a, p)| a * p).sum();
    let variance = distribution.iter().map(|(a, p)| p * (a - mean).powi(2)).sum();
    (mean, variance)
}
