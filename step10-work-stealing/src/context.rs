//! On which runtime is this thread, and as which of its workers? So that `spawn`, `sleep` and a socket need no handle, and
//! so that a task that is woken by a worker goes to that worker's own queue.

use std::{cell::RefCell, future::Future, rc::Rc, sync::Arc};

use crate::{Handle, JoinHandle, shared::Shared, sync::thread_local, worker::Local};

/// What the calling thread belongs to.
pub(crate) struct Current {
    pub(crate) handle: Handle,
    /// What the worker has for itself, if the thread is a worker.
    pub(crate) worker: Option<Local>,
}

thread_local! {
    static CURRENT: RefCell<Option<Rc<Current>>> = const { RefCell::new(None) };
}

impl Current {
    /// The worker that the thread is, if that is one of this runtime.
    pub(crate) fn worker_of(&self, shared: &Arc<Shared>) -> Option<&Local> {
        let worker = self.worker.as_ref();
        worker.filter(|it| Arc::ptr_eq(&it.shared, shared))
    }
}

/// What the calling thread belongs to, if it belongs to a runtime.
pub(crate) fn here() -> Option<Rc<Current>> {
    // While the thread ends, its variable has been dropped already, and it belongs to no runtime any more.
    let here = CURRENT.try_with(|current| current.borrow().clone());
    here.ok().flatten()
}

/// Returns what the calling thread belongs to.
///
/// # Panics
///
/// If it belongs to no runtime.
fn expect_here() -> Rc<Current> {
    here().expect(
        "there is no runtime on this thread: call this in a task or inside `Runtime::block_on`",
    )
}

/// Returns the runtime to which the calling thread belongs.
///
/// # Panics
///
/// If it belongs to none.
pub(crate) fn current() -> Handle {
    expect_here().handle.clone()
}

/// Makes this the runtime of the calling thread, until the first result is dropped.
pub(crate) fn enter(handle: Handle, worker: Option<Local>) -> (Entered, Rc<Current>) {
    let current = Rc::new(Current { handle, worker });
    (Entered(replace(Some(Rc::clone(&current)))), current)
}

/// Restores what the thread belonged to before.
pub(crate) struct Entered(Option<Rc<Current>>);

impl Drop for Entered {
    fn drop(&mut self) {
        drop(replace(self.0.take()));
    }
}

/// Returns what the thread belonged to before. While a thread ends, that is nothing.
fn replace(current: Option<Rc<Current>>) -> Option<Rc<Current>> {
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
    expect_here().handle.spawn(future)
}
