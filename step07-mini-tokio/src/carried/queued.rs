//! One flag for each task: does it stand in the queue already?

use crate::sync::atomic::{AtomicBool, Ordering};

/// Whether a task stands in the executor's queue. However often it is woken, it stands there once.
#[derive(Debug)]
pub struct Queued(AtomicBool);

impl Queued {
    /// The flag of a task that is not in the queue.
    pub fn no() -> Queued {
        Queued(AtomicBool::new(false))
    }

    /// Notes that the task was woken. `true`: it was not queued, and the caller must queue it now.
    #[must_use = "if true, nobody but you will queue the task"]
    // ANCHOR: set
    pub fn set(&self) -> bool {
        !self.0.swap(true, Ordering::AcqRel)
    }
    // ANCHOR_END: set

    /// Notes that the task was taken from the queue. To be called *before* the task is polled: a wake during the
    /// poll must queue it again.
    // ANCHOR: clear
    pub fn clear(&self) {
        // A swap and not a store, though the old value is known. A wake that finds the flag
        // set queues nothing, and still our next poll must see all that its thread did
        // before. A swap reads the flag, and so sees what came before each wake; a store
        // would not.
        self.0.swap(false, Ordering::AcqRel);
    }
    // ANCHOR_END: clear
}
