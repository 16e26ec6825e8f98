//! The input of a program, written without ever waiting for the program to read it.

#[cfg(not(unix))]
pub(super) use queued::Input;
#[cfg(unix)]
pub(super) use unblocked::Input;

/// A pipe that refuses what does not fit into it.
#[cfg(unix)]
mod unblocked {
    use std::io::{self, Write};
    use std::process::ChildStdin;

    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

    #[derive(Debug)]
    pub struct Input(ChildStdin);

    impl Input {
        pub fn new(pipe: ChildStdin) -> io::Result<Input> {
            let flags = fcntl_getfl(&pipe)?;
            fcntl_setfl(&pipe, flags | OFlags::NONBLOCK)?;
            Ok(Input(pipe))
        }

        /// Writes text at once, or fails with [`io::ErrorKind::WouldBlock`] if there is no room for it.
        pub fn write(&mut self, text: &str) -> io::Result<()> {
            self.0.write_all(text.as_bytes())
        }
    }
}

/// A pipe that is written by a separate thread, which waits instead of the caller.
#[cfg(not(unix))]
mod queued {
    use std::io::{self, Write};
    use std::process::ChildStdin;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::{Sender, channel};
    use std::thread;

    /// Most bytes that may wait to be read: what a pipe holds on other systems.
    const MOST_UNREAD: usize = 1 << 16;

    #[derive(Debug)]
    pub struct Input {
        texts: Sender<String>,
        unread: Arc<AtomicUsize>,
    }

    impl Input {
        pub fn new(mut pipe: ChildStdin) -> io::Result<Input> {
            let (texts, queue) = channel::<String>();
            let unread = Arc::new(AtomicUsize::new(0));
            let written = unread.clone();
            thread::Builder::new().spawn(move || {
                for text in queue {
                    // The next `write` finds nobody at the other end of the queue.
                    if pipe.write_all(text.as_bytes()).is_err() {
                        return;
                    }
                    written.fetch_sub(text.len(), Ordering::Relaxed);
                }
            })?;
            Ok(Input { texts, unread })
        }

        /// Writes text soon, or fails with [`io::ErrorKind::WouldBlock`] if too much of what was written before waits to
        /// be read.
        pub fn write(&mut self, text: &str) -> io::Result<()> {
            if self.unread.load(Ordering::Relaxed) + text.len() > MOST_UNREAD {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            self.unread.fetch_add(text.len(), Ordering::Relaxed);
            self.texts.send(text.to_owned()).map_err(|_| io::ErrorKind::BrokenPipe.into())
        }
    }
}
