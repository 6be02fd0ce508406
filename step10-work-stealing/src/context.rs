//! On which runtime is this thread, and as which of its workers? So that `spawn`, `sleep` and a socket need no handle, and
//! so that a task that is woken by a worker goes to that worker's own queue.

use std::{
    cell::RefCell,
    rc::Rc,
    sync::LazyLock,
};

use crate::{Handle, Runtime, worker::Local};

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
    CURRENT.try_with(|current| current.borrow().clone()).ok().flatten()
}

/// Returns the runtime on which the calling thread works, or the global one.
pub(crate) fn current() -> Handle {
    here().map_or_else(|| GLOBAL.handle(), |current| current.handle.clone())
}

/// The runtime of threads that have none.
pub(crate) fn global() -> &'static Runtime {
    &GLOBAL
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
