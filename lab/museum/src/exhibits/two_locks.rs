//! A future with two locks: one for the flag, one for the waker.
//!
//! Each lock is right by itself. But both are free between the check of the flag and the storing of the waker, and the
//! other thread may do both of its steps there.

use std::task::{Poll, Waker};

use loom::{sync::Arc, thread};
use probe::CountingWaker;

use crate::{Exhibit, Fails, orders::Mutex, props::in_every_order};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "two-locks",
    title: "the flag under one lock, the waker under another",
    was_in: "microsoft/RustTraining, async-book, ch. 2, `Delay`, before its #85",
    breaks: "A future that returns Pending has made sure that a wake will come.",
    chapter: 3,
    fails: Fails::Loom("it is Pending, and no wake will come"),
    why: "poll checks the flag, which is down. The other thread raises it, finds no waker, and is done. Then poll \
          stores the waker, which nothing will call. The first fixed version has one lock, so nothing can happen \
          in between. The second keeps both locks, as #87 does, and checks the flag again after storing the waker.",
    passes: "ready or woken in each of 4 orders\nready or woken in each of 18 orders",
    broken: || show::<TwoLocks>(),
    repaired: || {
        show::<OneLock>();
        show::<ChecksAgain>();
    },
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
    // ANCHOR: poll
    fn poll(&self, waker: &Waker) -> Poll<()> {
        if *self.fired.lock().unwrap() {
            return Poll::Ready(());
        }
        *self.waker.lock().unwrap() = Some(waker.clone());
        Poll::Pending
    }
    // ANCHOR_END: poll

    // ANCHOR: fire
    fn fire(&self) {
        *self.fired.lock().unwrap() = true;
        let waker = self.waker.lock().unwrap().take();
        if let Some(waker) = waker {
            waker.wake();
        }
    }
    // ANCHOR_END: fire
}
// ANCHOR_END: broken

// ANCHOR: repaired
#[derive(Default)]
struct OneLock(Mutex<Both>);

#[derive(Default)]
struct Both {
    fired: bool,
    waker: Option<Waker>,
}

impl Shared for OneLock {
    // ANCHOR: guarded_poll
    fn poll(&self, waker: &Waker) -> Poll<()> {
        let mut guard = self.0.lock().unwrap();
        if guard.fired {
            return Poll::Ready(());
        }
        guard.waker = Some(waker.clone());
        Poll::Pending
    }
    // ANCHOR_END: guarded_poll

    // ANCHOR: guarded_fire
    fn fire(&self) {
        let mut guard = self.0.lock().unwrap();
        guard.fired = true;
        let waker = guard.waker.take();
        drop(guard);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
    // ANCHOR_END: guarded_fire
}
// ANCHOR_END: repaired

/// The other repair: the two locks stay, and poll checks the flag again once the waker is stored. The flag is up by then,
/// or the thread that raises it later will find the waker.
// ANCHOR: checks_again
#[derive(Default)]
struct ChecksAgain(TwoLocks);

impl Shared for ChecksAgain {
    fn poll(&self, waker: &Waker) -> Poll<()> {
        let answer = self.0.poll(waker);
        if *self.0.fired.lock().unwrap() {
            return Poll::Ready(());
        }
        answer
    }

    fn fire(&self) {
        self.0.fire();
    }
}
// ANCHOR_END: checks_again

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
