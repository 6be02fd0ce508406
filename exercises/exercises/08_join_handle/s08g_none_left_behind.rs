//! s08g · complete · 10 minutes · chapter 08, "Join handles and worker threads"
//!
//! A task spawns three others, and then fails or is aborted. Their handles are dropped with it. That detaches the three, so
//! they run on, although no code waits for them any more. In *structured concurrency*, a task lives no longer than the code
//! that spawned it, and `Group` is to keep this promise. When a group is dropped, its unfinished tasks are cancelled, and so
//! are the tasks of groups that they own. A task that a worker is polling at that moment ends after the poll.
//!
//! Complete `Group`. It has to work however a group ends: after `join_all` has returned, after an error, or because the
//! future that owns the group was dropped.
//!
//! Run: `cargo test --bin s08g_none_left_behind`, or save this file while `rustlings` runs.
//! Red: a test says how the group ended, and how many of its tasks are still there.

use std::{future::Future, sync::Arc};
use step08_join_handle::{JoinError, JoinHandle, Queue, Runnable, spawn_on};

/// Tasks that belong together.
struct Group<T: Send + 'static> {
    /// Whose workers run the tasks.
    queue: Arc<Queue<Runnable>>,
    handles: Vec<JoinHandle<T>>,
}

// TODO: what becomes of the tasks when their group is dropped?

impl<T: Send + 'static> Group<T> {
    fn new(queue: &Arc<Queue<Runnable>>) -> Group<T> {
        Group {
            queue: Arc::clone(queue),
            handles: Vec::new(),
        }
    }

    /// Spawns a task that belongs to this group.
    fn spawn(&mut self, future: impl Future<Output = T> + Send + 'static) {
        let (task, handle) = spawn_on(&self.queue, future);
        self.queue.push(task);
        self.handles.push(handle);
    }

    /// Waits for one task after the other. Returns their outputs, or the first error that it finds.
    async fn join_all(mut self) -> Result<Vec<T>, JoinError> {
        let mut outputs = Vec::new();
        for handle in &mut self.handles {
            outputs.push(handle.await?);
        }
        Ok(outputs)
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s08g_none_left_behind.rs"]
mod tests;
