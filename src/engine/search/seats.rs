//! On which processors the threads of a search run.
//!
//! A thread that wakes up while another program is at work for a moment on its processor may be put on that of the thread
//! that woke it. The system then lets the two take turns, and moves one away only after some 10 ms: longer than many a
//! search lasts.

#[cfg(target_os = "linux")]
pub(super) use linux::Seats;
#[cfg(not(target_os = "linux"))]
pub(super) use other::Seats;

#[cfg(target_os = "linux")]
mod linux {
    use rustix::thread::{Pid, gettid, sched_getaffinity, sched_getcpu, sched_setaffinity};

    /// The helpers of a search, as the system knows them.
    pub struct Seats(Vec<Pid>);

    impl Seats {
        /// Asks every helper.
        pub fn of(helpers: &rayon::ThreadPool) -> Seats {
            Seats(helpers.broadcast(|_| gettid()))
        }

        /// Keeps the helpers off the processor on which the calling thread is now, until the next time; unless there are
        /// too few others for them. If the system refuses, they run where it likes: nothing depends on it but speed.
        pub fn leave_mine(&self) {
            let Ok(mut allowed) = sched_getaffinity(None) else { return };
            if allowed.count() as usize > self.0.len() {
                allowed.unset(sched_getcpu());
            }
            for &helper in &self.0 {
                let _ = sched_setaffinity(Some(helper), &allowed);
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    /// Nothing is known of processors here.
    pub struct Seats;

    impl Seats {
        pub fn of(_: &rayon::ThreadPool) -> Seats {
            Seats
        }

        pub fn leave_mine(&self) {}
    }
}
