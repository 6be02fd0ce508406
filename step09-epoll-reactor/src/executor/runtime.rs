//! The runtime: what it sleeps in, and how it begins and ends.

use std::{future::Future, io, sync::Arc};

use crate::{Reactor, contain::contain, time::driver::TimeDriver, v3_polling::Polling};

use super::{context, handle::Handle, join_handle::JoinHandle, park::Park};

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
    pub(super) handle: Handle,
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
}

// ANCHOR: drop
impl Drop for Runtime {
    fn drop(&mut self) {
        // A destructor may spawn. This runtime then refuses the task.
        let _entered = context::enter(self.handle());
        let shared = self.handle.shared();
        drop(shared.tasks.close());
        // Timers and sockets that live on would never be ready. Their tasks are woken, and fail.
        // ANCHOR: close
        let mut due = shared.driver.close();
        if let Some(reactor) = &shared.reactor {
            reactor.close(&mut due);
        }
        for waker in due {
            contain(|| waker.wake()); // it may panic, and there are others to wake
        }
        // ANCHOR_END: close
        shared.queue.close();
    }
}
// ANCHOR_END: drop
