//! A program together with all that it starts: apart from our own console, with a priority, ended as a whole.

#[cfg(unix)]
pub(super) use unix::Group;
#[cfg(windows)]
pub(super) use windows::Group;

/// A process group.
#[cfg(unix)]
mod unix {
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};

    use rustix::process::{Pid, Signal, kill_process_group, setpriority_process};

    #[derive(Debug)]
    pub struct Group(Option<Pid>);

    impl Group {
        /// Starts a program as the head of a group, with this niceness.
        pub fn spawn(command: &mut Command, nice: Option<u8>) -> io::Result<(Child, Group)> {
            let mut child = command.process_group(0).spawn()?;
            let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
            if let Some(nice) = nice
                && let Err(error) = setpriority_process(pid, i32::from(nice))
            {
                Group(pid).kill(&mut child);
                child.wait()?;
                return Err(error.into());
            }
            Ok((child, Group(pid)))
        }

        /// Ends all of them. The head must not have been waited for: until then its number is ours, even if it has ended.
        pub fn kill(&mut self, _: &mut Child) {
            if let Some(pid) = self.0 {
                // Failure means that nobody is left.
                let _ = kill_process_group(pid, Signal::KILL);
            }
        }
    }
}

/// A job, which ends with the last handle to it: even if this program is killed, no engine stays.
#[cfg(windows)]
#[allow(unsafe_code)] // There is no safe way to jobs; the tests of processes end grandchildren by them.
mod windows {
    use std::io;
    use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
    use std::os::windows::process::CommandExt;
    use std::process::{Child, Command};
    use std::ptr::{from_ref, null};

    use windows_sys::Win32::System::JobObjects::{
        AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
        JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation, SetInformationJobObject,
    };
    use windows_sys::Win32::System::Threading::{
        BELOW_NORMAL_PRIORITY_CLASS, CREATE_NEW_PROCESS_GROUP, CREATE_NO_WINDOW, IDLE_PRIORITY_CLASS,
        NORMAL_PRIORITY_CLASS, SetPriorityClass,
    };

    #[derive(Debug)]
    pub struct Group {
        /// Nothing where jobs cannot be nested and we are in one ourselves: Windows 7.
        job: Option<OwnedHandle>,
    }

    impl Group {
        /// Starts a program in a job and away from our console, whose Ctrl-C and Ctrl-Break are meant for us alone.
        ///
        /// Niceness 1 to 9 is a priority below normal, 10 to 19 that of idle time.
        pub fn spawn(command: &mut Command, nice: Option<u8>) -> io::Result<(Child, Group)> {
            let mut child = command.creation_flags(CREATE_NEW_PROCESS_GROUP | CREATE_NO_WINDOW).spawn()?;
            // What the program starts before this is not in the job; but its own start takes far longer.
            let mut group = Group { job: new_job().filter(|job| assign(job, &child)) };
            if let Some(nice) = nice
                && let Err(error) = slow_down(&child, nice)
            {
                group.kill(&mut child);
                child.wait()?;
                return Err(error);
            }
            Ok((child, group))
        }

        /// Ends all of them.
        pub fn kill(&mut self, child: &mut Child) {
            self.job = None;
            // Failure means that it has ended.
            let _ = child.kill();
        }
    }

    /// A job that ends its processes when it is closed.
    fn new_job() -> Option<OwnedHandle> {
        // SAFETY: both pointers may be null: no security attributes, no name.
        let job = unsafe { CreateJobObjectW(null(), null()) };
        if job.is_null() {
            return None;
        }
        // SAFETY: the call gave us this handle, and nobody else has it.
        let job = unsafe { OwnedHandle::from_raw_handle(job) };
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        // SAFETY: the handle is open, and the structure is the one of this class, with its size; it is only read.
        let set = unsafe {
            SetInformationJobObject(
                job.as_raw_handle(),
                JobObjectExtendedLimitInformation,
                from_ref(&limits).cast(),
                size_of_val(&limits) as u32,
            )
        };
        (set != 0).then_some(job)
    }

    fn slow_down(child: &Child, nice: u8) -> io::Result<()> {
        let class = match nice {
            0 => NORMAL_PRIORITY_CLASS,
            1..=9 => BELOW_NORMAL_PRIORITY_CLASS,
            _ => IDLE_PRIORITY_CLASS,
        };
        // SAFETY: the handle is open as long as its owner lives.
        let set = unsafe { SetPriorityClass(child.as_raw_handle(), class) };
        if set == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
    }

    fn assign(job: &OwnedHandle, child: &Child) -> bool {
        // SAFETY: both handles are open as long as their owners live.
        unsafe { AssignProcessToJobObject(job.as_raw_handle(), child.as_raw_handle()) != 0 }
    }
}
