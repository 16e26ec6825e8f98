//! What changes as training goes on.

use std::f64::consts::PI;

/// How learning rate and targets change from the first step to the last.
#[derive(Debug, Clone, Copy)]
pub struct TrainingSchedule {
    /// The rate at the beginning and at the end; half a wave of a cosine leads from one to the other.
    pub rate: [f64; 2],
    /// The share of the game's result in the targets, which changes evenly.
    pub blend: [f64; 2],
    /// How many steps there are.
    pub steps: u64,
}

impl TrainingSchedule {
    /// How far step `number`, counted from 0, is: 0 to 1.
    fn progress(&self, number: u64) -> f64 {
        number as f64 / self.steps.saturating_sub(1).max(1) as f64
    }

    /// The learning rate of a step.
    pub fn rate(&self, number: u64) -> f64 {
        let [begin, end] = self.rate;
        end + (begin - end) * 0.5 * (1.0 + (PI * self.progress(number)).cos())
    }

    /// The share of the game's result in the targets of a step.
    pub fn blend(&self, number: u64) -> f64 {
        let [begin, end] = self.blend;
        begin + (end - begin) * self.progress(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_go_from_their_beginning_to_their_end() {
        let schedule = TrainingSchedule { rate: [0.1, 0.01], blend: [0.0, 0.4], steps: 101 };
        let near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-9, "{found} {wanted}");
        near(schedule.rate(0), 0.1);
        near(schedule.rate(50), 0.055);
        near(schedule.rate(100), 0.01);
        assert!((0..100).all(|step| schedule.rate(step + 1) < schedule.rate(step)));
        near(schedule.blend(0), 0.0);
        near(schedule.blend(25), 0.1);
        near(schedule.blend(100), 0.4);
        assert_eq!(TrainingSchedule { steps: 1, ..schedule }.rate(0), 0.1);
    }
}
