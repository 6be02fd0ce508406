//! Where an executor sleeps, its *driver*. The drivers for timers (`time/driver.rs`) and sockets (`reactor.rs`) put the wakers of
//! the tasks whose timer or socket is ready into `due`, and the executor calls these wakers after the sleep.

use std::{fmt, sync::Arc, task::Waker, time::Duration};

use crate::sync::{Condvar, Mutex};

const UNPOISONED: &str = "no code panics while it holds this lock";

/// A place where an executor sleeps while it has nothing to poll.
// ANCHOR: trait
pub trait Park: Send + Sync {
    /// Blocks the calling thread until [`unpark`](Park::unpark) has been called, the timeout
    /// expires, or an event has occurred. Adds the wakers of the tasks that wait for this event to
    /// `due`. May also return for no reason.
    ///
    /// `None` is no limit. With a limit of zero it does not sleep, and still adds to `due`.
    fn park(&self, timeout: Option<Duration>, due: &mut Vec<Waker>);

    /// Ends the sleep of the thread in [`park`](Park::park). If no thread sleeps there, the next
    /// `park` returns at once.
    fn unpark(&self);
}
// ANCHOR_END: trait

impl<P: Park> Park for Arc<P> {
    fn park(&self, timeout: Option<Duration>, due: &mut Vec<Waker>) {
        P::park(self, timeout, due);
    }

    fn unpark(&self) {
        P::unpark(self);
    }
}

/// The parker of stage 05 with a time limit: a lock and a condition variable. It knows no timers or sockets,
/// so it leaves `due` empty.
#[derive(Default)]
pub struct Parker {
    /// `true`: unparked since the last `park`, so the next one returns at once.
    token: Mutex<bool>,
    changed: Condvar,
}

impl Park for Parker {
    fn park(&self, timeout: Option<Duration>, _due: &mut Vec<Waker>) {
        let mut token = self.token.lock().expect(UNPOISONED);
        if !*token {
            token = match timeout {
                None => self.changed.wait(token).expect(UNPOISONED),
                Some(limit) => self.changed.wait_timeout(token, limit).expect(UNPOISONED).0,
            };
        }
        *token = false;
    }

    fn unpark(&self) {
        *self.token.lock().expect(UNPOISONED) = true;
        self.changed.notify_one();
    }
}

impl fmt::Debug for Parker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let token = *self.token.lock().expect(UNPOISONED);
        write!(f, "Parker(unparked: {token})") // without the lock, as this writes by code that we do not control
    }
}
