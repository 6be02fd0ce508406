//! The place for the waker of a join handle. The handle stores it, the thread that finishes the task takes it, and there is no lock.
//! Whose the place is, the [`State`] says: the handle's while `WAITING` is clear; after `FINISHED`, if `WAITING` was set by then, the
//! thread's that has set `FINISHED`.

use std::task::Waker;

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

    /// Stores the waker of the join handle, which has stored one before if `stored`. If it panics, no waker is stored.
    ///
    /// # Safety
    ///
    /// The caller must be the join handle of the task whose place and `state` these are, and `stored` must say whether `WAITING` is set.
    #[expect(unsafe_code)]
    pub(super) unsafe fn store(&self, waker: &Waker, stored: bool, state: &State) -> Wait {
        // The task may have finished since the handle was polled last. Then the stored waker belongs to the thread that has
        // finished it, which may be calling the waker at this moment, and `unwait` fails.
        if stored && !state.unwait() {
            return Wait::Finished;
        }
        // SAFETY: WAITING is clear now, so the place belongs to the handle until it sets the bit again. A thread that finishes the
        // task before that finds the bit clear, and leaves the place alone.
        unsafe {
            if !self.access(|kept| kept.as_ref().is_some_and(|kept| kept.will_wake(waker))) {
                // The earlier waker goes before the clone. If the clone panics, no handle looks for a waker here any more.
                self.drop_waker();
                let waker = waker.clone();
                self.access(|place| *place = Some(waker));
            }
        }
        // From this step on, the thread that finishes the task calls the waker. If one has finished it before this step, it saw
        // no waker and will call none, so the handle must not wait. The task may live on, so the waker goes now.
        if state.wait() {
            // SAFETY: WAITING was clear when FINISHED was set, so the place is still the handle's.
            unsafe { self.drop_waker() };
            return Wait::Finished;
        }
        Wait::Stored
    }

    /// Takes the waker out.
    ///
    /// # Safety
    ///
    /// The place must belong to the calling thread.
    #[expect(unsafe_code)]
    pub(super) unsafe fn take(&self) -> Option<Waker> {
        // SAFETY: the caller says so.
        unsafe { self.access(Option::take) }
    }

    /// Drops the waker, if there is one.
    ///
    /// # Safety
    ///
    /// The place must belong to the calling thread.
    #[expect(unsafe_code)]
    pub(super) unsafe fn drop_waker(&self) {
        // SAFETY: the caller says so.
        let waker = unsafe { self.take() };
        contain(|| drop(waker)); // its destructor may panic
    }

    /// Lends what is in the place.
    ///
    /// # Safety
    ///
    /// The place must belong to the calling thread, which must not have it already.
    #[expect(unsafe_code)]
    unsafe fn access<R>(&self, access: impl FnOnce(&mut Option<Waker>) -> R) -> R {
        self.0.with_mut(|place| {
            // SAFETY: no other thread has it, and this thread has it once.
            access(unsafe { &mut *place })
        })
    }
}
