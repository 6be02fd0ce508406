//! A future with two locks: one for the flag, one for the waker.
//!
//! Each is right by itself. Between the look at the flag and the storing of the waker there is a gap, and the other
//! thread may do both of its steps in it.

use std::task::{Poll, Waker};

use loom::{
    sync::{Arc, Mutex},
    thread,
};
use probe::CountingWaker;

use crate::{Breaks, Exhibit, Fails, props::in_every_order};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "two-locks",
    title: "the flag under one lock, the waker under another",
    was_in: "microsoft/RustTraining, async-book, ch. 2, `Delay`, before its #85",
    breaks: Breaks::Clause("pending_is_a_promise"),
    chapter: 3,
    fails: Fails::Loom("it is Pending, and no wake will come"),
    why: "poll sees the flag down. The other thread raises it, finds no waker, and is done. Poll stores the waker, for \
          nobody. The twin has one lock for both, so that there is nothing in between.",
    passes: "ready or woken in each of 4 orders",
    broken: || show::<TwoLocks>(),
    repaired: || show::<OneLock>(),
};

trait Shared: Default + Send + Sync + 'static {
    fn poll(&self, waker: &Waker) -> Poll<()>;
    fn fire(&self);
}

// ANCHOR: broken
#[derive(Default)]
struct TwoLocks {
    fired: Mutex<bool>,
    waker: Mutex<Option<Waker>>,
}

impl Shared for TwoLocks {
    fn poll(&self, waker: &Waker) -> Poll<()> {
        if *self.fired.lock().unwrap() {
            return Poll::Ready(());
        }
        *self.waker.lock().unwrap() = Some(waker.clone());
        Poll::Pending
    }

    fn fire(&self) {
        *self.fired.lock().unwrap() = true;
        let waker = self.waker.lock().unwrap().take();
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}
// ANCHOR_END: broken

// ANCHOR: repaired
#[derive(Default)]
struct OneLock(Mutex<(bool, Option<Waker>)>);

impl Shared for OneLock {
    fn poll(&self, waker: &Waker) -> Poll<()> {
        let (fired, slot) = &mut *self.0.lock().unwrap();
        if *fired {
            return Poll::Ready(());
        }
        *slot = Some(waker.clone());
        Poll::Pending
    }

    fn fire(&self) {
        let mut state = self.0.lock().unwrap();
        state.0 = true;
        let waker = state.1.take();
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}
// ANCHOR_END: repaired

fn show<S: Shared>() {
    in_every_order(|| {
        let shared = Arc::new(S::default());
        let counting = CountingWaker::new();
        let other = Arc::clone(&shared);
        let thread = thread::spawn(move || other.fire());
        let poll = shared.poll(&counting.waker());
        thread.join().unwrap();
        poll.is_ready() || counting.wakes() > 0
    });
}
