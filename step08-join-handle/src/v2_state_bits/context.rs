//! The runtime on which a thread works, and whether it is a worker. Because a thread knows this, `spawn` needs no handle, and `block_on`
//! refuses to block a worker.

use std::{
    cell::{Cell, RefCell},
    sync::Arc,
};

use super::shared::Shared;

// ANCHOR: current
thread_local! {
    /// The runtime on which this thread works.
    static CURRENT: RefCell<Option<Arc<Shared>>> = const { RefCell::new(None) };
    /// Whether the thread is a worker, of any runtime.
    static IS_WORKER: Cell<bool> = const { Cell::new(false) };
}

/// Returns the runtime on which the calling thread works, if there is one.
pub(super) fn current() -> Option<Arc<Shared>> {
    // The variable of a thread that is ending may be gone.
    let current = CURRENT.try_with(|current| current.borrow().clone());
    current.ok().flatten()
}

/// Makes this the runtime of the calling thread, until the result is dropped.
pub(super) fn enter(runtime: Arc<Shared>) -> Entered {
    let before = CURRENT.try_with(|current| current.replace(Some(runtime)));
    // While a thread ends, it has no runtime.
    Entered(before.ok().flatten())
}

/// The same, for a thread that is a worker to its end.
pub(super) fn enter_as_worker(runtime: Arc<Shared>) -> Entered {
    IS_WORKER.set(true);
    enter(runtime)
}
// ANCHOR_END: current

/// Whether the calling thread is a worker, of any runtime.
pub(super) fn is_worker() -> bool {
    IS_WORKER.get()
}

/// Restores the runtime that the thread had before.
pub(super) struct Entered(Option<Arc<Shared>>);

impl Drop for Entered {
    fn drop(&mut self) {
        let _ = CURRENT.try_with(|current| current.replace(self.0.take()));
    }
}
