//! How often a task may get what it waits for, in one poll, before it has to let others go first.

use std::{
    cell::Cell,
    task::{Context, Poll},
};

use crate::sync::thread_local;

/// How many operations a task gets for each of its polls. tokio gives as many.
const BUDGET: i32 = 128;

thread_local! {
    /// How much is left of it. `None`: no limit, as on a thread that is not a worker.
    static LEFT: Cell<Option<i32>> = const { Cell::new(None) };
}

/// How much the tasks of a runtime may get in one poll.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Budget {
    Limited,
    Unlimited,
}

/// A worker begins to poll a task.
pub(crate) fn refill(budget: Budget) {
    let left = match budget {
        Budget::Limited => Some(BUDGET),
        Budget::Unlimited => None,
    };
    LEFT.with(|place| place.set(left));
}

/// Ready if the task may continue. If not, the task is woken and goes to the back of the queue.
pub(crate) fn check(cx: &mut Context<'_>) -> Poll<()> {
    let left = match LEFT.with(Cell::get) {
        Some(left) if left <= 0 => left,
        _ => return Poll::Ready(()),
    };
    // A task may block its thread in the `block_on` of another crate, which polls again after each
    // refusal. No worker refills the budget there, so it is refilled here after `BUDGET` refusals.
    let left = if left > -BUDGET { left - 1 } else { BUDGET };
    LEFT.with(|place| place.set(Some(left)));
    cx.waker().wake_by_ref();
    Poll::Pending
}

/// The task has got something that it waited for.
pub(crate) fn spend() {
    LEFT.with(|place| place.set(place.get().map(|left| left - 1)));
}
