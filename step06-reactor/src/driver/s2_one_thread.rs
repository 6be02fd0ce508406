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
pub fn drive(events: &Receiver<Event>, timers: &Arc<Timers>) {
    // The earliest on top, which takes `Reverse`: the heap's own choice is the greatest.
    let mut deadlines: BinaryHeap<Reverse<(Instant, Id)>> = BinaryHeap::new();
    let mut forgotten = 0;
    loop {
        let event = match deadlines.peek() {
            None => events.recv().map_err(RecvTimeoutError::from),
            Some(Reverse((deadline, _))) => {
                let left = deadline.saturating_duration_since(Instant::now());
                events.recv_timeout(left)
            }
        };
        match event {
            Ok(Event::Start { id, deadline }) => deadlines.push(Reverse((deadline, id))),
            Ok(Event::Forget(_)) => forgotten += 1,
            Ok(Event::Close) | Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {}
        }
        // A heap gives up only its top. So forgotten deadlines stay, until they could be half of it.
        if forgotten > deadlines.len() / 2 {
            deadlines.retain(|Reverse((_, id))| timers.contains(*id));
            forgotten = 0;
        }
        // After every event, not only after a time-out: events may come faster than time-outs do.
        let now = Instant::now();
        while let Some(Reverse((deadline, id))) = deadlines.peek().copied() {
            if deadline > now {
                break;
            }
            deadlines.pop();
            timers.finish(id, Ok(()));
        }
    }
}
