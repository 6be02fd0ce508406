//! s03c · repair · 12 minutes · chapter 03, "A timer as a future"
//!
//! In *Future and scheduling*, the timer calls `wake` while it holds its lock (D06), and so does the timer of the
//! async-book. If an executor polls the task inside `wake`, that poll waits for a lock which its own thread holds. Repair
//! `fire`.
//!
//! The lock is `probe::Mutex`. It works as std's does, and it also knows which thread holds it.
//!
//! Run: `cargo test --bin s03c_wake_without_the_lock`
//! Red: the watchdog, after two seconds. Its line "lock" says where the lock was taken, and where it is wanted again.

use probe::Mutex;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

#[derive(Default)]
struct State {
    fired: bool,
    waker: Option<Waker>,
}

#[derive(Default)]
struct Signal {
    state: Mutex<State>,
}

impl Signal {
    fn poll_fired(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut state = self.state.lock().unwrap();
        if state.fired {
            return Poll::Ready(());
        }
        state.waker = Some(cx.waker().clone());
        Poll::Pending
    }

    fn fire(&self) {
        // TODO: up to which line is the lock held?
        let mut state = self.state.lock().unwrap();
        state.fired = true;
        if let Some(waker) = state.waker.take() {
            waker.wake();
        }
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s03c_wake_without_the_lock.rs"]
mod tests;
