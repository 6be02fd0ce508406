//! A `poll` that starts its thread first, and stores the waker after that.
//!
//! If the thread is fast, it finds no waker and ends without a wake. With a sleep of zero that was seen in one run of
//! 1,000. loom tries every order in which the two threads can run, so it needs no luck.

use std::task::{Poll, Waker};

use loom::{
    sync::{Arc, Mutex},
    thread::{self, JoinHandle},
};
use probe::CountingWaker;

use crate::{Exhibit, Fails, props::in_every_order};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "waker-stored-too-late",
    title: "the thread starts before the waker is stored",
    was_in: "\"Inside async\", `SleepFuture`",
    breaks: "A future that returns Pending has made sure that a wake will come.",
    chapter: 3,
    fails: Fails::Loom("it is Pending, and no wake will come"),
    why: "the thread may be done before the next line runs, and then there is no waker yet that it could call. The \
          fixed version stores the waker before it starts the thread.",
    passes: "ready or woken in each of 4 orders",
    broken: || show(poll_broken),
    repaired: || show(poll_repaired),
};

type Shared = Arc<Mutex<Option<Waker>>>;
type FirstPoll = fn(&Shared, &Waker) -> (Poll<()>, JoinHandle<()>);

// ANCHOR: broken
/// The first poll.
fn poll_broken(shared: &Shared, waker: &Waker) -> (Poll<()>, JoinHandle<()>) {
    let thread = start(shared);
    *shared.lock().unwrap() = Some(waker.clone());
    (Poll::Pending, thread)
}
// ANCHOR_END: broken

// ANCHOR: repaired
/// The first poll.
fn poll_repaired(shared: &Shared, waker: &Waker) -> (Poll<()>, JoinHandle<()>) {
    *shared.lock().unwrap() = Some(waker.clone());
    let thread = start(shared);
    (Poll::Pending, thread)
}
// ANCHOR_END: repaired

/// A thread that sleeps for no time at all, and then wakes the waiting task.
fn start(shared: &Shared) -> JoinHandle<()> {
    let shared = Arc::clone(shared);
    thread::spawn(move || {
        let waker = shared.lock().unwrap().take();
        if let Some(waker) = waker {
            waker.wake();
        }
    })
}

fn show(poll: FirstPoll) {
    in_every_order(move || {
        let counting = CountingWaker::new();
        let (poll, thread) = poll(&Shared::default(), &counting.waker());
        thread.join().unwrap();
        poll.is_ready() || counting.wakes() > 0
    });
}
