//! On which runtime is this thread, and as which of its workers? So that `spawn`, `sleep` and a socket need no handle, and
//! so that a task that is woken by a worker goes to that worker's own queue.

use std::{cell::RefCell, future::Future, rc::Rc};

use crate::{Handle, JoinHandle, sync::thread_local, worker::Local};

/// What the calling thread belongs to.
// ANCHOR: current
#[derive(Clone)]
struct Current {
    handle: Handle,
    /// What the worker has for itself, if the thread is a worker.
    worker: Option<Rc<Local>>,
}

thread_local! {
    static CURRENT: RefCell<Option<Current>> = const { RefCell::new(None) };
}
// ANCHOR_END: current

/// Reads what the calling thread belongs to, if it belongs to a runtime.
fn here<R>(read: impl FnOnce(&Current) -> R) -> Option<R> {
    // An error: the thread is ending, and its variable has been dropped already.
    CURRENT
        .try_with(|current| current.borrow().as_ref().map(read))
        .ok()
        .flatten()
}

/// The worker that the calling thread is, if it is one.
pub(crate) fn worker() -> Option<Rc<Local>> {
    here(|current| current.worker.clone()).flatten()
}

/// Returns the runtime to which the calling thread belongs.
///
/// # Panics
///
/// If it belongs to none.
pub(crate) fn current() -> Handle {
    here(|current| current.handle.clone()).expect(
        "there is no runtime on this thread: call this in a task or inside `Runtime::block_on`",
    )
}

/// Makes this the runtime of the calling thread, until the result is dropped.
pub(crate) fn enter(handle: Handle, worker: Option<Rc<Local>>) -> Entered {
    Entered(replace(Some(Current { handle, worker })))
}

/// Restores what the thread belonged to before.
pub(crate) struct Entered(Option<Current>);

impl Drop for Entered {
    fn drop(&mut self) {
        drop(replace(self.0.take()));
    }
}

/// Returns what the thread belonged to before. While a thread ends, that is nothing.
fn replace(current: Option<Current>) -> Option<Current> {
    let before = CURRENT.try_with(|place| place.replace(current));
    before.ok().flatten()
}

/// Spawns a task on the runtime of the calling thread: inside a task, the runtime that polls it, and inside
/// [`Runtime::block_on`](crate::Runtime::block_on), that runtime.
///
/// # Panics
///
/// If there is no runtime for the calling thread.
///
/// ```
/// use step10_work_stealing::{Runtime, spawn};
///
/// let runtime = Runtime::new(2);
/// let answer = runtime.block_on(async { spawn(async { 6 * 7 }).await });
/// assert_eq!(answer.unwrap(), 42);
/// ```
pub fn spawn<T: Send + 'static>(future: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
    current().spawn(future)
}
