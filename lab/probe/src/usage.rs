//! What the process costs: its threads, and the CPU time it has used.

use std::time::Duration;

use cpu_time::{ProcessTime, ThreadTime};

/// How many threads this process has now, that of [`within`](crate::within) included. `None` everywhere but on Linux.
pub fn threads() -> Option<usize> {
    // The kernel's own count. The entries of `/proc/self/task` are not one: a thread that ends while they are read hides others.
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let mut lines = status.lines();
    lines.find_map(|line| line.strip_prefix("Threads:")?.trim().parse().ok())
}

/// The CPU time that all threads of this process have used so far. Windows counts in steps of about 16 ms.
pub fn cpu_time() -> Duration {
    ProcessTime::now().as_duration()
}

/// The CPU time that the calling thread has used so far, for a test, which shares its process with other tests.
pub fn thread_cpu_time() -> Duration {
    ThreadTime::now().as_duration()
}
