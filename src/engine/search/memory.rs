//! How much memory the machine can still give, as the operating system reports it.

/// The MB that programs can have before the system has to write others' memory to the disk, or nothing if the system
/// does not say. Systems that promise more memory than they have would end the program later, when it is touched.
#[cfg(target_os = "linux")]
pub(super) fn available_megabytes() -> Option<usize> {
    available(&std::fs::read_to_string("/proc/meminfo").ok()?)
}

/// The MB that programs can have before the system has to write others' memory to the disk.
#[cfg(windows)]
#[allow(unsafe_code)] // The one question costs a crate of bindings and a library that Windows 7 lacks otherwise.
pub(super) fn available_megabytes() -> Option<usize> {
    use windows_sys::Win32::System::SystemInformation::{GlobalMemoryStatusEx, MEMORYSTATUSEX};
    let mut status = MEMORYSTATUSEX { dwLength: size_of::<MEMORYSTATUSEX>() as u32, ..Default::default() };
    // SAFETY: the structure is ours, and says how long it is; the call only fills it.
    let told = unsafe { GlobalMemoryStatusEx(&mut status) };
    (told != 0).then(|| usize::try_from(status.ullAvailPhys >> 20).unwrap_or(usize::MAX))
}

/// Other systems are not asked, so their free memory is unknown.
#[cfg(not(any(target_os = "linux", windows)))]
pub(super) fn available_megabytes() -> Option<usize> {
    None
}

/// The MB in the line `MemAvailable:   12345 kB` of `/proc/meminfo`.
#[cfg(any(target_os = "linux", test))]
fn available(meminfo: &str) -> Option<usize> {
    let rest = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: usize = rest.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes >> 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_available_memory_is_found() {
        let meminfo =
            "MemTotal:       16313444 kB\nMemFree:          512000 kB\nMemAvailable:    8388608 kB\n";
        assert_eq!(available(meminfo), Some(8192));
        for text in ["", "MemAvailable:\n", "MemAvailable: much kB\n", "MemAvailable: 5 pages\n"] {
            assert_eq!(available(text), None, "{text}");
        }
    }

    #[cfg(any(target_os = "linux", windows))]
    #[test]
    fn this_machine_has_memory_to_give() {
        let megabytes = available_megabytes().unwrap();
        assert!((16..1 << 30).contains(&megabytes), "{megabytes}");
    }
}
