//! Tasks, as stage 07 has them: the runtime owns every future, in a map, and a waker refers to its future by a number.

use std::{collections::HashMap, fmt, future::Future, mem, pin::Pin, sync::Arc, task::Wake};

use crate::{
    Queued,
    sync::{Mutex, MutexGuard},
};

use super::{handle::Handle, park::Park};

/// What a waker points to. It names the future by its number and does not own it.
#[derive(Debug)]
pub(crate) struct Task {
    pub(crate) id: u64,
    /// Whether the task is in the queue already.
    pub(crate) queued: Queued,
    runtime: Handle,
}

impl Task {
    pub(crate) fn new(id: u64, runtime: Handle) -> Arc<Task> {
        Arc::new(Task {
            id,
            queued: Queued::no(),
            runtime,
        })
    }

    // ANCHOR: schedule
    pub(crate) fn schedule(self: &Arc<Self>) {
        let shared = self.runtime.shared();
        // Of many threads that wake this task before its next poll, one sets the flag. Of many
        // that push a task while the executor sleeps, one has to unpark it.
        if self.queued.set() && shared.queue.push(Arc::clone(self)) {
            shared.driver.unpark();
        }
    }
    // ANCHOR_END: schedule
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        self.schedule();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.schedule();
    }
}

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
