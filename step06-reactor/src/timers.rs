//! The map of timers: all that the futures and the reactor's thread share.

use std::{
    collections::BTreeMap,
    error::Error,
    fmt, mem,
    task::{Context, Poll, Waker},
};

use crate::{contain::contain, sync::Mutex};

const UNPOISONED: &str = "no code panics while it holds this lock";

/// The number of a timer. The map hands them out, each of them once.
pub type Id = u64;

/// Why a timer ended before its deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimerError {
    /// The reactor was dropped.
    ReactorGone,
    /// The operating system had no thread left for this timer. Only version 1 needs a thread for each.
    NoThread,
}

impl fmt::Display for TimerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TimerError::ReactorGone => "the timer's reactor was dropped before the deadline",
            TimerError::NoThread => "no thread can be started for the timer",
        })
    }
}

impl Error for TimerError {}

/// The timers that a reactor waits for, each with the waker of the task to wake.
///
/// No waker is cloned, called or dropped while the lock is held, because each of these may run code that uses this map
/// again.
#[derive(Debug, Default)]
// ANCHOR: map
pub struct Timers {
    map: Mutex<Map>,
}

#[derive(Debug, Default)]
struct Map {
    entries: BTreeMap<Id, Entry>,
    /// The number of the next timer.
    next: Id,
    /// The reactor is gone, so no timer may be registered any more.
    closed: bool,
}

#[derive(Debug)]
enum Entry {
    /// Not finished. Holds the waker of the latest poll.
    Waiting(Waker),
    /// Finished, and its future has not been polled since.
    Finished(Result<(), TimerError>),
}
// ANCHOR_END: map

impl Timers {
    /// Adds a timer, which will wake this waker, and returns its number.
    ///
    /// # Errors
    ///
    /// [`TimerError::ReactorGone`] once [`close`](Timers::close) has been called.
    // ANCHOR: register
    pub fn register(&self, waker: &Waker) -> Result<Id, TimerError> {
        let waker = waker.clone();
        let mut map = self.map.lock().expect(UNPOISONED);
        if map.closed {
            return Err(TimerError::ReactorGone);
        }
        let id = map.next;
        map.next += 1;
        map.entries.insert(id, Entry::Waiting(waker));
        Ok(id)
    }
    // ANCHOR_END: register

    /// Ready once the timer has finished. Until then, this poll's waker replaces the earlier one.
    // ANCHOR: poll
    pub fn poll(&self, id: Id, cx: &mut Context<'_>) -> Poll<Result<(), TimerError>> {
        match self.map.lock().expect(UNPOISONED).entries.get(&id) {
            Some(Entry::Waiting(kept)) if kept.will_wake(cx.waker()) => return Poll::Pending,
            Some(Entry::Waiting(_)) => {}
            Some(Entry::Finished(result)) => return Poll::Ready(*result),
            None => return Poll::Ready(Err(TimerError::ReactorGone)),
        }
        let waker = cx.waker().clone();
        let mut map = self.map.lock().expect(UNPOISONED);
        let earlier = match map.entries.get_mut(&id) {
            Some(Entry::Waiting(kept)) => mem::replace(kept, waker),
            // While the lock was free, the thread finished the timer, or the reactor was dropped.
            Some(Entry::Finished(result)) => return Poll::Ready(*result),
            None => return Poll::Ready(Err(TimerError::ReactorGone)),
        };
        drop(map);
        drop(earlier);
        Poll::Pending
    }
    // ANCHOR_END: poll

    /// Ends a timer with this result and wakes its task. Does nothing if the timer is no longer in the map, because it
    /// may have been dropped at the same moment.
    // ANCHOR: finish
    pub fn finish(&self, id: Id, result: Result<(), TimerError>) {
        let mut map = self.map.lock().expect(UNPOISONED);
        let Some(entry) = map.entries.get_mut(&id) else {
            return;
        };
        let before = mem::replace(entry, Entry::Finished(result));
        // Once the lock is free, the task may be polled and find the result before it is woken.
        // Then the wake costs one more poll.
        drop(map);
        wake(before);
    }
    // ANCHOR_END: finish

    /// Takes a timer out of the map, and returns its waker if the timer had not finished.
    ///
    /// The caller drops the waker, which may panic, so it should do everything else first.
    #[must_use = "a waker that is dropped right here may panic"]
    pub fn remove(&self, id: Id) -> Option<Waker> {
        match self.map.lock().expect(UNPOISONED).entries.remove(&id)? {
            Entry::Waiting(waker) => Some(waker),
            Entry::Finished(_) => None,
        }
    }

    /// Ends every timer that has not finished with [`TimerError::ReactorGone`], and registers no more.
    // ANCHOR: close
    pub fn close(&self) {
        let mut map = self.map.lock().expect(UNPOISONED);
        map.closed = true;
        let (cut_off, finished): (BTreeMap<_, _>, BTreeMap<_, _>) = mem::take(&mut map.entries)
            .into_iter()
            .partition(|(_, entry)| matches!(entry, Entry::Waiting(_)));
        map.entries = finished;
        drop(map);
        cut_off.into_values().for_each(wake);
    }
    // ANCHOR_END: close

    /// How many timers are in the map.
    pub fn len(&self) -> usize {
        self.map.lock().expect(UNPOISONED).entries.len()
    }

    /// Whether no timer is in the map.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether this timer is in the map.
    pub fn contains(&self, id: Id) -> bool {
        self.map.lock().expect(UNPOISONED).entries.contains_key(&id)
    }
}

// ANCHOR: wake
fn wake(entry: Entry) {
    if let Entry::Waiting(waker) = entry {
        // A waker may panic, and the caller has other timers to wake.
        contain(|| waker.wake());
    }
}
// ANCHOR_END: wake
