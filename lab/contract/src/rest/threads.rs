//! The threads of this process that do more than look, as Linux tells them.

use std::sync::Mutex;

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

/// A thread that only looks whether something has happened, so that it does not count as one that does something.
pub(crate) struct Looking(Option<u32>);

impl Looking {
    pub(crate) fn here() -> Looking {
        let id = probe::thread_status().map(|status| status.id);
        lock(&LOOKING).extend(id);
        Looking(id)
    }
}

impl Drop for Looking {
    fn drop(&mut self) {
        let mut looking = lock(&LOOKING);
        let place = looking.iter().position(|id| Some(*id) == self.0);
        place.map(|place| looking.swap_remove(place));
    }
}
