//! The runtime that a thread runs. Because a thread knows it, `spawn`, `sleep` and a socket need no handle.

use std::{cell::RefCell, future::Future};

use super::{handle::Handle, join_handle::JoinHandle};

thread_local! {
    static CURRENT: RefCell<Option<Handle>> = const { RefCell::new(None) };
}

impl Handle {
    /// Returns the runtime that the calling thread runs.
    ///
    /// # Panics
    ///
    /// If it runs none.
    pub(crate) fn current() -> Handle {
        CURRENT
            .try_with(|current| current.borrow().clone())
            .ok() // it fails if the thread is ending and has dropped the variable already
            .flatten()
            .expect("there is no runtime on this thread: call this inside `block_on`")
    }
}

/// Makes `handle` the runtime of the calling thread, until the result is dropped.
pub(crate) fn enter(handle: Handle) -> Entered {
    Entered(replace(Some(handle)))
}

/// Restores the runtime that the thread had before.
pub(crate) struct Entered(Option<Handle>);

impl Entered {
    /// Whether the thread had a runtime before.
    pub(crate) fn is_nested(&self) -> bool {
        self.0.is_some()
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        replace(self.0.take());
    }
}

/// Returns the runtime that the thread had before. While a thread ends, it has none.
fn replace(handle: Option<Handle>) -> Option<Handle> {
    CURRENT
        .try_with(|current| current.replace(handle))
        .ok()
        .flatten()
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
    Handle::current().spawn(future)
}
