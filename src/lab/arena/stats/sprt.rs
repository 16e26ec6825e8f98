//! Sequential probability ratio test on game results.
//!
//! The generalised test of Kullback and Leibler distances: the likelihood ratio of the two hypotheses, each with
//! the most likely distribution of results among those that have its mean (logistic model) or its ratio of mean
//! to deviation (normalised model). The estimates follow M. Van den Bergh, "The generalized maximum likelihood
//! ratio for the expectation value of a distribution" and "Normalized Elo" (2020). Wald's bounds end the test.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::elo::{NORMALISED_UNIT, score_of_elo};
use super::tally::{ScoreSample, moments};

/// What the Elo numbers of a test mean.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// Elo of the expected score. Costs more games the more is drawn.
    Logistic,
    /// Elo in units of the deviation of a game: a test costs the same whatever the share of draws.
    #[default]
    Normalised,
}

/// A test of "the difference is `elo0`" against "the difference is `elo1`".
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: EloModel,
}

/// Why numbers do not define a test.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum SprtError {
    /// The hypotheses are equal, crossed or not numbers.
    #[error("sprt: elo0 must be below elo1")]
    Hypotheses,
    /// An error rate is not between 0 and one half.
    #[error("sprt: alpha and beta must lie between 0 and 0.5")]
    Rates,
}

/// The two values of the log likelihood ratio at which a test ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// At or below: `elo0` accepted.
    pub lower: f64,
    /// At or above: `elo1` accepted.
    pub upper: f64,
}

/// Where a test stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SprtStatus {
    /// More games are needed.
    Running,
    /// H0, no gain, accepted.
    AcceptedH0,
    /// H1, gain, accepted.
    AcceptedH1,
}

impl fmt::Display for SprtStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SprtStatus::Running => "undecided",
            SprtStatus::AcceptedH0 => "H0 accepted",
            SprtStatus::AcceptedH1 => "H1 accepted",
        })
    }
}

impl Sprt {
    /// A test with error rates `alpha` (H1 accepted though H0 is true) and `beta` (the reverse).
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: EloModel) -> Result<Sprt, SprtError> {
        let rate = |r: f64| r > 0.0 && r < 0.5;
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            Err(SprtError::Hypotheses)
        } else if !(rate(alpha) && rate(beta)) {
            Err(SprtError::Rates)
        } else {
            Ok(Sprt { elo0, elo1, alpha, beta, model })
        }
    }

    /// Wald's bounds: ln(β / (1 - α)) and ln((1 - β) / α).
    pub fn bounds(&self) -> Bounds {
        Bounds { lower: (self.beta / (1.0 - self.alpha)).ln(), upper: ((1.0 - self.beta) / self.alpha).ln() }
    }

    /// Log likelihood ratio of H1 to H0 for a sample; 0 when it is empty.
    pub fn llr(&self, sample: &ScoreSample) -> f64 {
        if sample.size() <= 0.0 {
            return 0.0;
        }
        let sample = sample.clone().without_empty_cells();
        let seen = sample.distribution();
        let fit = |elo: f64| match self.model {
            EloModel::Logistic => with_mean(&seen, score_of_elo(elo)),
            EloModel::Normalised => {
                let games = f64::from(sample.games_a_draw);
                with_ratio(&seen, elo / NORMALISED_UNIT * games.sqrt())
            }
        };
        let (h0, h1) = (fit(self.elo0), fit(self.elo1));
        let mean_log: f64 = (0..seen.len()).map(|i| seen[i].1 * (h1[i].1 / h0[i].1).ln()).sum();
        sample.size() * mean_log
    }

    /// The state of the test after a sample.
    pub fn status(&self, sample: &ScoreSample) -> SprtStatus {
        let (llr, bounds) = (self.llr(sample), self.bounds());
        if llr >= bounds.upper {
            SprtStatus::AcceptedH1
        } else if llr <= bounds.lower {
            SprtStatus::AcceptedH0
        } else {
            SprtStatus::Running
        }
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = match self.model {
            EloModel::Logistic => "",
            EloModel::Normalised => "n",
        };
        write!(f, "{model}Elo [{}, {}] α={} β={}", self.elo0, self.elo1, self.alpha, self.beta)
    }
}

/// The root of Σ p·a / (1 + x·a): a Lagrange multiplier. The sum falls steadily between its two poles.
fn multiplier(centred: &[(f64, f64)]) -> f64 {
    let (least, greatest) = centred.iter().fold((0.0f64, 0.0f64), |(lo, hi), &(a, _)| (lo.min(a), hi.max(a)));
    if least >= 0.0 || greatest <= 0.0 {
        return 0.0;
    }
    let (mut low, mut high) = (-1.0 / greatest, -1.0 / least);
    let mut x = 0.0;
    for _ in 0..100 {
        let (mut value, mut slope) = (0.0, 0.0);
        for &(a, p) in centred {
            let term = a / (1.0 + x * a);
            value += p * term;
            slope -= p * term * term;
        }
        *(if value > 0.0 { &mut low } else { &mut high }) = x;
        // Newton's step where it stays inside the bracket, else its middle.
        let newton = x - value / slope;
        let next = if newton > low && newton < high { newton } else { (low + high) / 2.0 };
        if (next - x).abs() <= 1e-13 * (1.0 + x.abs()) {
            return next;
        }
        x = next;
    }
    x
}

/// The most likely distribution of mean `mean`, given the one seen.
fn with_mean(seen: &[(f64, f64)], mean: f64) -> Vec<(f64, f64)> {
    let centred: Vec<_> = seen.iter().map(|&(a, p)| (a - mean, p)).collect();
    let x = multiplier(&centred);
    seen.iter().map(|&(a, p)| (a, p / (1.0 + x * (a - mean)))).collect()
}

/// The most likely distribution with (mean - ½) / deviation = `ratio`, given the one seen.
///
/// The condition is not linear in the probabilities: it is linearised about the latest estimate, and solved
/// again until the estimate stands still.
fn with_ratio(seen: &[(f64, f64)], ratio: f64) -> Vec<(f64, f64)> {
    let mut fit: Vec<_> = seen.iter().map(|&(a, _)| (a, 1.0 / seen.len() as f64)).collect();
    for _ in 0..50 {
        let (mean, variance) = moments(&fit);
        let deviation = variance.sqrt();
        let gradient: Vec<_> = seen
            .iter()
            .map(|&(a, p)| {
                let z = (mean - a) / deviation;
                (a - 0.5 - ratio * deviation * (1.0 + z * z) / 2.0, p)
            })
            .collect();
        let x = multiplier(&gradient);
        let mut moved = 0.0f64;
        for (cell, &(g, p)) in fit.iter_mut().zip(&gradient) {
            let next = p / (1.0 + x * g);
            moved = moved.max((next - cell.1).abs());
            cell.1 = next;
        }
        if moved < 1e-10 {
            break;
        }
    }
    fit
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::arena::stats::{GameTally, Pentanomial};

    fn test(elo0: f64, elo1: f64, model: EloModel) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap()
    }

    #[test]
    fn bounds_are_walds() {
        let bounds = test(0.0, 5.0, EloModel::Logistic).bounds();
        assert!((bounds.upper - 2.944_438_979).abs() < 1e-8);
        assert!((bounds.lower + 2.944_438_979).abs() < 1e-8);
    }

    #[test]
    fn senseless_tests_are_refused() {
        let of = |a, b, alpha, beta| Sprt::new(a, b, alpha, beta, EloModel::Logistic);
        assert_eq!(of(5.0, 5.0, 0.05, 0.05), Err(SprtError::Hypotheses));
        assert_eq!(of(f64::NAN, 5.0, 0.05, 0.05), Err(SprtError::Hypotheses));
        assert_eq!(of(0.0, 5.0, 0.0, 0.05), Err(SprtError::Rates));
        assert_eq!(of(0.0, 5.0, 0.05, 0.7), Err(SprtError::Rates));
    }

    /// Values found by a general constrained optimiser (sequential quadratic programming) maximising the same
    /// two likelihoods; the last two are also published to two places by another program's tests: 0.00, 0.02.
    #[test]
    fn likelihood_ratios_agree_with_a_general_optimiser() {
        let pairs = |p| Pentanomial(p).sample();
        let cases = [
            (GameTally { wins: 4307, draws: 8620, losses: 4063 }.sample(), 0.0, 3.0, 2.99129, 2.36842),
            (GameTally { wins: 950, draws: 800, losses: 300 }.sample(), -1.75, 0.25, 6.17371, 4.81651),
            (pairs([10, 50, 120, 65, 15]), 0.0, 5.0, 0.7402, 0.50521),
            (pairs([3, 40, 100, 70, 20]), -5.0, 0.0, 2.29215, 1.46846),
            (pairs([10, 5, 2, 5, 10]), -1.75, 0.25, 0.00057, 0.0008),
            (pairs([0, 0, 0, 0, 3]), -1.75, 0.25, 0.01732, 0.0245),
        ];
        for (sample, elo0, elo1, logistic, normalised) in cases {
            let found = test(elo0, elo1, EloModel::Logistic).llr(&sample);
            assert!((found - logistic).abs() < 2e-4, "{sample:?}: {found} not {logistic}");
            let found = test(elo0, elo1, EloModel::Normalised).llr(&sample);
            assert!((found - normalised).abs() < 2e-4, "{sample:?}: {found} not {normalised}");
        }
    }

    #[test]
    fn exchanging_the_players_negates_the_ratio() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        for model in [EloModel::Logistic, EloModel::Normalised] {
            for _ in 0..200 {
                let pairs = Pentanomial(std::array::from_fn(|_| rng.random_range(0..300)));
                let (low, high) = (rng.random_range(-9.0..0.0), rng.random_range(0.1..9.0));
                let here = test(low, high, model).llr(&pairs.sample());
                let there = test(-high, -low, model).llr(&pairs.reversed().sample());
                assert!((here + there).abs() < 1e-6 * (1.0 + here.abs()), "{pairs:?} {here} {there}");
            }
        }
    }

    /// Plays pairs of games between players `elo` apart until the test ends.
    fn simulate(sprt: &Sprt, elo: f64, rng: &mut ChaCha8Rng) -> SprtStatus {
        // Half the games drawn at equality, the rest split to give the score; the two games independent.
        let win = score_of_elo(elo) - 0.25;
        let game = |rng: &mut ChaCha8Rng| match rng.random::<f64>() {
            r if r < win => 2,
            r if r < win + 0.5 => 1,
            _ => 0u8,
        };
        let mut pairs = Pentanomial::default();
        loop {
            let sum = game(rng) + game(rng);
            pairs.add(sum);
            match sprt.status(&pairs.sample()) {
                SprtStatus::Running => {}
                decided => return decided,
            }
        }
    }

    #[test]
    fn error_rates_hold_in_simulation() {
        let mut rng = ChaCha8Rng::seed_from_u64(2020);
        let sprt = Sprt::new(0.0, 80.0, 0.05, 0.1, EloModel::Logistic).unwrap();
        let mut errors = |elo, wrong| {
            (0..2000).filter(|_| simulate(&sprt, elo, &mut rng) == wrong).count() as f64 / 2000.0
        };
        // Three standard deviations of the simulation above the stated rate, and not absurdly far below it.
        let false_positives = errors(0.0, SprtStatus::AcceptedH1);
        assert!(false_positives > 0.01 && false_positives < 0.05 + 0.015, "{false_positives}");
        let false_negatives = errors(80.0, SprtStatus::AcceptedH0);
        assert!(false_negatives > 0.02 && false_negatives < 0.1 + 0.02, "{false_negatives}");
    }
}
