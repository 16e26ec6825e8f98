//! Counting what is in games.

use std::collections::HashSet;
use std::fmt;

use crate::data::{ReplayError, TrainingGame};
use crate::support::chart::{Chart, Panel, Series, SeriesShape};
use juzhong_engine::score::{RULED_BOUND, Value};
use xiangqi::types::{Outcome, Side};

/// Width of a bin of scores in centipawns.
const WIDTH: Value = 100;
/// Scores from here on share the last bin on their side.
const LARGEST: Value = 1500;
/// Bins of scores: one around 0, and as many on either side.
const BINS: usize = 2 * (LARGEST / WIDTH) as usize + 1;
/// Columns of the longest bar.
const BAR: usize = 40;

/// Counts over all games of some files.
#[derive(Debug, Clone, PartialEq)]
pub struct GamesStats {
    games: u64,
    /// Games that Red won, drew, lost.
    results: [u64; 3],
    /// The length of each game in plies.
    lengths: Vec<usize>,
    /// Different positions in which games left the opening.
    openings: HashSet<u64>,
    /// Plies with a score, and those of them with a mate or a ruling in sight.
    scored: u64,
    decided: u64,
    /// Positions by their score for the mover, and what the mover won, drew and lost from there.
    scores: [[u64; 3]; BINS],
    /// Positions by the number of pieces on the board.
    pieces: [u64; 33],
}

impl Default for GamesStats {
    fn default() -> GamesStats {
        GamesStats {
            games: 0,
            results: [0; 3],
            lengths: Vec::new(),
            openings: HashSet::new(),
            scored: 0,
            decided: 0,
            scores: [[0; 3]; BINS],
            pieces: [0; 33],
        }
    }
}

/// The bin of a score.
fn bin(score: Value) -> usize {
    let score = score.clamp(-LARGEST, LARGEST);
    // Rounded to the nearest, so that bins are alike on both sides of 0.
    ((score + LARGEST + WIDTH / 2) / WIDTH) as usize
}

/// An outcome as one side sees it: 0 won, 1 drawn, 2 lost.
fn seen_by(side: Side, outcome: Outcome) -> usize {
    match outcome {
        Outcome::Win(winner) if winner == side => 0,
        Outcome::Draw => 1,
        Outcome::Win(_) => 2,
    }
}

impl GamesStats {
    /// Counts a game.
    ///
    /// # Errors
    /// Returns an error if the game cannot be played through; the plies before that are counted.
    pub fn add(&mut self, game: &TrainingGame) -> Result<(), ReplayError> {
        self.games += 1;
        self.results[seen_by(Side::Red, game.outcome)] += 1;
        self.lengths.push(game.plies.len());
        let mut left = false;
        game.replay(|sight| {
            let Some(score) = sight.ply.score else { return };
            if !left {
                left = true;
                self.openings.insert(sight.position.key());
            }
            self.scored += 1;
            self.decided += u64::from(score.abs() >= RULED_BOUND);
            self.scores[bin(score)][seen_by(sight.position.side(), game.outcome)] += 1;
            self.pieces[(sight.position.occupied().len() as usize).min(32)] += 1;
        })?;
        Ok(())
    }

    fn plies(&self) -> usize {
        self.lengths.iter().sum()
    }

    fn median_length(&self) -> usize {
        let mut lengths = self.lengths.clone();
        lengths.sort_unstable();
        lengths.get(lengths.len() / 2).copied().unwrap_or(0)
    }
}

/// A share in percent.
fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

impl fmt::Display for GamesStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [won, drawn, lost] = self.results.map(|games| percent(games, self.games));
        let plies = self.plies();
        let mean = plies as f64 / self.games.max(1) as f64;
        let longest = self.lengths.iter().max().unwrap_or(&0);
        writeln!(
            f,
            "games      {:>10}  Red won {won:.1} %, drawn {drawn:.1} %, Black won {lost:.1} %",
            self.games
        )?;
        writeln!(f, "openings   {:>10}  different positions at the end of the opening", self.openings.len())?;
        writeln!(
            f,
            "plies      {plies:>10}  {mean:.1} a game, half of the games over {}, longest {longest}",
            self.median_length()
        )?;
        writeln!(
            f,
            "scored     {:>10}  {:.1} % of them with a mate or a ruling in sight",
            self.scored,
            percent(self.decided, self.scored)
        )?;
        writeln!(f, "\n  score   positions    won  drawn   lost")?;
        let most = self.scores.iter().map(|bin| bin.iter().sum::<u64>()).max().unwrap_or(0);
        for (bin, results) in self.scores.iter().enumerate() {
            let count: u64 = results.iter().sum();
            let middle = bin as Value * WIDTH - LARGEST;
            let [won, drawn, lost] = results.map(|part| percent(part, count));
            let bar = "#".repeat((count as usize * BAR).div_ceil(most.max(1) as usize));
            writeln!(f, "{middle:>+7}  {count:>10}  {won:>5.1}  {drawn:>5.1}  {lost:>5.1}  {bar}")?;
        }
        writeln!(f, "\n pieces   positions")?;
        let most = self.pieces.iter().max().copied().unwrap_or(0);
        for (pieces, &count) in self.pieces.iter().enumerate().skip(2) {
            let bar = "#".repeat((count as usize * BAR).div_ceil(most.max(1) as usize));
            writeln!(f, "{pieces:>7}  {count:>10}  {bar}")?;
        }
        Ok(())
    }
}

impl GamesStats {
    /// Draws scores, results by score, and phases.
    pub(super) fn picture(&self) -> Chart {
        let middle = |bin: usize| f64::from(bin as Value * WIDTH - LARGEST);
        let counted = |(bin, results): (usize, &[u64; 3])| (middle(bin), results.iter().sum::<u64>() as f64);
        let share = |part: usize, name: &str| Series {
            name: name.to_owned(),
            shape: SeriesShape::Line,
            points: (self.scores.iter().enumerate())
                .map(|(bin, results)| (middle(bin), percent(results[part], results.iter().sum())))
                .collect(),
        };
        let bars = |points| vec![Series { name: "positions".to_owned(), shape: SeriesShape::Bars, points }];
        let pieces = self.pieces.iter().enumerate().skip(2);
        Chart(vec![
            Panel {
                title: format!("{} positions of {} games by score", self.scored, self.games),
                axis: "score for the side to move, centipawns",
                covers: Vec::new(),
                series: bars(self.scores.iter().enumerate().map(counted).collect()),
            },
            Panel {
                title: "Results by score, percent".to_owned(),
                axis: "score for the side to move, centipawns",
                covers: Vec::new(),
                series: vec![share(0, "won"), share(1, "drawn"), share(2, "lost")],
            },
            Panel {
                title: "Positions by phase".to_owned(),
                axis: "pieces on the board",
                covers: Vec::new(),
                series: bars(pieces.map(|(pieces, &count)| (pieces as f64, count as f64)).collect()),
            },
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::ScoredMove;

    #[test]
    fn games_are_counted_by_what_they_hold() {
        let ply = |mv: &str, score| ScoredMove::new(mv.parse().unwrap(), score);
        let plies = vec![
            ply("h2e2", None),
            ply("h9g7", Some(-120)),
            ply("e2e6", Some(140)),
            ply("b9c7", Some(-29_998)),
        ];
        let game = TrainingGame { seed: 0, start: None, plies, outcome: Outcome::Win(Side::Red) };
        let mut stats = GamesStats::default();
        stats.add(&game).unwrap();
        assert_eq!((stats.games, stats.results, stats.plies()), (1, [1, 0, 0], 4));
        assert_eq!((stats.scored, stats.decided, stats.openings.len()), (3, 1, 1));
        assert_eq!(stats.scores[bin(-100)], [0, 0, 1], "Black lost from -120");
        assert_eq!(stats.scores[bin(100)], [1, 0, 0], "Red won from 140");
        assert_eq!(stats.scores[0], [0, 0, 1]);
        assert_eq!((stats.pieces[32], stats.pieces[31]), (2, 1));
        let text = stats.to_string();
        assert!(text.contains("Red won 100.0 %"), "{text}");
        assert!(stats.picture().to_string().contains("3 positions of 1 games"));
    }

    #[test]
    fn bins_are_alike_on_both_sides() {
        assert_eq!(bin(0), BINS / 2);
        assert_eq!((bin(-49), bin(49), bin(51)), (BINS / 2, BINS / 2, BINS / 2 + 1));
        assert_eq!((bin(-30_000), bin(30_000)), (0, BINS - 1));
        for score in (-2000..2000).step_by(7).filter(|score: &Value| score.rem_euclid(WIDTH) != WIDTH / 2) {
            assert_eq!(bin(score) + bin(-score), BINS - 1, "{score}");
        }
    }
}
