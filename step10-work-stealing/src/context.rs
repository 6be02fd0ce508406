//! On which runtime is this thread, and as which of its workers? So that `spawn`, `sleep` and a socket need no handle, and
//! so that a task that is woken by a worker goes to that worker's own queue.

use std::{cell::RefCell, future::Future, rc::Rc, sync::LazyLock};

use crate::{Handle, JoinHandle, Runtime, worker::Local};

/// What the calling thread belongs to.
// ANCHOR: current
pub(crate) struct Current {
    pub(crate) handle: Handle,
    /// What the worker has for itself, if the thread is a worker.
    pub(crate) local: Option<Local>,
}

thread_local! {
    static CURRENT: RefCell<Option<Rc<Current>>> = const { RefCell::new(None) };
}

/// The runtime of threads that have none. It is started at its first use and never dropped.
static GLOBAL: LazyLock<Runtime> = LazyLock::new(Runtime::default);
// ANCHOR_END: current

/// What the calling thread belongs to, if it belongs to a runtime.
pub(crate) fn here() -> Option<Rc<Current>> {
    // An error: the thread is ending, and its variable has been dropped already.
    CURRENT
        .try_with(|current| current.borrow().clone())
        .ok()
        .flatten()
}

/// Returns the runtime on which the calling thread works, or the global one.
pub(crate) fn current() -> Handle {
    here().map_or_else(|| GLOBAL.handle(), |current| current.handle.clone())
}

/// Makes this the runtime of the calling thread, until the result is dropped.
pub(crate) fn enter(handle: Handle, local: Option<Local>) -> (Entered, Rc<Current>) {
    let current = Rc::new(Current { handle, local });
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

/// Spawns a task on the runtime of the calling thread: inside a task, the runtime that polls it; inside
/// [`Runtime::block_on`], that runtime; elsewhere, a global one, which is started at its first use with a worker for each
/// core. In a destructor that runs because a thread ends, it may be the global one too. The global runtime is never
/// dropped, so its unfinished tasks are lost when `main` returns.
///
/// ```
/// use futures::executor::block_on;
///
/// let handle = step10_work_stealing::spawn(async { 6 * 7 });
/// assert_eq!(block_on(handle).unwrap(), 42);
/// ```
pub fn spawn<T: Send + 'static>(future: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
    match here() {
        Some(current) => current.handle.spawn(future),
        None => GLOBAL.spawn(future),
    }
}

/// Calls `f` on a thread that may block, of the runtime that [`spawn`] would use. See [`Handle::spawn_blocking`].
///
/// ```
/// use futures::executor::block_on;
///
/// let handle = step10_work_stealing::spawn_blocking(|| 6 * 7);
/// assert_eq!(block_on(handle).unwrap(), 42);
/// ```
pub fn spawn_blocking<T: Send + 'static>(f: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    current().spawn_blocking(f)
}

/// Runs a future to its end on the calling thread, beside the runtime that [`spawn`] would use. See
/// [`Runtime::block_on`].
///
/// # Panics
///
/// Where [`Runtime::block_on`] does.
///
/// ```
/// assert_eq!(step10_work_stealing::block_on(async { 6 * 7 }), 42);
/// ```
pub fn block_on<F: Future>(future: F) -> F::Output {
    current().block_on(future)
}
