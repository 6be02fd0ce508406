//! s10a · complete · 12 minutes · chapter 10, "Work stealing"
//!
//! A worker with an empty queue steals from another worker's queue. If it took one task, it would have to come back at
//! once. If it took all of them, the other worker would have to steal them back. So it takes half.
//!
//! Write `steal_half`. It takes half of the victim's tasks, rounded up, so that a single task can be stolen too, and it takes
//! the oldest, which have waited longest. It returns the oldest of them, and puts the others behind what is in the thief's
//! own queue. No order changes. A thief holds one lock at a time, because two workers may steal from each other at once.
//!
//! Run: `cargo test --bin s10a_steal_half`, or save this file while `rustlings` runs.
//! Red: a test says what was in both queues before and after, or how many locks a thief held at once.

#[path = "../../given/s10a_steal_half.rs"]
mod given;

use given::Lock;
use std::collections::VecDeque;

/// The queue of a worker. The oldest task is in front.
struct Queue<T>(Lock<VecDeque<T>>);

impl<T> Queue<T> {
    fn push(&self, task: T) {
        self.0.lock().push_back(task);
    }

    fn pop(&self) -> Option<T> {
        self.0.lock().pop_front()
    }

    /// Takes half of what is in the queue of the victim. Returns the oldest task and keeps the others.
    fn steal_half(&self, victim: &Self) -> Option<T> {
        let mut stolen: VecDeque<T> = {
            let mut theirs = victim.0.lock();
            let half = theirs.len().div_ceil(2);
            theirs.drain(..half).collect()
        };
        let first = stolen.pop_front();
        if !stolen.is_empty() {
            self.0.lock().append(&mut stolen);
        }
        first
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s10a_steal_half.rs"]
mod tests;
