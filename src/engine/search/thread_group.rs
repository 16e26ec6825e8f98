//! Threads that live on from one search to the next and sleep in between.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

/// What every thread of a group does, given its number from 0.
pub(super) type Job = Arc<dyn Fn(usize) + Send + Sync>;

/// Some threads that do a job together, each once, and sleep on a condition variable until the next.
#[derive(Default)]
pub(super) struct ThreadGroup {
    parking: Arc<Parking>,
    handles: Vec<JoinHandle<()>>,
}

#[derive(Default)]
struct Parking {
    state: Mutex<ParkingState>,
    /// A job has come, or the group is to end.
    wake: Condvar,
    /// The last thread has finished the job.
    idle: Condvar,
}

#[derive(Default)]
struct ParkingState {
    job: Option<Job>,
    /// How many jobs there have been.
    round: u64,
    /// Threads that have not finished the present job.
    busy: usize,
    closing: bool,
}

impl ThreadGroup {
    /// How many threads there are.
    pub(super) fn len(&self) -> usize {
        self.handles.len()
    }

    /// Starts or ends threads until there are `threads`, or fewer if the system grants no more. No job may be under
    /// way.
    pub(super) fn resize(&mut self, threads: usize) {
        if threads < self.handles.len() {
            self.close();
        }
        while self.handles.len() < threads {
            let (id, round) = (self.handles.len(), self.parking.lock().round);
            let parking = Arc::clone(&self.parking);
            let thread = thread::Builder::new().name(format!("search {id}"));
            match thread.spawn(move || parking.serve(id, round)) {
                Ok(handle) => self.handles.push(handle),
                Err(_) => return,
            }
        }
    }

    /// Has every thread do this job, and returns at once. No other job may be under way.
    pub(super) fn run(&self, job: Job) {
        let mut state = self.parking.lock();
        state.job = Some(job);
        state.round += 1;
        state.busy = self.handles.len();
        drop(state);
        self.parking.wake.notify_all();
    }

    /// Waits until every thread has finished its job.
    pub(super) fn wait(&self) {
        let mut state = self.parking.lock();
        while state.busy > 0 {
            state = self.parking.idle.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Ends all threads, once they have finished their job.
    fn close(&mut self) {
        self.parking.lock().closing = true;
        self.parking.wake.notify_all();
        for handle in self.handles.drain(..) {
            // Panics are caught where they happen, so that there is nothing to be told here.
            let _ = handle.join();
        }
        self.parking.lock().closing = false;
    }
}

impl Drop for ThreadGroup {
    fn drop(&mut self) {
        self.close();
    }
}

impl Parking {
    /// The loop of a thread that has already seen `seen` jobs.
    fn serve(&self, id: usize, mut seen: u64) {
        while let Some((job, round)) = self.next_job(seen) {
            seen = round;
            // The panic has been reported by the hook; the other threads and later jobs go on.
            let _ = catch_unwind(AssertUnwindSafe(|| job(id)));
            drop(job);
            let mut state = self.lock();
            state.busy -= 1;
            if state.busy == 0 {
                state.job = None;
                drop(state);
                self.idle.notify_all();
            }
        }
    }

    /// Sleeps until there is a job after the first `seen`; `None` if the group ends.
    fn next_job(&self, seen: u64) -> Option<(Job, u64)> {
        let mut state = self.lock();
        loop {
            if state.round > seen
                && let Some(job) = &state.job
            {
                return Some((Arc::clone(job), state.round));
            }
            if state.closing {
                return None;
            }
            state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, ParkingState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Barrier;
    use std::thread::ThreadId;

    use super::*;

    /// Has all threads of the group meet, and returns which they were.
    fn meet(group: &ThreadGroup) -> HashSet<(usize, ThreadId)> {
        let (barrier, seen) = (Barrier::new(group.len()), Arc::new(Mutex::new(HashSet::new())));
        let noted = Arc::clone(&seen);
        group.run(Arc::new(move |id| {
            barrier.wait();
            noted.lock().unwrap().insert((id, thread::current().id()));
        }));
        group.wait();
        let seen = seen.lock().unwrap();
        seen.clone()
    }

    #[test]
    fn all_work_at_the_same_time_and_the_same_threads_come_again() {
        let mut group = ThreadGroup::default();
        for threads in [1, 3, 2, 4] {
            group.resize(threads);
            let first = meet(&group);
            assert_eq!(first.len(), threads);
            assert_eq!(meet(&group), first);
        }
    }

    #[test]
    fn a_panic_ends_the_job_of_one_thread_only() {
        let mut group = ThreadGroup::default();
        group.resize(2);
        group.run(Arc::new(|id| assert!(id > 0, "expected: the test wants a panic")));
        group.wait();
        assert_eq!(meet(&group).len(), 2);
    }
}
