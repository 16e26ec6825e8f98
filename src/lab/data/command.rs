//! `data`: what is in files of games, and new files made of them.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use thiserror::Error;

use super::{rescore, stats};
use crate::data::{BadGame, DataError, GamesFormatError, GamesHeader, GamesReader, TrainingGame};
use crate::support::files::{self, Draft};
use juzhong_engine::container::LoadError;
use juzhong_engine::eval::NetworkError;

/// What `juzhong data` is asked to do.
#[derive(Debug, clap::Subcommand)]
pub enum DataTask {
    /// Count games, results, scores and phases
    Stats {
        /// Files of games
        #[arg(required = true)]
        games: Vec<PathBuf>,
        /// Where to draw scores, phases and results by score, as an SVG picture
        #[arg(long)]
        plot: Option<PathBuf>,
    },
    /// Put the games of several files into one
    Merge {
        /// Files of games
        #[arg(required = true)]
        games: Vec<PathBuf>,
        /// The file to write
        #[arg(long)]
        out: PathBuf,
    },
    /// Put the games of a file into random order
    Shuffle {
        /// The file of games
        games: PathBuf,
        /// The file to write
        #[arg(long)]
        out: PathBuf,
        /// The seed of the random order
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Keep one of all games that are equal move by move
    Dedup {
        /// The file of games
        games: PathBuf,
        /// The file to write
        #[arg(long)]
        out: PathBuf,
    },
    /// Search the positions of all games again, and keep the new scores
    Rescore(rescore::RescoreOptions),
}

impl DataTask {
    /// The files that are read, and those that are written.
    fn files(&self) -> (Vec<&Path>, Vec<&Path>) {
        match self {
            DataTask::Stats { games, plot } => {
                (games.iter().map(PathBuf::as_path).collect(), plot.iter().map(PathBuf::as_path).collect())
            }
            DataTask::Merge { games, out } => (games.iter().map(PathBuf::as_path).collect(), vec![out]),
            DataTask::Shuffle { games, out, .. } | DataTask::Dedup { games, out } => (vec![games], vec![out]),
            DataTask::Rescore(options) => (vec![&options.games], vec![&options.out]),
        }
    }
}

/// Why a task of `juzhong data` could not be done.
#[derive(Debug, Error)]
pub enum DataToolError {
    /// A file of games cannot be read or written.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A game cannot be played through.
    #[error(transparent)]
    Game(#[from] BadGame),
    /// The new file cannot be written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The games do not fit the format.
    #[error("{}: {error}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Why the games do not fit the format.
        error: GamesFormatError,
    },
    /// The network cannot be read.
    #[error(transparent)]
    Network(#[from] LoadError<NetworkError>),
    /// The file to resume does not hold the beginning of these games.
    #[error("{}: not a beginning of these games: another file is needed", .0.display())]
    OtherGames(PathBuf),
    /// The threads cannot be started.
    #[error("cannot start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// The report cannot be written.
    #[error("cannot write: {0}")]
    Report(#[from] io::Error),
}

/// Does a task, and writes what came of it to `report`.
///
/// # Errors
/// Returns an error if a file cannot be read or written. A damaged file is used up to the damage, which is reported.
pub fn run(task: &DataTask, report: &mut impl Write) -> Result<(), DataToolError> {
    let (read_from, written) = task.files();
    files::keep_apart(&written, &read_from).map_err(|(path, error)| DataToolError::File { path, error })?;
    match task {
        DataTask::Stats { games, plot } => {
            let mut stats = stats::GamesStats::default();
            for path in games {
                let (_, read) = read(path, report)?;
                for (number, game) in (1..).zip(&read) {
                    let failed = |error| BadGame { path: path.clone(), number, error };
                    stats.add(game).map_err(failed)?;
                }
            }
            write!(report, "{stats}")?;
            if let Some(path) = plot {
                let failed = |error| DataToolError::File { path: path.clone(), error };
                files::replace(path, stats.picture().to_string().as_bytes()).map_err(failed)?;
            }
        }
        DataTask::Merge { games, out } => {
            let (mut header, mut merged) = (None, Vec::new());
            for path in games {
                let (own, read) = read(path, report)?;
                header = Some(header.map_or_else(|| own.clone(), |known| common(known, &own)));
                merged.extend(read);
            }
            if let Some(header) = header {
                write(out, &header, &merged, report)?;
            }
        }
        DataTask::Shuffle { games, out, seed } => {
            let (header, mut read) = read(games, report)?;
            read.shuffle(&mut ChaCha8Rng::seed_from_u64(*seed));
            write(out, &header, &read, report)?;
        }
        DataTask::Dedup { games, out } => {
            let (header, mut read) = read(games, report)?;
            let before = read.len();
            let mut seen: HashSet<(Option<String>, Vec<u16>)> = HashSet::new();
            let moves = |game: &TrainingGame| game.plies.iter().map(|ply| ply.mv.word()).collect();
            read.retain(|game| seen.insert((game.start.clone(), moves(game))));
            writeln!(report, "{} of {before} games were there already", before - read.len())?;
            write(out, &header, &read, report)?;
        }
        DataTask::Rescore(options) => rescore::run(options, report)?,
    }
    Ok(())
}

/// Reads the games of a file, and reports damage.
pub(super) fn read(
    path: &Path,
    report: &mut impl Write,
) -> Result<(GamesHeader, Vec<TrainingGame>), DataToolError> {
    let reader = GamesReader::open(path)?;
    let header = reader.header().clone();
    let mut games = Vec::new();
    for game in reader {
        match game {
            Ok(game) => games.push(game),
            Err(damage) => writeln!(report, "{damage}; the {} games before it are used", games.len())?,
        }
    }
    Ok((header, games))
}

/// Writes a file of games as a whole.
fn write(
    path: &Path,
    header: &GamesHeader,
    games: &[TrainingGame],
    report: &mut impl Write,
) -> Result<(), DataToolError> {
    let failed = |error| DataToolError::File { path: path.to_owned(), error };
    let untold = |error| DataToolError::Format { path: path.to_owned(), error };
    let mut draft = io::BufWriter::new(Draft::new(path).map_err(failed)?);
    draft.write_all(&header.encode().map_err(untold)?).map_err(failed)?;
    for game in games {
        draft.write_all(&game.encode().map_err(untold)?).map_err(failed)?;
    }
    let draft = draft.into_inner().map_err(io::IntoInnerError::into_error);
    draft.and_then(Draft::finish).map_err(failed)?;
    writeln!(report, "{} games in {}", games.len(), path.display())?;
    Ok(())
}

/// The description of games from two files.
fn common(one: GamesHeader, other: &GamesHeader) -> GamesHeader {
    let join = |one: String, other: &str| {
        if one.split(" + ").any(|part| part == other) { one } else { format!("{one} + {other}") }
    };
    // A number that differs is none.
    let same = |one, other| if one == other { one } else { 0 };
    GamesHeader {
        program: join(one.program, &other.program),
        evaluation: join(one.evaluation, &other.evaluation),
        nodes: same(one.nodes, other.nodes),
        seed: same(one.seed, other.seed),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::data::{GamesWriter, ScoredMove};
    use xiangqi::types::Outcome;

    fn game(seed: u64, moves: &[&str]) -> TrainingGame {
        let score = |at: usize| (at > 0).then_some(10);
        let plies = moves
            .iter()
            .enumerate()
            .map(|(at, mv)| ScoredMove::new(mv.parse().unwrap(), score(at)))
            .collect();
        TrainingGame { seed, start: None, plies, outcome: Outcome::Draw }
    }

    fn header(seed: u64) -> GamesHeader {
        GamesHeader { program: "p".into(), evaluation: "e".into(), nodes: 5, seed }
    }

    /// A file of these games in the folder.
    fn file(folder: &Path, name: &str, seed: u64, games: &[TrainingGame]) -> PathBuf {
        let path = folder.join(name);
        let mut writer = GamesWriter::create(&path, &header(seed)).unwrap();
        games.iter().for_each(|game| writer.add(game).unwrap());
        path
    }

    fn done(task: &DataTask) -> String {
        let mut report = Vec::new();
        run(task, &mut report).unwrap();
        String::from_utf8(report).unwrap()
    }

    fn games(path: &Path) -> (GamesHeader, Vec<TrainingGame>) {
        read(path, &mut Vec::new()).unwrap()
    }

    #[test]
    fn files_are_merged_shuffled_and_rid_of_repeats() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let all: Vec<TrainingGame> =
            ["h2e2", "b2e2", "h0g2", "b0c2"].iter().map(|mv| game(0, &[mv, "h9g7"])).collect();
        let sources = vec![file(folder, "a", 1, &all[..2]), file(folder, "b", 2, &all[1..])];
        let out = |name: &str| folder.join(name);
        assert!(done(&DataTask::Merge { games: sources, out: out("merged") }).starts_with("5 games in "));
        let (found, merged) = games(&out("merged"));
        assert_eq!((found.seed, found.nodes, merged.len()), (0, 5, 5));
        let report = done(&DataTask::Dedup { games: out("merged"), out: out("single") });
        assert!(report.starts_with("1 of 5 games were there already\n"), "{report}");
        assert_eq!(games(&out("single")).1, all);
        let shuffle = |seed, name| {
            done(&DataTask::Shuffle { games: out("single"), out: out(name), seed });
            games(&out(name)).1
        };
        let orders: Vec<Vec<TrainingGame>> = (0..8).map(|seed| shuffle(seed, "shuffled")).collect();
        assert!(orders.iter().any(|order| *order != all));
        assert!(orders.iter().all(|order| order.len() == 4 && all.iter().all(|game| order.contains(game))));
        assert_eq!(shuffle(3, "again"), orders[3]);
        let over = DataTask::Shuffle { games: out("single"), out: out("single"), seed: 1 };
        assert!(run(&over, &mut Vec::new()).unwrap_err().to_string().ends_with("over what is read"));
        assert_eq!(games(&out("single")).1, all);
    }

    #[test]
    fn a_cut_file_is_used_up_to_the_cut() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path(), "a", 1, &[game(0, &["h2e2", "h9g7"]), game(1, &["h2e2"])]);
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        let report = done(&DataTask::Stats { games: vec![path], plot: None });
        assert!(report.contains("ends in the middle of a game; the 1 games before it are used"), "{report}");
        assert!(report.contains("games               1  "), "{report}");
    }

    #[test]
    fn scores_are_made_anew_and_a_run_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let mate = game(7, &["h2e2", "b9c7", "h0g2"]);
        let source = file(folder.path(), "a", 1, &[mate.clone(), game(8, &["b2e2", "b9c7"])]);
        let out = folder.path().join("b");
        let options = rescore::RescoreOptions {
            games: source,
            out: out.clone(),
            nodes: 200,
            net: None,
            threads: 1,
            resume: false,
        };
        done(&DataTask::Rescore(options.clone()));
        let (found, rescored) = games(&out);
        assert_eq!((found.nodes, found.seed, rescored.len()), (200, 1, 2));
        assert_eq!(rescored[0].plies[0].score, None, "the opening has no scores");
        let moves = |game: &TrainingGame| game.plies.iter().map(|ply| ply.mv).collect::<Vec<_>>();
        assert_eq!((moves(&rescored[0]), rescored[0].seed), (moves(&mate), 7));
        let bytes = fs::read(&out).unwrap();
        fs::write(&out, &bytes[..bytes.len() - 4]).unwrap();
        assert!(run(&DataTask::Rescore(options.clone()), &mut Vec::new()).is_err(), "nothing is overwritten");
        done(&DataTask::Rescore(rescore::RescoreOptions { resume: true, ..options.clone() }));
        assert_eq!(fs::read(&out).unwrap(), bytes);
        let other = rescore::RescoreOptions { resume: true, nodes: 300, ..options };
        assert!(
            run(&DataTask::Rescore(other), &mut Vec::new()).unwrap_err().to_string().contains("another file")
        );
    }
}
