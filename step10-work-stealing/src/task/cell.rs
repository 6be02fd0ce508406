//! The memory of a task, in one allocation: its header, its runtime, and its future or result.
//!
//! Nothing here has a lock. Who may touch what is decided by the [`State`](super::state::State):
//!
//! - *The stage* (the future, later the result): the thread that has set `RUNNING`. After `FINISHED`, the join handle, or
//!   if `HANDLE` was clear by then, the thread that has set `FINISHED`.
//! - *The entry* in the list: the thread that has set `RUNNING`, until it sets `FINISHED`.
//! - *The handle's waker*, in the header: as `handle_waker.rs` says.
//! - *The rest*: everyone, as it never changes or is atomic.

use std::{future::Future, marker::PhantomData, mem, sync::Arc};

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
    /// Takes the result. It is there once.
    ///
    /// # Safety
    ///
    /// The task must be finished. The caller must be its join handle, or if `HANDLE` was clear by then, the thread that has
    /// finished it.
    #[expect(unsafe_code)]
    pub(super) unsafe fn take_result(&self) -> Option<Result<F::Output, JoinError>> {
        self.stage.with_mut(|stage| {
            // SAFETY: the stage belongs to the caller, by its rule above.
            match mem::replace(unsafe { &mut *stage }, Stage::Empty) {
                Stage::Result(result) => Some(result),
                _ => None,
            }
        })
    }
}

/// A reference to a task whose future and runtime have these types.
pub(super) struct TypedTask<F: Future, S> {
    task: Task,
    types: PhantomData<fn() -> Cell<F, S>>,
}

impl<F: Future, S> TypedTask<F, S> {
    /// # Safety
    ///
    /// The task must have a cell of this type.
    #[expect(unsafe_code)]
    pub(super) unsafe fn new(task: Task) -> TypedTask<F, S> {
        TypedTask {
            task,
            types: PhantomData,
        }
    }

    pub(super) fn cell(&self) -> &Cell<F, S> {
        // SAFETY: the cell has this type, as `new` demands, and its first field is the header. It is freed with the last
        // reference, and this is one.
        #[expect(unsafe_code)]
        unsafe {
            self.task.0.cast().as_ref()
        }
    }

    pub(super) fn as_task(&self) -> &Task {
        &self.task
    }

    pub(super) fn into_task(self) -> Task {
        self.task
    }
}
