//! A join handle that checks for the end of its task, stores its waker, and does not check again.
//!
//! If the task ends between the two steps, it finds no waker, and the handle waits forever. A stress test may never show it. loom
//! does, at once.

use std::task::{Poll, Waker};

use loom::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    thread,
};
use probe::CountingWaker;

use crate::{Exhibit, Fails, props::in_every_order};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "join-without-a-second-look",
    title: "a join handle stores its waker, and does not check for the end again",
    was_in: "no published code that we know of: it is chapter 08's join handle without its second check",
    breaks: "a handle that is polled exactly when its task ends is ready, or it is woken",
    chapter: 8,
    fails: Fails::Loom("it is Pending, and no wake will come"),
    why: "at the check the task had not ended. When it ended, the handle had not stored its waker yet, and the \
          handle did not check again. The fixed version stores its waker and then checks a second time: it sets \
          WAITING and reads FINISHED in one operation, while the task sets FINISHED and reads WAITING. So either \
          the handle sees that the task has ended, or the task sees that the handle waits.",
    passes: "ready or woken in each of 11 orders",
    broken: || show(poll_broken, finish_broken),
    repaired: || show(poll_repaired, finish_repaired),
};

const FINISHED: usize = 0b01;
/// Whether the handle has stored a waker. Only the fixed version sets it, and nothing clears it.
const WAITING: usize = 0b10;

#[derive(Default)]
struct Join {
    state: AtomicUsize,
    waiter: Mutex<Option<Waker>>,
}

// ANCHOR: broken
fn poll_broken(join: &Join, waker: &Waker) -> Poll<()> {
    if join.state.load(SeqCst) & FINISHED != 0 {
        return Poll::Ready(());
    }
    *join.waiter.lock().unwrap() = Some(waker.clone());
    Poll::Pending
}

/// Called by the worker after the last poll of the task.
fn finish_broken(join: &Join) {
    join.state.store(FINISHED, SeqCst);
    let waiter = join.waiter.lock().unwrap().take();
    if let Some(waiter) = waiter {
        waiter.wake();
    }
}
// ANCHOR_END: broken

// ANCHOR: repaired
fn poll_repaired(join: &Join, waker: &Waker) -> Poll<()> {
    if join.state.load(SeqCst) & FINISHED != 0 {
        return Poll::Ready(());
    }
    *join.waiter.lock().unwrap() = Some(waker.clone());
    // The second check: the task may have ended since the first.
    if join.state.fetch_or(WAITING, SeqCst) & FINISHED != 0 {
        return Poll::Ready(());
    }
    Poll::Pending
}

/// Called by the worker after the last poll of the task.
fn finish_repaired(join: &Join) {
    let before = join.state.fetch_or(FINISHED, SeqCst);
    if before & WAITING != 0 {
        let waiter = join.waiter.lock().unwrap().take();
        waiter.expect("it is stored before WAITING is set").wake();
    }
}
// ANCHOR_END: repaired

fn show(poll: fn(&Join, &Waker) -> Poll<()>, finish: fn(&Join)) {
    in_every_order(move || {
        let counting = CountingWaker::new();
        let join = Arc::new(Join::default());
        let task = Arc::clone(&join);
        let worker = thread::spawn(move || finish(&task));
        let poll = poll(&join, &counting.waker());
        worker.join().unwrap();
        poll.is_ready() || counting.wakes() > 0
    });
}
