//! The reports of a training while it runs.

use std::io::{self, Write};

use super::dataset::{Dataset, SiftReason};
use super::quantise::QuantisationLoss;
use super::trainer::Losses;

/// Reports what was read, and what was kept of it.
pub fn dataset(report: &mut impl Write, dataset: &Dataset, scale: u32) -> io::Result<()> {
    for damage in &dataset.damage {
        writeln!(report, "{damage}; the games before are used")?;
    }
    for path in &dataset.unread {
        writeln!(report, "{}: the games since the checkpoint are left out", path.display())?;
    }
    let mut row = |what: &str, count: u64| writeln!(report, "{what:<28}{count:>12}");
    row("games", dataset.games.iter().sum())?;
    row("positions", dataset.positions)?;
    for reason in SiftReason::ALL {
        row(&format!("  {}", reason.words()), dataset.left_out[reason as usize])?;
    }
    row("to learn from", dataset.training.len() as u64)?;
    row("to validate with", dataset.validation.len() as u64)?;
    row("scale in centipawns", scale.into())?;
    report.flush()
}

/// Writes the head of the table of epochs.
pub fn head(report: &mut impl Write) -> io::Result<()> {
    writeln!(
        report,
        "\n{:>5}  {:>8}  {:>10}  {:>10}  {:>11}",
        "epoch", "rate", "training", "validation", "positions/s"
    )
}

/// Writes a row of the table of epochs; the speed is known only for epochs of this run.
pub fn epoch(report: &mut impl Write, epoch: u32, losses: &Losses, speed: Option<f64>) -> io::Result<()> {
    let Losses { rate, training, validation } = losses;
    let speed = speed.map_or_else(|| "-".to_owned(), |speed| format!("{speed:.0}"));
    writeln!(report, "{epoch:>5}  {rate:>8.6}  {training:>10.6}  {validation:>10.6}  {speed:>11}")?;
    report.flush()
}

/// Reports how keeping a share of the first network changes the validation loss.
pub fn mixed(report: &mut impl Write, share: f64, validation: f64) -> io::Result<()> {
    writeln!(report, "\nvalidation {validation:.6} with a share of {share} of the first network")
}

/// Reports what rounding to integers costs.
pub fn difference(
    report: &mut impl Write,
    difference: &QuantisationLoss,
    positions: usize,
) -> io::Result<()> {
    let QuantisationLoss { mean, most } = difference;
    writeln!(
        report,
        "\nintegers differ by {mean:.2} centipawns on average, {most:.1} at most, at {positions} positions"
    )
}
