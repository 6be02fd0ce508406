//! s05f · repair · 20 minutes · chapter 05, "Park, unpark and block_on"
//!
//! This signal works with the wakers of most executors. But its poll clones the new waker and drops the earlier one while
//! it holds its lock, and the clone and drop of a waker are code that the signal does not control. Here that code fires
//! the same signal, so it waits for the lock of its own thread.
//!
//! Repair `poll_fired`: clone and drop no waker while the lock is held. Don't lose a `fire` that comes while it is free.
//!
//! The lock is `probe::Mutex`: like std's, but it knows which thread holds it.
//!
//! Run: `cargo test --bin s05f_clone_and_drop_outside`, or save this file while `rustlings` runs.
//! Red: the watchdog, after two seconds. Its line "lock" says where the lock was taken, and where it is wanted. In the
//! test that clones, the poll is not watched, so the watchdog says "outside any poll", although the lock was taken in
//! `poll_fired`.

use probe::Mutex;
use std::task::{Context, Poll, Waker};

#[derive(Default)]
struct State {
    fired: bool,
    /// The waker of the latest poll.
    waker: Option<Waker>,
}

#[derive(Default)]
struct Signal {
    state: Mutex<State>,
}

impl Signal {
    /// Ready once `fire` has been called. Until then, keeps the waker of this poll.
    fn poll_fired(&self, cx: &mut Context<'_>) -> Poll<()> {
        // TODO: which code of the waker runs while the lock is held?
        let mut state = self.state.lock().unwrap();
        if state.fired {
            return Poll::Ready(());
        }
        state.waker = Some(cx.waker().clone());
        Poll::Pending
    }

    fn fire(&self) {
        let mut state = self.state.lock().unwrap();
        state.fired = true;
        let waker = state.waker.take();
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s05f_clone_and_drop_outside.rs"]
mod tests;
