//! The threads that search together, and what each of them keeps from one search to the next.

use super::seats::Seats;
use super::thread_data::Memory;

/// A memory for each thread, and the threads beside the one that calls.
///
/// The helpers live on between searches: a thread made anew for each move begins its work some milliseconds late, for
/// the system first puts it on the processor of the thread that made it. At 9 ms a move two threads lost to one.
#[derive(Default)]
pub(super) struct Crew {
    memories: Vec<Memory>,
    helpers: Option<(rayon::ThreadPool, Seats)>,
}

impl Crew {
    /// Has `first` run on the calling thread and meanwhile `help` on each of `threads - 1` others, with their numbers
    /// from 1; returns what came of it, the first thread's first. If the system gives no more threads, `first` runs
    /// alone.
    pub fn work<R: Send>(
        &mut self,
        threads: usize,
        first: impl FnOnce(&mut Memory) -> R,
        help: impl Fn(usize, &mut Memory) -> R + Sync,
    ) -> Vec<R> {
        if self.memories.len() < threads {
            self.memories.resize_with(threads, Memory::new);
        }
        self.hire(threads.saturating_sub(1));
        let Some((own, others)) = self.memories.split_first_mut() else { return Vec::new() };
        let Some((helpers, seats)) = &self.helpers else { return vec![first(own)] };
        seats.leave_mine();
        let mut results: Vec<Option<R>> = others.iter().take(threads - 1).map(|_| None).collect();
        let mut all = Vec::with_capacity(threads);
        all.push(helpers.in_place_scope(|scope| {
            let help = &help;
            for ((number, memory), result) in (1..).zip(others).zip(&mut results) {
                scope.spawn(move |_| *result = Some(help(number, memory)));
            }
            first(own)
        }));
        all.extend(results.into_iter().flatten());
        all
    }

    /// Makes the helpers, unless there are as many as wanted.
    fn hire(&mut self, wanted: usize) {
        let there = self.helpers.as_ref().map_or(0, |(helpers, _)| helpers.current_num_threads());
        if there != wanted {
            // The old ones go first: there may be no room for both.
            self.helpers = None;
            let builder = rayon::ThreadPoolBuilder::new().num_threads(wanted);
            let helpers = if wanted > 0 { builder.build().ok() } else { None };
            self.helpers = helpers.map(|helpers| {
                let seats = Seats::of(&helpers);
                (helpers, seats)
            });
        }
    }

    /// Forgets what was learnt, as at the beginning of a game.
    pub fn clear(&mut self) {
        self.memories.iter_mut().for_each(Memory::clear);
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        self.memories.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Barrier;
    use std::thread;

    use super::*;

    #[test]
    fn all_work_at_the_same_time_and_the_same_threads_come_again() {
        let mut crew = Crew::default();
        let mut seen = Vec::new();
        for threads in [1, 3, 3, 2, 1] {
            let barrier = Barrier::new(threads);
            let results = crew.work(
                threads,
                |_| {
                    barrier.wait();
                    (0, thread::current().id())
                },
                |number, _| {
                    barrier.wait();
                    (number, thread::current().id())
                },
            );
            assert_eq!(results[0], (0, thread::current().id()));
            assert!(results.iter().map(|result| result.0).eq(0..threads));
            seen.push(results.iter().map(|result| result.1).collect::<HashSet<_>>());
            assert_eq!(seen.last().map(HashSet::len), Some(threads));
        }
        assert_eq!(seen[1], seen[2]);
    }
}
