//! The executor: polls what has been woken, and sleeps in its driver.

pub(crate) mod context;
mod handle;
mod join_handle;
mod park;
mod queue;
mod task;

use std::{
    future::Future,
    io,
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll, Waker},
    time::Duration,
};

use crate::{Reactor, contain::contain, time::driver::TimeDriver, v3_polling::Polling};

pub use handle::{Handle, spawn};
pub use join_handle::JoinHandle;
pub use park::Park;
/// Sleeps on a condition variable.
///
/// ```
/// use std::time::Duration;
/// use step09_epoll_reactor::{Park, Parker};
///
/// let (parker, mut due) = (Parker::default(), Vec::new());
/// parker.unpark();
/// parker.park(None, &mut due);
/// parker.park(Some(Duration::from_millis(1)), &mut due);
/// assert!(due.is_empty());
/// ```
pub use park::Parker;
use task::Task;

/// After this many polls the executor checks the kernel, even if more tasks are to be polled. So sockets and timers are
/// served while tasks wake each other without a pause. tokio has the same number.
const POLLS_BETWEEN_LOOKS: usize = 61;

/// Runs tasks on the thread that calls [`block_on`](Runtime::block_on). That thread sleeps in the kernel, which waits for
/// all sockets and for the next deadline at once.
///
/// Dropping it drops every task that is not finished.
///
/// ```
/// use step09_epoll_reactor::{Runtime, spawn};
///
/// let mut runtime = Runtime::new()?;
/// let answer = runtime.block_on(async { spawn(async { 6 * 7 }).await });
/// assert_eq!(answer.unwrap(), 42);
/// # std::io::Result::Ok(())
/// ```
#[derive(Debug)]
pub struct Runtime {
    handle: Handle,
}

/// Runs `future` to its end on the calling thread, with a [`Runtime`] of version 3 that lives as long as this call. The
/// future need not be `Send`. Tasks that are not finished by then are dropped.
///
/// # Panics
///
/// If the future panics, if it is called inside another `block_on`, and if the system has no descriptors left for the
/// runtime.
///
/// ```
/// use step09_epoll_reactor::block_on;
///
/// assert_eq!(block_on(async { 6 * 7 }), 42);
/// ```
pub fn block_on<F: Future>(future: F) -> F::Output {
    Runtime::new()
        .expect("descriptors for the runtime")
        .block_on(future)
}

impl Runtime {
    /// Creates a runtime of version 3, which works on every system that the crate polling knows.
    ///
    /// # Errors
    ///
    /// If the system has no descriptors left.
    pub fn new() -> io::Result<Runtime> {
        Ok(Runtime::with_reactor(Reactor::new(Polling::new()?)))
    }

    /// Creates a runtime that sleeps in this reactor, where its sockets are registered.
    pub fn with_reactor(reactor: Reactor) -> Runtime {
        let reactor = Arc::new(reactor);
        let driver = TimeDriver::new(Arc::clone(&reactor));
        Runtime {
            handle: Handle::new(driver, Some(reactor)),
        }
    }

    /// Creates a runtime that sleeps in `park`. It has timers, and no sockets.
    pub fn with_park(park: impl Park + 'static) -> Runtime {
        Runtime {
            handle: Handle::new(TimeDriver::new(park), None),
        }
    }

    /// Returns a handle, which may be cloned, sent to other threads and moved into tasks.
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Spawns a task. It is first polled by [`block_on`](Runtime::block_on).
    pub fn spawn<T: Send + 'static>(
        &self,
        future: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        self.handle.spawn(future)
    }

    /// Runs a future to its end on the calling thread, and the tasks of the runtime beside it. The future need not be
    /// `Send`. Tasks that are not finished by then go on in the next `block_on`.
    ///
    /// # Panics
    ///
    /// If the future panics. Also if it is called inside another `block_on`, of any runtime, whose tasks would not be
    /// polled meanwhile.
    // ANCHOR: block_on
    pub fn block_on<F: Future>(&mut self, future: F) -> F::Output {
        let entered = context::enter(self.handle());
        assert!(
            !entered.is_nested(),
            "`block_on` was called inside `block_on`, and would stop its tasks: use `.await`"
        );
        let mut future = pin!(future);
        let shared = self.handle.shared();
        let main = Task::new(shared.tasks.new_id(), self.handle());
        main.schedule();
        let mut due = Vec::new();
        loop {
            if let Poll::Ready(output) = self.poll_tasks(&main, &mut future) {
                return output;
            }
            let limit = if shared.queue.fall_asleep() {
                None
            } else {
                Some(Duration::ZERO) // there are tasks to poll, so it only checks the kernel
            };
            shared.driver.park(limit, &mut due);
            shared.queue.wake_up();
            for waker in due.drain(..) {
                contain(|| waker.wake()); // it may panic, and the others must be woken all the same
            }
        }
    }
    // ANCHOR_END: block_on

    /// Polls what is in the queue. Returns when it is empty, after a number of polls, or when the main future is ready.
    // ANCHOR: poll_tasks
    fn poll_tasks<F: Future>(&self, main: &Task, future: &mut Pin<&mut F>) -> Poll<F::Output> {
        let shared = self.handle.shared();
        for _ in 0..POLLS_BETWEEN_LOOKS {
            let Some(task) = shared.queue.pop() else {
                break;
            };
            task.queued.clear();
            let id = task.id;
            let waker = Waker::from(task);
            let mut cx = Context::from_waker(&waker);
            if id == main.id {
                if let Poll::Ready(output) = future.as_mut().poll(&mut cx) {
                    return Poll::Ready(output);
                }
            } else if let Some(mut future) = shared.tasks.take(id) {
                if future.as_mut().poll(&mut cx).is_pending() {
                    // The runtime cannot have been dropped meanwhile, because `block_on` borrows it.
                    drop(shared.tasks.insert(id, future));
                }
            }
        }
        Poll::Pending
    }
    // ANCHOR_END: poll_tasks
}

// ANCHOR: drop
impl Drop for Runtime {
    fn drop(&mut self) {
        // A destructor may spawn. This runtime then refuses the task.
        let _entered = context::enter(self.handle());
        let shared = self.handle.shared();
        drop(shared.tasks.close());
        // Timers and sockets that live on would never be ready. Their tasks are woken, and fail.
        let mut due = shared.driver.close();
        if let Some(reactor) = &shared.reactor {
            reactor.close(&mut due);
        }
        for waker in due {
            contain(|| waker.wake());
        }
        shared.queue.close();
    }
}
// ANCHOR_END: drop
