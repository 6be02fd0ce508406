//! Version 2 of the signal: it runs no code of a waker while it holds its lock.
//!
//! Version 1 is in stage 03. It clones the new waker, and drops the earlier one, while its lock is held. This version does
//! both while the lock is free, because a waker's `clone` and `drop` are functions from its vtable: code that the signal
//! does not control, and that may use this very signal. What is between `ANCHOR: carried-…` and its end is the same as in
//! version 1.

use std::{
    mem,
    task::{Context, Poll, Waker},
};

use crate::sync::Mutex;

const UNPOISONED: &str = "no code panics while it holds this lock";

/// Fires once, and wakes the task that polled last.
///
/// A waker may use the signal while the signal clones, wakes or drops that waker.
// ANCHOR: carried-states
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
// ANCHOR_END: carried-states

impl Signal {
    /// Ready once [`fire`](Signal::fire) has been called. Until then, keeps the waker of this poll in place of any earlier
    /// one, because the future may have moved to another task since the earlier poll.
    // ANCHOR: poll
    pub fn poll_fired(&self, cx: &mut Context<'_>) -> Poll<()> {
        // This lock is held until the closing brace of the `match`, where its guard is dropped.
        match &*self.state.lock().expect(UNPOISONED) {
            State::Fired => return Poll::Ready(()),
            // Comparing two wakers calls no function from their vtables.
            State::Waiting(waker) if waker.will_wake(cx.waker()) => return Poll::Pending,
            State::Waiting(_) | State::Idle => {}
        }
        // Now the lock is free. It has to be, because the signal does not control `clone`.
        let waker = cx.waker().clone();
        let mut state = self.state.lock().expect(UNPOISONED);
        if let State::Fired = *state {
            return Poll::Ready(()); // fired while the lock was free
        }
        let earlier = mem::replace(&mut *state, State::Waiting(waker));
        drop(state);
        // The lock is free again. It has to be, because the signal does not control `drop`.
        drop(earlier);
        Poll::Pending
    }
    // ANCHOR_END: poll

    /// Fires, and wakes the task that polled last, if any. Firing again does nothing.
    // ANCHOR: carried-fire
    pub fn fire(&self) {
        let before = mem::replace(&mut *self.state.lock().expect(UNPOISONED), State::Fired);
        // The guard was dropped at the end of that statement, so the lock is free again.
        if let State::Waiting(waker) = before {
            waker.wake();
        }
    }
    // ANCHOR_END: carried-fire
}
