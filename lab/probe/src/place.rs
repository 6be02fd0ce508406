//! A thread, as it is named in a message, and what the operating system says about it.

use std::thread::{self, ThreadId};

#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) id: ThreadId,
    /// `thread "main"`, or `an unnamed thread`.
    pub(crate) name: String,
    /// The kernel's number for it, where it has one.
    kernel_id: Option<i32>,
}

impl Place {
    pub(crate) fn here() -> Self {
        let thread = thread::current();
        let name = match thread.name() {
            Some(name) => format!("thread {name:?}"),
            None => "an unnamed thread".to_owned(),
        };
        Self {
            id: thread.id(),
            name,
            kernel_id: kernel::id(),
        }
    }

    /// What the thread does at this moment, if the system tells.
    pub(crate) fn doing(&self) -> Option<&'static str> {
        self.kernel_id.and_then(kernel::doing)
    }
}

#[cfg(all(target_os = "linux", not(miri)))]
mod kernel {
    use nix::libc;

    pub(super) fn id() -> Option<i32> {
        Some(nix::unistd::gettid().as_raw())
    }

    /// Reads the number of the system call that the thread is in. Some kernels do not tell.
    pub(super) fn doing(thread: i32) -> Option<&'static str> {
        let line = std::fs::read_to_string(format!("/proc/self/task/{thread}/syscall")).ok()?;
        let call = line.split_whitespace().next()?;
        if call == "running" {
            return Some("runs: a loop or a long computation");
        }
        match call.parse().ok()? {
            libc::SYS_futex => {
                Some("sleeps in a lock, a condition variable, a park, a recv or a join")
            }
            libc::SYS_nanosleep | libc::SYS_clock_nanosleep => Some("sleeps for a time"),
            libc::SYS_read | libc::SYS_recvfrom | libc::SYS_accept4 => Some("waits for input"),
            _ => Some("sleeps in a system call"),
        }
    }
}

#[cfg(not(all(target_os = "linux", not(miri))))]
mod kernel {
    pub(super) fn id() -> Option<i32> {
        None
    }

    pub(super) fn doing(_: i32) -> Option<&'static str> {
        None
    }
}
