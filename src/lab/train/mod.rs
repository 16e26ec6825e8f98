//! `train`: a network from games with scores.
//!
//! ```text
//! games ─ dataset (foresight) ─▶ samples ─ trainer (target, model, optimiser, schedule) ─▶ weights ─ quantise ─▶ network
//! ```

mod checkpoint;
mod dataset;
mod foresight;
mod model;
mod optimiser;
mod options;
mod quantise;
mod sample;
mod schedule;
mod target;
mod tell;
mod trainer;

pub use checkpoint::{CheckpointError, CheckpointFault};
pub use dataset::DatasetError;
pub use options::TrainOptions;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};
use rayon::ThreadPool;
use thiserror::Error;

use crate::support::chart::{Chart, Panel, Series, SeriesShape};
use crate::support::files::{Draft, keep_apart, replace};
use checkpoint::{Checkpoint, TrainingDescription};
use dataset::{Dataset, Sifting};
use juzhong_engine::container::LoadError;
use juzhong_engine::eval::{Network, NetworkError};
use model::mixed;
use quantise::{difference, quantised, restored};
use target::fitted_scale;
use trainer::{Losses, Trainer, TrainingState};

/// The number of positions at which the integers are compared with the weights.
const COMPARED: usize = 20_000;

/// Why a training gave no network.
#[derive(Debug, Error)]
pub enum TrainError {
    /// The games cannot be used.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// The checkpoint cannot be used or written.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The network to continue from cannot be used.
    #[error(transparent)]
    Network(#[from] LoadError<NetworkError>),
    /// There is no position to learn from, or none to validate with.
    #[error("{}: no position {purpose} in {games} games (--validation is the share of games to validate with)", path.display())]
    Empty {
        /// The first file.
        path: PathBuf,
        /// How many games there are.
        games: u64,
        /// What the positions are needed for.
        purpose: &'static str,
    },
    /// A file cannot be written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The report cannot be written.
    #[error("cannot write: {0}")]
    Report(#[from] io::Error),
    /// The threads cannot be started.
    #[error("cannot start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Trains a network, and writes to `report` what was read and how each epoch went.
///
/// # Errors
/// Returns an error if the games or the checkpoint cannot be used, or something cannot be written.
pub fn run(options: &TrainOptions, report: &mut impl Write) -> Result<(), TrainError> {
    // Found out before the long work, which would be lost.
    let written = [Some(&options.out), options.checkpoint.as_ref(), options.plot.as_ref()];
    let written: Vec<&Path> = written.into_iter().flatten().map(PathBuf::as_path).collect();
    let sources: Vec<&Path> = options.games.iter().chain(&options.from).map(PathBuf::as_path).collect();
    keep_apart(&written, &sources).map_err(|(path, error)| TrainError::File { path, error })?;
    for path in written {
        Draft::new(path).map(drop).map_err(|error| TrainError::File { path: path.to_owned(), error })?;
    }
    let first = options.from.as_deref().map(Network::read).transpose()?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads as usize).build()?;
    let old = match &options.checkpoint {
        Some(path) if options.resume && path.exists() => Some((path, Checkpoint::read(path)?)),
        _ => None,
    };
    let games = old.as_ref().map(|(_, old)| &old.description.games);
    let dataset = pool.install(|| read(options, games))?;
    let first_scale = first.as_ref().map(|network| network.scale as u32);
    let scale = options.scale.or(first_scale).unwrap_or_else(|| fitted_scale(&dataset.training));
    tell::dataset(report, &dataset, scale)?;
    let mut description = describe(options, first.as_ref(), &dataset, scale);
    let state = match (old, &first) {
        (Some((path, old)), _) => old.resume(path, &mut description)?,
        (None, Some(network)) => TrainingState::from_weights(restored(network)),
        (None, None) => TrainingState::new(options.seed),
    };
    let mut trainer = Trainer::new(&dataset, options.plan(scale), state);
    let unsaved = learn(options, &pool, &mut trainer, &mut description, report)?;
    let name = options
        .name
        .clone()
        .unwrap_or_else(|| format!("{:08x}-{}-{}", description.fingerprint, options.epochs, options.seed));
    let mut weights = trainer.state().weights.clone();
    if let Some(first) = first.filter(|_| options.keep > 0.0) {
        weights = mixed(&weights, &restored(&first), options.keep as f32);
        tell::mixed(report, options.keep, pool.install(|| trainer.validate(&weights)))?;
    }
    let network = quantised(&weights, &name, scale);
    write(&options.out, &network.to_bytes())?;
    let compared = &dataset.validation[..dataset.validation.len().min(COMPARED)];
    tell::difference(report, &pool.install(|| difference(&network, &weights, compared)), compared.len())?;
    writeln!(report, "network {name} in {}", options.out.display())?;
    unsaved.map_or(Ok(()), Err)
}

/// Reads all files, or as many games of each as a checkpoint used.
fn read(options: &TrainOptions, games: Option<&Vec<u64>>) -> Result<Dataset, TrainError> {
    let sifting = Sifting {
        validation: options.validation,
        unique: options.unique,
        foresight: options.foresight,
        seed: options.seed,
    };
    let mut dataset = Dataset::new(sifting);
    for (index, path) in options.games.iter().enumerate() {
        let most = games.and_then(|games| games.get(index)).copied();
        dataset.read(path, most.unwrap_or(u64::MAX))?;
    }
    let lacking = [(&dataset.training, "to learn from"), (&dataset.validation, "to validate with")]
        .into_iter()
        .find_map(|(set, purpose)| set.is_empty().then_some(purpose));
    match lacking {
        Some(purpose) => {
            let (path, games) = (options.games[0].clone(), dataset.games.iter().sum());
            Err(TrainError::Empty { path, games, purpose })
        }
        None => Ok(dataset),
    }
}

/// The settings that decide the result of a training, in words; paths and threads do not.
fn describe(
    options: &TrainOptions,
    first: Option<&Network>,
    dataset: &Dataset,
    scale: u32,
) -> TrainingDescription {
    let TrainOptions { epochs, batch, rate, final_rate, blend, blend_end, validation, unique, seed, .. } =
        options;
    let blend_end = blend_end.unwrap_or(*blend);
    let settings = format!(
        "{epochs} epochs, batch {batch}, rate {rate} to {final_rate}, blend {blend} to {blend_end}, scale {scale}, \
         validation {validation}, unique {unique}, seed {seed}{}",
        first.map_or_else(String::new, |network| format!(
            ", from {:08x}",
            crc32fast::hash(&network.to_bytes())
        ))
    );
    let fingerprint = dataset.fingerprint();
    TrainingDescription { settings, games: dataset.games.clone(), fingerprint, history: Vec::new() }
}

/// The epochs that are left. A checkpoint or picture that cannot be written does not end the training, which may have
/// lasted for hours; the fault is reported, and returned if it persists after the last epoch.
fn learn(
    options: &TrainOptions,
    pool: &ThreadPool,
    trainer: &mut Trainer,
    description: &mut TrainingDescription,
    report: &mut impl Write,
) -> Result<Option<TrainError>, TrainError> {
    let mut unsaved = None;
    tell::head(report)?;
    (1..)
        .zip(&description.history)
        .try_for_each(|(epoch, losses)| tell::epoch(report, epoch, losses, None))?;
    for epoch in trainer.state().epochs + 1..=options.epochs {
        let positions = trainer.positions();
        let bar =
            ProgressBar::new(positions as u64).with_style(style()).with_message(format!("epoch {epoch}"));
        let start = Instant::now();
        let losses = pool.install(|| trainer.epoch(|learnt| bar.inc(learnt as u64)));
        let speed = positions as f64 / start.elapsed().as_secs_f64().max(1e-9);
        bar.finish_and_clear();
        tell::epoch(report, epoch, &losses, Some(speed))?;
        description.history.push(losses);
        unsaved = save(options, description, trainer).err();
        if let Some(fault) = &unsaved {
            writeln!(report, "{fault}")?;
        }
    }
    Ok(unsaved)
}

/// Writes the checkpoint and the picture of the losses, if they are wanted.
fn save(
    options: &TrainOptions,
    description: &TrainingDescription,
    trainer: &Trainer,
) -> Result<(), TrainError> {
    if let Some(path) = &options.checkpoint {
        Checkpoint { description: description.clone(), state: trainer.state().clone() }.write(path)?;
    }
    if let Some(path) = &options.plot {
        write(path, picture(description).to_string().as_bytes())?;
    }
    Ok(())
}

/// Draws the losses of all epochs.
fn picture(description: &TrainingDescription) -> Chart {
    let curve = |name: &str, loss: fn(&Losses) -> f64| {
        let epochs = (1u32..).zip(&description.history);
        let points = epochs.map(|(epoch, losses)| (f64::from(epoch), loss(losses))).collect();
        Series { name: name.to_owned(), shape: SeriesShape::Line, points }
    };
    let series = vec![curve("training", |l| l.training), curve("validation", |l| l.validation)];
    Chart(vec![Panel {
        title: format!("Loss, positions {:08x}", description.fingerprint),
        axis: "epoch",
        covers: Vec::new(),
        series,
    }])
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), TrainError> {
    replace(path, bytes).map_err(|error| TrainError::File { path: path.to_owned(), error })
}

fn style() -> ProgressStyle {
    let template = "{msg} {wide_bar} {pos}/{len} positions, {per_sec}, {eta} left";
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datagen;

    /// Plays games until a file has so many of them. One thread: with more, their order would vary.
    fn play(out: &Path, games: u64) {
        let out = out.to_owned();
        let options =
            datagen::DatagenOptions { out, games, nodes: 100, seed: 3, net: None, threads: 1, resume: true };
        datagen::run(&options, &mut Vec::new()).unwrap();
    }

    /// Options for a quick training, with games that are played for it.
    fn options(folder: &Path, games: u64) -> TrainOptions {
        let games_file = folder.join("games");
        play(&games_file, games);
        TrainOptions {
            games: vec![games_file],
            out: folder.join("net"),
            epochs: 4,
            batch: 256,
            rate: 0.002,
            final_rate: 0.000_01,
            blend: 0.1,
            blend_end: None,
            foresight: 0.0,
            scale: None,
            validation: 0.2,
            unique: true,
            seed: 9,
            threads: 2,
            checkpoint: None,
            resume: false,
            plot: None,
            name: None,
            from: None,
            keep: 0.0,
        }
    }

    fn trained(options: &TrainOptions) -> String {
        let mut report = Vec::new();
        run(options, &mut report).unwrap();
        String::from_utf8(report).unwrap()
    }

    /// The rows of the table of epochs: epoch, rate, training and validation loss.
    fn table(report: &str) -> Vec<Vec<f64>> {
        let rows = report.lines().skip_while(|line| !line.starts_with("epoch")).skip(1);
        let rows = rows.take_while(|line| !line.is_empty());
        rows.map(|row| row.split_whitespace().take(4).map(|word| word.parse().unwrap()).collect()).collect()
    }

    #[test]
    fn a_small_training_learns_and_leaves_a_network_that_the_engine_reads() {
        let folder = tempfile::tempdir().unwrap();
        let plot = folder.path().join("plot.svg");
        let options = TrainOptions {
            plot: Some(plot.clone()),
            epochs: 6,
            rate: 0.0003,
            blend: 0.0,
            ..options(folder.path(), 500)
        };
        let report = trained(&options);
        let rows = table(&report);
        assert_eq!(
            rows.iter().map(|row| row[0]).collect::<Vec<_>>(),
            (1..=6).map(f64::from).collect::<Vec<_>>()
        );
        let (first, last) = (&rows[0], &rows[5]);
        assert!(last[2] < 0.75 * first[2] && last[3] < 0.96 * first[3], "{report}");
        let network = Network::read(&options.out).unwrap();
        assert!(network.name().ends_with("-6-9"), "{}", network.name());
        assert!(report.contains(&format!(" {}\n", network.scale)), "{report}");
        assert!(std::fs::read_to_string(plot).unwrap().starts_with("<svg"));
        // Red is a rook up.
        let fen = "rnbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
        let position = xiangqi::board::Position::from_fen(fen).unwrap();
        let value = network.evaluate(&position, position.side());
        assert!(value > 50, "{value}");
    }

    #[test]
    fn a_picture_that_cannot_be_written_does_not_cost_the_training() {
        /// Puts a folder in the place of the picture when the training begins to report.
        struct Spoiler(PathBuf);

        impl Write for Spoiler {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                std::fs::create_dir_all(&self.0).map(|()| bytes.len())
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }

        let folder = tempfile::tempdir().unwrap();
        let plot = folder.path().join("plot.svg");
        let options = TrainOptions { plot: Some(plot.clone()), epochs: 2, ..options(folder.path(), 10) };
        let error = run(&options, &mut Spoiler(plot)).unwrap_err().to_string();
        assert!(error.contains("plot.svg: not a regular file"), "{error}");
        assert!(Network::read(&options.out).is_ok());
    }

    #[test]
    fn a_training_that_was_interrupted_ends_like_one_that_was_not() {
        let folder = tempfile::tempdir().unwrap();
        let whole = options(folder.path(), 10);
        trained(&whole);
        let bytes = std::fs::read(&whole.out).unwrap();
        let checkpoint = Some(folder.path().join("checkpoint"));
        let part = TrainOptions { checkpoint: checkpoint.clone(), threads: 1, ..whole.clone() };
        trained(&part);
        assert_eq!(std::fs::read(&part.out).unwrap(), bytes, "threads make no difference");

        // As it was after the second epoch, with more games in the file since.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let dataset = read(&part, None).unwrap();
        let scale = fitted_scale(&dataset.training);
        let mut description = describe(&part, None, &dataset, scale);
        let mut trainer = Trainer::new(&dataset, part.plan(scale), TrainingState::new(part.seed));
        let until = TrainOptions { epochs: 2, ..part.clone() };
        learn(&until, &pool, &mut trainer, &mut description, &mut Vec::new()).unwrap();
        play(&part.games[0], 12);
        let rest = TrainOptions { resume: true, ..part };
        let report = trained(&rest);
        assert_eq!(table(&report).len(), 4, "{report}");
        assert!(report.contains("games: the games since the checkpoint are left out\n"), "{report}");
        assert_eq!(std::fs::read(&rest.out).unwrap(), bytes);

        let error = |options: &TrainOptions| run(options, &mut Vec::new()).unwrap_err().to_string();
        let other = TrainOptions { seed: 8, unique: false, ..rest.clone() };
        assert!(error(&other).ends_with("it was trained with other games"), "{}", error(&other));
        let other = TrainOptions { rate: 0.003, ..rest };
        assert!(
            error(&other).contains("another training: 4 epochs, batch 256, rate 0.002"),
            "{}",
            error(&other)
        );
    }

    #[test]
    fn a_training_goes_on_from_a_network() {
        let folder = tempfile::tempdir().unwrap();
        let whole = TrainOptions { rate: 0.0003, ..options(folder.path(), 60) };
        let first = table(&trained(&whole));
        let from = folder.path().join("net");
        let out = folder.path().join("better");
        let rest = TrainOptions { from: Some(from.clone()), out: out.clone(), epochs: 1, ..whole.clone() };
        let report = trained(&rest);
        let (before, after) = (first[3][3], table(&report)[0][3]);
        assert!(after < first[0][3] && (after - before).abs() < 0.1 * before, "{before} {after}");
        let scale = |path: &Path| Network::read(path).unwrap().scale;
        assert_eq!(scale(&from), scale(&out));

        let weights = |path: &Path| Network::read(path).unwrap().transformer.weights[200].0.map(i32::from);
        let (first, last) = (weights(&from), weights(&out));
        let report = trained(&TrainOptions { keep: 0.25, ..rest.clone() });
        assert!(report.contains("with a share of 0.25 of the first network\n"), "{report}");
        for ((mixed, first), last) in weights(&out).into_iter().zip(first).zip(last) {
            assert!((4 * mixed - first - 3 * last).abs() <= 4, "{mixed}: {first} {last}");
        }

        let checkpoint = Some(folder.path().join("checkpoint"));
        let kept = TrainOptions { checkpoint, resume: true, ..rest };
        trained(&kept);
        let error = |options: &TrainOptions| run(options, &mut Vec::new()).unwrap_err().to_string();
        let other =
            TrainOptions { from: Some(out.clone()), out: folder.path().join("third"), ..kept.clone() };
        assert!(error(&other).contains("it comes from another training"), "{}", error(&other));
        let over = TrainOptions { from: Some(out), ..kept.clone() };
        assert!(error(&over).ends_with("written over what is read"), "{}", error(&over));
        let none = TrainOptions { from: Some(kept.games[0].clone()), ..kept };
        assert!(error(&none).ends_with("games: this is no network of Juzhong"), "{}", error(&none));
    }

    #[test]
    fn what_cannot_be_used_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let options = options(folder.path(), 1);
        let error = |options: &TrainOptions| run(options, &mut Vec::new()).unwrap_err().to_string();
        let without = TrainOptions { validation: 0.0, ..options.clone() };
        assert!(
            error(&without).contains("no position to validate with in 1 games (--validation"),
            "{}",
            error(&without)
        );
        let over = TrainOptions { out: options.games[0].clone(), ..options.clone() };
        assert!(error(&over).ends_with("written over what is read"), "{}", error(&over));
        let lost = TrainOptions { games: vec![folder.path().join("none")], ..options.clone() };
        assert!(error(&lost).contains("none: "), "{}", error(&lost));
        let nowhere = TrainOptions { out: folder.path().join("no/net"), ..options };
        assert!(error(&nowhere).contains("no/net: "), "{}", error(&nowhere));
    }
}
