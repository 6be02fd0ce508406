//! The memory of a task, in one allocation: its header, its runtime, and its future or result.
//!
//! Nothing here has a lock. Who may touch what is decided by the [`State`]:
//!
//! - *The stage* (the future, later the result): the thread that has set `RUNNING`. After `FINISHED`, the join handle, or
//!   if `HANDLE` was clear by then, the thread that has set `FINISHED`.
//! - *The entry* in the list: the thread that has set `RUNNING`, and later `FINISHED`.
//! - *The handle's waker*, in the header: as `handle_waker.rs` says.
//! - *The rest*: everyone, as it never changes or is atomic.

use std::{future::Future, mem, sync::Arc};

use crate::{JoinError, sync::UnsafeCell};

use super::list::Entry;
use super::reference::{Header, Task};

// ANCHOR: cell
/// All of a task. The header is the first field, so that a pointer to it is a pointer to the whole.
#[repr(C)]
pub(super) struct Cell<F: Future, S> {
    pub(super) header: Header,
    pub(super) runtime: Arc<S>,
    /// The place of the task in the list, once it has had to wait.
    pub(super) entry: UnsafeCell<Option<Entry>>,
    pub(super) stage: UnsafeCell<Stage<F>>,
}

pub(super) enum Stage<F: Future> {
    Future(F),
    Result(Result<F::Output, JoinError>),
    Empty,
}
// ANCHOR_END: cell

impl<F: Future, S> Cell<F, S> {
    /// The cell of a task. Only the functions of the task's vtable call it, so the task has a cell of this type.
    pub(super) fn of(task: &Task) -> &Self {
        // SAFETY: the header is the first field of a cell of this type, which is freed with the last reference.
        #[expect(unsafe_code)]
        unsafe {
            task.0.cast().as_ref()
        }
    }

    /// Takes the result. It is there once, after the task has finished.
    pub(super) fn take_result(&self) -> Option<Result<F::Output, JoinError>> {
        self.stage.with_mut(|stage| {
            // SAFETY: the caller is the join handle of a finished task.
            #[expect(unsafe_code)]
            match mem::replace(unsafe { &mut *stage }, Stage::Empty) {
                Stage::Result(result) => Some(result),
                _ => None,
            }
        })
    }

    /// Drops the future or the result where it stands. To be called by the thread to which it belongs.
    pub(super) fn drop_stage(&self) {
        self.stage.with_mut(|stage| {
            // SAFETY: it belongs to this thread. The assignment drops what is there without moving it, and leaves the
            // stage empty even if a destructor panics.
            #[expect(unsafe_code)]
            unsafe {
                *stage = Stage::Empty;
            }
        });
    }
}
