//! s06a · complete · 12 minutes · chapter 06, "One thread for all timers"
//!
//! A reactor's one thread sleeps until the earliest deadline, or until it is notified of another timer. Then it takes
//! out of its heap what is due, finishes those timers, and sleeps again.
//!
//! `drive` is that thread, and it is right. Write the two functions it calls: `how_long` and `take_due`.
//!
//! Run: `cargo test --bin s06a_until_the_first`, or save this file while `rustlings` runs.
//! Red: a test says what was in the heap, what your function returned, and what it should have returned.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    sync::mpsc::{Receiver, RecvTimeoutError},
    time::{Duration, Instant},
};

type Id = u64;

/// Deadlines, the earliest on top.
#[derive(Default)]
struct Deadlines {
    /// `Reverse`, because a heap has the greatest on top.
    heap: BinaryHeap<Reverse<(Instant, Id)>>,
}

impl Deadlines {
    fn add(&mut self, deadline: Instant, id: Id) {
        self.heap.push(Reverse((deadline, id)));
    }

    /// How long the thread may sleep, from `now` on. `None` if there is no deadline, because then it may sleep until it is
    /// notified of a timer.
    fn how_long(&self, now: Instant) -> Option<Duration> {
        let Reverse((deadline, _)) = self.heap.peek()?;
        // Zero rather than a panic if the deadline has passed.
        Some(deadline.saturating_duration_since(now))
    }

    /// Takes out one timer that is due at `now`, the earliest first. `None` if no timer is due.
    fn take_due(&mut self, now: Instant) -> Option<Id> {
        let Reverse((deadline, _)) = self.heap.peek()?;
        if *deadline > now {
            return None;
        }
        self.heap.pop().map(|Reverse((_, id))| id)
    }
}

/// The reactor's thread. It ends when every sender is gone, and returns how often it woke up.
fn drive(events: &Receiver<(Instant, Id)>, mut fire: impl FnMut(Id)) -> usize {
    let mut deadlines = Deadlines::default();
    let mut woke_up = 0;
    loop {
        let event = match deadlines.how_long(Instant::now()) {
            None => events.recv().map_err(RecvTimeoutError::from),
            Some(left) => events.recv_timeout(left),
        };
        woke_up += 1;
        match event {
            Ok((deadline, id)) => deadlines.add(deadline, id),
            Err(RecvTimeoutError::Disconnected) => return woke_up,
            Err(RecvTimeoutError::Timeout) => {}
        }
        while let Some(id) = deadlines.take_due(Instant::now()) {
            fire(id);
        }
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s06a_until_the_first.rs"]
mod tests;
