//! The options of `train`.

use std::path::PathBuf;

use super::trainer::TrainingPlan;

/// What to train with.
#[derive(Debug, Clone, clap::Args)]
pub struct TrainOptions {
    /// Files of games, as datagen makes them
    #[arg(required = true)]
    pub games: Vec<PathBuf>,
    /// The network to write
    #[arg(long)]
    pub out: PathBuf,
    /// A network to start from, with its scale, instead of random weights
    #[arg(long)]
    pub from: Option<PathBuf>,
    /// The share of that network in the result, 0 to 1, so that what it knows of earlier games is not all forgotten
    #[arg(long, requires = "from", default_value_t = 0.0, value_parser = share)]
    pub keep: f64,
    /// How often to go through all positions
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub epochs: u32,
    /// Positions per step
    #[arg(long, default_value_t = 16_384, value_parser = clap::value_parser!(u32).range(1..=1 << 24))]
    pub batch: u32,
    /// The learning rate at the beginning
    #[arg(long, default_value_t = 0.0015, value_parser = rate)]
    pub rate: f64,
    /// The learning rate at the end
    #[arg(long, default_value_t = 0.000_01, value_parser = rate)]
    pub final_rate: f64,
    /// The share of the game's result in what is learnt, 0 to 1; the rest is the score of the search
    #[arg(long, default_value_t = 0.15, value_parser = share)]
    pub blend: f64,
    /// That share at the end, if it changes
    #[arg(long, value_parser = share)]
    pub blend_end: Option<f64>,
    /// How much the score of a position is drawn towards those of the plies that follow, 0 to 1
    #[arg(long, default_value_t = 0.6, value_parser = share)]
    pub foresight: f64,
    /// Centipawns by which the odds of a win change by a factor of e; fitted to the games if not given
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub scale: Option<u32>,
    /// The share of games that is not learnt from, to see whether what was learnt holds elsewhere
    #[arg(long, default_value_t = 0.02, value_parser = share)]
    pub validation: f64,
    /// Learn only once from equal or mirrored positions
    #[arg(long)]
    pub unique: bool,
    /// The seed of everything random
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads; 0: one per core. The network does not depend on it
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1024))]
    pub threads: u32,
    /// Where to keep what was learnt after each epoch
    #[arg(long)]
    pub checkpoint: Option<PathBuf>,
    /// Continue from the checkpoint, if there is one
    #[arg(long, requires = "checkpoint")]
    pub resume: bool,
    /// Where to draw the losses, as an SVG picture
    #[arg(long)]
    pub plot: Option<PathBuf>,
    /// The name of the network; the checksum of the positions, epochs and seed if not given
    #[arg(long)]
    pub name: Option<String>,
}

impl TrainOptions {
    /// The plan that these options make with a scale.
    pub(super) fn plan(&self, scale: u32) -> TrainingPlan {
        TrainingPlan {
            epochs: self.epochs,
            batch: self.batch as usize,
            rate: [self.rate, self.final_rate],
            blend: [self.blend, self.blend_end.unwrap_or(self.blend)],
            scale,
            seed: self.seed,
        }
    }
}

/// A learning rate.
fn rate(text: &str) -> Result<f64, String> {
    number(text, f64::MIN_POSITIVE, 1.0).ok_or_else(|| "a number above 0 and at most 1 is wanted".to_owned())
}

/// A share of the whole, 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    number(text, 0.0, 1.0).ok_or_else(|| "a number from 0 to 1 is wanted".to_owned())
}

fn number(text: &str, least: f64, most: f64) -> Option<f64> {
    text.parse().ok().filter(|number| (least..=most).contains(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_out_of_range_are_refused() {
        assert_eq!(rate("0.01"), Ok(0.01));
        assert_eq!(share("0"), Ok(0.0));
        for text in ["0", "-1", "1.5", "NaN", "inf", "x", ""] {
            assert!(rate(text).is_err(), "{text}");
        }
        for text in ["-0.1", "1.1", "NaN", "x"] {
            assert!(share(text).is_err(), "{text}");
        }
    }
}
