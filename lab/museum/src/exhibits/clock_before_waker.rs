//! A delay that checks the clock first, and replaces its waker after that.
//!
//! One task has polled it, and now another one does. If the time runs out between the check and the replacement, the
//! thread wakes the old task. A stress test may never show it. loom does, at once.

use std::task::{Poll, Waker};

use loom::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};
use probe::CountingWaker;

use crate::{Exhibit, Fails, props::in_every_order};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "clock-before-waker",
    title: "the clock is read before the new waker is in its place",
    was_in: "\"Async in depth\", the third `Delay`; tokio's website since its #739",
    breaks: "The waker of the latest poll is woken.",
    chapter: 7,
    fails: Fails::Loom("it is Pending, and no wake will come"),
    why: "at the check the time was not up. Before the replacement it was, so the thread called the old waker. The \
          fixed version replaces the waker first and checks after that, so either the check finds the time up, or \
          the wake reaches the new waker.",
    passes: "ready or woken in each of 15 orders",
    broken: || show(poll_broken),
    repaired: || show(poll_repaired),
};

struct Delay {
    /// Stands for the clock.
    is_time: AtomicBool,
    waker: Mutex<Waker>,
}

// ANCHOR: broken
fn poll_broken(delay: &Delay, waker: &Waker) -> Poll<()> {
    if delay.is_time.load(Ordering::SeqCst) {
        return Poll::Ready(());
    }
    delay.waker.lock().unwrap().clone_from(waker);
    Poll::Pending
}
// ANCHOR_END: broken

// ANCHOR: repaired
fn poll_repaired(delay: &Delay, waker: &Waker) -> Poll<()> {
    delay.waker.lock().unwrap().clone_from(waker);
    if delay.is_time.load(Ordering::SeqCst) {
        return Poll::Ready(());
    }
    Poll::Pending
}
// ANCHOR_END: repaired

fn show(poll: fn(&Delay, &Waker) -> Poll<()>) {
    in_every_order(move || {
        let (old, new) = (CountingWaker::new(), CountingWaker::new());
        let delay = Arc::new(Delay {
            is_time: AtomicBool::new(false),
            waker: Mutex::new(old.waker()),
        });
        let timer = Arc::clone(&delay);
        let timer = thread::spawn(move || {
            timer.is_time.store(true, Ordering::SeqCst);
            let waker = timer.waker.lock().unwrap().clone();
            waker.wake();
        });
        let poll = poll(&delay, &new.waker());
        timer.join().unwrap();
        poll.is_ready() || new.wakes() > 0
    });
}
