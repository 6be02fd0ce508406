//! How a task is made: its memory, and the functions that know the types of its future and its runtime.

use std::{future::Future, ptr::NonNull, sync::Arc};

use crate::{JoinError, sync::UnsafeCell};

use super::cell::{Cell, Stage, TypedTask};
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
    // SAFETY: the output is the future's, and this is the only handle.
    #[expect(unsafe_code)]
    let handle = unsafe { JoinHandle::new(for_the_handle) };
    (for_a_queue, handle)
}

impl<F, S> Cell<F, S>
where
    F: Future<Output: Send> + Send + 'static,
    S: Schedule,
{
    /// It is in the header of cells of this type alone, which is why a task that is passed to one of these functions has such a cell.
    #[expect(unsafe_code)]
    const VTABLE: Vtable = Vtable {
        // SAFETY: the task has a cell of this type.
        run: |task| unsafe { TypedTask::<F, S>::new(task) }.run(),
        // SAFETY: as above.
        schedule: |task, why| unsafe { TypedTask::<F, S>::new(task) }.schedule(why),
        // SAFETY: as above.
        shut_down: |task| unsafe { TypedTask::<F, S>::new(task) }.shut_down(),
        take_result: |header, to| {
            let to = to.cast::<Option<Result<F::Output, JoinError>>>();
            // SAFETY: the cell is of this type. The caller is the join handle of the finished task, and has a place for the result.
            unsafe {
                to.write(header.cast::<Self>().as_ref().take_result());
            }
        },
        free: |header| {
            // SAFETY: the cell is of this type, and was made by `Box::leak`. The caller had the last reference.
            let cell = unsafe { Box::from_raw(header.cast::<Self>().as_ptr()) };
            drop(cell); // which has neither a future nor a result any more
        },
    };
}
