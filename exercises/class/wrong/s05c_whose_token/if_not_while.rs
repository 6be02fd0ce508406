//! s05c · repair · 15 minutes · chapter 05, "Park, unpark and block_on"
//!
//! *Parker and Reactor* (003) writes a parker, and leaves a question open: why not `thread::park`, which is there
//! already? pollster 1.0.1 does without a parker. So does this `block_on`. It runs most futures. It hangs on one that
//! is woken during its poll, and then parks its thread for a reason of its own, as a channel may do.
//!
//! Mend `Unpark` and `block_on`. No poll may come without a wake: looking from time to time is not the answer.
//!
//! Run: `cargo test --bin s05c_whose_token`, or save this file while `rustlings` runs.
//! Red: the watchdog says that the task was woken, and never polled again.

use std::{
    future::Future,
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Wake, Waker},
    thread::{self, Thread},
};

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

struct Unpark {
    thread: Thread,
    woken: AtomicBool,
}

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.woken.store(true, SeqCst);
        self.thread.unpark();
    }
}

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
        // ANCHOR: slip
        if !unpark.woken.swap(false, SeqCst) {
            thread::park();
        }
        // ANCHOR_END: slip
    }
}

fn main() {}
