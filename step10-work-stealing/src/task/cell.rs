//! The memory of a task, in one allocation: its state, the waker of its handle, its runtime, and its future or
//! result.
//!
//! Nothing here has a lock. Who may touch what is decided by the [`State`]:
//!
//! - *The stage* (the future, later the result): the thread that has set `RUNNING`. After `FINISHED`, the join handle, or
//!   if `HANDLE` was clear by then, the thread that has set `FINISHED`.
//! - *The entry* in the list: the thread that has set `RUNNING`, and later `FINISHED`.
//! - *The waiting waker*: the join handle while `WAITING` is clear. After `FINISHED`, if `WAITING` was set by then, the
//!   thread that has set `FINISHED`.
//! - *The rest*: everyone, as it never changes or is atomic.

use std::{future::Future, mem, ptr::NonNull, sync::Arc, task::Waker};

use crate::{JoinError, contain::contain, list::Entry, shared::Shared, sync::UnsafeCell};

use super::{Task, state::State};

/// What is the same for all tasks, whatever their future.
// ANCHOR: header
pub(super) struct Header {
    pub(super) state: State,
    /// What depends on the type of the future.
    pub(super) vtable: &'static Vtable,
    /// The runtime of the task.
    pub(super) shared: Arc<Shared>,
    waiting: UnsafeCell<Option<Waker>>,
}

pub(super) struct Vtable {
    pub(super) run: fn(Task),
    pub(super) cancel: fn(&Task),
    /// Takes the result, and writes it to the second pointer, which points to an
    /// `Option<Result<T, JoinError>>`.
    pub(super) take_result: unsafe fn(&Task, *mut ()),
    /// Frees the cell.
    pub(super) free: unsafe fn(NonNull<Header>),
}

/// All of a task. The header is the first field, so that a pointer to it is a pointer to the whole.
#[repr(C)]
pub(super) struct Cell<F: Future> {
    pub(super) header: Header,
    /// The place of the task in the list, once it has had to wait.
    pub(super) entry: UnsafeCell<Option<Entry>>,
    pub(super) stage: UnsafeCell<Stage<F>>,
}

pub(super) enum Stage<F: Future> {
    Future(F),
    Result(Result<F::Output, JoinError>),
    Empty,
}
// ANCHOR_END: header

impl Header {
    /// Stores the waker of the join handle, which has stored one before if it is `waiting`. Returns `false` if the task is
    /// finished. Called by the join handle alone.
    pub(super) fn wait(&self, waker: &Waker, waiting: &mut bool) -> bool {
        // The task may have finished since the handle was polled last. Then the stored waker belongs to the thread that has
        // finished it, which may be calling the waker at this moment, and `unwait` fails.
        if mem::take(waiting) && !self.state.unwait() {
            return false;
        }
        // WAITING is clear now, so the place belongs to the handle until it sets the bit again. A thread that finishes the
        // task before that finds the bit clear, and leaves the place alone.
        let kept = self.waiting.with_mut(|kept| {
            // SAFETY: see above.
            #[expect(unsafe_code)]
            unsafe { &*kept }
                .as_ref()
                .is_some_and(|kept| kept.will_wake(waker))
        });
        if !kept {
            // The earlier waker goes before the clone. If the clone panics, no handle looks for a waker here any more.
            self.drop_waiting();
            self.replace_waiting(Some(waker.clone()));
        }
        // From this step on, the thread that finishes the task calls the waker. If one has finished it before this step, it saw
        // no waker and will call none, so the handle must not wait. The task may live on, so the waker goes now.
        *waiting = !self.state.wait();
        if !*waiting {
            self.drop_waiting();
        }
        *waiting
    }

    /// To be called by the thread to which the place belongs.
    pub(super) fn drop_waiting(&self) {
        let waker = self.replace_waiting(None);
        contain(|| drop(waker)); // its destructor may panic
    }

    /// To be called by the thread to which the place belongs.
    pub(super) fn replace_waiting(&self, waker: Option<Waker>) -> Option<Waker> {
        self.waiting.with_mut(|kept| {
            // SAFETY: the place belongs to the caller: see the head of this file.
            #[expect(unsafe_code)]
            mem::replace(unsafe { &mut *kept }, waker)
        })
    }
}

impl<F> Cell<F>
where
    F: Future<Output: Send> + Send + 'static,
{
    const VTABLE: Vtable = Vtable {
        run: Self::run,
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

    pub(super) fn new(future: F, shared: Arc<Shared>, references: usize) -> Cell<F> {
        Cell {
            header: Header {
                state: State::spawned(references),
                vtable: &Self::VTABLE,
                shared,
                waiting: UnsafeCell::new(None),
            },
            entry: UnsafeCell::new(None),
            stage: UnsafeCell::new(Stage::Future(future)),
        }
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
