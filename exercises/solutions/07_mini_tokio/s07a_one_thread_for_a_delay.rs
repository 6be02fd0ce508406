//! s07a · repair · 15 minutes · chapter 07, "A small tokio"
//!
//! The second `Delay` of *Async in depth* (004) starts a thread in *every* poll before its time (D43). A delay that is
//! alone in its task is polled twice, so nothing seems wrong. But twenty, joined in one task, start 210 threads.
//!
//! Fix `Delay` so that its first poll starts the only thread. The delay may be polled often and by different tasks, and the
//! time may come at any moment, even in the middle of a poll. Then the task that polled last must be woken.
//!
//! Its clock, `Time`, stands still until a test moves it, so that the tests can choose that moment. It is complete, in
//! `given/s07a_one_thread_for_a_delay.rs`. You need only two of its methods, `now` and `sleep_until`.
//!
//! Run: `cargo test --bin s07a_one_thread_for_a_delay`, or save this file while `rustlings` runs.
//! Red: a test says how many threads were started, or which waker was not called.

#[path = "../../given/s07a_one_thread_for_a_delay.rs"]
mod given;

use given::*;
use std::{
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll},
};

use std::task::Waker;

/// Ready once the clock shows `when`.
struct Delay {
    when: u64,
    time: Time,
    /// Shared with the thread. `None` before the first poll.
    state: Option<Arc<Mutex<State>>>,
}

/// Whether the time has come, and the waker to call then, under one lock.
#[derive(Default)]
struct State {
    over: bool,
    /// The waker of the latest poll.
    waker: Option<Waker>,
}

impl Delay {
    fn until(when: u64, time: &Time) -> Delay {
        Delay {
            when,
            time: time.clone(),
            state: None,
        }
    }
}

impl Future for Delay {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let waker = cx.waker().clone();
        if let Some(state) = &self.state {
            let mut state = state.lock().unwrap();
            // The flag and not the clock: after a look at the clock and before the waker is stored, the thread could take
            // the earlier waker and end (D48).
            if state.over {
                return Poll::Ready(());
            }
            let earlier = state.waker.replace(waker);
            drop(state);
            drop(earlier);
            return Poll::Pending;
        }
        // The waker is stored before the thread is started, so the thread finds it however soon it acts.
        let state = Arc::new(Mutex::new(State {
            over: false,
            waker: Some(waker),
        }));
        self.state = Some(Arc::clone(&state));
        self.time.sleep_until(self.when, move || {
            let mut state = state.lock().unwrap();
            state.over = true;
            let waker = state.waker.take();
            drop(state);
            waker.into_iter().for_each(Waker::wake);
        });
        Poll::Pending
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s07a_one_thread_for_a_delay.rs"]
mod tests;
