//! `tune-eval`: fits the table of weights of the evaluation to the results of games.

mod fit;
mod games;

use std::fmt::Write as _;
use std::fs;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::file::Draft;
use crate::eval::Term;
use fit::{Fitter, Weights, best_spread, loss, rescaled};
use games::{GameError, Sample, read_games};

/// Every how many games one is kept out of the fit, to see whether what was learnt holds elsewhere.
const HELD_OUT: usize = 10;

/// What to tune with.
#[derive(Debug, Clone, clap::Args)]
pub struct Options {
    /// Games, a line each: `result TAB moves [TAB fen]`
    pub games: PathBuf,
    /// Where the new table goes, as Rust source
    #[arg(long, default_value = "src/eval/weights.rs")]
    pub out: PathBuf,
    /// How often to go through all positions
    #[arg(long, default_value_t = 20)]
    pub epochs: u32,
    /// The seed of the order of the positions
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Why the tuner gave up.
#[derive(Debug, Error)]
pub enum TuneError {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A line of the game file is wrong.
    #[error("{}:{line}: {error}", path.display())]
    Game {
        /// The file.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// What is wrong.
        error: GameError,
    },
    /// The report cannot be written.
    #[error("cannot write: {0}")]
    Report(#[from] io::Error),
    /// There is nothing to learn from.
    #[error("{}: no quiet position in enough games", .0.display())]
    Empty(PathBuf),
}

/// The number of a weight in the flat list of all weights.
fn slot(term: Term, index: usize) -> usize {
    Term::ALL[..term as usize].iter().map(|term| term.weights().len()).sum::<usize>() + index
}

/// Reads games, fits, reports each epoch to `report`, and writes the new table.
pub fn run(options: &Options, report: &mut impl Write) -> Result<(), TuneError> {
    let file_error = |path: &Path| {
        let path = path.to_path_buf();
        move |error| TuneError::File { path, error }
    };
    let file = fs::File::open(&options.games).map_err(file_error(&options.games))?;
    let games = read_games(BufReader::new(file)).map_err(|(line, error)| TuneError::Game {
        path: options.games.clone(),
        line,
        error,
    })?;
    let (fitted, held_out) = split(games);
    if fitted.is_empty() || held_out.is_empty() {
        return Err(TuneError::Empty(options.games.clone()));
    }
    // Begun before the long work, which would be lost if it could not be written.
    let mut draft = Draft::new(&options.out).map_err(file_error(&options.out))?;
    let weights = tune(&fitted, &held_out, options, report)?;
    draft
        .write_all(source(&weights).as_bytes())
        .and_then(|()| draft.finish())
        .map_err(file_error(&options.out))
}

/// The positions to fit and those held out, whole games on either side.
fn split(games: Vec<Vec<Sample>>) -> (Vec<Sample>, Vec<Sample>) {
    let (mut fitted, mut held_out) = (Vec::new(), Vec::new());
    for (number, game) in games.into_iter().enumerate() {
        if number % HELD_OUT == HELD_OUT - 1 { &mut held_out } else { &mut fitted }.extend(game);
    }
    (fitted, held_out)
}

/// The present table as a flat list.
fn present() -> Weights {
    let all = Term::ALL.iter().flat_map(|term| term.weights());
    all.map(|weight| [weight.middle() as f32, weight.end() as f32]).collect()
}

fn tune(
    fitted: &[Sample],
    held_out: &[Sample],
    options: &Options,
    report: &mut impl Write,
) -> io::Result<Weights> {
    let start = present();
    let spread = best_spread(fitted, &start);
    writeln!(report, "{} positions, {} held out, spread {spread:.0}", fitted.len(), held_out.len())?;
    let mut fitter = Fitter::new(start, spread, options.seed);
    for epoch in 0..=options.epochs {
        if epoch > 0 {
            // From two centipawns a step down to a tenth.
            let left = 1.0 - (epoch - 1) as f32 / options.epochs as f32;
            fitter.epoch(fitted, 0.1 + 1.9 * left * left);
        }
        let [inside, outside] = [fitted, held_out].map(|set| loss(set, &fitter.weights, spread));
        writeln!(report, "epoch {epoch:>3}  error {inside:.6}  held out {outside:.6}")?;
    }
    Ok(rescaled(&fitter.weights, &present(), fitted))
}

/// The table as the source of `src/eval/weights.rs`.
fn source(weights: &Weights) -> String {
    let mut text = format!("{HEADER}pub static WEIGHTS: [&[Tapered]; {}] = [\n", Term::ALL.len());
    let mut rest = weights.iter();
    for term in Term::ALL {
        let pairs: Vec<_> = rest
            .by_ref()
            .take(term.weights().len())
            .map(|[middle, end]| format!("s({}, {})", middle.round() as i16, end.round() as i16))
            .collect();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "    // {}\n    &[", term.name());
        for row in pairs.chunks(term.row()) {
            let _ = writeln!(text, "        {},", row.join(", "));
        }
        text.push_str("    ],\n");
    }
    text + "];\n"
}

const HEADER: &str = "\
//! The weights of the evaluation: pairs of centipawns for the middle game and the endgame.
//!
//! An uncrossed pawn is worth about 100. The rows are the terms of [`Term`](super::Term), in their order.
//! `juzhong tune-eval` writes this file.

use super::tapered::Tapered;

const fn s(middle: i16, end: i16) -> Tapered {
    Tapered::new(middle, end)
}

/// Each term's weights, by [`Term`](super::Term).
#[rustfmt::skip]
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::eval::Trace;

    #[test]
    fn the_present_table_is_written_as_it_stands() {
        assert_eq!(source(&present()), include_str!("../../eval/weights.rs"));
    }

    #[test]
    fn every_weight_has_a_slot_of_its_own() {
        let slots: Vec<_> = Term::ALL
            .iter()
            .flat_map(|&term| (0..term.weights().len()).map(move |i| slot(term, i)))
            .collect();
        assert_eq!(slots, (0..present().len()).collect::<Vec<_>>());
    }

    #[test]
    fn a_sample_has_the_value_of_its_position() {
        for fen in [
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
            "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 b - - 0 1",
            "2bak4/4a4/9/4PP3/9/9/9/9/9/3K5 w - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let linear = fit::value(&Sample::new(&position, 0.5), &present());
            let whole = Trace::new(&position).red_value();
            assert!((linear - whole as f32).abs() <= 1.0, "{fen}: {linear} {whole}");
        }
    }

    #[test]
    fn a_run_learns_and_leaves_a_table() {
        let folder = std::env::temp_dir().join(format!("juzhong-tune-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let options =
            Options { games: folder.join("games"), out: folder.join("weights.rs"), epochs: 5, seed: 1 };
        // Red has a rook more and wins, or less and loses; nothing else differs.
        let moves = "a0a1 e9e8 a1a0 e8e9 a0a1 e9e8 a1a0 e8e9 a0a1 e9e8 a1a0";
        let line = |result, fen| format!("{result}\t{moves}\t{fen}\n");
        let win = line("1-0", "4k4/9/9/9/9/9/9/9/9/R2K2R2 w");
        let draw = line("1/2-1/2", "r3k4/9/9/9/9/9/9/9/9/R2K5 w");
        fs::write(&options.games, (win + &draw).repeat(20)).unwrap();
        let mut report = Vec::new();
        run(&options, &mut report).unwrap();
        let report = String::from_utf8(report).unwrap();
        let errors: Vec<f64> =
            report.lines().filter_map(|line| line.split("held out ").nth(1)?.parse().ok()).collect();
        assert_eq!(errors.len(), 6, "{report}");
        assert!(errors[5] < errors[0], "{report}");
        assert!(fs::read_to_string(&options.out).unwrap().starts_with(HEADER));
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_missing_file_and_a_bad_line_are_named() {
        let path = std::env::temp_dir().join(format!("juzhong-games-{}", std::process::id()));
        let options = Options { games: path.clone(), out: path.with_extension("rs"), epochs: 1, seed: 1 };
        let error = run(&options, &mut Vec::new()).unwrap_err().to_string();
        assert!(error.starts_with(&path.display().to_string()), "{error}");
        fs::write(&path, "1-0\th2e2\n3-0\th2e2\n").unwrap();
        let error = run(&options, &mut Vec::new()).unwrap_err().to_string();
        assert!(error.starts_with(&format!("{}:2: the result", path.display())), "{error}");
        fs::write(&path, "1-0\th2e2\n").unwrap();
        assert!(matches!(run(&options, &mut Vec::new()), Err(TuneError::Empty(_))));
        fs::remove_file(&path).unwrap();
        assert!(!options.out.exists());
    }
}
