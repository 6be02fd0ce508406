//! Version 2: one thread sleeps until the earliest of all deadlines, or until it is told something.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError},
    },
    time::Instant,
};

use crate::{Event, Id, Timers};

/// Handles events and deadlines until the reactor is dropped.
// ANCHOR: drive
pub fn drive(events: &Receiver<Event>, timers: &Arc<Timers>) {
    let mut deadlines = Deadlines::default();
    loop {
        let event = match deadlines.earliest() {
            None => events.recv().map_err(RecvTimeoutError::from),
            Some(deadline) => {
                let left = deadline.saturating_duration_since(Instant::now());
                events.recv_timeout(left)
            }
        };
        match event {
            Ok(Event::Start { id, deadline }) => deadlines.add(deadline, id),
            Ok(Event::Forget(_)) => deadlines.one_is_forgotten(|id| timers.contains(id)),
            Ok(Event::Close) | Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {}
        }
        // After every event, not only after a time-out: events may come faster than
        // time-outs do.
        let now = Instant::now();
        while let Some(id) = deadlines.take_due(now) {
            timers.finish(id, Ok(()));
        }
    }
}
// ANCHOR_END: drive

/// Deadlines, the earliest first.
///
/// ```
/// use std::time::{Duration, Instant};
/// use step06_reactor::driver::v2_one_thread::Deadlines;
///
/// let now = Instant::now();
/// let mut deadlines = Deadlines::default();
/// deadlines.add(now + Duration::from_secs(2), 1);
/// deadlines.add(now, 2);
/// assert_eq!(deadlines.earliest(), Some(now));
/// assert_eq!(deadlines.take_due(now), Some(2));
/// assert_eq!(deadlines.take_due(now), None);
/// ```
#[derive(Debug, Default)]
pub struct Deadlines {
    /// `Reverse`, because a heap has the greatest on top.
    heap: BinaryHeap<Reverse<(Instant, Id)>>,
    /// How many timers were forgotten since the heap was last cleared of such.
    forgotten: usize,
}

impl Deadlines {
    /// Adds the deadline of a timer.
    pub fn add(&mut self, deadline: Instant, id: Id) {
        self.heap.push(Reverse((deadline, id)));
    }

    /// The earliest deadline, be its timer forgotten or not.
    pub fn earliest(&self) -> Option<Instant> {
        self.heap.peek().map(|Reverse((deadline, _))| *deadline)
    }

    /// Takes out a timer whose deadline has come.
    pub fn take_due(&mut self, now: Instant) -> Option<Id> {
        if self.earliest()? > now {
            return None;
        }
        self.heap.pop().map(|Reverse((_, id))| id)
    }

    /// Notes that a timer was forgotten. `is_wanted` says which are not.
    ///
    /// A heap gives up only its top, so the deadline stays in it, until forgotten ones could be half of all.
    // ANCHOR: forgotten
    pub fn one_is_forgotten(&mut self, is_wanted: impl Fn(Id) -> bool) {
        self.forgotten += 1;
        if self.forgotten > self.heap.len() / 2 {
            self.heap.retain(|Reverse((_, id))| is_wanted(*id));
            self.forgotten = 0;
        }
    }
    // ANCHOR_END: forgotten

    /// How many deadlines there are, forgotten ones included.
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// Whether there is no deadline.
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }
}
