//! Spawning without naming a runtime.

use std::{future::Future, sync::LazyLock};

use super::{context, handle::Handle, join_handle::JoinHandle, runtime::Runtime};

/// The runtime of threads that have none. It is started at its first use and never dropped.
static GLOBAL: LazyLock<Runtime> = LazyLock::new(Runtime::default);

/// Returns the runtime on which the calling thread works, or the global one.
fn current() -> Handle {
    match context::current() {
        Some(shared) => Handle(shared),
        None => GLOBAL.handle(),
    }
}

/// Spawns a task on the runtime of the calling thread: inside a task, the runtime that polls it; inside
/// [`Runtime::block_on`], that runtime; elsewhere, a global one, which is started at its first use with a worker for each
/// core. In a destructor that runs because a thread ends, it may be the global one too. The global runtime is never
/// dropped, so its unfinished tasks are lost when `main` returns.
///
/// ```
/// use futures::executor::block_on;
///
/// let handle = step08_join_handle::spawn(async { 6 * 7 });
/// assert_eq!(block_on(handle).unwrap(), 42);
/// ```
pub fn spawn<T: Send + 'static>(future: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
    current().spawn(future)
}

/// Calls `f` on a thread that may block, of the runtime that [`spawn`] would use. See [`Handle::spawn_blocking`].
///
/// ```
/// use futures::executor::block_on;
///
/// let handle = step08_join_handle::spawn_blocking(|| 6 * 7);
/// assert_eq!(block_on(handle).unwrap(), 42);
/// ```
pub fn spawn_blocking<T: Send + 'static>(f: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    current().spawn_blocking(f)
}
