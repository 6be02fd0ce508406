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

use std::{
    future::Future,
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    ptr::{self, NonNull},
    sync::Arc,
    task::{Context, Poll, Waker},
};

use crate::{JoinError, contain::contain, list::Entry, shared::Shared, sync::UnsafeCell};

use super::{
    Payload, Task, Why,
    state::{Pause, Start, State},
};

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
    /// Takes the result, and writes it to the second pointer, which points to an `Option<Result<T, JoinError>>`.
    pub(super) take_result: unsafe fn(&Task, *mut ()),
    /// Frees the cell.
    pub(super) free: unsafe fn(NonNull<Header>),
}

/// All of a task. The header is the first field, so that a pointer to it is a pointer to the whole.
#[repr(C)]
pub(super) struct Cell<F: Future> {
    header: Header,
    /// The place of the task in the list, once it has had to wait.
    entry: UnsafeCell<Option<Entry>>,
    stage: UnsafeCell<Stage<F>>,
}

enum Stage<F: Future> {
    Future(F),
    Result(Result<F::Output, JoinError>),
    Empty,
}
// ANCHOR_END: header

impl Header {
    /// Stores the waker of the join handle, which has stored one before if it is `waiting`. Returns `false` if the task is
    /// finished. Called by the join handle alone.
    // ANCHOR: wait
    pub(super) fn wait(&self, waker: &Waker, waiting: &mut bool) -> bool {
        if mem::take(waiting) && !self.state.unwait() {
            return false;
        }
        // WAITING is clear, so the place belongs to the handle.
        let kept = self.waiting.with_mut(|kept| {
            // SAFETY: see above.
            #[expect(unsafe_code)]
            unsafe { &*kept }
                .as_ref()
                .is_some_and(|kept| kept.will_wake(waker))
        });
        let earlier = match kept {
            true => None,
            false => self.replace_waiting(Some(waker.clone())),
        };
        *waiting = !self.state.wait();
        drop(earlier);
        if !*waiting {
            drop(self.replace_waiting(None)); // nobody will call it, and the task may live on
        }
        *waiting
    }
    // ANCHOR_END: wait

    /// Takes the waker back. Called by the join handle alone, if it has stored one.
    pub(super) fn unwait(&self) -> Option<Waker> {
        match self.state.unwait() {
            true => self.replace_waiting(None),
            false => None,
        }
    }

    /// To be called by the thread to which the place belongs.
    fn replace_waiting(&self, waker: Option<Waker>) -> Option<Waker> {
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
        cancel: |task| drop(Self::of(task).cancel()),
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
    fn of(task: &Task) -> &Self {
        // SAFETY: the header is the first field of a cell of this type, which is freed with the last reference.
        #[expect(unsafe_code)]
        unsafe {
            task.0.cast().as_ref()
        }
    }

    // ANCHOR: run
    fn run(task: Task) {
        let cell = Self::of(&task);
        let listed = match cell.header.state.start() {
            Start::Nothing => None,
            Start::Cancel => cell.cancel(),
            Start::Poll => match cell.poll(&mut Context::from_waker(&task.waker())) {
                Poll::Ready(result) => cell.finish(result.map_err(JoinError::panicked)),
                Poll::Pending if !cell.enlist(&task) => cell.cancel(),
                Poll::Pending => match cell.header.state.pause() {
                    Pause::Nothing => None,
                    Pause::Schedule => return task.schedule(Why::Yielded),
                    Pause::Cancel => cell.cancel(),
                },
            },
        };
        task.drop_with(listed);
    }
    // ANCHOR_END: run

    /// Polls the future, and drops it once it is finished. To be called by the thread that has set `RUNNING`.
    // ANCHOR: poll
    fn poll(&self, cx: &mut Context<'_>) -> Poll<Result<F::Output, Payload>> {
        let polled = self.stage.with_mut(|stage| {
            // SAFETY: RUNNING is set, by this thread.
            #[expect(unsafe_code)]
            let Stage::Future(future) = (unsafe { &mut *stage }) else {
                unreachable!("a task that is not finished has a future");
            };
            // SAFETY: the future is in a cell that never moves, and is dropped there.
            #[expect(unsafe_code)]
            let future = unsafe { Pin::new_unchecked(future) };
            catch_unwind(AssertUnwindSafe(|| future.poll(cx)))
        });
        let result = match polled {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(output)) => Ok(output),
            Err(payload) => Err(payload),
        };
        // A panic of the destructor changes nothing about the result.
        contain(|| self.drop_stage());
        Poll::Ready(result)
    }
    // ANCHOR_END: poll

    /// Puts the task into the list, unless it is there. `false`: the runtime has ended. To be called by the thread that has
    /// set `RUNNING`.
    // ANCHOR: list
    fn enlist(&self, task: &Task) -> bool {
        let shared = &self.header.shared;
        self.entry.with_mut(|entry| {
            // SAFETY: RUNNING is set, by this thread.
            #[expect(unsafe_code)]
            let entry = unsafe { &mut *entry };
            if entry.is_none() {
                *entry = shared.waiting.insert(task, &shared.closed);
            }
            entry.is_some()
        })
    }
    // ANCHOR_END: list

    /// Drops the future without polling it. To be called by the thread that has set `RUNNING`.
    fn cancel(&self) -> Option<Task> {
        let dropped = catch_unwind(AssertUnwindSafe(|| self.drop_stage()));
        self.finish(Err(match dropped {
            Ok(()) => JoinError::cancelled(),
            Err(payload) => JoinError::panicked(payload),
        }))
    }

    /// The last step of a task. Returns the reference that the list had, for the caller to drop. To be called by the thread
    /// that has set `RUNNING`.
    // ANCHOR: finish
    fn finish(&self, result: Result<F::Output, JoinError>) -> Option<Task> {
        self.stage.with_mut(|stage| {
            // SAFETY: RUNNING is set, by this thread.
            #[expect(unsafe_code)]
            unsafe {
                stage.write(Stage::Result(result)); // it was `Empty`, which needs no drop
            }
        });
        let finish = self.header.state.finish();
        if !finish.handle {
            contain(|| self.drop_stage());
        }
        if finish.waiting {
            let waker = self.header.replace_waiting(None);
            contain(|| waker.map(Waker::wake));
        }
        let entry = self.entry.with_mut(|entry| {
            // SAFETY: this thread had set RUNNING, and since FINISHED nobody else does.
            #[expect(unsafe_code)]
            mem::take(unsafe { &mut *entry })
        });
        entry.and_then(|entry| self.header.shared.waiting.remove(entry))
    }
    // ANCHOR_END: finish

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
    fn drop_stage(&self) {
        /// Leaves the stage empty, even if a destructor panics.
        struct Empty<F: Future>(*mut Stage<F>);
        impl<F: Future> Drop for Empty<F> {
            fn drop(&mut self) {
                // SAFETY: what stood there has been dropped, and the pointer is that of the stage.
                #[expect(unsafe_code)]
                unsafe {
                    self.0.write(Stage::Empty);
                }
            }
        }
        self.stage.with_mut(|stage| {
            let _empty = Empty(stage);
            // SAFETY: it belongs to this thread, and is not used again.
            #[expect(unsafe_code)]
            unsafe {
                ptr::drop_in_place(stage);
            }
        });
    }
}
