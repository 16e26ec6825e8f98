//! A child process: started, written to, and ended with every process that it started.
//!
//! Its input is written without waiting. A program that leaves a whole pipe buffer (64 KiB) unread counts as hanging,
//! and the write reports that instead of waiting for it.

use std::io;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Instant;

use super::group::Group;
use super::input::Input;
use super::lines::each_line;
use super::log::{EngineLog, LogWriter};
use super::output::{OutputEvent, OutputReader};
use super::spec::EngineSpec;

/// A running program. Dropping it kills it and all that it started.
#[derive(Debug)]
pub struct Process {
    child: Child,
    group: Group,
    input: Option<Input>,
    log: Option<LogWriter>,
    over: bool,
}

impl Process {
    /// Starts the program of `spec`. `errors`, if given, is called on another thread with each line of the standard
    /// error. The standard output is for the caller to read: with [`OutputReader::listen`] for one.
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
        let (child, group) = Group::spawn(&mut command, spec.nice)?;
        let log = log.map(|log| LogWriter::new(log, name));
        let mut process = Process { child, group, input: None, log: log.clone(), over: false };
        process.input = process.child.stdin.take().map(Input::new).transpose()?;
        let (output, error_output) = (process.child.stdout.take(), process.child.stderr.take());
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
        self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?.write(lines)
    }

    /// Closes the program's input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Ends the program and all it started that still runs, and waits for the end. A program that had already ended
    /// keeps its status.
    pub fn kill(&mut self) -> io::Result<ExitStatus> {
        self.close_input();
        if !self.over {
            self.group.kill(&mut self.child);
            self.over = true;
        }
        self.child.wait()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Nothing can be done about a child that cannot be waited for.
        let _ = self.kill();
    }
}
