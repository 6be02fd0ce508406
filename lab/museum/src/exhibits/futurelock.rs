//! A future that was started, and then neither polled nor dropped, while its own task waits for what it holds.
//!
//! `select` takes it by reference. The timeout wins, and `work` stays behind with the lock. It is woken, its task is
//! polled, and the task polls something else.

use std::pin::pin;

use futures::{
    executor::block_on,
    future::{self, Either},
    lock::Mutex,
};

use crate::{Exhibit, Fails, props::yields};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "futurelock",
    title: "a future that holds a lock is not polled any more",
    was_in: "Oxide, RFD 609; here with futures 0.3, `lock::Mutex` and `select`",
    breaks: "once started, a future is polled to its end or dropped",
    chapter: 6,
    fails: Fails::Hangs("returned Pending, and its waker was not called after that"),
    why: "`work` has the lock, and would give it back at its next poll. The task awaits something else, and that \
          is the lock. The fixed version drops `work` when the timeout has won, and the lock is free.",
    passes: "work was given up, and the lock was free",
    broken: || block_on(probe::watch("task", broken())),
    repaired: || block_on(probe::watch("task", repaired())),
};

// ANCHOR: broken
async fn broken() {
    let lock = Mutex::new(());
    let mut work = pin!(work(&lock));
    let timeout = future::ready(());
    if let Either::Right(_) = future::select(&mut work, timeout).await {
        // `work` is still there, and holds the lock.
        let taken = lock.lock().await;
        report(taken);
    }
}
// ANCHOR_END: broken

// ANCHOR: repaired
async fn repaired() {
    let lock = Mutex::new(());
    let work = Box::pin(work(&lock));
    let timeout = future::ready(());
    if let Either::Right((_, work)) = future::select(work, timeout).await {
        drop(work);
        let taken = lock.lock().await;
        report(taken);
    }
}
// ANCHOR_END: repaired

/// Holds the lock from its first poll to its second.
async fn work(lock: &Mutex<()>) {
    let _held = lock.lock().await;
    yields(1).await;
}

fn report(_taken: futures::lock::MutexGuard<'_, ()>) {
    println!("work was given up, and the lock was free");
}
