//! A place for one task.

use std::{
    mem,
    ptr::{self, NonNull},
};

use crate::sync::atomic::{AtomicPtr, Ordering};

use super::reference::{Header, Task};

/// A place for one task. One thread puts tasks there, and any thread may take them.
#[derive(Default)]
pub(crate) struct Slot(AtomicPtr<Header>);

impl Slot {
    /// Puts a task into the slot, and returns the earlier one. To be called by one thread alone.
    pub(crate) fn put(&self, task: Task) -> Option<Task> {
        let new = task.0.as_ptr();
        mem::forget(task);
        if self.is_empty() {
            // No other thread fills it, so this need not be a read-modify-write.
            self.0.store(new, Ordering::Release);
            return None;
        }
        // Another worker may have taken the earlier task since the check. Then this is null. If not, this thread has put it
        // there, so it needs no `Acquire`.
        let earlier = self.0.swap(new, Ordering::Release);
        NonNull::new(earlier).map(Task)
    }

    /// Takes the task out.
    pub(crate) fn take(&self) -> Option<Task> {
        if self.is_empty() {
            return None;
        }
        // Several threads may come here at once, and the exchange gives the reference to one of them.
        let taken = self.0.swap(ptr::null_mut(), Ordering::Acquire);
        NonNull::new(taken).map(Task)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.load(Ordering::Relaxed).is_null()
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        drop(self.take());
    }
}
