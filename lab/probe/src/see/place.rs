//! A thread, and what the operating system says about it. And a line of the program.

use std::{
    cell::OnceCell,
    panic::Location,
    sync::Arc,
    thread::{self, ThreadId},
    time::Duration,
};

use crate::usage;

/// A line of the program.
pub(crate) type Line = &'static Location<'static>;

#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) id: ThreadId,
    /// `thread "main"`, or `an unnamed thread`.
    pub(crate) name: Arc<str>,
    /// The kernel's number for it, where it has one.
    pub(super) kernel_id: Option<i32>,
}

/// What a thread does at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doing {
    Runs,
    /// In what waits for other threads: a lock, a park.
    WaitsForAnother,
    SleepsForATime,
    WaitsForInput,
    /// In some other call of the system.
    Sleeps,
}

/// The name of the probe's own threads.
const OWN_THREAD: &str = "probe";

/// A thread that is none of the program's.
pub(crate) fn own_thread() -> thread::Builder {
    thread::Builder::new().name(OWN_THREAD.to_owned())
}

/// The processor's time that the process has used, for [`is_starved`].
pub(crate) fn used() -> Duration {
    let known = (!cfg!(miri)).then(usage::cpu_time);
    known.unwrap_or_default()
}

/// Whether threads that could run have hardly run since then: the machine is busy, and a poll that has not come may come yet.
pub(crate) fn is_starved(then: Duration) -> bool {
    let mut threads = kernel::threads();
    threads.any(|(id, name)| name != OWN_THREAD && kernel::doing(id) == Some(Doing::Runs))
        && used() < then + Duration::from_millis(50)
}

thread_local!(static HERE: OnceCell<Arc<Place>> = const { OnceCell::new() });

impl Place {
    pub(crate) fn here() -> Arc<Self> {
        HERE.try_with(|here| here.get_or_init(Self::of_this_thread).clone())
            .unwrap_or_else(|_| Self::of_this_thread())
    }

    fn of_this_thread() -> Arc<Self> {
        let thread = thread::current();
        let name = match thread.name() {
            Some(name) => format!("thread {name:?}"),
            None => "an unnamed thread".to_owned(),
        };
        Arc::new(Self {
            id: thread.id(),
            name: name.into(),
            kernel_id: kernel::id(),
        })
    }

    /// What the thread does at this moment, if the system tells.
    pub(crate) fn doing(&self) -> Option<Doing> {
        // One that asks for a report reads a file meanwhile, this one.
        let other = self.kernel_id.filter(|id| kernel::id() != Some(*id));
        other.and_then(kernel::doing)
    }
}

#[cfg(all(target_os = "linux", not(miri)))]
mod kernel {
    use std::fs;

    use nix::libc;

    use super::Doing;

    pub(super) fn id() -> Option<i32> {
        Some(nix::unistd::gettid().as_raw())
    }

    /// The number of each thread of this process, and its name, of which the kernel keeps 15 bytes.
    pub(super) fn threads() -> impl Iterator<Item = (i32, String)> {
        let threads = fs::read_dir("/proc/self/task").into_iter().flatten();
        threads.filter_map(|thread| {
            let thread = thread.ok()?;
            let name = fs::read_to_string(thread.path().join("comm")).ok()?;
            let id = thread.file_name().into_string().ok()?.parse().ok()?;
            Some((id, name.trim().to_owned()))
        })
    }

    /// Reads the number of the system call that the thread is in. Some kernels do not tell.
    pub(super) fn doing(thread: i32) -> Option<Doing> {
        let line = fs::read_to_string(format!("/proc/self/task/{thread}/syscall")).ok()?;
        let call = line.split_whitespace().next()?;
        if call == "running" {
            return Some(Doing::Runs);
        }
        Some(match call.parse().ok()? {
            libc::SYS_futex => Doing::WaitsForAnother,
            libc::SYS_nanosleep | libc::SYS_clock_nanosleep => Doing::SleepsForATime,
            libc::SYS_read | libc::SYS_recvfrom | libc::SYS_accept4 => Doing::WaitsForInput,
            _ => Doing::Sleeps,
        })
    }
}

#[cfg(not(all(target_os = "linux", not(miri))))]
mod kernel {
    use super::Doing;

    pub(super) fn id() -> Option<i32> {
        None
    }

    pub(super) fn threads() -> impl Iterator<Item = (i32, String)> {
        std::iter::empty()
    }

    pub(super) fn doing(_: i32) -> Option<Doing> {
        None
    }
}
