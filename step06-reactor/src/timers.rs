//! The map from a timer to its state: the one thing that futures and the reactor's thread share.

use std::{
    collections::BTreeMap,
    error::Error,
    fmt, mem,
    task::{Context, Poll, Waker},
};

use crate::{contain::contain, sync::Mutex};

const UNPOISONED: &str = "no code panics while it holds this lock";

/// Names a timer. The map hands them out, and never the same one twice.
pub type Id = u64;

/// Why a timer ended before its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimerError {
    /// The reactor was dropped.
    ReactorGone,
    /// The operating system has no thread left for this timer. Only version 1 needs one.
    NoThread,
}

impl fmt::Display for TimerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TimerError::ReactorGone => "the timer's reactor was dropped before its time was up",
            TimerError::NoThread => "no thread can be started for the timer",
        })
    }
}

impl Error for TimerError {}

/// All timers that somebody waits for.
///
/// No waker is cloned, called or dropped while the lock is held: each may run code that comes back here.
///
/// ```
/// use std::task::{Context, Poll, Waker};
/// use step06_reactor::Timers;
///
/// let timers = Timers::default();
/// let mut cx = Context::from_waker(Waker::noop());
/// let id = timers.register(cx.waker())?;
/// assert_eq!(timers.poll(id, &mut cx), Poll::Pending);
/// timers.finish(id, Ok(()));
/// assert_eq!(timers.poll(id, &mut cx), Poll::Ready(Ok(())));
/// # Ok::<(), step06_reactor::TimerError>(())
/// ```
#[derive(Debug, Default)]
// ANCHOR: map
pub struct Timers {
    map: Mutex<Map>,
}

#[derive(Debug, Default)]
struct Map {
    states: BTreeMap<Id, State>,
    next: Id,
    /// The reactor is gone: nothing is let in any more.
    closed: bool,
}

#[derive(Debug)]
enum State {
    /// The waker of the latest poll.
    Waiting(Waker),
    /// Finished, and the future has not been polled since.
    Over(Result<(), TimerError>),
}
// ANCHOR_END: map

impl Timers {
    /// Enters a new timer, to be woken by this waker.
    ///
    /// # Errors
    ///
    /// [`TimerError::ReactorGone`] once [`close`](Timers::close) has been called.
    pub fn register(&self, waker: &Waker) -> Result<Id, TimerError> {
        let waker = waker.clone();
        let mut map = self.map.lock().expect(UNPOISONED);
        if map.closed {
            return Err(TimerError::ReactorGone);
        }
        let id = map.next;
        map.next += 1;
        map.states.insert(id, State::Waiting(waker));
        Ok(id)
    }

    /// Ready once the timer is over. Until then it keeps this poll's waker in place of the earlier one.
    // ANCHOR: poll
    pub fn poll(&self, id: Id, cx: &mut Context<'_>) -> Poll<Result<(), TimerError>> {
        match self.map.lock().expect(UNPOISONED).states.get(&id) {
            Some(State::Waiting(kept)) if kept.will_wake(cx.waker()) => return Poll::Pending,
            Some(State::Waiting(_)) => {}
            Some(State::Over(result)) => return Poll::Ready(*result),
            None => return Poll::Ready(Err(TimerError::ReactorGone)),
        }
        let waker = cx.waker().clone();
        let mut map = self.map.lock().expect(UNPOISONED);
        let earlier = match map.states.get_mut(&id) {
            Some(State::Waiting(kept)) => mem::replace(kept, waker),
            // In the meantime:
            Some(State::Over(result)) => return Poll::Ready(*result),
            None => return Poll::Ready(Err(TimerError::ReactorGone)),
        };
        drop(map);
        drop(earlier);
        Poll::Pending
    }
    // ANCHOR_END: poll

    /// Ends a timer, and wakes whoever waits for it. One that is not in the map any more is no error: it was
    /// dropped in the meantime.
    // ANCHOR: finish
    pub fn finish(&self, id: Id, result: Result<(), TimerError>) {
        let mut map = self.map.lock().expect(UNPOISONED);
        let Some(state) = map.states.get_mut(&id) else {
            return;
        };
        let before = mem::replace(state, State::Over(result));
        drop(map);
        wake(before);
    }
    // ANCHOR_END: finish

    /// Takes a timer out of the map, and returns its waker if it still waited.
    ///
    /// Dropping a waker may panic, so it is left to the caller, who does first what else there is to do.
    #[must_use = "the waker is dropped here and now, and that may panic"]
    pub fn remove(&self, id: Id) -> Option<Waker> {
        match self.map.lock().expect(UNPOISONED).states.remove(&id)? {
            State::Waiting(waker) => Some(waker),
            State::Over(_) => None,
        }
    }

    /// Ends every timer that still waits, with [`TimerError::ReactorGone`], and lets none in any more.
    pub fn close(&self) {
        let mut map = self.map.lock().expect(UNPOISONED);
        map.closed = true;
        let (cut_off, over): (BTreeMap<_, _>, BTreeMap<_, _>) = mem::take(&mut map.states)
            .into_iter()
            .partition(|(_, state)| matches!(state, State::Waiting(_)));
        map.states = over;
        drop(map);
        cut_off.into_values().for_each(wake);
    }

    /// How many timers are in the map.
    pub fn len(&self) -> usize {
        self.map.lock().expect(UNPOISONED).states.len()
    }

    /// Whether there is no timer in the map.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether this timer is in the map.
    pub fn contains(&self, id: Id) -> bool {
        self.map.lock().expect(UNPOISONED).states.contains_key(&id)
    }
}

fn wake(state: State) {
    if let State::Waiting(waker) = state {
        // If it panics, the other timers are still to be woken, and the reactor's thread is still needed.
        contain(|| waker.wake());
    }
}
