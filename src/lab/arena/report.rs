//! The reports of a match: the live line, the final tables, the line for a commit.

use std::fmt::Write as _;

use super::config::TournamentFormat;
use super::ledger::Ledger;
use super::stats::{Estimate, GameTally, Pentanomial, Sprt};
use super::tournament::{Knockout, Scoring, TieBreak, byes, standings};
use crate::support::text_table::{aligned, new_table};

/// What the reports are about.
#[derive(Debug, Clone, Copy)]
pub struct MatchReport<'a> {
    /// Names of the engines.
    pub names: &'a [String],
    /// Sequential test between the first two, if there is one.
    pub sprt: Option<&'a Sprt>,
    /// Limits of red and black, in words.
    pub limits: &'a str,
    /// Who meets whom.
    pub format: TournamentFormat,
    /// How games count.
    pub scoring: Scoring,
    /// Games of each encounter.
    pub games: u32,
}

/// The best estimate of a difference: from pairs where there are enough, else from single games.
fn estimate(tally: GameTally, pairs: Pentanomial) -> Option<Estimate> {
    let sample = if pairs.count() >= 2 { pairs.sample() } else { tally.sample() };
    Estimate::of(&sample)
}

fn elo(estimate: &Estimate) -> String {
    if estimate.elo_error.is_finite() {
        format!("{} ± {:.1}", number(estimate.elo), estimate.elo_error)
    } else {
        number(estimate.elo)
    }
}

/// A difference with its sign, which may be infinite.
fn number(elo: f64) -> String {
    if elo.is_finite() { format!("{elo:+.1}") } else { if elo > 0.0 { "+∞" } else { "-∞" }.to_owned() }
}

fn counts(tally: GameTally) -> String {
    format!("{} - {} - {}", tally.wins, tally.losses, tally.draws)
}

fn llr(sprt: &Sprt, pairs: Pentanomial) -> String {
    let bounds = sprt.bounds();
    let llr = sprt.llr(&pairs.sample());
    format!("LLR {llr:.2} ({:.2}, {:.2})", bounds.lower, bounds.upper)
}

impl MatchReport<'_> {
    /// The state of a match in one line.
    pub fn live(&self, ledger: &Ledger) -> String {
        if self.names.len() != 2 {
            let leader = self.ranking(ledger).first().copied().unwrap_or(0);
            let tally = ledger.totals()[leader].all;
            return format!("{} games, {} leads: {}", ledger.games(), self.names[leader], counts(tally));
        }
        let (tally, pairs) = ledger.between(0, 1);
        let mut line = format!("{} (won - lost - drawn) [{:.3}]", counts(tally), tally.score());
        // Writing to a string cannot fail.
        if let Some(estimate) = estimate(tally, pairs) {
            let _ = write!(line, " Elo {} LOS {:.1} %", elo(&estimate), 100.0 * estimate.los);
        }
        if let Some(sprt) = self.sprt {
            let _ = write!(line, " {}", llr(sprt, pairs));
        }
        let late: u64 = ledger.totals().iter().map(|t| t.time_losses).sum();
        if late > 0 {
            let _ = write!(line, " time losses {late}");
        }
        line
    }

    /// Engines by score, best first.
    fn ranking(&self, ledger: &Ledger) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by(|&a, &b| {
            let score = |i: usize| ledger.totals()[i].all.score();
            score(b).total_cmp(&score(a))
        });
        order
    }

    /// The final tables.
    pub fn tables(&self, ledger: &Ledger) -> String {
        let mut text = String::new();
        if self.names.len() == 2 {
            text += &self.duel(ledger);
        } else {
            text += &self.cross_table(ledger);
        }
        text += &self.standings(ledger);
        text += &self.engine_table(ledger);
        let endings: Vec<String> = ledger.endings().iter().map(|(word, n)| format!("{word} {n}")).collect();
        let _ = writeln!(text, "Endings: {}; {:.1} plies a game", endings.join(", "), ledger.mean_plies());
        let identical = ledger.identical();
        if identical > 0 {
            let games = ledger.games();
            let _ = writeln!(
                text,
                "Identical games: {identical} of {games} repeat an earlier one move for move and tell nothing new"
            );
        }
        text
    }

    fn duel(&self, ledger: &Ledger) -> String {
        let (tally, pairs) = ledger.between(0, 1);
        let mut text = String::new();
        let _ = writeln!(
            text,
            "{} against {}: {} (won - lost - drawn), {} games, score {:.3}",
            self.names[0],
            self.names[1],
            counts(tally),
            tally.games(),
            tally.score()
        );
        let red = ledger.totals()[0].red;
        let other_red = ledger.totals()[1].red;
        let _ = writeln!(text, "  with red: {}   with black: {}", counts(red), counts(other_red.reversed()));
        if let Some(estimate) = estimate(tally, pairs) {
            let _ = writeln!(
                text,
                "Elo {} (95 %), normalised {} ± {:.1}, LOS {:.1} %, draws {:.1} %",
                elo(&estimate),
                number(estimate.normalised),
                estimate.normalised_error,
                100.0 * estimate.los,
                100.0 * tally.draw_rate()
            );
        }
        let [a, b, c, d, e] = pairs.0;
        let _ = writeln!(text, "Pairs with 0, ½, 1, 1½, 2 points: {a}, {b}, {c}, {d}, {e}");
        if let Some(sprt) = self.sprt {
            let _ = writeln!(text, "SPRT {sprt}: {}, {}", llr(sprt, pairs), sprt.status(&pairs.sample()));
        }
        text
    }

    fn cross_table(&self, ledger: &Ledger) -> String {
        let order = self.ranking(ledger);
        let mut table = new_table();
        let mut header = vec!["#".to_owned(), "engine".to_owned()];
        header.extend((1..=order.len()).map(|i| i.to_string()));
        header.extend(["points", "games", "Elo", "LOS %"].map(str::to_owned));
        table.set_header(header);
        for (place, &engine) in order.iter().enumerate() {
            let all = ledger.totals()[engine].all;
            let mut row = vec![(place + 1).to_string(), self.names[engine].clone()];
            row.extend(order.iter().map(|&other| {
                let tally = ledger.between(engine, other).0;
                match tally.games() {
                    0 => "·".to_owned(),
                    games => format!("{}/{games}", points(tally)),
                }
            }));
            row.extend([points(all), all.games().to_string()]);
            match estimate(all, ledger.pairs_of(engine)) {
                Some(estimate) => row.extend([elo(&estimate), format!("{:.1}", 100.0 * estimate.los)]),
                None => row.extend(["", ""].map(str::to_owned)),
            }
            table.add_row(row);
        }
        aligned(table, &[1])
    }

    /// The places by the rule book, for tournaments in which everybody has the same chances.
    fn standings(&self, ledger: &Ledger) -> String {
        let (tie_breaks, free): (&[TieBreak], _) = match self.format {
            TournamentFormat::RoundRobin => (&TieBreak::ROUND_ROBIN, Vec::new()),
            TournamentFormat::Swiss => {
                (&TieBreak::SWISS, byes(self.names.len(), self.games, ledger.played()))
            }
            TournamentFormat::Knockout => return self.bracket(ledger),
            TournamentFormat::Gauntlet => return String::new(),
        };
        let places = standings(self.names.len(), ledger.played(), &free, self.scoring, tie_breaks);
        let mut table = new_table();
        let mut header =
            ["名次 place", "engine", "积分 points", "won", "drawn", "lost"].map(str::to_owned).to_vec();
        header.extend(tie_breaks.iter().map(|tie_break| tie_break.name().to_owned()));
        header.push("behind by".to_owned());
        table.set_header(header);
        for standing in &places {
            let mut row = vec![
                standing.place.to_string(),
                self.names[standing.player].clone(),
                self.scoring.show(standing.units),
            ];
            row.extend(standing.results.map(|n| n.to_string()));
            row.extend(tie_breaks.iter().zip(&standing.values).map(|(tie_break, value)| {
                value.map_or_else(|| "-".to_owned(), |value| tie_break.show(value, self.scoring))
            }));
            row.push(standing.behind_by.map_or_else(String::new, |tie_break| tie_break.name().to_owned()));
            table.add_row(row);
        }
        let rule = match self.format {
            TournamentFormat::RoundRobin => "15.1",
            _ => "15.2",
        };
        let last = tie_breaks.len() + 6;
        format!("Places by article {rule} of the rule book\n{}", aligned(table, &[1, last]))
    }

    /// The meetings of a knockout, and who won them.
    fn bracket(&self, ledger: &Ledger) -> String {
        let mut text = String::new();
        for tie in Knockout::new(self.names.len(), self.games).meetings(ledger.played()) {
            let [a, b] = tie.players;
            let (tally, _) = ledger.between(a, b);
            let end = match tie.winner() {
                Some(winner) => format!("{} goes on", self.names[winner]),
                None => "open".to_owned(),
            };
            let score = format!("{} : {}", points(tally), points(tally.reversed()));
            // Writing to a string cannot fail.
            let _ =
                writeln!(text, "Round {}: {} - {} {score}, {end}", tie.round, self.names[a], self.names[b]);
        }
        text
    }

    fn engine_table(&self, ledger: &Ledger) -> String {
        let mut table = new_table();
        table.set_header(["engine", "s/move", "depth", "nodes/s", "lost on time", "failures"]);
        for (name, totals) in self.names.iter().zip(ledger.totals()) {
            let effort = &totals.effort;
            let failures: Vec<String> =
                totals.failures.iter().map(|(word, n)| format!("{word} {n}")).collect();
            table.add_row([
                name.clone(),
                format!("{:.3}", effort.mean_time().as_secs_f64()),
                effort.mean_depth().map_or_else(|| "-".to_owned(), |depth| format!("{depth:.1}")),
                effort.speed().map_or_else(|| "-".to_owned(), |speed| format!("{speed:.0}")),
                totals.time_losses.to_string(),
                if failures.is_empty() { "0".to_owned() } else { failures.join(", ") },
            ]);
        }
        aligned(table, &[0])
    }

    /// A match of two in one line, fit for the message of a commit.
    pub fn commit_line(&self, ledger: &Ledger) -> Option<String> {
        if self.names.len() != 2 || ledger.games() == 0 {
            return None;
        }
        let (tally, pairs) = ledger.between(0, 1);
        let estimate = estimate(tally, pairs)?;
        let mut line = format!("Match: Elo {} (95 %)", elo(&estimate));
        if let Some(sprt) = self.sprt {
            let status = sprt.status(&pairs.sample());
            let _ = write!(line, ", {} {sprt}, {status}", llr(sprt, pairs));
        }
        let [a, b, c, d, e] = pairs.0;
        let _ = write!(
            line,
            ", {} games W {} D {} L {}, pairs {a} {b} {c} {d} {e}, {}",
            tally.games(),
            tally.wins,
            tally.draws,
            tally.losses,
            self.limits
        );
        Some(line)
    }
}

/// Points of a tally, with halves.
fn points(tally: GameTally) -> String {
    let half_points = 2 * tally.wins + tally.draws;
    match (half_points / 2, half_points % 2) {
        (whole, 0) => whole.to_string(),
        (0, _) => "½".to_owned(),
        (whole, _) => format!("{whole}½"),
    }
}
