//! s06a · complete · 12 minutes · chapter 06, "One thread for every timer"
//!
//! A reactor has one thread for all its timers. It sleeps until the earliest deadline, or until it is told of another
//! timer; then it takes out of the heap what is due, wakes it, and asks again how long it may sleep.
//!
//! `drive` is that thread, and is right. Write `how_long` and `take_due`, which it asks.
//!
//! Run: `cargo test --bin s06a_until_the_first`, or save this file while `rustlings` runs.
//! Red: a test says what the heap held, what your function answered, and what it should.

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

    /// How long nothing will be due, seen from `now`. `None`: for ever, because there is no deadline.
    fn how_long(&self, now: Instant) -> Option<Duration> {
        let Reverse((deadline, _)) = self.heap.peek()?;
        // Zero, and not a panic, for a deadline that is over.
        Some(deadline.saturating_duration_since(now))
    }

    /// Takes out a timer that is due at `now`, the earliest first. `None` if none is.
    fn take_due(&mut self, now: Instant) -> Option<Id> {
        // ANCHOR: slip
        let _ = now;
        self.heap.pop().map(|Reverse((_, id))| id)
        // ANCHOR_END: slip
    }
}

/// The reactor's thread. It ends when nobody can tell it anything any more, and returns how often it woke up.
fn drive(news: &Receiver<(Instant, Id)>, mut fire: impl FnMut(Id)) -> usize {
    let mut deadlines = Deadlines::default();
    let mut woke_up = 0;
    loop {
        let told = match deadlines.how_long(Instant::now()) {
            None => news.recv().map_err(RecvTimeoutError::from),
            Some(left) => news.recv_timeout(left),
        };
        woke_up += 1;
        match told {
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
