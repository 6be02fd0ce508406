//! One turn of a task: it is polled or cancelled, and then waits, goes back into a queue, or is finished.

use std::{
    future::Future,
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    task::{Context, Poll, Waker},
};

use crate::{JoinError, Payload, contain::contain};

use super::cell::{Cell, Stage};
use super::reference::{Task, Why};
use super::schedule::Schedule;
use super::state::{Idle, Start};

impl<F, S> Cell<F, S>
where
    F: Future<Output: Send> + Send + 'static,
    S: Schedule,
{
    // ANCHOR: run
    pub(super) fn run(task: Task) {
        let cell = Self::of(&task);
        match cell.header.state.start() {
            // Since it was put into this queue, another worker has polled it, or the shutdown has dropped its future.
            Start::Nothing => {}
            Start::Cancel => cell.cancel(),
            Start::Poll => match cell.poll(&mut Context::from_waker(&task.waker())) {
                Poll::Ready(result) => cell.finish(result.map_err(JoinError::panicked)),
                Poll::Pending => Self::wait(task),
            },
        }
    }

    /// The poll has returned `Pending`, so the task waits for a wake, unless there was one during the poll.
    fn wait(task: Task) {
        let cell = Self::of(&task);
        if !cell.enlist(&task) {
            // The runtime ended during the poll, and did not find the task in the list.
            return cell.cancel();
        }
        match cell.header.state.idle() {
            // By now another thread may have woken the task, and a third one polled it to its end and freed it. So
            // this reference was given up in the same step as RUNNING, and is not even dropped here.
            Idle::Nothing => mem::forget(task),
            // A thread that woke it during the poll saw RUNNING, and left this to the worker.
            Idle::Schedule => Self::schedule(task, Why::Yielded),
            Idle::Cancel => cell.cancel(),
        }
    }
    // ANCHOR_END: run

    /// Puts the task into a queue of its runtime.
    // ANCHOR: schedule
    pub(super) fn schedule(task: Task, why: Why) {
        // In two steps, because the run queue may not borrow the runtime from the task. As soon as the task is in the queue,
        // another thread may run it to its end and free it, while this one is still in `S::schedule`.
        let run_queue = Self::of(&task).runtime.run_queue();
        S::schedule(run_queue, task, why);
    }
    // ANCHOR_END: schedule

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
    fn enlist(&self, task: &Task) -> bool {
        self.entry.with_mut(|entry| {
            // SAFETY: RUNNING is set, by this thread.
            #[expect(unsafe_code)]
            let entry = unsafe { &mut *entry };
            if entry.is_none() {
                *entry = self.runtime.waiting_tasks().insert(task);
            }
            entry.is_some()
        })
    }

    /// Drops the future without polling it. To be called by the thread that has set `RUNNING`.
    pub(super) fn cancel(&self) {
        let dropped = catch_unwind(AssertUnwindSafe(|| self.drop_stage()));
        self.finish(Err(match dropped {
            Ok(()) => JoinError::cancelled(),
            Err(payload) => JoinError::panicked(payload),
        }));
    }

    /// The last step of a task. To be called by the thread that has set `RUNNING`, which has a reference besides the list's.
    fn finish(&self, result: Result<F::Output, JoinError>) {
        self.stage.with_mut(|stage| {
            // SAFETY: RUNNING is set, by this thread.
            #[expect(unsafe_code)]
            unsafe {
                stage.write(Stage::Result(result)); // it was `Empty`, which needs no drop
            }
        });
        // After this step the join handle may take the result on another thread at any moment. If the handle was dropped before
        // it, the result was left to this thread. If it had stored a waker, that is this thread's too: `unwait` fails now.
        let finish = self.header.state.finish();
        if !finish.handle {
            contain(|| self.drop_stage());
        }
        if finish.waiting {
            let waker = self.header.handle_waker.take();
            contain(|| waker.map(Waker::wake));
        }
        let entry = self.entry.with_mut(|entry| {
            // SAFETY: this thread had set RUNNING, and no thread sets it once FINISHED is set.
            #[expect(unsafe_code)]
            mem::take(unsafe { &mut *entry })
        });
        if let Some(entry) = entry {
            self.runtime.waiting_tasks().remove(entry);
        }
    }
}
