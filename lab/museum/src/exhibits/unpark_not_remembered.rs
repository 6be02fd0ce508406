//! A parker that has a condition variable and no flag.
//!
//! A condition variable does not remember a notification: if no thread is waiting, the notification has no effect.

use std::{
    sync::{Condvar, Mutex},
    thread,
};

use crate::{Exhibit, Fails};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "unpark-not-remembered",
    title: "a parker without a flag",
    was_in: "no published code that we know of: it is chapter 05's parker without its flag",
    breaks: "an unpark that comes before the park ends that park",
    chapter: 5,
    fails: Fails::Hangs("is inside poll"),
    why: "unpark notified while no thread was waiting, so the notification had no effect. Then park waited for the \
          next one. The fixed version's unpark leaves a flag, and its park checks the flag before it waits.",
    passes: "parked after the unpark, and returned",
    broken: || show::<WithoutAFlag>(),
    repaired: || show::<WithAFlag>(),
};

trait Park: Default + Send + Sync {
    fn park(&self);
    fn unpark(&self);
}

// ANCHOR: broken
#[derive(Default)]
struct WithoutAFlag {
    lock: Mutex<()>,
    changed: Condvar,
}

impl Park for WithoutAFlag {
    fn park(&self) {
        let guard = self.lock.lock().unwrap();
        drop(self.changed.wait(guard).unwrap());
    }

    fn unpark(&self) {
        self.changed.notify_one();
    }
}
// ANCHOR_END: broken

// ANCHOR: repaired
#[derive(Default)]
struct WithAFlag {
    token: Mutex<bool>,
    changed: Condvar,
}

impl Park for WithAFlag {
    fn park(&self) {
        let mut token = self.token.lock().unwrap();
        while !*token {
            token = self.changed.wait(token).unwrap();
        }
        *token = false;
    }

    fn unpark(&self) {
        *self.token.lock().unwrap() = true;
        self.changed.notify_one();
    }
}
// ANCHOR_END: repaired

fn show<P: Park>() {
    let parker = P::default();
    thread::scope(|scope| {
        scope.spawn(|| parker.unpark());
    });
    // The thread has ended, so the unpark came first.
    pollster04::block_on(probe::watch("park, after unpark", async { parker.park() }));
    println!("parked after the unpark, and returned");
}
