//! One flag per task: is it in the executor's queue?

use crate::sync::atomic::{AtomicBool, Ordering};

/// Whether a task is in the executor's queue. However often the task is woken, it is there at most once.
#[derive(Debug)]
// ANCHOR: struct
pub struct Queued(AtomicBool);
// ANCHOR_END: struct

impl Queued {
    /// The flag of a task that is not in the queue.
    pub fn no() -> Queued {
        Queued(AtomicBool::new(false))
    }

    /// Sets the flag. Returns `true` if it was clear, and then the caller must send the task to the queue.
    #[must_use = "if true, the caller must send the task, because no other wake will"]
    // ANCHOR: set
    pub fn set(&self) -> bool {
        !self.0.swap(true, Ordering::AcqRel)
    }
    // ANCHOR_END: set

    /// Clears the flag, because the task has left the queue. To be called *before* the task is polled, so that a wake
    /// during the poll sends the task again.
    // ANCHOR: clear
    pub fn clear(&self) {
        // A store would not do. The swap also reads the flag, so that the poll sees what each
        // thread that set it has done before its wake. Chapter 04 has a page on this.
        self.0.swap(false, Ordering::AcqRel);
    }
    // ANCHOR_END: clear
}
