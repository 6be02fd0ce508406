//! A condition variable for [`Mutex`](crate::Mutex).

use std::{
    panic::Location,
    sync::{
        LockResult, WaitTimeoutResult,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use crate::{
    MutexGuard, gap, mutex,
    see::{event::What, recorder::sync},
};

/// [`std::sync::Condvar`] for a [`Mutex`](crate::Mutex), with the same errors.
#[derive(Debug, Default)]
pub struct Condvar {
    changed: std::sync::Condvar,
    waits: AtomicUsize,
}

impl Condvar {
    /// Creates a condition variable at which no thread sleeps.
    pub const fn new() -> Condvar {
        Condvar {
            changed: std::sync::Condvar::new(),
            waits: AtomicUsize::new(0),
        }
    }

    /// Releases the lock and sleeps, both at once, until it is notified or for no reason; then takes the lock again.
    #[track_caller]
    pub fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> LockResult<MutexGuard<'a, T>> {
        if let Some(other) = gap::instead() {
            let mutex = guard.mutex();
            gap::apart(|| drop(guard));
            other();
            return mutex.lock();
        }
        gap::falls_asleep();
        self.note(|condvar| What::Wait { condvar });
        mutex::unheld(guard, |guard| {
            // Still under the lock: a thread that has seen the number and takes the lock finds this one asleep.
            self.waits.fetch_add(1, SeqCst);
            self.changed.wait(guard)
        })
    }

    /// Waits as long as `condition` holds.
    #[track_caller]
    pub fn wait_while<'a, T>(
        &self,
        mut guard: MutexGuard<'a, T>,
        mut condition: impl FnMut(&mut T) -> bool,
    ) -> LockResult<MutexGuard<'a, T>> {
        while condition(&mut guard) {
            guard = self.wait(guard)?;
        }
        Ok(guard)
    }

    /// As [`wait`](Self::wait), but for no longer than `limit`.
    #[track_caller]
    pub fn wait_timeout<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        limit: Duration,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)> {
        self.note(|condvar| What::Wait { condvar });
        let mut timed_out = None;
        let result = mutex::unheld(guard, |guard| {
            self.waits.fetch_add(1, SeqCst);
            let result = self.changed.wait_timeout(guard, limit);
            mutex::map(result, |(guard, result)| {
                timed_out = Some(result);
                guard
            })
        });
        let timed_out = timed_out.expect("it has waited");
        mutex::map(result, |guard| (guard, timed_out))
    }

    #[track_caller]
    fn note(&self, what: fn(u32) -> What) {
        let address = (&raw const self.changed).addr();
        sync(address, Location::caller(), what);
    }

    /// Ends the sleep of one thread, if there is one.
    #[track_caller]
    pub fn notify_one(&self) {
        self.note(|condvar| What::Notify { condvar });
        self.changed.notify_one();
        gap::pass();
    }

    /// Ends the sleep of all threads.
    #[track_caller]
    pub fn notify_all(&self) {
        self.note(|condvar| What::Notify { condvar });
        self.changed.notify_all();
        gap::pass();
    }

    /// How many times a thread has gone to sleep here.
    pub fn waits(&self) -> usize {
        self.waits.load(SeqCst)
    }
}
