//! s05c · repair · 15 minutes · chapter 05, "Park, unpark and block_on"
//!
//! *Parker and Reactor* (003) builds a parker, and leaves a question open: why not use `thread::park`? pollster 1.0.1
//! does, and so does the `block_on` below. It runs most futures. It hangs on a future that is woken during its poll and
//! then blocks its thread in that same poll, for example in the `recv` of a channel.
//!
//! Repair `Unpark` and `block_on`. No poll may come without a wake, so checking from time to time is not the answer.
//!
//! Run: `cargo test --bin s05c_whose_token`, or save this file while `rustlings` runs.
//! Red: the watchdog says that the task was woken, and not polled since. It sends you to chapter 04, where wakes are
//! lost in a queue. There is no queue here, so read "Why not thread::park" in chapter 05 instead.

use std::{
    future::Future,
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Wake, Waker},
};

// The functions of std, behind whose `unpark` the tests can act. Sleep in whatever you like.
use probe::thread::{self, Thread};

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// What the waker points to.
struct Unpark {
    thread: Thread,
    /// `true`: woken, and not polled since. Only `block_on` sets it to `false`.
    woken: AtomicBool,
}

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        // The flag first, so that the thread finds it `true` when the token ends its sleep.
        self.woken.store(true, SeqCst);
        self.thread.unpark();
    }
}

/// Runs a future to its end on this thread, which sleeps while the future is pending and has not been woken.
fn block_on<F: Future>(future: F) -> F::Output {
    let unpark = Arc::new(Unpark {
        thread: thread::current(),
        woken: AtomicBool::new(false),
    });
    let waker = Waker::from(Arc::clone(&unpark));
    let mut cx = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut cx) {
            return output;
        }
        // The token ends a sleep, but only the flag says whether there was a wake. The token may be missing because
        // code inside the poll took it, or it may be there because other code left it.
        while !unpark.woken.swap(false, SeqCst) {
            thread::park();
        }
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s05c_whose_token.rs"]
mod tests;
