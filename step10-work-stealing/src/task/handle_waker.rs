//! The place for the waker of a join handle. The handle stores it, the thread that finishes the task takes it, and there is no lock.
//! Whose the place is, the [`State`] says: the handle's while `WAITING` is clear; after `FINISHED`, if `WAITING` was set by then, the
//! thread's that has set `FINISHED`.

use std::{mem, task::Waker};

use crate::{contain::contain, sync::UnsafeCell};

use super::state::State;

/// The place for the waker of a join handle.
pub(super) struct HandleWaker(UnsafeCell<Option<Waker>>);

/// What has become of the waker of a join handle.
#[derive(Debug, PartialEq, Eq)]
#[must_use]
pub(super) enum Wait {
    /// It is stored, and will be called when the task is finished.
    Stored,
    /// The task is finished, so it is not stored.
    Finished,
}

impl HandleWaker {
    pub(super) fn new() -> HandleWaker {
        HandleWaker(UnsafeCell::new(None))
    }

    /// Stores the waker of the join handle, which has stored one before if `stored`. Called by the join handle alone.
    /// If it panics, no waker is stored.
    pub(super) fn store(&self, waker: &Waker, stored: bool, state: &State) -> Wait {
        // The task may have finished since the handle was polled last. Then the stored waker belongs to the thread that has
        // finished it, which may be calling the waker at this moment, and `unwait` fails.
        if stored && !state.unwait() {
            return Wait::Finished;
        }
        // WAITING is clear now, so the place belongs to the handle until it sets the bit again. A thread that finishes the
        // task before that finds the bit clear, and leaves the place alone.
        let kept = self.0.with_mut(|kept| {
            // SAFETY: see above.
            #[expect(unsafe_code)]
            unsafe { &*kept }
                .as_ref()
                .is_some_and(|kept| kept.will_wake(waker))
        });
        if !kept {
            // The earlier waker goes before the clone. If the clone panics, no handle looks for a waker here any more.
            self.drop_waker();
            self.replace(Some(waker.clone()));
        }
        // From this step on, the thread that finishes the task calls the waker. If one has finished it before this step, it saw
        // no waker and will call none, so the handle must not wait. The task may live on, so the waker goes now.
        if state.wait() {
            self.drop_waker();
            return Wait::Finished;
        }
        Wait::Stored
    }

    /// To be called by the thread to which the place belongs.
    pub(super) fn take(&self) -> Option<Waker> {
        self.replace(None)
    }

    /// To be called by the thread to which the place belongs.
    pub(super) fn drop_waker(&self) {
        let waker = self.take();
        contain(|| drop(waker)); // its destructor may panic
    }

    fn replace(&self, waker: Option<Waker>) -> Option<Waker> {
        self.0.with_mut(|kept| {
            // SAFETY: the place belongs to the caller: see the head of this file.
            #[expect(unsafe_code)]
            mem::replace(unsafe { &mut *kept }, waker)
        })
    }
}
