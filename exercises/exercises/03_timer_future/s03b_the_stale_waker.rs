//! s03b · repair · 10 minutes · chapter 03, "A timer as a future"
//!
//! A future may be polled once by one task and then be given to another. If that happens to the `TimeFuture` of *Future
//! and scheduling* (D02), the second task sleeps forever. `Door` has the same mistake. Find it and repair it.
//! The contract would allow you to wake the earlier task too, which then polls for nothing. Here it must not be woken.
//!
//! Run: `cargo test --bin s03b_the_stale_waker`
//! Red: the watchdog, after two seconds. Read its first line and "look at".

use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

#[derive(Default)]
struct State {
    open: bool,
    waker: Option<Waker>,
}

// TODO: follow the two wakers through `poll` and `open`. Where does the second task's waker get lost?

/// Ready once the door is open.
struct Door(Arc<Mutex<State>>);

impl Future for Door {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut state = self.0.lock().unwrap();
        if state.open {
            return Poll::Ready(());
        }
        if state.waker.is_none() {
            state.waker = Some(cx.waker().clone());
        }
        Poll::Pending
    }
}

fn open(door: &Mutex<State>) {
    let mut state = door.lock().unwrap();
    state.open = true;
    let waker = state.waker.take();
    drop(state);
    if let Some(waker) = waker {
        waker.wake();
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s03b_the_stale_waker.rs"]
mod tests;
