//! What the process costs: its threads, what each of them does, and the CPU time it has used.

use std::{fs, time::Duration};

use cpu_time::{ProcessTime, ThreadTime};

/// How many threads this process has now, that of [`within`](crate::within) included. `None` everywhere but on Linux.
pub fn threads() -> Option<usize> {
    // The kernel's own count. The entries of `/proc/self/task` are not one: a thread that ends while they are read hides others.
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let mut lines = status.lines();
    lines.find_map(|line| line.strip_prefix("Threads:")?.trim().parse().ok())
}

/// What Linux says of a thread of this process.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ThreadStatus {
    /// Its number.
    pub id: u32,
    /// Its name, of which Linux keeps 15 bytes.
    pub name: String,
    /// `S` if it sleeps, `R` if it runs or wants to, and the other letters of `/proc/self/status`.
    pub state: char,
    /// How often it has gone to sleep by itself.
    pub sleeps: u64,
    /// How often its processor was given to another thread.
    pub interruptions: u64,
}

/// What each thread of this process does now. One that ends meanwhile may be missing. `None` everywhere but on Linux.
pub fn thread_statuses() -> Option<Vec<ThreadStatus>> {
    let mut all = Vec::new();
    for thread in fs::read_dir("/proc/self/task").ok()?.flatten() {
        if let Ok(status) = fs::read_to_string(thread.path().join("status")) {
            all.extend(ThreadStatus::parse(&status));
        }
    }
    Some(all)
}

/// The system call that a thread of this process is in, as the kernel's number, or `running`. Some kernels do not tell.
#[cfg(all(target_os = "linux", not(miri)))]
pub(crate) fn system_call(thread: u32) -> Option<String> {
    let line = fs::read_to_string(format!("/proc/self/task/{thread}/syscall")).ok()?;
    line.split_whitespace().next().map(str::to_owned)
}

/// What is said of the calling thread. `None` everywhere but on Linux.
pub fn thread_status() -> Option<ThreadStatus> {
    ThreadStatus::parse(&fs::read_to_string("/proc/thread-self/status").ok()?)
}

impl ThreadStatus {
    fn parse(status: &str) -> Option<ThreadStatus> {
        let of = |field: &str| {
            let mut lines = status.lines();
            let line = lines.find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
            line.map(str::trim)
        };
        Some(ThreadStatus {
            id: of("Pid")?.parse().ok()?,
            name: of("Name")?.to_owned(),
            state: of("State")?.chars().next()?,
            sleeps: of("voluntary_ctxt_switches")?.parse().ok()?,
            interruptions: of("nonvoluntary_ctxt_switches")?.parse().ok()?,
        })
    }
}

/// The CPU time that all threads of this process have used so far. Windows counts in steps of about 16 ms.
pub fn cpu_time() -> Duration {
    ProcessTime::now().as_duration()
}

/// The CPU time that the calling thread has used so far, for a test, which shares its process with other tests.
pub fn thread_cpu_time() -> Duration {
    ThreadTime::now().as_duration()
}
