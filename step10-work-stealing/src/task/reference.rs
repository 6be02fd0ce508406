//! A reference to a task, as a counted pointer that is no wider than a word. Queues, wakers and the list of tasks consist
//! of these. It points to the task's header, which is the same for all tasks, whatever their future and their runtime.

use std::mem::{self, ManuallyDrop};
use std::ptr::NonNull;
use std::task::{RawWaker, RawWakerVTable, Waker};

use super::handle_waker::HandleWaker;
use super::state::State;

/// Why a task is put into a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Why {
    /// It is new or was woken, so it should run soon.
    Woken,
    /// It was woken during its own poll, so it lets others go first.
    Yielded,
}

/// A reference to a task. The last one frees it.
pub(crate) struct Task(pub(super) NonNull<Header>);

// ANCHOR: header
/// The first field of each task's memory, so a pointer to it is a pointer to the task.
pub(super) struct Header {
    pub(super) state: State,
    /// What depends on the types of the future and the runtime.
    pub(super) vtable: &'static Vtable,
    pub(super) handle_waker: HandleWaker,
}

/// The functions that know these types. Each may be called only for a task whose header has this table.
pub(super) struct Vtable {
    pub(super) run: unsafe fn(Task),
    pub(super) schedule: unsafe fn(Task, Why),
    pub(super) shut_down: unsafe fn(Task),
    /// Takes the result for the join handle of a finished task, and writes it to the pointer, which
    /// points to an `Option<Result<T, JoinError>>`.
    pub(super) take_result: unsafe fn(NonNull<Header>, *mut ()),
    /// Frees the cell, to which there must be no reference any more.
    pub(super) free: unsafe fn(NonNull<Header>),
}
// ANCHOR_END: header

// SAFETY: the future and its output are `Send`, as `spawn` demands, and the state of the task lets one
// thread at a time touch them. The count of references is atomic.
#[expect(unsafe_code)]
unsafe impl Send for Task {}
// SAFETY: as above. All that a shared reference gives access to is atomic, or is taken by a step of the state.
#[expect(unsafe_code)]
unsafe impl Sync for Task {}

impl Task {
    pub(super) fn header(&self) -> &Header {
        // SAFETY: the cell is freed with the last reference, and this is one. The header is its first field, and no
        // exclusive reference to it is ever made.
        #[expect(unsafe_code)]
        unsafe {
            self.0.as_ref()
        }
    }

    /// Polls the task once, or drops its future if the task was aborted. Does nothing if it has been polled since it was
    /// put into the queue.
    pub(crate) fn run(self) {
        let run = self.header().vtable.run;
        // SAFETY: it is from this task's header.
        #[expect(unsafe_code)]
        unsafe {
            run(self);
        }
    }

    /// Puts the task into a queue of its runtime.
    pub(crate) fn schedule(self, why: Why) {
        let schedule = self.header().vtable.schedule;
        // SAFETY: it is from this task's header.
        #[expect(unsafe_code)]
        unsafe {
            schedule(self, why);
        }
    }

    /// Cancels the task, and drops its future on the calling thread, unless a worker is polling it. Then that worker
    /// drops it after the poll.
    pub(crate) fn shut_down(self) {
        let shut_down = self.header().vtable.shut_down;
        // SAFETY: it is from this task's header.
        #[expect(unsafe_code)]
        unsafe {
            shut_down(self);
        }
    }

    fn wake(self) {
        if self.header().state.wake() {
            self.schedule(Why::Woken);
        }
    }

    fn wake_by_ref(&self) {
        if self.header().state.wake() {
            self.clone().schedule(Why::Woken);
        }
    }

    /// Lends this reference to a waker.
    pub(super) fn waker(&self) -> ManuallyDrop<Waker> {
        let raw = RawWaker::new(self.0.as_ptr().cast(), &WAKER);
        // SAFETY: the functions of the table keep the contract of a waker. It is never dropped, so the reference that it
        // stands for remains the caller's.
        #[expect(unsafe_code)]
        ManuallyDrop::new(unsafe { Waker::from_raw(raw) })
    }

    /// The reference that a waker of [`WAKER`] stands for.
    ///
    /// # Safety
    ///
    /// `data` must be the data of such a waker, and its reference must not have been dropped.
    #[expect(unsafe_code)]
    unsafe fn from_waker(data: *const ()) -> Task {
        // Not null, as it comes from `waker`.
        let header = NonNull::new(data.cast_mut()).expect("a waker of a task");
        Task(header.cast())
    }
}

impl Clone for Task {
    fn clone(&self) -> Task {
        self.header().state.add_reference();
        Task(self.0)
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        let free = self.header().vtable.free;
        if self.header().state.drop_reference() {
            // SAFETY: it is from this task's header, and this was the last reference.
            #[expect(unsafe_code)]
            unsafe {
                free(self.0)
            }
        }
    }
}

/// The four functions of a waker whose data is a reference to a task.
#[expect(unsafe_code)]
static WAKER: RawWakerVTable = RawWakerVTable::new(
    |data| {
        // SAFETY: a waker calls these functions with its own data, and none of them after the two that take its reference.
        let task = ManuallyDrop::new(unsafe { Task::from_waker(data) });
        mem::forget(Task::clone(&task));
        RawWaker::new(data, &WAKER)
    },
    // SAFETY: as above. This takes the reference.
    |data| unsafe { Task::from_waker(data) }.wake(),
    // SAFETY: as above.
    |data| ManuallyDrop::new(unsafe { Task::from_waker(data) }).wake_by_ref(),
    // SAFETY: as above. This takes the reference.
    |data| drop(unsafe { Task::from_waker(data) }),
);
