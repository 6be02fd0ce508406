//! The place where one worker sleeps: in the kernel if it has the driver, or else on a condition variable.

use std::time::Duration;

use crate::sync::{Condvar, Mutex, UNPOISONED, lock};

#[derive(Default)]
pub(crate) struct Parking {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// It has been unparked since it last woke up, so it does not sleep.
    token: bool,
    /// It sleeps in the driver, or is about to.
    in_driver: bool,
}

impl Parking {
    /// Sleeps on the condition variable until [`unpark`](Parking::unpark), until the time is over, or until the variable
    /// wakes up for no reason, as it may.
    // ANCHOR: park
    pub(crate) fn park(&self, limit: Option<Duration>) {
        let mut state = lock(&self.state);
        if !state.token {
            state = match limit {
                None => self.changed.wait(state).expect(UNPOISONED),
                Some(limit) => self.changed.wait_timeout(state, limit).expect(UNPOISONED).0,
            };
        }
        state.token = false;
    }

    /// Calls `sleep`, and tells it whether to sleep in the driver. If the worker has been unparked,
    /// it must not.
    pub(crate) fn park_in<R>(&self, sleep: impl FnOnce(bool) -> R) -> R {
        let mut state = lock(&self.state);
        state.in_driver = !state.token;
        let may_sleep = state.in_driver;
        drop(state);
        // From here on an unpark goes to the driver, too, which then does not sleep, or wakes up.
        let slept = sleep(may_sleep);
        // An unpark that came meanwhile has had its effect, so its token must not end the next sleep.
        let mut state = lock(&self.state);
        state.in_driver = false;
        state.token = false;
        slept
    }

    /// Ends the sleep of the worker, or keeps it from sleeping. Returns `true` if it is in the driver,
    /// and then the caller must unpark the driver.
    #[must_use]
    pub(crate) fn unpark(&self) -> bool {
        let mut state = lock(&self.state);
        state.token = true;
        let in_driver = state.in_driver;
        drop(state);
        if !in_driver {
            self.changed.notify_one();
        }
        in_driver
    }
    // ANCHOR_END: park
}
