//! The futures of the tasks, as stage 07 has them: the runtime owns them, in a map.

use std::{collections::HashMap, fmt, future::Future, mem, pin::Pin};

use crate::sync::{Mutex, MutexGuard};

/// The future of a task, which panics neither when it is polled nor when it is dropped: see `join_handle.rs`.
pub(super) type BoxFuture = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The futures of the tasks that are not finished.
#[derive(Default)]
pub(crate) struct Tasks(Mutex<State>);

#[derive(Default)]
struct State {
    /// Each future under the number of its task, except for the one that is being polled.
    futures: HashMap<u64, BoxFuture>,
    last_id: u64,
    /// Whether the runtime has been dropped. Then no task is accepted any more.
    closed: bool,
}

impl Tasks {
    /// Returns a number that no other task of this runtime has.
    pub(crate) fn new_id(&self) -> u64 {
        let mut state = self.lock();
        state.last_id += 1;
        state.last_id
    }

    /// Keeps the future of a task. Gives it back if the runtime has been dropped.
    pub(crate) fn insert(&self, id: u64, future: BoxFuture) -> Result<(), BoxFuture> {
        let mut state = self.lock();
        if state.closed {
            return Err(future);
        }
        state.futures.insert(id, future);
        Ok(())
    }

    /// Takes the future of a task out of the map, so that no lock is held while it is polled. There is none if the task is
    /// finished.
    pub(crate) fn take(&self, id: u64) -> Option<BoxFuture> {
        self.lock().futures.remove(&id)
    }

    /// Accepts no more tasks, and returns the futures of all that are not finished.
    pub(crate) fn close(&self) -> HashMap<u64, BoxFuture> {
        let mut state = self.lock();
        state.closed = true;
        mem::take(&mut state.futures)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0
            .lock()
            .expect("no code panics while it holds this lock")
    }
}

impl fmt::Debug for Tasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let futures = self.lock().futures.len();
        write!(f, "{futures} not finished")
    }
}
