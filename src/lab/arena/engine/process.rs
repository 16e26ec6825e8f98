//! A child process: started, written to, ended with all that it started itself.
//!
//! Its input is written without waiting. A program that leaves a whole pipe buffer (64 KiB) unread is as good as
//! hanging, and the write reports that instead of waiting with it.

use std::io::{self, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Instant;

use super::log::{EngineLog, LogWriter};
use super::output::{OutputEvent, OutputReader, each_line};
use super::spec::EngineSpec;

/// A running program. Dropping it kills it and everything in its process group.
#[derive(Debug)]
pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    log: Option<LogWriter>,
    over: bool,
}

impl Process {
    /// Starts the program of `spec`. `errors`, if given, is called on another thread with each line of the standard
    /// error. The standard output is for the caller to read: [`OutputReader::next`] or [`OutputReader::listen`].
    pub fn spawn(
        spec: &EngineSpec,
        name: &str,
        log: Option<EngineLog>,
        errors: Option<Box<dyn FnMut(Instant, OutputEvent) + Send>>,
    ) -> io::Result<(Process, OutputReader)> {
        let argv = spec.argv().map_err(|e| io::Error::new(io::ErrorKind::InvalidInput, e.to_string()))?;
        let mut command = Command::new(&argv[0]);
        command.args(&argv[1..]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let hears_errors = log.is_some() || errors.is_some();
        command.stderr(if hears_errors { Stdio::piped() } else { Stdio::null() });
        if let Some(dir) = &spec.dir {
            command.current_dir(dir);
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let input = child.stdin.take();
        let (output, error_output) = (child.stdout.take(), child.stderr.take());
        let log = log.map(|log| LogWriter::new(log, name));
        let process = Process { child, input, log: log.clone(), over: false };
        process.make_input_impatient()?;
        process.set_nice(spec.nice)?;
        if let Some(output) = error_output {
            let (log, mut errors) = (log.clone(), errors);
            thread::spawn(move || {
                each_line(output, |at, line| {
                    if let Some(log) = &log {
                        log.note(at, '!', &line);
                    }
                    if let Some(ear) = &mut errors {
                        ear(at, OutputEvent::Error(line));
                    }
                });
            });
        }
        let output = output.ok_or_else(|| io::Error::other("no standard output"))?;
        Ok((process, OutputReader::new(output, log)))
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
        if let Some(log) = &self.log {
            let now = Instant::now();
            lines.lines().for_each(|line| log.note(now, '<', line));
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_program_that_does_not_read_is_noticed_not_waited_for() {
        let mut process = Process::spawn(&EngineSpec::new("sleep 60"), "deaf", None, None).unwrap().0;
        let line = format!("{}\n", "x".repeat(1 << 17));
        assert_eq!(process.say(&line).unwrap_err().kind(), io::ErrorKind::WouldBlock);
        process.kill().unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn folder_and_niceness_are_the_programs_own() {
        let folder = tempfile::tempdir().unwrap();
        let mut spec = EngineSpec::new("sh -c 'pwd; read line'");
        (spec.dir, spec.nice) = (Some(folder.path().canonicalize().unwrap()), Some(17));
        let (mut process, output) = Process::spawn(&spec, "nice", None, None).unwrap();
        let (sender, heard) = std::sync::mpsc::channel();
        output.listen(move |_, heard| {
            let _ = sender.send(heard);
        });
        let wait = Duration::from_secs(5);
        let folder = spec.dir.unwrap().display().to_string();
        assert_eq!(heard.recv_timeout(wait), Ok(OutputEvent::Line(folder)));
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", process.id())).unwrap();
        let nice = stat.rsplit(')').next().unwrap().split_whitespace().nth(16);
        assert_eq!(nice, Some("17"), "{stat}");
        process.kill().unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn killing_reaches_the_whole_group() {
        let (sender, heard) = std::sync::mpsc::channel();
        let spec = EngineSpec::new("sh -c 'sleep 61 & echo $!; wait'");
        let (mut process, output) = Process::spawn(&spec, "parent", None, None).unwrap();
        output.listen(move |_, heard| {
            let _ = sender.send(heard);
        });
        let OutputEvent::Line(grandchild) = heard.recv().unwrap() else { panic!("no line") };
        process.kill().unwrap();
        // The output is closed only when the last holder of the pipe is gone.
        assert_eq!(heard.recv_timeout(Duration::from_secs(5)), Ok(OutputEvent::End));
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
