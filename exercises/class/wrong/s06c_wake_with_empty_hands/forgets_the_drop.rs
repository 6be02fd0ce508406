//! s06c · repair · 12 minutes · chapter 06, "One thread for every timer"
//!
//! In s03c a waker was woken under a lock. A waker's code also runs where nobody writes `wake`: when it is dropped, as
//! in `remove`, and when another takes its place, as in `start`. And `close` has many to wake. Like the reactor of
//! *Parker and Reactor* (003), it does so under the lock of its map (D39). A waker that then starts a timer, or drops
//! one, waits for a lock that its own thread holds.
//!
//! Mend these three functions of `Timers`; `finish` is right. `probe::Mutex` tells the watchdog who holds it.
//!
//! Run: `cargo test --bin s06c_wake_with_empty_hands`, or save this file while `rustlings` runs.
//! Red: the watchdog says where the lock was taken the first time, and where it was wanted again.

use std::{collections::BTreeMap, task::Waker};

type Id = u64;

/// The timers that somebody waits for.
#[derive(Default)]
struct Timers {
    waiting: probe::Mutex<BTreeMap<Id, Waker>>,
}

impl Timers {
    fn start(&self, id: Id, waker: Waker) {
        let earlier = self.waiting.lock().unwrap().insert(id, waker);
        drop(earlier);
    }

    fn finish(&self, id: Id) {
        let waker = self.waiting.lock().unwrap().remove(&id);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    fn remove(&self, id: Id) {
        // ANCHOR: slip
        self.waiting.lock().unwrap().remove(&id);
        // ANCHOR_END: slip
    }

    fn close(&self) {
        let waiting = std::mem::take(&mut *self.waiting.lock().unwrap());
        waiting.into_values().for_each(Waker::wake);
    }

    fn len(&self) -> usize {
        self.waiting.lock().unwrap().len()
    }
}

fn main() {}
