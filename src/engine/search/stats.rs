//! What a search did, for developers who want to improve it. It is counted with the feature `stats` only; without it,
//! nothing is stored and nothing is done.

use std::ops::AddAssign;
use std::time::{Duration, Instant};

/// The counts of a search; empty without the feature `stats`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchStats {
    #[cfg(feature = "stats")]
    counts: SearchCounts,
}

/// What is counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchCounts {
    /// Nodes: moves made, and turns passed.
    pub nodes: u64,
    /// Visits to nodes of the main search; a node is visited again when it is searched with another window or depth.
    pub main: u64,
    /// Visits to nodes of quiescence, repeated ones included.
    pub quiescence: u64,
    /// Nodes of the main search at which a move failed high.
    pub cutoffs: u64,
    /// Nodes of the main search at which the first move tried failed high.
    pub first: u64,
    /// The sum of the numbers, from 1, of the moves that failed high in the main search.
    pub numbers: u64,
    /// Probes of the transposition table.
    pub probes: u64,
    /// Probes that found an entry.
    pub hits: u64,
    /// Probes whose entry settled the node.
    pub settled: u64,
    /// Static values asked for.
    pub values: u64,
    /// Static values that had to be computed.
    pub computed: u64,
    /// Moves by which the accumulator was brought up to date to compute static values.
    pub updates: u64,
    /// The iterations of the first thread, from depth 1 on.
    pub iterations: Vec<Iteration>,
}

/// Where searches were when they completed an iteration.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Iteration {
    /// How many searches completed it.
    pub searches: u64,
    /// Nodes of their first threads until then, all together.
    pub nodes: u64,
    /// The nodes that the same searches had at the end of the iteration before.
    pub nodes_before: u64,
    /// Time until then, all together.
    pub time: Duration,
}

impl SearchStats {
    /// The counts, if there are any.
    pub fn counts(&self) -> Option<&SearchCounts> {
        #[cfg(feature = "stats")]
        return Some(&self.counts);
        #[cfg(not(feature = "stats"))]
        None
    }

    #[inline]
    fn count(&mut self, _note: impl FnOnce(&mut SearchCounts)) {
        #[cfg(feature = "stats")]
        _note(&mut self.counts);
    }

    /// Counts a visit to a node of the main search.
    #[inline]
    pub(super) fn main(&mut self) {
        self.count(|counts| counts.main += 1);
    }

    /// Counts a visit to a node of quiescence.
    #[inline]
    pub(super) fn quiescence(&mut self) {
        self.count(|counts| counts.quiescence += 1);
    }

    /// Counts a fail-high of the move with this number, from 1.
    #[inline]
    pub(super) fn cutoff(&mut self, number: i32) {
        self.count(|counts| {
            counts.cutoffs += 1;
            counts.first += u64::from(number == 1);
            counts.numbers += u64::from(number.unsigned_abs());
        });
    }

    /// Counts a probe of the transposition table.
    #[inline]
    pub(super) fn probe(&mut self, hit: bool) {
        self.count(|counts| {
            counts.probes += 1;
            counts.hits += u64::from(hit);
        });
    }

    /// Counts a probe whose entry settled the node.
    #[inline]
    pub(super) fn settled(&mut self) {
        self.count(|counts| counts.settled += 1);
    }

    /// Counts a static value asked for.
    #[inline]
    pub(super) fn value(&mut self) {
        self.count(|counts| counts.values += 1);
    }

    /// Counts a static value to be computed, after so many moves that the accumulator has yet to follow.
    #[inline]
    pub(super) fn computed(&mut self, updates: impl FnOnce() -> usize) {
        self.count(|counts| {
            counts.computed += 1;
            counts.updates += updates() as u64;
        });
    }

    /// Records that the next iteration is complete.
    pub(super) fn iteration(&mut self, nodes: u64, started: Instant) {
        self.count(|counts| {
            let nodes_before = counts.iterations.last().map_or(0, |last| last.nodes);
            counts.iterations.push(Iteration { searches: 1, nodes, nodes_before, time: started.elapsed() });
        });
    }

    /// Records the nodes of a thread that has finished.
    pub(super) fn finish(&mut self, nodes: u64) {
        self.count(|counts| counts.nodes = nodes);
    }

    /// What the threads of a search did all together; the iterations are those of the first.
    pub(super) fn of<'a>(threads: impl Iterator<Item = &'a SearchStats>) -> SearchStats {
        let mut all: Option<SearchStats> = None;
        for thread in threads {
            match (&mut all, thread.counts()) {
                (Some(all), Some(more)) => all.count(|counts| counts.add(more)),
                _ => all = Some(thread.clone()),
            }
        }
        all.unwrap_or_default()
    }
}

impl Iteration {
    /// The factor by which the iteration multiplied the nodes; `None` for the first.
    pub fn growth(&self) -> Option<f64> {
        (self.nodes_before > 0).then(|| self.nodes as f64 / self.nodes_before as f64)
    }
}

impl SearchCounts {
    /// The effective branching factor: by how much an iteration multiplies the nodes, in the geometric mean.
    pub fn branching(&self) -> Option<f64> {
        let logarithms: Vec<f64> = self.iterations.iter().filter_map(|i| Some(i.growth()?.ln())).collect();
        (!logarithms.is_empty()).then(|| (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp())
    }

    fn add(&mut self, other: &SearchCounts) {
        let pairs = [
            (&mut self.nodes, other.nodes),
            (&mut self.main, other.main),
            (&mut self.quiescence, other.quiescence),
            (&mut self.cutoffs, other.cutoffs),
            (&mut self.first, other.first),
            (&mut self.numbers, other.numbers),
            (&mut self.probes, other.probes),
            (&mut self.hits, other.hits),
            (&mut self.settled, other.settled),
            (&mut self.values, other.values),
            (&mut self.computed, other.computed),
            (&mut self.updates, other.updates),
        ];
        for (count, more) in pairs {
            *count += more;
        }
    }
}

/// The counts of several searches.
impl AddAssign<&SearchCounts> for SearchCounts {
    fn add_assign(&mut self, other: &SearchCounts) {
        self.add(other);
        let depths = self.iterations.len().max(other.iterations.len());
        self.iterations.resize(depths, Iteration::default());
        for (sum, more) in self.iterations.iter_mut().zip(&other.iterations) {
            sum.searches += more.searches;
            sum.nodes += more.nodes;
            sum.nodes_before += more.nodes_before;
            sum.time += more.time;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(not(feature = "stats"))]
    #[test]
    fn nothing_is_there_without_the_feature() {
        assert_eq!((size_of::<SearchStats>(), SearchStats::default().counts()), (0, None));
    }

    #[test]
    fn the_branching_factor_is_the_mean_growth_of_those_that_went_on() {
        let search = |nodes: &[u64]| {
            let mut before = 0;
            let iterations = nodes.iter().map(|&nodes| {
                let nodes_before = std::mem::replace(&mut before, nodes);
                Iteration { searches: 1, nodes, nodes_before, time: Duration::from_millis(nodes) }
            });
            SearchCounts {
                nodes: nodes.iter().sum(),
                iterations: iterations.collect(),
                ..SearchCounts::default()
            }
        };
        let mut sum = search(&[10, 20, 80]);
        assert!((sum.branching().unwrap() - 8f64.sqrt()).abs() < 1e-9);
        sum += &search(&[30, 100]);
        assert_eq!((sum.nodes, sum.iterations.len()), (240, 3));
        assert_eq!(sum.iterations[1].growth(), Some(120.0 / 40.0));
        assert_eq!(
            sum.iterations[2],
            Iteration { searches: 1, nodes: 80, nodes_before: 20, time: Duration::from_millis(80) }
        );
        assert_eq!((SearchCounts::default().branching(), search(&[5]).branching()), (None, None));
    }

    #[cfg(feature = "stats")]
    mod counting {
        use super::*;
        use crate::search::{SearchLimits, ThreadPool};
        use xiangqi::board::Position;

        fn search(fen: &str, depth: u32, threads: usize) -> (u64, SearchCounts) {
            let position = Position::from_fen(fen).unwrap();
            let limits = SearchLimits { depth: Some(depth), ..SearchLimits::default() };
            let report = ThreadPool::new(threads, 1).think(&position, &limits).unwrap();
            (report.nodes, report.stats.counts().unwrap().clone())
        }

        const MIDDLE: &str = "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1";

        #[test]
        fn a_search_of_one_ply_is_its_moves_and_quiescence() {
            let moves = Position::from_fen(MIDDLE).unwrap().legal_moves().len() as u64;
            let (nodes, counts) = search(MIDDLE, 1, 1);
            assert_eq!((counts.nodes, counts.main, counts.cutoffs), (nodes, 1, 0));
            // Moves that turn out better than the first are looked at with an open window as well.
            assert!(moves < nodes && nodes <= counts.quiescence, "{counts:?}");
        }

        #[test]
        fn parts_are_no_larger_than_their_wholes() {
            let (nodes, counts) = search(MIDDLE, 9, 1);
            let SearchCounts { cutoffs, first, numbers, probes, hits, settled, .. } = counts;
            assert!(0 < first && first < cutoffs && cutoffs < numbers, "{counts:?}");
            assert!(0 < settled && settled < hits && hits < probes, "{counts:?}");
            assert!(0 < counts.computed && counts.computed < counts.values, "{counts:?}");
            assert!(0 < counts.updates && counts.updates < nodes, "some sums are never needed: {counts:?}");
            assert_eq!(counts.iterations.len(), 9);
            assert!(counts.iterations.is_sorted_by(|a, b| a.nodes <= b.nodes && a.time <= b.time));
            assert!(counts.iterations.last().unwrap().nodes <= nodes && counts.nodes == nodes);
        }

        #[test]
        fn threads_are_summed_up() {
            let (nodes, counts) = search(MIDDLE, 8, 2);
            assert_eq!((counts.nodes, counts.iterations.len()), (nodes, 8));
        }
    }
}
