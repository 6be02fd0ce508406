//! A join handle that checks for the end of its task first, and stores its waker after that.
//!
//! If the task ends in between, it finds no waker, and the handle waits forever. 63,000 races of a stress test did not
//! show it. loom does, at once.

use std::task::{Poll, Waker};

use loom::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    thread,
};
use probe::CountingWaker;

use crate::{Breaks, Exhibit, Fails, props::in_every_order};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "join-without-a-second-look",
    title: "a join handle checks for the end, and stores its waker after that",
    was_in: "no published code that we know of: it is chapter 08's join handle with the two steps exchanged",
    breaks: Breaks::Rule("a handle that is polled exactly when its task ends is ready, or it is woken"),
    chapter: 8,
    fails: Fails::Loom("it is Pending, and no wake will come"),
    why: "at the check the task had not ended. When it ended, the handle had not left its waker yet. The twin \
          leaves the waker first. Then it sets WAITING and reads FINISHED in one operation, while the task sets \
          FINISHED and reads WAITING. So either the handle sees that the task has ended, or the task sees that \
          the handle waits.",
    passes: "ready or woken in each of 4 orders",
    broken: || show(poll_broken, finish_broken),
    repaired: || show(poll_repaired, finish_repaired),
};

const FINISHED: usize = 0b01;
/// Whether the handle has left a waker. Only the twin sets it.
const WAITING: usize = 0b10;

#[derive(Default)]
struct Join {
    state: AtomicUsize,
    waiter: Mutex<Option<Waker>>,
}

// ANCHOR: broken
fn poll_broken(join: &Join, waker: &Waker) -> Poll<()> {
    if join.state.load(SeqCst) == FINISHED {
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
/// The first poll. A later one has to take WAITING back before it replaces the waker.
fn poll_repaired(join: &Join, waker: &Waker) -> Poll<()> {
    *join.waiter.lock().unwrap() = Some(waker.clone());
    let before = join.state.fetch_or(WAITING, SeqCst);
    if before == FINISHED {
        return Poll::Ready(());
    }
    Poll::Pending
}

/// Called by the worker after the last poll of the task.
fn finish_repaired(join: &Join) {
    let before = join.state.fetch_or(FINISHED, SeqCst);
    if before == WAITING {
        let waiter = join.waiter.lock().unwrap().take();
        waiter.expect("it is left before WAITING is set").wake();
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
