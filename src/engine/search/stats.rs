//! What a search did, for whoever wants to better it: counted under the feature `stats`, else nothing is there and
//! nothing is done.

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
    /// Visits to nodes of the main search,
    pub main: u64,
    /// and to those of quiescence; a node is visited again when it is searched again with another window or depth.
    pub quiescence: u64,
    /// Nodes of the main search at which a move failed high,
    pub cutoffs: u64,
    /// at which the first move tried did,
    pub first: u64,
    /// and the sum of the numbers, from 1, of the moves that did.
    pub numbers: u64,
    /// Questions to the transposition table,
    pub probes: u64,
    /// those that it could answer,
    pub hits: u64,
    /// and those whose answer settled the node.
    pub settled: u64,
    /// Static values asked for,
    pub values: u64,
    /// those that were computed,
    pub computed: u64,
    /// and the moves by which the sums of the network were brought up to date for them.
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

    /// A node of the main search is visited.
    #[inline]
    pub(super) fn main(&mut self) {
        self.count(|counts| counts.main += 1);
    }

    /// A node of quiescence is visited.
    #[inline]
    pub(super) fn quiescence(&mut self) {
        self.count(|counts| counts.quiescence += 1);
    }

    /// The move with this number, from 1, failed high.
    #[inline]
    pub(super) fn cutoff(&mut self, number: i32) {
        self.count(|counts| {
            counts.cutoffs += 1;
            counts.first += u64::from(number == 1);
            counts.numbers += u64::from(number.unsigned_abs());
        });
    }

    /// The table was asked.
    #[inline]
    pub(super) fn probe(&mut self, hit: bool) {
        self.count(|counts| {
            counts.probes += 1;
            counts.hits += u64::from(hit);
        });
    }

    /// Its answer settled the node.
    #[inline]
    pub(super) fn settled(&mut self) {
        self.count(|counts| counts.settled += 1);
    }

    /// A static value was asked for.
    #[inline]
    pub(super) fn value(&mut self) {
        self.count(|counts| counts.values += 1);
    }

    /// It has to be computed, after so many moves that the network has not seen yet.
    #[inline]
    pub(super) fn computed(&mut self, updates: impl FnOnce() -> usize) {
        self.count(|counts| {
            counts.computed += 1;
            counts.updates += updates() as u64;
        });
    }

    /// The next iteration is complete.
    pub(super) fn iteration(&mut self, nodes: u64, started: Instant) {
        self.count(|counts| {
            let nodes_before = counts.iterations.last().map_or(0, |last| last.nodes);
            counts.iterations.push(Iteration { searches: 1, nodes, nodes_before, time: started.elapsed() });
        });
    }

    /// All that a thread did is done.
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
    /// By what factor the iteration multiplied the nodes; there is none for the first.
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
