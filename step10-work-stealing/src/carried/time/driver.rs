//! Timers without a thread: a place to sleep around a place to sleep, which returns in time for the next deadline.

use std::{
    collections::BTreeMap,
    fmt, mem,
    task::Waker,
    time::{Duration, Instant},
};

use crate::{
    Park,
    sync::{Mutex, MutexGuard},
};

/// The number of a timer. No two timers of a driver have the same.
pub(crate) type Id = u64;

/// A [`Park`] that also waits for timers: it sleeps in another one, until the earliest deadline at most.
// ANCHOR: struct
pub(crate) struct TimeDriver {
    inner: Box<dyn Park>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The waker of each timer, the earliest deadline first.
    wakers: BTreeMap<(Instant, Id), Waker>,
    next_id: Id,
    /// The executor is in `park`, and no timer has ended its sleep early.
    parked: bool,
    /// The runtime has been dropped, so no deadline is waited for any more.
    closed: bool,
}
// ANCHOR_END: struct

impl TimeDriver {
    pub(crate) fn new(inner: impl Park + 'static) -> TimeDriver {
        TimeDriver {
            inner: Box::new(inner),
            state: Mutex::default(),
        }
    }

    /// Returns a number for a new timer.
    pub(crate) fn new_id(&self) -> Id {
        let mut state = self.lock();
        state.next_id += 1;
        state.next_id
    }

    /// Has `waker` woken at the deadline, in place of any waker that the timer left before. Returns `false` if nothing
    /// will wake it, because the runtime has been dropped.
    // ANCHOR: register
    pub(crate) fn register(&self, deadline: Instant, id: Id, waker: &Waker) -> bool {
        let key = (deadline, id);
        let kept_is_the_same = |kept: &Waker| kept.will_wake(waker);
        if self.lock().wakers.get(&key).is_some_and(kept_is_the_same) {
            return true;
        }
        // The lock is free, because the driver does not control `clone`. Meanwhile another thread
        // may drop the runtime, so only the next lock tells whether the waker is accepted.
        let waker = waker.clone();
        let mut state = self.lock();
        if state.closed {
            return false; // drops the guard, then `waker`
        }
        let earlier = state.wakers.insert(key, waker);
        // On another thread than the executor's, which may be asleep until a later deadline.
        let first = state.wakers.first_key_value();
        let is_first = first.is_some_and(|(first, _)| *first == key);
        let shortens_a_sleep = is_first && mem::take(&mut state.parked);
        drop(state);
        if shortens_a_sleep {
            self.inner.unpark();
        }
        drop(earlier);
        true
    }
    // ANCHOR_END: register

    /// Forgets a timer. Returns its waker, for the caller to drop, because that may panic.
    #[must_use = "a waker that is dropped right here may panic"]
    pub(crate) fn remove(&self, deadline: Instant, id: Id) -> Option<Waker> {
        self.lock().wakers.remove(&(deadline, id))
    }

    /// Waits for no more deadlines, and returns the wakers of all that are waited for.
    pub(crate) fn close(&self) -> Vec<Waker> {
        let mut state = self.lock();
        state.closed = true;
        let wakers = mem::take(&mut state.wakers);
        drop(state);
        wakers.into_values().collect()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state
            .lock()
            .expect("no code panics while it holds this lock")
    }
}

impl Park for TimeDriver {
    // ANCHOR: park
    fn park(&self, timeout: Option<Duration>, due: &mut Vec<Waker>) {
        let mut state = self.lock();
        let first = state
            .wakers
            .first_key_value()
            .map(|((deadline, _), _)| *deadline);
        let until_first = first.map(|first| first.saturating_duration_since(Instant::now()));
        state.parked = true;
        drop(state);

        // Another thread may register an earlier deadline from here on. It finds `parked`, and its
        // `unpark` ends the sleep below, even if that has not begun.
        let timeout = until_first.into_iter().chain(timeout).min();
        self.inner.park(timeout, due);

        let mut state = self.lock();
        state.parked = false;
        while let Some(first) = state
            .wakers
            .first_entry()
            .filter(|first| first.key().0 <= Instant::now())
        {
            due.push(first.remove());
        }
    }
    // ANCHOR_END: park

    fn unpark(&self) {
        self.inner.unpark();
    }
}

impl fmt::Debug for TimeDriver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let timers = self.lock().wakers.len();
        write!(f, "{timers} timers")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Parker;
    use probe::CountingWaker;

    #[test]
    fn timers_of_one_deadline_are_told_apart() {
        let driver = TimeDriver::new(Parker::default());
        let (now, wakers) = (Instant::now(), [(); 3].map(|()| CountingWaker::new()));
        let ids = [(); 3].map(|()| driver.new_id());
        for (id, waker) in ids.iter().zip(&wakers) {
            assert!(driver.register(now, *id, &waker.waker()));
        }
        drop(driver.remove(now, ids[1]));
        let mut due = Vec::new();
        driver.park(Some(Duration::ZERO), &mut due);
        due.into_iter().for_each(Waker::wake);
        assert_eq!(wakers.map(|waker| waker.wakes()), [1, 0, 1]);
    }

    #[test]
    fn what_is_due_is_handed_back_in_the_order_of_the_deadlines() {
        let driver = TimeDriver::new(Parker::default());
        let (start, wakers) = (Instant::now(), [(); 4].map(|()| CountingWaker::new()));
        for (order, waker) in [3, 1, 2, 3_600_000_000_000].into_iter().zip(&wakers) {
            let deadline = start + Duration::from_nanos(order);
            assert!(driver.register(deadline, driver.new_id(), &waker.waker()));
        }
        while start.elapsed() < Duration::from_nanos(3) {}
        let mut due = Vec::new();
        driver.park(None, &mut due);
        for (handed_back, order) in due.iter().zip([1, 2, 0]) {
            assert!(handed_back.will_wake(&wakers[order].waker()));
        }
        assert_eq!(due.len(), 3);
    }
}
