//! s05c · repair · 20 minutes · chapter 05, "Park, unpark and block_on"
//!
//! *Parker and Reactor* (003) builds a parker, and leaves a question open: why not use `thread::park`? pollster 1.0.1
//! does, and so does the `block_on` below. It runs most futures. It hangs on a future that is woken during its poll and
//! then blocks its thread in that same poll, for example in the `recv` of a channel.
//!
//! Repair `Unpark` and `block_on`. No poll may come without a wake, so checking from time to time is not the answer.
//!
//! Run: `cargo test --bin s05c_whose_token`, or save this file while `rustlings` runs.
//! Red: the watchdog says that the task was woken, and not polled since. There is no queue here in which the wake could be
//! lost, so read "Why not thread::park" in chapter 05.

use std::{
    future::Future,
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Wake, Waker},
};

// The functions of std, behind whose `unpark` the tests can act. Sleep in whatever you like.
use probe::thread::{self, Thread};

/// What the waker points to.
struct Unpark {
    thread: Thread,
}

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.thread.unpark();
    }
}

/// Runs a future to its end on this thread, which sleeps while the future is pending and has not been woken.
fn block_on<F: Future>(future: F) -> F::Output {
    let unpark = Arc::new(Unpark {
        thread: thread::current(),
    });
    let waker = Waker::from(Arc::clone(&unpark));
    let mut cx = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut cx) {
            return output;
        }
        // TODO: code inside the poll may have taken the token that the wake left.
        thread::park();
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s05c_whose_token.rs"]
mod tests;
