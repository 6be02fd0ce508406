//! How a task is made: its memory, and the functions that know the types of its future and its runtime.

use std::{future::Future, ptr::NonNull, sync::Arc};

use crate::{JoinError, sync::UnsafeCell};

use super::cell::{Cell, Stage};
use super::handle_waker::HandleWaker;
use super::join_handle::JoinHandle;
use super::reference::{Header, Task, Vtable};
use super::schedule::Schedule;
use super::state::State;

/// Makes a task that is to be polled, and a handle for it. The caller schedules the task.
pub(crate) fn spawn<F, S>(future: F, runtime: Arc<S>) -> (Task, JoinHandle<F::Output>)
where
    F: Future<Output: Send> + Send + 'static,
    S: Schedule,
{
    let cell = Box::new(Cell {
        header: Header {
            state: State::spawned(2),
            vtable: &Cell::<F, S>::VTABLE,
            handle_waker: HandleWaker::new(),
        },
        runtime,
        entry: UnsafeCell::new(None),
        stage: UnsafeCell::new(Stage::Future(future)),
    });
    let header = NonNull::from(Box::leak(cell)).cast();
    let (for_a_queue, for_the_handle) = (Task(header), Task(header));
    (for_a_queue, JoinHandle::new(for_the_handle))
}

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
}
