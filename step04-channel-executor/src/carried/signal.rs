//! A flag and a waker under one lock: one thread fires the signal, and a task waits for it. A future's `poll`
//! calls `poll_fired` with its context, which leaves a clone of the waker where the firing thread will find it.

use std::{
    mem,
    task::{Context, Poll, Waker},
};

use crate::sync::Mutex; // the standard library's, or loom's while a model is checked

const UNPOISONED: &str = "a waker's clone and drop do not panic";

/// Fires once, and wakes the task that polled it last.
///
/// A signal has room for one waker, the one of the latest poll, and calls no other. So one task may wait for it at a
/// time. Several futures of that task may, as long as all of them are polled with the same waker, as `join!` does.
///
/// One lock covers the check of the flag and the storing of the waker. If the lock were free between the two, this order
/// would lose the wake: the task checks and finds the signal unfired; the other thread fires and finds no waker to call;
/// the task stores its waker, and nothing will ever call it.
///
/// Cloning and dropping a waker run code of the executor, and here they happen under the lock. That is right unless this
/// code uses the same signal, or panics. Stage 05 shows wakers that do, and a second version of `Signal` for them.
// ANCHOR: states
#[derive(Debug, Default)]
pub struct Signal {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
enum State {
    /// Neither polled nor fired.
    #[default]
    Idle,
    /// Polled and not fired. Holds the waker of the latest poll.
    Waiting(Waker),
    /// Fired. A signal stays fired.
    Fired,
}
// ANCHOR_END: states

impl Signal {
    /// Ready once [`fire`](Signal::fire) has been called. Otherwise stores this poll's waker in place of any earlier one,
    /// because the future that polls may have been given to another task since.
    // ANCHOR: poll
    pub fn poll_fired(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut state = self.state.lock().expect(UNPOISONED);
        match &mut *state {
            State::Fired => return Poll::Ready(()),
            State::Idle => *state = State::Waiting(cx.waker().clone()),
            State::Waiting(waker) => waker.clone_from(cx.waker()),
        }
        Poll::Pending
    }
    // ANCHOR_END: poll

    /// Fires, and wakes the task that polled last, if any did. Firing again does nothing.
    // ANCHOR: fire
    pub fn fire(&self) {
        let before = mem::replace(&mut *self.state.lock().expect(UNPOISONED), State::Fired);
        // The guard was dropped at the end of that statement, so the lock is free again.
        if let State::Waiting(waker) = before {
            waker.wake();
        }
    }
    // ANCHOR_END: fire
}
