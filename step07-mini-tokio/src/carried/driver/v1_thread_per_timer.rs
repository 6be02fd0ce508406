//! Version 1: the reactor's thread starts a thread for each timer, which sleeps and then wakes.
//!
//! Every timer finishes when it should, but 10,000 timers need 10,001 threads. The reactor of the document *Parker and
//! Reactor* (003) has this loop.

use std::{
    collections::HashMap,
    convert::Infallible,
    sync::{
        Arc,
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    time::Instant,
};

use crate::{Event, Id, TimerError, Timers, threads};

/// Handles events until the reactor is dropped.
// ANCHOR: drive
pub fn drive(events: &Receiver<Event>, timers: &Arc<Timers>) {
    // Nothing is ever sent to a sleeping thread, because dropping its sender is enough to end
    // its sleep.
    let mut sleepers: HashMap<Id, Sender<Infallible>> = HashMap::new();
    for event in events {
        match event {
            Event::Start { id, deadline } => {
                let (alive, forgotten) = mpsc::channel();
                let map = Arc::clone(timers);
                let started = threads::spawn("timer", move || {
                    let left = deadline.saturating_duration_since(Instant::now());
                    if forgotten.recv_timeout(left) == Err(RecvTimeoutError::Timeout) {
                        map.finish(id, Ok(()));
                    }
                });
                match started {
                    Ok(()) => drop(sleepers.insert(id, alive)),
                    Err(_) => timers.finish(id, Err(TimerError::NoThread)),
                }
            }
            Event::Forget(id) => drop(sleepers.remove(&id)),
            Event::Close => return,
        }
    }
}
// ANCHOR_END: drive
