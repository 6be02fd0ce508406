//! Version 2: one thread sleeps until the earliest of all deadlines, or until an event arrives. A future leaves its waker in
//! `timers` and sends the event `Start`, and at the deadline this thread calls the waker.

use std::{
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError},
    },
    time::Instant,
};

use crate::{Deadlines, Event, Timers};

/// Handles events and deadlines until the reactor is dropped. The heap of deadlines is this thread's own.
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
            // The timer has left the map, but its deadline is still in the heap, which can't find it
            // by id. So all such deadlines are removed at once, as soon as there are too many.
            Ok(Event::Forget(_)) => deadlines.forget_one(|id| timers.contains(id)),
            Ok(Event::Close) | Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {}
        }
        // This comes after every event rather than after a timeout alone, because a flood of
        // events would otherwise keep timers from finishing.
        let now = Instant::now();
        while let Some(id) = deadlines.take_due(now) {
            timers.finish(id, Ok(())); // calls the waker that the future left
        }
    }
}
// ANCHOR_END: drive
