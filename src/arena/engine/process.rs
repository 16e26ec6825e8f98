//! A child process with piped lines, and the log of what passes through the pipes.
//!
//! Reading and writing cannot block each other: each output pipe has a thread that empties it at once, and the
//! input pipe is written without waiting. A program that leaves a whole pipe buffer (64 KiB) unread is as good
//! as hanging, and the write reports that instead of waiting with it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use super::spec::EngineSpec;

/// Longest line taken from a program, in bytes; what exceeds it is dropped.
const LONGEST_LINE: u64 = 1 << 16;

/// What comes out of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// A complete line of the standard output without its end.
    Line(String),
    /// A complete line of the standard error without its end, where it is listened to.
    Error(String),
    /// The output is closed. A last line that never ended is in the log, but is not heard.
    End,
}

/// A log of all lines to and from engines.
#[derive(Debug, Clone)]
pub struct Traffic {
    sink: Arc<Mutex<File>>,
    since: Instant,
}

impl Traffic {
    /// Opens a log file, emptying it.
    pub fn create(path: &Path) -> io::Result<Traffic> {
        Ok(Traffic { sink: Arc::new(Mutex::new(File::create(path)?)), since: Instant::now() })
    }

    /// Writes one line: seconds since the start, name of the engine, direction (`<` to the engine, `>` from it,
    /// `!` its standard error), text.
    fn note(&self, at: Instant, name: &str, direction: char, text: &str) {
        let time = at.saturating_duration_since(self.since).as_secs_f64();
        let line = format!("{time:.6} {name} {direction} {text}\n");
        let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        // A full disk must not stop the match; the log is an aid.
        let _ = sink.write_all(line.as_bytes());
    }
}

/// A running program. Dropping it kills it and everything in its process group.
#[derive(Debug)]
pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    name: Arc<str>,
    traffic: Option<Traffic>,
    over: bool,
}

impl Process {
    /// Starts the program of `spec`. `ear` is called, on another thread, with each line of the standard output as
    /// it arrives and the moment it did; `errors`, if given, with each line of the standard error.
    pub fn spawn(
        spec: &EngineSpec,
        name: &str,
        traffic: Option<Traffic>,
        errors: Option<Box<dyn FnMut(Instant, Heard) + Send>>,
        mut ear: impl FnMut(Instant, Heard) + Send + 'static,
    ) -> io::Result<Process> {
        let argv = spec.argv().map_err(|e| io::Error::new(io::ErrorKind::InvalidInput, e.to_string()))?;
        let mut command = Command::new(&argv[0]);
        command.args(&argv[1..]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let hears_errors = traffic.is_some() || errors.is_some();
        command.stderr(if hears_errors { Stdio::piped() } else { Stdio::null() });
        if let Some(dir) = &spec.dir {
            command.current_dir(dir);
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let input = child.stdin.take();
        let (output, error_output) = (child.stdout.take(), child.stderr.take());
        let name: Arc<str> = name.into();
        let process = Process { child, input, name: name.clone(), traffic: traffic.clone(), over: false };
        process.make_input_impatient()?;
        process.set_nice(spec.nice)?;
        if let Some(output) = error_output {
            let (name, traffic, mut errors) = (name.clone(), traffic.clone(), errors);
            thread::spawn(move || {
                each_line(output, |at, line| {
                    if let Some(log) = &traffic {
                        log.note(at, &name, '!', line);
                    }
                    if let Some(ear) = &mut errors {
                        ear(at, Heard::Error(line.to_owned()));
                    }
                });
            });
        }
        if let Some(output) = output {
            thread::spawn(move || {
                each_line(output, |at, line| {
                    if let Some(log) = &traffic {
                        log.note(at, &name, '>', line);
                    }
                    ear(at, Heard::Line(line.to_owned()));
                });
                ear(Instant::now(), Heard::End);
            });
        }
        Ok(process)
    }

    #[cfg(unix)]
    fn make_input_impatient(&self) -> io::Result<()> {
        use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
        if let Some(input) = &self.input {
            let flags = fcntl_getfl(input)?;
            fcntl_setfl(input, flags | OFlags::NONBLOCK)?;
        }
        Ok(())
    }

    #[cfg(not(unix))]
    fn make_input_impatient(&self) -> io::Result<()> {
        Ok(())
    }

    #[cfg(unix)]
    fn set_nice(&self, nice: Option<u8>) -> io::Result<()> {
        if let Some(nice) = nice {
            rustix::process::setpriority_process(self.pid(), i32::from(nice))?;
        }
        Ok(())
    }

    #[cfg(not(unix))]
    fn set_nice(&self, _: Option<u8>) -> io::Result<()> {
        Ok(())
    }

    #[cfg(unix)]
    fn pid(&self) -> Option<rustix::process::Pid> {
        i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw)
    }

    /// The number of the process in the system.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Writes text, one or more whole lines ending in a line feed, in a single write.
    pub fn say(&mut self, lines: &str) -> io::Result<()> {
        if let Some(log) = &self.traffic {
            let now = Instant::now();
            for line in lines.lines() {
                log.note(now, &self.name, '<', line);
            }
        }
        self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?.write_all(lines.as_bytes())
    }

    /// Closes the program's input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Ends the program and all it started that still runs in its group, and waits for the end. A program that
    /// had already ended keeps its status.
    pub fn kill(&mut self) -> io::Result<ExitStatus> {
        self.close_input();
        if !self.over {
            self.kill_group();
            self.over = true;
        }
        self.child.wait()
    }

    #[cfg(unix)]
    fn kill_group(&mut self) {
        // The leader has not been waited for yet, so its number is still ours even if it has ended. Failure
        // means that nobody is left.
        if let Some(pid) = self.pid() {
            let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
        }
    }

    #[cfg(not(unix))]
    fn kill_group(&mut self) {
        // Failure means that the process has ended.
        let _ = self.child.kill();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Nothing can be done about a child that cannot be waited for.
        let _ = self.kill();
    }
}

/// Calls `hear` with each complete line of a stream, until it ends or breaks. Bytes that are not UTF-8 are
/// replaced; an overlong line is cut.
fn each_line(stream: impl Read, mut hear: impl FnMut(Instant, &str)) {
    let mut reader = BufReader::new(stream);
    let mut line = Vec::new();
    let mut skipping = false;
    loop {
        line.clear();
        match reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(n) if n > 0 => {}
            _ => return,
        }
        let at = Instant::now();
        let complete = line.last() == Some(&b'\n');
        let overlong = !complete && line.len() as u64 == LONGEST_LINE;
        if (complete || overlong) && !skipping {
            let text = String::from_utf8_lossy(&line);
            hear(at, text.trim_end_matches(['\r', '\n']));
        }
        skipping = overlong || (skipping && !complete);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn lines(bytes: &[u8]) -> Vec<String> {
        let mut heard = Vec::new();
        each_line(bytes, |_, line| heard.push(line.to_owned()));
        heard
    }

    #[test]
    fn lines_end_in_either_way_and_a_torn_one_is_not_heard() {
        assert_eq!(lines(b"id name A\r\n\nucciok\nbestmove h2"), ["id name A", "", "ucciok"]);
        assert_eq!(lines(b"caf\xe9\n"), ["caf\u{fffd}"]);
    }

    #[test]
    fn overlong_lines_are_cut() {
        let mut bytes = vec![b'x'; 3 * LONGEST_LINE as usize + 7];
        bytes.extend(b"\nreadyok\n");
        let heard = lines(&bytes);
        assert_eq!(heard.len(), 2);
        assert_eq!((heard[0].len() as u64, heard[1].as_str()), (LONGEST_LINE, "readyok"));
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_does_not_read_is_noticed_not_waited_for() {
        let mut process =
            Process::spawn(&EngineSpec::new("sleep 60"), "deaf", None, None, |_, _| {}).unwrap();
        let line = format!("{}\n", "x".repeat(1 << 17));
        assert_eq!(process.say(&line).unwrap_err().kind(), io::ErrorKind::WouldBlock);
        process.kill().unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn killing_reaches_the_whole_group() {
        let (sender, heard) = std::sync::mpsc::channel();
        let spec = EngineSpec::new("sh -c 'sleep 61 & echo $!; wait'");
        let mut process = Process::spawn(&spec, "parent", None, None, move |_, heard| {
            let _ = sender.send(heard);
        })
        .unwrap();
        let Heard::Line(grandchild) = heard.recv().unwrap() else { panic!("no line") };
        process.kill().unwrap();
        // The output is closed only when the last holder of the pipe is gone.
        assert_eq!(heard.recv_timeout(Duration::from_secs(5)), Ok(Heard::End));
        let runs = || {
            let stat = std::fs::read_to_string(format!("/proc/{grandchild}/stat")).unwrap_or_default();
            !stat.is_empty() && !stat.contains(") Z ")
        };
        let until = Instant::now() + Duration::from_secs(5);
        while runs() {
            assert!(Instant::now() < until, "the grandchild lives on");
            thread::sleep(Duration::from_millis(5));
        }
    }
}
