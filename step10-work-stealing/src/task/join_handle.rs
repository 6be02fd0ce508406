//! The handle of a task: a future that waits for the task's last state.

use std::{
    fmt,
    future::Future,
    marker::PhantomData,
    mem,
    panic::{RefUnwindSafe, UnwindSafe},
    pin::Pin,
    task::{Context, Poll, ready},
};

use crate::{JoinError, budget, contain::contain};

use super::handle_waker::Wait;
use super::reference::{Task, Why};

/// Waits for a task, and returns its result.
///
/// Any task may await it, one of another runtime too, and so may any `block_on`. Dropping it *detaches* the task, which
/// runs on. Its result is then dropped.
///
/// ```
/// use step10_work_stealing::Runtime;
///
/// let runtime = Runtime::new(2);
/// let six = runtime.spawn(async { 6 });
/// let answer = runtime.spawn(async { six.await.unwrap() * 7 });
/// assert_eq!(runtime.block_on(answer).unwrap(), 42);
///
/// let endless = runtime.spawn(std::future::pending::<()>());
/// endless.abort();
/// assert!(runtime.block_on(endless).unwrap_err().is_cancelled());
///
/// let panics = runtime.spawn(async { panic!("no answer") });
/// let error = runtime.block_on(panics).unwrap_err();
/// assert_eq!(error.to_string(), "the task panicked: no answer");
/// ```
pub struct JoinHandle<T> {
    task: Task,
    /// A waker of this handle is stored in the task.
    stored: bool,
    /// The result has been taken, so nothing is left to do with the task.
    taken: bool,
    output: PhantomData<fn() -> T>,
}

impl<T> JoinHandle<T> {
    /// # Safety
    ///
    /// The task's output must be a `T`, and there must be no other handle of the task.
    #[expect(unsafe_code)]
    pub(super) unsafe fn new(task: Task) -> JoinHandle<T> {
        JoinHandle {
            task,
            stored: false,
            taken: false,
            output: PhantomData,
        }
    }

    /// Whether the task is finished, which means that its future has been dropped, and an await of this handle is ready.
    pub fn is_finished(&self) -> bool {
        self.task.header().state.is_finished()
    }

    /// Cancels the task. A worker drops its future, and never polls it again.
    ///
    /// If a worker is polling the task, that worker drops the future when the poll has returned `Pending`. If the poll
    /// returns `Ready`, the output comes first, and the abort has no effect. It has none on a finished task either.
    pub fn abort(&self) {
        if self.task.header().state.abort() {
            self.task.clone().schedule(Why::Woken);
        }
    }

    /// Cancels the task here and now, unless a worker is polling it. Then that worker drops it after the poll.
    pub(crate) fn shut_down(&self) {
        self.task.clone().shut_down();
    }

    /// Takes the result. It is there once.
    ///
    /// # Safety
    ///
    /// The task must be finished.
    #[expect(unsafe_code)]
    unsafe fn take_result(&self) -> Option<Result<T, JoinError>> {
        let mut result = None;
        let to: *mut Option<Result<T, JoinError>> = &mut result;
        let take_result = self.task.header().vtable.take_result;
        // SAFETY: it is from this task's header, and the task is finished. The task's output is a `T`, so the pointer may be
        // written to, and what is overwritten needs no drop.
        unsafe { take_result(self.task.0, to.cast()) };
        result
    }
}

// A panic inside it leaves the task as it is, because whatever it changes of the task is one atomic step.
impl<T> UnwindSafe for JoinHandle<T> {}
impl<T> RefUnwindSafe for JoinHandle<T> {}

/// # Panics
///
/// If it is polled again after it was ready.
impl<T> Future for JoinHandle<T> {
    type Output = Result<T, JoinError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        ready!(budget::check(cx));
        let this = &mut *self;
        let header = this.task.header();
        if !header.state.is_finished() {
            // If the clone of the new waker panics, none is stored any more.
            let stored = mem::take(&mut this.stored);
            let place = &header.handle_waker;
            // SAFETY: the place and the state are those of one task, and this is its join handle.
            #[expect(unsafe_code)]
            let wait = unsafe { place.store(cx.waker(), stored, &header.state) };
            if wait == Wait::Stored {
                this.stored = true;
                return Poll::Pending;
            }
        }
        budget::spend();
        self.stored = false;
        self.taken = true;
        // SAFETY: the task is finished: `is_finished` or `store` says so.
        #[expect(unsafe_code)]
        let result = unsafe { self.take_result() };
        Poll::Ready(result.expect("a `JoinHandle` was polled again after it was ready"))
    }
}

impl<T> Drop for JoinHandle<T> {
    fn drop(&mut self) {
        if self.taken {
            return;
        }
        let header = self.task.header();
        // If the task has finished by now, `unwait` fails, because the thread that has finished it has taken the waker.
        if self.stored && header.state.unwait() {
            // SAFETY: this is the join handle, and WAITING is clear.
            #[expect(unsafe_code)]
            unsafe {
                header.handle_waker.drop_waker();
            }
        }
        // If the task finishes after this step, that thread sees that there is no handle, and drops the result itself.
        if header.state.detach() {
            // SAFETY: the task is finished: `detach` says so.
            #[expect(unsafe_code)]
            let result = unsafe { self.take_result() };
            contain(|| drop(result));
        }
    }
}

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JoinHandle({:?})", self.task.header().state)
    }
}
