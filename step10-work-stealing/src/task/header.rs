//! The part of a task's memory that is the same for all tasks, whatever their future and their runtime: the state, the waker of the
//! join handle, and the functions that know the rest.

use std::{mem, ptr::NonNull, task::Waker};

use crate::{contain::contain, sync::UnsafeCell};

use super::reference::{Task, Why};
use super::state::State;

// ANCHOR: header
/// The first field of each task's memory, so a pointer to it is a pointer to the task.
pub(super) struct Header {
    pub(super) state: State,
    /// What depends on the types of the future and the runtime.
    pub(super) vtable: &'static Vtable,
    /// The waker of the join handle.
    handle_waker: UnsafeCell<Option<Waker>>,
}

pub(super) struct Vtable {
    pub(super) run: fn(Task),
    pub(super) schedule: fn(Task, Why),
    pub(super) cancel: fn(&Task),
    /// Takes the result, and writes it to the second pointer, which points to an
    /// `Option<Result<T, JoinError>>`.
    pub(super) take_result: unsafe fn(&Task, *mut ()),
    /// Frees the cell.
    pub(super) free: unsafe fn(NonNull<Header>),
}
// ANCHOR_END: header

/// What has become of the waker of a join handle.
#[derive(Debug, PartialEq, Eq)]
#[must_use]
pub(super) enum Wait {
    /// It is stored, and will be called when the task is finished.
    Stored,
    /// The task is finished, so it is not stored.
    Finished,
}

impl Header {
    pub(super) fn new(state: State, vtable: &'static Vtable) -> Header {
        Header {
            state,
            vtable,
            handle_waker: UnsafeCell::new(None),
        }
    }

    /// Stores the waker of the join handle, which has stored one before if `stored`. Called by the join handle alone.
    /// If it panics, no waker is stored.
    pub(super) fn wait(&self, waker: &Waker, stored: bool) -> Wait {
        // The task may have finished since the handle was polled last. Then the stored waker belongs to the thread that has
        // finished it, which may be calling the waker at this moment, and `unwait` fails.
        if stored && !self.state.unwait() {
            return Wait::Finished;
        }
        // WAITING is clear now, so the place belongs to the handle until it sets the bit again. A thread that finishes the
        // task before that finds the bit clear, and leaves the place alone.
        let kept = self.handle_waker.with_mut(|kept| {
            // SAFETY: see above.
            #[expect(unsafe_code)]
            unsafe { &*kept }
                .as_ref()
                .is_some_and(|kept| kept.will_wake(waker))
        });
        if !kept {
            // The earlier waker goes before the clone. If the clone panics, no handle looks for a waker here any more.
            self.drop_handle_waker();
            self.replace_handle_waker(Some(waker.clone()));
        }
        // From this step on, the thread that finishes the task calls the waker. If one has finished it before this step, it saw
        // no waker and will call none, so the handle must not wait. The task may live on, so the waker goes now.
        if self.state.wait() {
            self.drop_handle_waker();
            return Wait::Finished;
        }
        Wait::Stored
    }

    /// To be called by the thread to which the place belongs.
    pub(super) fn drop_handle_waker(&self) {
        let waker = self.replace_handle_waker(None);
        contain(|| drop(waker)); // its destructor may panic
    }

    /// To be called by the thread to which the place belongs.
    pub(super) fn replace_handle_waker(&self, waker: Option<Waker>) -> Option<Waker> {
        self.handle_waker.with_mut(|kept| {
            // SAFETY: the place belongs to the caller: see the head of `cell.rs`.
            #[expect(unsafe_code)]
            mem::replace(unsafe { &mut *kept }, waker)
        })
    }
}
