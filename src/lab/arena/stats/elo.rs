//! From scores to Elo: difference, interval, likelihood of superiority.

use std::f64::consts::{LN_10, SQRT_2};

use super::tally::{ScoreSample, moments};

/// Width of the two-sided 95 % interval of the normal distribution, in standard deviations.
const CONFIDENCE: f64 = 1.959_963_984_540_054;

/// Normalised Elo a unit of (mean - ½) / deviation of one game.
pub(super) const NORMALISED_UNIT: f64 = 800.0 / LN_10;

/// Expected score of a player `elo` points stronger: 1 / (1 + 10^(-elo/400)).
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Elo difference that explains a mean score: -400 log10(1/score - 1); infinite at 0 and 1.
pub fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

/// Estimates of the difference in strength from a sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Mean score, 0 to 1.
    pub score: f64,
    /// Logistic Elo difference.
    pub elo: f64,
    /// Half the width of its 95 % interval (the interval itself is not symmetric; this is the mean of both
    /// arms). Infinite when an arm is.
    pub elo_error: f64,
    /// Normalised Elo: the mean in units of one game's deviation, times 800 / ln 10; infinite where all results are
    /// alike and not level.
    pub normalised: f64,
    /// Half the width of its 95 % interval.
    pub normalised_error: f64,
    /// Likelihood of superiority, 0 to 1: probability that the player is the stronger one.
    pub los: f64,
}

impl Estimate {
    /// Estimates from a sample; `None` when it is empty.
    pub fn of(sample: &ScoreSample) -> Option<Estimate> {
        let size = sample.size();
        if size <= 0.0 {
            return None;
        }
        let (score, variance) = moments(&sample.distribution());
        let deviation = (variance / size).sqrt();
        let low = elo_of_score(score - CONFIDENCE * deviation);
        let high = elo_of_score(score + CONFIDENCE * deviation);
        // A pair's mean has half the variance of a game's: scale to one game.
        let unit = NORMALISED_UNIT / if sample.games_a_draw == 2 { SQRT_2 } else { 1.0 };
        let excess = score - 0.5;
        let normalised = if excess == 0.0 { 0.0 } else { excess / variance.sqrt() * unit };
        Some(Estimate {
            score,
            elo: elo_of_score(score),
            elo_error: (high - low) / 2.0,
            normalised,
            normalised_error: CONFIDENCE * unit / size.sqrt(),
            los: superiority(excess, deviation),
        })
    }
}

/// Probability that the true mean exceeds one half, given the excess seen and its deviation.
fn superiority(excess: f64, deviation: f64) -> f64 {
    if excess == 0.0 {
        0.5
    } else if deviation == 0.0 {
        if excess > 0.0 { 1.0 } else { 0.0 }
    } else {
        0.5 * libm::erfc(-excess / deviation / SQRT_2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::stats::{GameTally, Pentanomial};

    fn close(a: f64, b: f64, tolerance: f64) -> bool {
        (a - b).abs() <= tolerance
    }

    #[test]
    fn elo_and_score_are_inverse() {
        for elo in [-700.0, -100.0, -1.0, 0.0, 3.5, 200.0, 800.0] {
            assert!(close(elo_of_score(score_of_elo(elo)), elo, 1e-9), "{elo}");
        }
        assert!(close(score_of_elo(200.0), 0.759_746_926_647_957_8, 1e-12));
        assert_eq!(elo_of_score(0.0), f64::NEG_INFINITY);
        assert_eq!(elo_of_score(1.0), f64::INFINITY);
    }

    /// Results printed by cutechess in public test logs: won-lost-drawn, Elo, error, LOS.
    #[test]
    fn published_single_game_results() {
        let published = [
            (449, 276, 275, 60.7, 18.5, 1.000),
            (382, 320, 298, 21.6, 18.1, 0.990),
            (372, 322, 306, 17.4, 17.9, 0.971),
            (869, 646, 357, 41.6, 14.2, 1.000),
        ];
        for (wins, losses, draws, elo, error, los) in published {
            let estimate = Estimate::of(&GameTally { wins, draws, losses }.sample()).unwrap();
            assert!(close(estimate.elo, elo, 0.05), "{estimate:?}");
            assert!(close(estimate.elo_error, error, 0.1), "{estimate:?}");
            assert!(close(estimate.los, los, 0.000_6), "{estimate:?}");
        }
    }

    #[test]
    fn pairs_by_hand() {
        // Means: (1*0.25 + 4*0.5 + 3*0.75 + 2*1) / 10 = 0.65; variance of the pair's mean 0.0525.
        let estimate = Estimate::of(&Pentanomial([0, 1, 4, 3, 2]).sample()).unwrap();
        assert!(close(estimate.score, 0.65, 1e-12));
        assert!(close(estimate.elo, 107.538, 1e-3), "{}", estimate.elo);
        let deviation = (0.0525f64 / 10.0).sqrt();
        assert!(close(estimate.normalised, 0.15 / 0.0525f64.sqrt() / SQRT_2 * 347.435_585_522_6, 1e-6));
        // Phi(0.15 / 0.0724569) = Phi(2.07020) = 0.980784
        assert!(close(deviation, 0.072_456_9, 1e-6));
        assert!(close(estimate.los, 0.980_784, 1e-5), "{}", estimate.los);
    }

    #[test]
    fn one_sided_and_empty_samples() {
        assert!(Estimate::of(&GameTally::default().sample()).is_none());
        let won = Estimate::of(&GameTally { wins: 7, draws: 0, losses: 0 }.sample()).unwrap();
        assert_eq!((won.elo, won.los, won.normalised), (f64::INFINITY, 1.0, f64::INFINITY));
        let drawn = Estimate::of(&GameTally { wins: 0, draws: 7, losses: 0 }.sample()).unwrap();
        assert_eq!((drawn.elo, drawn.los, drawn.elo_error, drawn.normalised), (0.0, 0.5, 0.0, 0.0));
    }
}
