//! A table of what searches did, for builds that count it.

use crate::search::SearchCounts;

/// The lines of the table.
pub fn lines(counts: &SearchCounts) -> Vec<String> {
    let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
    let row = |name: &str, part: u64, whole: u64, of: &str| {
        format!("{name:<22}{:>6.1} % of {whole:>10} {of}", share(part, whole))
    };
    let tries = counts.numbers as f64 / counts.cutoffs.max(1) as f64;
    let mut lines = vec![
        row("first-move cut-offs", counts.first, counts.cutoffs, &format!("cut-offs, {tries:.2} moves each")),
        row("table hits", counts.hits, counts.probes, "probes"),
        row("table cut-offs", counts.settled, counts.probes, "probes"),
        row("quiescence", counts.quiescence, counts.main + counts.quiescence, "visits"),
        row("values computed", counts.computed, counts.values, "asked for"),
        row("accumulator updates", counts.updates, counts.nodes, "nodes"),
    ];
    if let Some(factor) = counts.branching() {
        lines.push(format!("{:<22}{factor:>6.2}", "branching factor"));
    }
    lines.push(format!(
        "{:>5} {:>8} {:>12} {:>7} {:>10}",
        "depth", "searches", "mean nodes", "growth", "mean ms"
    ));
    for (depth, iteration) in (1..).zip(&counts.iterations) {
        let mean = |sum: f64| sum / iteration.searches.max(1) as f64;
        let growth = iteration.growth().map_or_else(|| "-".to_owned(), |growth| format!("{growth:.2}"));
        lines.push(format!(
            "{depth:>5} {:>8} {:>12.0} {growth:>7} {:>10.2}",
            iteration.searches,
            mean(iteration.nodes as f64),
            mean(1000.0 * iteration.time.as_secs_f64()),
        ));
    }
    lines
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::search::Iteration;

    #[test]
    fn shares_and_means_line_up() {
        let iteration = |nodes, nodes_before| Iteration {
            searches: 2,
            nodes,
            nodes_before,
            time: Duration::from_millis(3),
        };
        let counts = SearchCounts {
            nodes: 400,
            main: 300,
            quiescence: 100,
            cutoffs: 40,
            first: 30,
            numbers: 50,
            updates: 200,
            iterations: vec![iteration(40, 0), iteration(120, 40)],
            ..SearchCounts::default()
        };
        let lines = lines(&counts);
        assert_eq!(lines[0], "first-move cut-offs     75.0 % of         40 cut-offs, 1.25 moves each");
        assert_eq!(lines[1], "table hits               0.0 % of          0 probes");
        assert_eq!(lines[3], "quiescence              25.0 % of        400 visits");
        assert_eq!(lines[6], "branching factor        3.00");
        assert_eq!(lines[8], "    1        2           20       -       1.50");
        assert_eq!(lines[9], "    2        2           60    3.00       1.50");
    }
}
