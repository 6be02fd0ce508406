//! The memory of a task, in one allocation: its header, its runtime, and its future or result.
//!
//! Nothing here has a lock. Who may touch what is decided by the [`State`]:
//!
//! - *The stage* (the future, later the result): the thread that has set `RUNNING`. After `FINISHED`, the join handle, or
//!   if `HANDLE` was clear by then, the thread that has set `FINISHED`.
//! - *The entry* in the list: the thread that has set `RUNNING`, and later `FINISHED`.
//! - *The handle's waker*, in the header: the join handle while `WAITING` is clear. After `FINISHED`, if `WAITING` was set by
//!   then, the thread that has set `FINISHED`.
//! - *The rest*: everyone, as it never changes or is atomic.

use std::{future::Future, mem, ptr::NonNull, sync::Arc};

use crate::{JoinError, sync::UnsafeCell};

use super::header::{Header, Vtable};
use super::list::Entry;
use super::reference::Task;
use super::schedule::Schedule;
use super::state::State;

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

impl<F, S> Cell<F, S>
where
    F: Future<Output: Send> + Send + 'static,
    S: Schedule,
{
    const VTABLE: Vtable = Vtable {
        run: Self::run,
        schedule: Self::schedule,
        cancel: |task| Self::of(task).cancel(),
        take_result: |task, to| {
            let result = Self::of(task).take_result();
            // SAFETY: the caller says that `to` points to a place for this.
            #[expect(unsafe_code)]
            unsafe {
                to.cast::<Option<Result<F::Output, JoinError>>>()
                    .write(result);
            }
        },
        free: |header| {
            // SAFETY: the header is that of a cell of this type, which was made by `Box::leak`, and the caller has the
            // last reference.
            #[expect(unsafe_code)]
            let cell = unsafe { Box::from_raw(header.cast::<Self>().as_ptr()) };
            drop(cell); // which has neither a future nor a result any more
        },
    };

    /// Makes a task that is to be polled, and returns both references to it: one for a queue, and one for its handle.
    pub(super) fn allocate(future: F, runtime: Arc<S>) -> [Task; 2] {
        let cell = Box::new(Cell {
            header: Header::new(State::spawned(2), &Self::VTABLE),
            runtime,
            entry: UnsafeCell::new(None),
            stage: UnsafeCell::new(Stage::Future(future)),
        });
        let header = NonNull::from(Box::leak(cell)).cast();
        [Task(header), Task(header)]
    }

    /// The cell of a task. Only the functions of [`VTABLE`](Self::VTABLE) call it, so the task has a cell of this type.
    pub(super) fn of(task: &Task) -> &Self {
        // SAFETY: the header is the first field of a cell of this type, which is freed with the last reference.
        #[expect(unsafe_code)]
        unsafe {
            task.0.cast().as_ref()
        }
    }

    /// Takes the result. It is there once, after the task has finished.
    fn take_result(&self) -> Option<Result<F::Output, JoinError>> {
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
