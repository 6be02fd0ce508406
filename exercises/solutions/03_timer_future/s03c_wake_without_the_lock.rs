//! s03c, solved: change the state under the lock, wake after it.

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
        let mut state = self.state.lock().unwrap();
        state.fired = true;
        let waker = state.waker.take();
        // Release the lock before the waker is called.
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s03c_wake_without_the_lock.rs"]
mod tests;
