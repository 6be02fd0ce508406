//! A thread, and what the operating system says about it. And a line of the program.

use std::{
    cell::OnceCell,
    panic::Location,
    sync::{Arc, atomic::AtomicUsize},
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
    pub(super) kernel_id: Option<u32>,
    /// How many guards have waited for what this thread does after what it awaited.
    pub(crate) followed: Arc<AtomicUsize>,
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

/// The name of this crate's own threads.
const OWN_THREAD: &str = env!("CARGO_PKG_NAME");

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
    let threads = (!cfg!(miri)).then(usage::thread_statuses).flatten();
    let mut threads = threads.iter().flatten();
    threads.any(|it| it.name != OWN_THREAD && kernel::doing(it.id) == Some(Doing::Runs))
        && used() < then + Duration::from_millis(50)
}

/// The numbers of threads that sleep now, of those whose names begin so.
pub(crate) fn asleep(name: &str) -> Vec<u32> {
    let threads = (!cfg!(miri)).then(usage::thread_statuses).flatten();
    let mut asleep = Vec::new();
    for thread in threads.iter().flatten() {
        let doing = kernel::doing(thread.id);
        if thread.name.starts_with(name) && doing.is_some_and(|doing| doing != Doing::Runs) {
            asleep.push(thread.id);
        }
    }
    asleep
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
            followed: Arc::default(),
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
    use nix::libc;

    use super::{Doing, usage};

    pub(super) fn id() -> Option<u32> {
        nix::unistd::gettid().as_raw().try_into().ok()
    }

    pub(super) fn doing(thread: u32) -> Option<Doing> {
        let call = usage::system_call(thread)?;
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

    pub(super) fn id() -> Option<u32> {
        None
    }

    pub(super) fn doing(_: u32) -> Option<Doing> {
        None
    }
}
