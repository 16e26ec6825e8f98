//! What tests ask of the system about the programs that they start, on Unix and on Windows.

#![allow(dead_code)] // each suite uses its own part

use std::process::{Child, Command};

/// Starts a program as the head of a process group, so that [`interrupt`] can reach it and not the test.
#[cfg(unix)]
pub fn spawn_apart(command: &mut Command) -> Child {
    std::os::unix::process::CommandExt::process_group(command, 0).spawn().unwrap()
}

/// Starts a program as the head of a process group, so that [`interrupt`] can reach it and not the test.
#[cfg(windows)]
pub fn spawn_apart(command: &mut Command) -> Child {
    use windows_sys::Win32::System::Threading::CREATE_NEW_PROCESS_GROUP;
    std::os::windows::process::CommandExt::creation_flags(command, CREATE_NEW_PROCESS_GROUP).spawn().unwrap()
}

/// Does to the group of a program what Ctrl-C in its terminal does.
#[cfg(unix)]
pub fn interrupt(child: &Child) {
    let group = rustix::process::Pid::from_raw(child.id() as i32).unwrap();
    rustix::process::kill_process_group(group, rustix::process::Signal::INT).unwrap();
}

/// Does to the group of a program what Ctrl-Break in its console does. Ctrl-C cannot be sent to one group.
#[cfg(windows)]
#[allow(unsafe_code)]
pub fn interrupt(child: &Child) {
    use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, GenerateConsoleCtrlEvent};
    // SAFETY: the call takes two numbers and no memory of ours.
    let sent = unsafe { GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, child.id()) };
    assert!(sent != 0, "{}", std::io::Error::last_os_error());
}

/// The number that stands for the priority of a program: its niceness.
#[cfg(target_os = "linux")]
pub fn priority(process: u32) -> i64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    stat.rsplit(')').next().unwrap().split_whitespace().nth(16).unwrap().parse().unwrap()
}

/// The number that stands for the priority of a program: its class.
#[cfg(windows)]
#[allow(unsafe_code)]
pub fn priority(process: u32) -> i64 {
    use windows_sys::Win32::System::Threading::{
        GetPriorityClass, OpenProcess, PROCESS_QUERY_LIMITED_INFORMATION,
    };
    // SAFETY: both calls take numbers and a handle that the first one gives; the test ends before it matters that the
    // handle is not closed.
    let class = unsafe { GetPriorityClass(OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, 0, process)) };
    i64::from(class)
}
