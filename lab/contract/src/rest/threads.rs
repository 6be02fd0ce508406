//! The threads of this process that do more than look, as Linux tells them.

use std::{
    sync::{Mutex, atomic::Ordering::SeqCst},
    time::Duration,
};

use super::LOOKED;
use crate::lock::lock;

/// The numbers of the threads that do nothing but look.
static LOOKING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// A thread, at one look.
pub(crate) struct Thread {
    pub(crate) id: u32,
    pub(super) is_looking: bool,
    pub(crate) wants_to_run: bool,
    /// How often it has gone to sleep so far.
    pub(crate) sleeps: u64,
}

/// The threads that do not only look. Nobody knows them everywhere but on Linux.
pub(crate) fn threads_at_work() -> Option<Vec<Thread>> {
    let mut threads = threads()?;
    threads.retain(|thread| !thread.is_looking);
    Some(threads)
}

/// All threads of this process, on Linux.
pub(super) fn threads() -> Option<Vec<Thread>> {
    let looking = lock(&LOOKING);
    let mut threads = Vec::new();
    for status in probe::thread_statuses()? {
        threads.push(Thread {
            is_looking: looking.contains(&status.id),
            id: status.id,
            wants_to_run: matches!(status.state, 'R' | 'D'),
            sleeps: status.sleeps,
        });
    }
    Some(threads)
}

/// A thread that only looks whether something has happened, so that it does not count as one that does something, nor what it uses as
/// used by what is tested.
pub(crate) struct Looking {
    id: Option<u32>,
    /// The CPU time of this thread that is counted already.
    counted: Duration,
}

impl Looking {
    pub(crate) fn here() -> Looking {
        let id = probe::thread_status().map(|status| status.id);
        lock(&LOOKING).extend(id);
        Looking {
            id,
            counted: probe::thread_cpu_time(),
        }
    }

    /// All that this thread has used so far, it has used to look.
    pub(crate) fn note(&mut self) {
        let now = probe::thread_cpu_time();
        let since = now.saturating_sub(self.counted);
        LOOKED.fetch_add(since.as_nanos() as u64, SeqCst);
        self.counted = now;
    }
}

impl Drop for Looking {
    fn drop(&mut self) {
        let mut looking = lock(&LOOKING);
        let place = looking.iter().position(|id| Some(*id) == self.id);
        place.map(|place| looking.swap_remove(place));
    }
}
