//! s06c · repair · 12 minutes · chapter 06, "One thread for all timers"
//!
//! In s03c a waker was woken under a lock. The code of a waker also runs when it is dropped, as in `remove`, and when
//! another waker replaces it, as in `start`. And `close` has many wakers to wake, and wakes them under the lock of the map,
//! as the reactor of *Parker and Reactor* (003) does (D39). If such a waker then starts or removes a timer, its thread waits
//! for a lock that it holds itself.
//!
//! Fix these three functions of `Timers`. The fourth, `finish`, is right, and shows how.
//!
//! Run: `cargo test --bin s06c_wake_without_the_lock`, or save this file while `rustlings` runs.
//! Red: the watchdog says in which line the lock was taken, and in which line the same thread wanted it again. It speaks of
//! a poll because the tests call `Timers` inside one.

use std::{collections::BTreeMap, task::Waker};

type Id = u64;

/// The timers that tasks wait for.
#[derive(Default)]
struct Timers {
    waiting: probe::Mutex<BTreeMap<Id, Waker>>,
}

impl Timers {
    /// Adds a timer. If it is there already, this waker replaces the earlier one.
    fn start(&self, id: Id, waker: Waker) {
        // TODO: `insert` returns the earlier waker. When is it dropped, and when is the lock released?
        self.waiting.lock().unwrap().insert(id, waker);
    }

    /// The timer has finished: takes it out, and wakes its task.
    fn finish(&self, id: Id) {
        // The guard is dropped at the end of this statement, and the waker is not.
        let waker = self.waiting.lock().unwrap().remove(&id);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// The future was dropped: takes its timer out.
    fn remove(&self, id: Id) {
        // TODO: which two values are dropped at this semicolon, and in which order?
        self.waiting.lock().unwrap().remove(&id);
    }

    /// The reactor ends: wakes every task.
    fn close(&self) {
        // TODO: wake every task, but none of them under the lock.
        let mut waiting = self.waiting.lock().unwrap();
        while let Some((_, waker)) = waiting.pop_first() {
            waker.wake();
        }
    }

    /// How many timers there are.
    fn len(&self) -> usize {
        self.waiting.lock().unwrap().len()
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s06c_wake_without_the_lock.rs"]
mod tests;
