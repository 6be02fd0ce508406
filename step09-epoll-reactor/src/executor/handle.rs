//! What tasks and other threads may do with a runtime: spawn, sleep, and register a descriptor.

use std::{future::Future, io, sync::Arc, time::Duration};

use crate::{AsIo, Reactor, Registered, Sleep, time::driver::TimeDriver};

use super::{
    context,
    join_handle::{JoinHandle, with_handle},
    queue::Queue,
    task::{Task, Tasks},
};

/// Spawns tasks on a [`Runtime`](crate::Runtime), from any thread.
#[derive(Debug, Clone)]
pub struct Handle(Arc<Shared>);

/// What the runtime, its handles and its wakers share.
#[derive(Debug)]
pub(crate) struct Shared {
    /// The tasks that were woken and not polled since.
    pub(crate) queue: Queue<Arc<Task>>,
    pub(crate) tasks: Tasks,
    /// Where the executor sleeps.
    pub(crate) driver: Arc<TimeDriver>,
    /// Where sockets are registered. Versions 0 and 1 have none.
    pub(crate) reactor: Option<Arc<Reactor>>,
}

/// Spawns a task on the runtime of the calling thread. It runs whether its handle is awaited or not.
///
/// # Panics
///
/// If the thread is not in [`block_on`](crate::block_on).
///
/// ```
/// use step09_epoll_reactor::{block_on, spawn};
///
/// let answer = block_on(async { spawn(async { 6 * 7 }).await });
/// assert_eq!(answer.unwrap(), 42);
/// ```
pub fn spawn<T: Send + 'static>(future: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
    context::current().spawn(future)
}

impl Handle {
    pub(crate) fn new(driver: TimeDriver, reactor: Option<Arc<Reactor>>) -> Handle {
        Handle(Arc::new(Shared {
            queue: Queue::new(),
            tasks: Tasks::default(),
            driver: Arc::new(driver),
            reactor,
        }))
    }

    pub(crate) fn shared(&self) -> &Shared {
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
            Task::new(id, self.clone()).schedule();
        }
        handle
    }

    /// Waits until `duration` has passed since this call, as [`sleep`](crate::sleep) does, on this runtime, which wakes
    /// the task that waits only during [`block_on`](crate::Runtime::block_on).
    pub fn sleep(&self, duration: Duration) -> Sleep {
        Sleep::new(Arc::clone(&self.0.driver), duration)
    }

    /// Registers a non-blocking object with this runtime, as [`Registered::new`] does.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn register<T: AsIo + Send + Sync + 'static>(&self, io: T) -> io::Result<Registered<T>> {
        let reactor = self.reactor()?;
        let trigger = reactor.selector().trigger();
        Registered::with(reactor, io, trigger, true)
    }

    /// The reactor, where descriptors are registered.
    pub(crate) fn reactor(&self) -> io::Result<Arc<Reactor>> {
        let none = "this runtime has no reactor, so it cannot wait for a descriptor";
        self.0
            .reactor
            .clone()
            .ok_or_else(|| io::Error::new(io::ErrorKind::Unsupported, none))
    }
}
