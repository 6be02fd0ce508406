//! What tasks and other threads may do with a runtime: spawn. `time.rs` adds timers to that, and `registered.rs`
//! descriptors.

use std::{future::Future, sync::Arc};

use crate::{Reactor, time::driver::TimeDriver};

use super::{
    join_handle::{JoinHandle, with_handle},
    queue::Queue,
    task::{Shared, Task},
    tasks::Tasks,
};

/// Spawns tasks on a [`Runtime`](crate::Runtime), from any thread.
#[derive(Debug, Clone)]
pub struct Handle(Arc<Shared>);

impl Handle {
    pub(crate) fn new(driver: TimeDriver, reactor: Option<Arc<Reactor>>) -> Handle {
        Handle(Arc::new(Shared {
            queue: Queue::new(),
            tasks: Tasks::default(),
            driver: Arc::new(driver),
            reactor,
        }))
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.0
    }

    /// Spawns a task. If the runtime has been dropped, the future is dropped, and the handle says that the task was
    /// cancelled.
    pub fn spawn<T: Send + 'static>(
        &self,
        future: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        let (future, handle) = with_handle(future);
        let tasks = &self.0.tasks;
        let id = tasks.new_id();
        // If the runtime has been dropped, the future comes back and is dropped here. If another
        // thread drops the runtime after this line, it drops the future too, and the queue refuses the task.
        if tasks.insert(id, Box::pin(future)).is_ok() {
            Task::new(id, Arc::clone(&self.0)).schedule();
        }
        handle
    }
}
