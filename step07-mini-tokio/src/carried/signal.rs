//! A flag and a waker under one lock: what a future needs that waits for somebody else.

use std::{
    mem,
    task::{Context, Poll, Waker},
};

use crate::sync::Mutex;

const UNPOISONED: &str = "no code panics while it holds this lock";

/// Fires once, and wakes the task that polled it last.
///
/// One lock holds both the flag and the waker. With two, the other end could set the flag and find no waker
/// just before this end looks at the old flag and leaves its waker: a lost wake-up.
#[derive(Debug, Default)]
pub struct Signal {
    state: Mutex<State>,
}

// ANCHOR: states
#[derive(Debug, Default)]
enum State {
    /// Not polled and not fired.
    #[default]
    Idle,
    /// Polled, not fired. This is the waker of the latest poll.
    Waiting(Waker),
    /// Fired, and so for ever.
    Fired,
}
// ANCHOR_END: states

impl Signal {
    /// Ready once [`fire`](Signal::fire) has been called. Until then it keeps this poll's waker in place of any
    /// earlier one: the future may have been given to another task, and the earlier waker would wake the wrong one.
    // ANCHOR: poll
    pub fn poll_fired(&self, cx: &mut Context<'_>) -> Poll<()> {
        match &*self.state.lock().expect(UNPOISONED) {
            State::Fired => return Poll::Ready(()),
            State::Waiting(waker) if waker.will_wake(cx.waker()) => return Poll::Pending,
            State::Waiting(_) | State::Idle => {}
        }
        // To clone a waker, to call it and to drop it is to run somebody else's code, which
        // may come back to this very signal. So each is done while the lock is free.
        let waker = cx.waker().clone();
        let mut state = self.state.lock().expect(UNPOISONED);
        if let State::Fired = *state {
            return Poll::Ready(()); // in the meantime
        }
        let earlier = mem::replace(&mut *state, State::Waiting(waker));
        drop(state);
        drop(earlier);
        Poll::Pending
    }
    // ANCHOR_END: poll

    /// Fires. Wakes the task that polled last, if any did. Firing again does nothing.
    // ANCHOR: fire
    pub fn fire(&self) {
        let before = mem::replace(&mut *self.state.lock().expect(UNPOISONED), State::Fired);
        // The lock is free again.
        if let State::Waiting(waker) = before {
            waker.wake();
        }
    }
    // ANCHOR_END: fire
}
