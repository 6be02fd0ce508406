//! The executor's loop: it polls the tasks that have been woken, and when none is left, it sleeps in its *driver*.
//!
//! The driver (`time/driver.rs` around `reactor.rs`) sleeps in the kernel until a socket is ready, the next deadline has come, or
//! another thread wakes a task. It puts the wakers of the tasks that wait for that socket or deadline into `due`.

use std::{
    future::Future,
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll, Waker},
    time::Duration,
};

use super::{Runtime, context, park::Park, task::Task};
use crate::contain::contain;

/// After this many polls the executor checks the kernel, even if more tasks are to be polled. So sockets and timers are
/// served while tasks wake each other without a pause. tokio has the same number.
const POLLS_BETWEEN_LOOKS: usize = 61;

impl Runtime {
    /// Runs a future to its end on the calling thread, and the tasks of the runtime beside it. The future need not be
    /// `Send`. Tasks that are not finished by then go on in the next `block_on`.
    ///
    /// # Panics
    ///
    /// If the future panics. Also if it is called inside another `block_on`, of any runtime, whose tasks would not be
    /// polled meanwhile.
    // ANCHOR: block_on
    pub fn block_on<F: Future>(&mut self, future: F) -> F::Output {
        let entered = context::enter(self.handle());
        assert!(
            !entered.is_nested(),
            "`block_on` was called inside `block_on`, and would stop its tasks: use `.await`"
        );
        let mut future = pin!(future);
        let shared = self.handle.shared();
        // The task of `future`, which stays on this stack rather than in `tasks`.
        let main = Task::new(shared.tasks.new_id(), Arc::clone(shared));
        main.schedule();
        let mut due = Vec::new();
        // ANCHOR: loop
        loop {
            if let Poll::Ready(output) = self.poll_tasks(&main, &mut future) {
                return output;
            }
            let limit = if shared.queue.fall_asleep() {
                None // the queue is empty, so it sleeps until an event, a deadline or an `unpark`
            } else {
                Some(Duration::ZERO) // there are tasks to poll, so it only checks for events
            };
            shared.driver.park(limit, &mut due);
            shared.queue.wake_up(); // clears `asleep`, so that no push calls `unpark` for nothing
            for waker in due.drain(..) {
                contain(|| waker.wake()); // it may panic, and the others must be woken all the same
            }
        }
        // ANCHOR_END: loop
    }
    // ANCHOR_END: block_on

    /// Polls what is in the queue. Returns when it is empty, after a number of polls, or when the main future is ready.
    // ANCHOR: poll_tasks
    fn poll_tasks<F: Future>(&self, main: &Task, future: &mut Pin<&mut F>) -> Poll<F::Output> {
        let shared = self.handle.shared();
        for _ in 0..POLLS_BETWEEN_LOOKS {
            let Some(task) = shared.queue.pop() else {
                break;
            };
            task.queued.clear();
            let id = task.id;
            let waker = Waker::from(task);
            let mut cx = Context::from_waker(&waker);
            if id == main.id {
                if let Poll::Ready(output) = future.as_mut().poll(&mut cx) {
                    return Poll::Ready(output);
                }
            } else if let Some(mut future) = shared.tasks.take(id) {
                if future.as_mut().poll(&mut cx).is_pending() {
                    // The runtime cannot have been dropped meanwhile, because `block_on` borrows it.
                    drop(shared.tasks.insert(id, future));
                }
            }
        }
        Poll::Pending
    }
    // ANCHOR_END: poll_tasks
}
