//! What this process costs: its threads, and the CPU time that it has used.

use std::time::Duration;

use cpu_time::{ProcessTime, ThreadTime};

/// How many threads it has. `None` where nothing says so cheaply: everywhere but on Linux.
pub(crate) fn threads() -> Option<usize> {
    let tasks = std::fs::read_dir("/proc/self/task").ok()?;
    Some(tasks.count())
}

/// The CPU time of all its threads.
pub(crate) fn cpu_time() -> Duration {
    ProcessTime::now().as_duration()
}

/// The CPU time of the calling thread.
pub(crate) fn thread_cpu_time() -> Duration {
    ThreadTime::now().as_duration()
}
