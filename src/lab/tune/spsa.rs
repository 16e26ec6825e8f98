//! Simultaneous perturbation stochastic approximation (J. C. Spall, IEEE Transactions on Automatic Control 37, 1992).
//!
//! An iteration moves all values at once, each a little up or down as a lot decides, and lets the two sides of the
//! centre play. The centre then goes a step towards the side that won. With N iterations and the gains of Spall 1998
//! (α = 0.602, γ = 0.101, A = N / 10), iteration k from 1 on has
//!
//! ```text
//! c = c_end (N / k)^γ        a = r_end c_end² ((A + N) / (A + k))^α        θ ← θ + a / c · (won − lost) · Δ
//! ```
//!
//! so that at the end a value is moved by `c_end`, and a won game moves it by `r_end · c_end`.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::knob::Knob;

const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// A as a share of the iterations: it keeps the first steps from being too large.
const STABILITY: f64 = 0.1;

/// The side of the centre that an engine plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpsaSide {
    /// The one that the lots point to.
    Plus,
    /// The opposite one.
    Minus,
}

/// What all iterations have in common.
#[derive(Debug, Clone, PartialEq)]
pub struct Spsa {
    /// What is tuned.
    pub knobs: Vec<Knob>,
    /// N, at least 1.
    pub iterations: u32,
    /// The seed from which the lots are drawn.
    pub seed: u64,
}

/// What is drawn for a value in an iteration.
struct Perturbation {
    /// Δ: 1 or -1.
    direction: f64,
    /// From 0 to 1: both sides of the centre are rounded up where their fraction and this make a whole. So the whole
    /// numbers that are played are right on average, and differ by 2 c on average.
    carry: f64,
}

impl Spsa {
    /// Where the values begin.
    pub fn start(&self) -> Vec<f64> {
        self.knobs.iter().map(|knob| knob.start as f64).collect()
    }

    /// The lots of an iteration: they depend on the seed and on nothing else.
    fn lots(&self, iteration: u32) -> impl Iterator<Item = Perturbation> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(u64::from(iteration));
        self.knobs.iter().map(move |_| Perturbation {
            direction: if rng.random::<bool>() { 1.0 } else { -1.0 },
            carry: rng.random(),
        })
    }

    /// The perturbation c in units of c_end, for an iteration counted from 0.
    fn spread(&self, iteration: u32) -> f64 {
        (f64::from(self.iterations) / f64::from(iteration + 1)).powf(GAMMA)
    }

    /// The gain a in units of r_end · c_end², for an iteration counted from 0.
    fn gain(&self, iteration: u32) -> f64 {
        let all = f64::from(self.iterations);
        let stability = STABILITY * all;
        ((stability + all) / (stability + f64::from(iteration + 1))).powf(ALPHA)
    }

    /// The values that one side plays with in an iteration around `centre`.
    pub fn values(&self, centre: &[f64], iteration: u32, wing: SpsaSide) -> Vec<i64> {
        let sign = if wing == SpsaSide::Plus { 1.0 } else { -1.0 };
        let spread = sign * self.spread(iteration);
        let moved = |((knob, &centre), lot): ((&Knob, &f64), Perturbation)| {
            let value = centre + spread * knob.c_end * lot.direction;
            (knob.clamp(value) + lot.carry).floor() as i64
        };
        self.knobs.iter().zip(centre).zip(self.lots(iteration)).map(moved).collect()
    }

    /// Moves the centre by the result of an iteration: games won by [`SpsaSide::Plus`] less those lost.
    pub fn step(&self, centre: &mut [f64], iteration: u32, result: f64) {
        let rate = self.gain(iteration) / self.spread(iteration);
        for ((knob, centre), lot) in self.knobs.iter().zip(centre).zip(self.lots(iteration)) {
            *centre = knob.clamp(*centre + rate * knob.r_end * knob.c_end * result * lot.direction);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn knob(name: &str, start: i64, least: i64, most: i64) -> Knob {
        Knob { name: name.to_owned(), start, least, most, bounds: [least, most], c_end: 5.0, r_end: 0.02 }
    }

    fn spsa(iterations: u32, seed: u64) -> Spsa {
        Spsa { knobs: vec![knob("a", 20, 0, 100), knob("b", 80, 0, 100)], iterations, seed }
    }

    /// Games whose result is chance, the more likely to be won the nearer to (60, 40) a side is.
    fn play(spsa: &Spsa) -> Vec<f64> {
        let mut chance = ChaCha8Rng::seed_from_u64(99);
        let height = |v: &[i64]| -((v[0] - 60) as f64 / 30.0).powi(2) - ((v[1] - 40) as f64 / 30.0).powi(2);
        let mut centre = spsa.start();
        for iteration in 0..spsa.iterations {
            let [plus, minus] =
                [SpsaSide::Plus, SpsaSide::Minus].map(|wing| spsa.values(&centre, iteration, wing));
            let expected = 1.0 / (1.0 + (height(&minus) - height(&plus)).exp());
            let game = |chance: &mut ChaCha8Rng| if chance.random::<f64>() < expected { 1.0 } else { -1.0 };
            let result = game(&mut chance) + game(&mut chance);
            spsa.step(&mut centre, iteration, result);
        }
        centre
    }

    #[test]
    fn a_noisy_hill_is_climbed() {
        for seed in 1..6 {
            let end = play(&spsa(20_000, seed));
            assert!((end[0] - 60.0).abs() < 6.0 && (end[1] - 40.0).abs() < 6.0, "seed {seed}: {end:?}");
        }
    }

    #[test]
    fn the_last_steps_are_those_that_were_asked_for() {
        let spsa = spsa(1000, 1);
        let mut centre = spsa.start();
        spsa.step(&mut centre, 999, 1.0);
        assert!((centre[0] - 20.0).abs() - 0.1 < 1e-9 && (centre[1] - 80.0).abs() - 0.1 < 1e-9, "{centre:?}");
        assert!(spsa.spread(0) > spsa.spread(500) && (spsa.spread(999) - 1.0).abs() < 1e-9);
        assert!(spsa.gain(0) > spsa.gain(500) && (spsa.gain(999) - 1.0).abs() < 1e-9);
        let before = centre.clone();
        spsa.step(&mut centre, 999, 0.0);
        assert_eq!(centre, before, "a drawn pair says nothing");
    }

    #[test]
    fn values_are_right_on_average_and_stay_within_their_range() {
        let spsa = spsa(4000, 3);
        let centre = [20.3, 99.0];
        let mut sums = [0.0; 2];
        for iteration in 0..4000 {
            let [plus, minus] =
                [SpsaSide::Plus, SpsaSide::Minus].map(|wing| spsa.values(&centre, iteration, wing));
            assert!([&plus, &minus].iter().all(|values| values[1] <= 100), "{plus:?} {minus:?}");
            assert!((9..=11).contains(&(plus[0] - minus[0]).abs().min(11)), "{plus:?} {minus:?}");
            sums[0] += (plus[0] + minus[0]) as f64 / 2.0;
            sums[1] += f64::from(plus[0] > minus[0]);
        }
        assert!((sums[0] / 4000.0 - 20.3).abs() < 0.05, "{sums:?}");
        assert!((sums[1] / 4000.0 - 0.5).abs() < 0.05, "both directions are drawn: {sums:?}");
    }

    #[test]
    fn a_value_does_not_leave_its_range() {
        let mut spsa = spsa(10, 1);
        spsa.knobs[0].r_end = 1000.0;
        let mut centre = spsa.start();
        (0..10).for_each(|iteration| spsa.step(&mut centre, iteration, 2.0));
        assert!([0.0, 100.0].contains(&centre[0]), "{centre:?}");
    }
}
