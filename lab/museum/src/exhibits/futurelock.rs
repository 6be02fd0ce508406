//! A future that was started, and then neither polled nor dropped, while its own task waits for what it holds.
//!
//! `select` takes it by reference. The timeout wins, and `work` stays behind with the lock. Its message comes and wakes the
//! task, and the task polls something else.

use std::{pin::pin, thread, time::Duration};

use futures::{
    channel::oneshot,
    executor::block_on,
    future::{self, Either},
    lock::{Mutex, MutexGuard},
};

use crate::{Exhibit, Fails};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "futurelock",
    title: "a future that holds a lock is not polled any more",
    was_in: "Oxide, RFD 609; here with futures 0.3, `lock::Mutex` and `select`",
    breaks: "once started, a future is polled to its end or dropped",
    chapter: 6,
    fails: Fails::Hangs("was woken, but \"task\", which polls it, does not poll it any more"),
    why: "`work` has the lock, and its message has come, so it would give the lock back at its next poll. The task \
          polls something else, and that waits for the lock. The fixed version drops `work` when the timeout has \
          won, and the lock is free.",
    passes: "work was given up, and the lock was free",
    broken: || block_on(probe::watch("task", broken())),
    repaired: || block_on(probe::watch("task", repaired())),
};

// ANCHOR: broken
async fn broken() {
    let lock = Lock::default();
    let (sender, message) = oneshot::channel();
    let mut work = pin!(probe::watch("work", work(&lock, message)));
    let timeout = probe::watch("timeout", future::ready(())); // it has already expired
    if let Either::Right(_) = future::select(&mut work, timeout).await {
        send_later(sender); // from another thread, when this task sleeps
        // `work` is still there, and holds the lock.
        let _taken = probe::watch("lock()", lock.lock()).await;
        println!("the lock was free");
    }
}
// ANCHOR_END: broken

// ANCHOR: repaired
async fn repaired() {
    let lock = Lock::default();
    let (sender, message) = oneshot::channel();
    let work = Box::pin(probe::watch("work", work(&lock, message)));
    let timeout = probe::watch("timeout", future::ready(()));
    if let Either::Right((_, work)) = future::select(work, timeout).await {
        send_later(sender);
        drop(work);
        let _taken = probe::watch("lock()", lock.lock()).await;
        println!("work was given up, and the lock was free");
    }
}
// ANCHOR_END: repaired

/// futures' lock. Its holder also takes the other one, which is free then and notes for the watchdog who holds it.
#[derive(Default)]
struct Lock {
    lock: Mutex<()>,
    noted: probe::Mutex<()>,
}

/// The fields are dropped in this order.
struct Guard<'a> {
    _noted: probe::MutexGuard<'a, ()>,
    _lock: MutexGuard<'a, ()>,
}

impl Lock {
    async fn lock(&self) -> Guard<'_> {
        let lock = self.lock.lock().await;
        let noted = self.noted.lock().expect("no code panics while it holds this lock");
        Guard {
            _noted: noted,
            _lock: lock,
        }
    }
}

// ANCHOR: work
/// Holds the lock until its message comes.
async fn work(lock: &Lock, message: oneshot::Receiver<()>) {
    let _held = lock.lock().await;
    _ = message.await;
}
// ANCHOR_END: work

/// The task sleeps when the message comes.
fn send_later(sender: oneshot::Sender<()>) {
    thread::spawn(|| {
        thread::sleep(Duration::from_millis(50));
        sender.send(())
    });
}
