//! A timer that keeps the waker of its first poll, and no later one.
//!
//! As long as the future stays with one task, all of its wakers are alike. Here it is polled once, and then handed to
//! another executor.

use std::{
    future::Future,
    pin::{Pin, pin},
    sync::{Arc, Mutex},
    task::{Context, Poll, Waker},
};

use futures::{executor::block_on, future::join};
use probe::CountingWaker;

use crate::{Exhibit, Fails};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "stale-waker",
    title: "a timer that keeps the waker of its first poll",
    was_in: "\"Future and scheduling\", `TimeFuture`; monoio 0.2.4, `StateCell::poll` in src/time/driver/entry.rs",
    breaks: "The waker of the latest poll is woken.",
    chapter: 3,
    fails: Fails::Hangs("was woken by an old waker rather than by the latest"),
    why: "the first waker belongs to a task that has handed the future on, so calling it was wasted. The fixed \
          version keeps the waker of each poll in place of the one before.",
    passes: "wakes of the old task: 0, polls by the new one: 2",
    broken: || show(StaleTimer),
    repaired: || show(Timer),
};

#[derive(Default)]
struct Shared {
    fired: bool,
    waker: Option<Waker>,
}

struct StaleTimer(Arc<Mutex<Shared>>);

// ANCHOR: broken
impl Future for StaleTimer {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut shared = self.0.lock().unwrap();
        if shared.fired {
            return Poll::Ready(());
        }
        if shared.waker.is_none() {
            shared.waker = Some(cx.waker().clone());
        }
        Poll::Pending
    }
}
// ANCHOR_END: broken

struct Timer(Arc<Mutex<Shared>>);

// ANCHOR: repaired
impl Future for Timer {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut shared = self.0.lock().unwrap();
        if shared.fired {
            return Poll::Ready(());
        }
        shared.waker = Some(cx.waker().clone());
        Poll::Pending
    }
}
// ANCHOR_END: repaired

/// What the timer's thread does when the time is up.
fn fire(shared: &Mutex<Shared>) {
    let mut shared = shared.lock().unwrap();
    shared.fired = true;
    let waker = shared.waker.take();
    drop(shared);
    waker.expect("it has been polled").wake();
}

fn show<T: Future<Output = ()>>(timer: fn(Arc<Mutex<Shared>>) -> T) {
    let shared = Arc::default();
    let timer = timer(Arc::clone(&shared));
    let old = CountingWaker::new();
    let mut timer = pin!(probe::watch("timer", timer));
    let first = timer
        .as_mut()
        .poll(&mut Context::from_waker(&old.waker()));
    assert!(first.is_pending());
    let timer = probe::Counted::new(timer);
    let counts = timer.counts();
    // The time is up when the new task has polled it once.
    block_on(join(timer, async { fire(&shared) }));
    println!(
        "wakes of the old task: {}, polls by the new one: {}",
        old.wakes(),
        counts.polls()
    );
}
