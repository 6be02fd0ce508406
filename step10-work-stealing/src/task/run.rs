//! One turn of a task: it is polled or cancelled, and then waits, goes back into a queue, or is finished.

use std::{
    future::Future,
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    task::{Context, Poll, Waker},
};

use crate::{JoinError, Payload, contain::contain};

use super::cell::{Stage, TypedTask};
use super::list::Entry;
use super::reference::Why;
use super::schedule::Schedule;
use super::state::{Idle, Start};

// ANCHOR: running
/// The reference of the thread that has set `RUNNING`, so that the future and the entry in the list are that thread's.
///
/// There is one at a time. Only the two steps of the state that set `RUNNING` make one, [`start`](TypedTask::start) and
/// [`claim`](TypedTask::claim), and the steps that clear the bit take it by value.
#[must_use]
struct Running<F: Future, S>(TypedTask<F, S>);

impl<F: Future, S> TypedTask<F, S> {
    /// A worker has taken the task from a queue. Returns `None` if there is nothing to do.
    fn start(self) -> Option<(Start, Running<F, S>)> {
        let start = self.cell().header.state.start()?;
        Some((start, Running(self)))
    }

    /// The runtime shuts down. Returns `None` if a worker has the future, or the task is finished.
    fn claim(self) -> Option<Running<F, S>> {
        let is_claimed = self.cell().header.state.claim();
        is_claimed.then(|| Running(self))
    }
}
// ANCHOR_END: running

impl<F, S> TypedTask<F, S>
where
    F: Future<Output: Send> + Send + 'static,
    S: Schedule,
{
    // ANCHOR: run
    pub(super) fn run(self) {
        match self.start() {
            // Since it was put into this queue, another worker has polled it, or the shutdown has dropped its future.
            None => {}
            Some((Start::Cancel, running)) => running.cancel(),
            Some((Start::Poll, mut running)) => match running.poll() {
                Poll::Ready(result) => running.finish(result.map_err(JoinError::panicked)),
                Poll::Pending => running.wait(),
            },
        }
    }
    // ANCHOR_END: run

    pub(super) fn shut_down(self) {
        if let Some(running) = self.claim() {
            running.cancel();
        }
    }

    /// Puts the task into a queue of its runtime.
    // ANCHOR: schedule
    pub(super) fn schedule(self, why: Why) {
        // In two steps, because the run queue may not borrow the runtime from the task. As soon as the task is in the queue,
        // another thread may run it to its end and free it, while this one is still in `S::schedule`.
        let run_queue = self.cell().runtime.run_queue();
        S::schedule(run_queue, self.into_task(), why);
    }
    // ANCHOR_END: schedule
}

impl<F, S> Running<F, S>
where
    F: Future<Output: Send> + Send + 'static,
    S: Schedule,
{
    /// Polls the future, and drops it once it is finished.
    // ANCHOR: poll
    fn poll(&mut self) -> Poll<Result<F::Output, Payload>> {
        let waker = self.0.as_task().waker();
        let polled = self.with_stage(|stage| {
            let Stage::Future(future) = stage else {
                unreachable!("a task that is not finished has a future");
            };
            // SAFETY: the future is in a cell that never moves, and is dropped there.
            #[expect(unsafe_code)]
            let future = unsafe { Pin::new_unchecked(future) };
            let mut cx = Context::from_waker(&waker);
            catch_unwind(AssertUnwindSafe(|| future.poll(&mut cx)))
        });
        let result = match polled {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(output)) => Ok(output),
            Err(payload) => Err(payload),
        };
        // A panic of the destructor changes nothing about the result.
        contain(|| self.drop_future());
        Poll::Ready(result)
    }

    /// Lends the stage.
    fn with_stage<R>(&mut self, access: impl FnOnce(&mut Stage<F>) -> R) -> R {
        self.0.cell().stage.with_mut(|stage| {
            // SAFETY: this thread has set RUNNING, so the stage is its own, and `&mut self` lends it once.
            #[expect(unsafe_code)]
            access(unsafe { &mut *stage })
        })
    }
    // ANCHOR_END: poll

    /// Lends the entry in the list.
    fn with_entry<R>(&mut self, access: impl FnOnce(&mut Option<Entry>) -> R) -> R {
        self.0.cell().entry.with_mut(|entry| {
            // SAFETY: this thread has set RUNNING, so the entry is its own, and `&mut self` lends it once.
            #[expect(unsafe_code)]
            access(unsafe { &mut *entry })
        })
    }

    /// Drops the future where it stands, because it is pinned. The stage is empty then, even if a destructor panics.
    fn drop_future(&mut self) {
        self.with_stage(|stage| *stage = Stage::Empty);
    }

    /// The poll has returned `Pending`, so the task waits for a wake, unless there was one during the poll.
    // ANCHOR: wait
    fn wait(mut self) {
        if !self.enlist() {
            // The runtime ended during the poll, and did not find the task in the list.
            return self.cancel();
        }
        match self.0.cell().header.state.idle() {
            // By now another thread may have woken the task, and a third one polled it to its end and freed it. So
            // this reference was given up in the same step as RUNNING, and is not even dropped here.
            Idle::Nothing => mem::forget(self),
            // A thread that woke it during the poll saw RUNNING, and left this to the worker.
            Idle::Schedule => self.0.schedule(Why::Yielded),
            Idle::Cancel => self.cancel(),
        }
    }
    // ANCHOR_END: wait

    /// Puts the task into the list, unless it is there. `false`: the runtime has ended.
    fn enlist(&mut self) -> bool {
        if self.with_entry(|entry| entry.is_some()) {
            return true;
        }
        let tasks = self.0.cell().runtime.waiting_tasks();
        let entry = tasks.insert(self.0.as_task());
        let is_listed = entry.is_some();
        self.with_entry(|place| *place = entry);
        is_listed
    }

    /// Drops the future without polling it.
    fn cancel(mut self) {
        let dropped = catch_unwind(AssertUnwindSafe(|| self.drop_future()));
        self.finish(Err(match dropped {
            Ok(()) => JoinError::cancelled(),
            Err(payload) => JoinError::panicked(payload),
        }));
    }

    /// The last step of a task.
    fn finish(mut self, result: Result<F::Output, JoinError>) {
        self.with_stage(|stage| *stage = Stage::Result(result));
        let entry = self.with_entry(Option::take);
        let cell = self.0.cell();
        // After this step the join handle may take the result on another thread at any moment. If the handle was dropped before
        // it, the result was left to this thread. If it had stored a waker, that is this thread's too: `unwait` fails now.
        let finish = cell.header.state.finish();
        if !finish.handle {
            // SAFETY: HANDLE was clear when this thread set FINISHED.
            #[expect(unsafe_code)]
            let result = unsafe { cell.take_result() };
            contain(|| drop(result));
        }
        if finish.waiting {
            // SAFETY: WAITING was set when this thread set FINISHED.
            #[expect(unsafe_code)]
            let waker = unsafe { cell.header.handle_waker.take() };
            contain(|| waker.map(Waker::wake));
        }
        if let Some(entry) = entry {
            cell.runtime.waiting_tasks().remove(entry);
        }
    }
}
