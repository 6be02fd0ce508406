//! s03b, solved: the latest waker replaces the earlier one.

use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

#[derive(Default)]
struct State {
    open: bool,
    waker: Option<Waker>,
}

/// Ready once the door is open.
struct Door(Arc<Mutex<State>>);

impl Future for Door {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut state = self.0.lock().unwrap();
        if state.open {
            return Poll::Ready(());
        }
        // At every poll. (`Signal` of stage 03 uses `clone_from`, which saves the clone for a waker of the same task.)
        state.waker = Some(cx.waker().clone());
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
