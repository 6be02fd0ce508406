//! A heap of deadlines, the earliest on top. It is what lets one thread wait for all timers.

use std::{cmp::Reverse, collections::BinaryHeap, time::Instant};

use crate::Id;

/// Deadlines, the earliest first.
#[derive(Debug, Default)]
pub struct Deadlines {
    /// `Reverse` turns the order around, because a `BinaryHeap` has its greatest on top.
    heap: BinaryHeap<Reverse<(Instant, Id)>>,
    /// How many timers were forgotten since forgotten entries were last removed.
    forgotten: usize,
}

impl Deadlines {
    /// Adds the deadline of a timer.
    pub fn add(&mut self, deadline: Instant, id: Id) {
        self.heap.push(Reverse((deadline, id)));
    }

    /// The earliest deadline, which may be that of a forgotten timer.
    pub fn earliest(&self) -> Option<Instant> {
        self.heap.peek().map(|Reverse((deadline, _))| *deadline)
    }

    /// Takes out one timer whose deadline has come, if there is one.
    pub fn take_due(&mut self, now: Instant) -> Option<Id> {
        if self.earliest()? > now {
            return None;
        }
        self.heap.pop().map(|Reverse((_, id))| id)
    }

    /// Notes that a timer was forgotten. `is_wanted` says of any timer whether it was not.
    ///
    /// A heap can take out only its top, so the deadline stays until more than half of all deadlines may be
    /// forgotten ones.
    // ANCHOR: forgotten
    pub fn forget_one(&mut self, is_wanted: impl Fn(Id) -> bool) {
        self.forgotten += 1;
        if self.forgotten > self.heap.len() / 2 {
            self.heap.retain(|Reverse((_, id))| is_wanted(*id));
            self.forgotten = 0;
        }
    }
    // ANCHOR_END: forgotten

    /// How many deadlines there are, those of forgotten timers included.
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// Whether there is no deadline.
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }
}
