//! What the process costs: its threads, and the CPU time it has used.

use std::time::Duration;

use cpu_time::{ProcessTime, ThreadTime};

/// How many threads this process has now. `None` where nothing says so cheaply: everywhere but on
/// Linux.
///
/// A closure that runs under [`within`](crate::within) has the watchdog's thread beside it.
///
/// ```
/// if let Some(before) = probe::threads() {
///     let thread = std::thread::spawn(std::thread::park);
///     assert!(probe::threads() > Some(before));
///     thread.thread().unpark();
///     thread.join().unwrap();
/// }
/// ```
pub fn threads() -> Option<usize> {
    // The kernel's own count. The entries of `/proc/self/task` are not one: a thread that ends while they are read hides others.
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let mut lines = status.lines();
    lines.find_map(|line| line.strip_prefix("Threads:")?.trim().parse().ok())
}

/// The CPU time that all threads of this process have used so far, on Linux, macOS and Windows.
///
/// A process that waits as it should uses next to none. Windows counts in steps of about 16 ms.
///
/// # Panics
///
/// If the operating system keeps no such clock, which none of the three does.
///
/// ```
/// let before = probe::cpu_time();
/// std::thread::sleep(std::time::Duration::from_millis(20));
/// assert!(probe::cpu_time() >= before);
/// ```
pub fn cpu_time() -> Duration {
    ProcessTime::now().as_duration()
}

/// The CPU time that the calling thread has used so far, on Linux, macOS and Windows.
///
/// Of use in a test, which shares its process with other tests.
///
/// # Panics
///
/// If the operating system keeps no such clock, which none of the three does.
///
/// ```
/// let before = probe::thread_cpu_time();
/// std::thread::sleep(std::time::Duration::from_millis(20));
/// assert!(probe::thread_cpu_time() - before < std::time::Duration::from_millis(20));
/// ```
pub fn thread_cpu_time() -> Duration {
    ThreadTime::now().as_duration()
}

/// How many times the calling thread has left its processor so far: to sleep, or to let another thread run. `None` where
/// nothing says so cheaply: everywhere but on Linux.
///
/// A thread that looks every millisecond uses little CPU time, and so does one that yields on a busy machine. Both leave
/// their processor a thousand times a second.
///
/// ```
/// if let Some(before) = probe::thread_switches() {
///     std::thread::sleep(std::time::Duration::from_millis(1));
///     assert!(probe::thread_switches() > Some(before));
/// }
/// ```
pub fn thread_switches() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/thread-self/status").ok()?;
    let lines = status
        .lines()
        .filter(|line| line.contains("ctxt_switches:"));
    let counts = lines.map(|line| line.rsplit('\t').next()?.parse::<u64>().ok());
    counts.sum()
}

#[cfg(all(test, not(miri)))]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_works_is_charged_and_one_that_sleeps_is_not() {
        let start = thread_cpu_time();
        while thread_cpu_time() - start < Duration::from_millis(5) {}

        let start = thread_cpu_time();
        std::thread::sleep(Duration::from_millis(20));
        assert!(thread_cpu_time() - start < Duration::from_millis(10));
    }

    #[test]
    fn what_a_thread_uses_its_process_uses() {
        let (process, thread) = (cpu_time(), thread_cpu_time());
        while thread_cpu_time() - thread < Duration::from_millis(5) {}
        assert!(cpu_time() - process >= Duration::from_millis(4));
    }
}
