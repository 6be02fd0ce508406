//! s05g, solved: one flag, one lock, one place to sleep.

use probe::{Condvar, Mutex};
use std::{
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Wake, Waker},
};

/// What the waker points to.
#[derive(Default)]
struct Sleeper {
    /// Woken, and not polled since.
    woken: Mutex<bool>,
    changed: Condvar,
}

impl Wake for Sleeper {
    fn wake(self: Arc<Self>) {
        *self.woken.lock().unwrap() = true;
        self.changed.notify_one();
    }
}

impl Sleeper {
    fn sleep(&self) {
        let mut woken = self.woken.lock().unwrap();
        while !*woken {
            woken = self.changed.wait(woken).unwrap();
        }
        // Before the poll, so that a wake during the poll leads to another one.
        *woken = false;
    }
}

/// Runs a future to its end on this thread, which sleeps while the future is pending and has not been woken.
fn block_on<F: Future>(future: F) -> F::Output {
    // One for each call: a waker that is left over from an earlier call wakes nothing here.
    let sleeper = Arc::new(Sleeper::default());
    let waker = Waker::from(Arc::clone(&sleeper));
    let mut cx = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut cx) {
            return output;
        }
        sleeper.sleep();
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s05g_block_on_from_nothing.rs"]
mod tests;
