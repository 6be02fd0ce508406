//! The clock of s07a, which stands still until a test moves it.

use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard},
    thread,
    time::Duration,
};

/// A clock that a test moves, and threads that sleep by it. Clones share the clock.
#[derive(Clone, Default)]
pub(crate) struct Time(pub(crate) Arc<(Mutex<Clock>, Condvar)>);

#[derive(Default)]
pub(crate) struct Clock {
    pub(crate) shows: u64,
    /// What the clock shows right after the next look at it, if a test has asked for that.
    pub(crate) after_look: Option<u64>,
    pub(crate) started: usize,
    /// For each thread that has not acted yet, the time at which it does.
    pub(crate) asleep: Vec<u64>,
}

impl Time {
    /// What the clock shows.
    pub(crate) fn now(&self) -> u64 {
        let mut clock = self.lock();
        let shows = clock.shows;
        let then = clock.after_look.take();
        drop(clock);
        if let Some(then) = then {
            self.pass(then);
        }
        shows
    }

    /// Starts a thread that sleeps until the clock shows `when`, and then calls `act`.
    pub(crate) fn sleep_until(&self, when: u64, act: impl FnOnce() + Send + 'static) {
        let mut clock = self.lock();
        clock.started += 1;
        clock.asleep.push(when);
        let shows = clock.shows;
        drop(clock);
        let time = self.clone();
        thread::spawn(move || {
            drop(time.wait_while(|clock| clock.shows < when));
            act();
            let mut clock = time.lock();
            let this = clock.asleep.iter().position(|it| *it == when);
            clock.asleep.swap_remove(this.unwrap());
            time.0.1.notify_all();
        });
        self.pass(shows);
    }

    /// The clock shows `to` now, and the threads that this wakes up act. It waits for them half a second at most, because
    /// the caller may hold a lock that they need.
    pub(crate) fn pass(&self, to: u64) {
        let mut clock = self.lock();
        clock.shows = to.max(clock.shows);
        self.0.1.notify_all();
        let acting = |clock: &mut Clock| clock.asleep.iter().any(|when| *when <= clock.shows);
        let (_clock, _) = self
            .0
            .1
            .wait_timeout_while(clock, Duration::from_millis(500), acting)
            .unwrap();
    }

    /// The same for a caller that holds no lock. It waits until they have all acted.
    pub(crate) fn pass_and_act(&self, to: u64) {
        self.pass(to);
        drop(self.wait_while(|clock| clock.asleep.iter().any(|when| *when <= clock.shows)));
    }

    pub(crate) fn started(&self) -> usize {
        self.lock().started
    }

    pub(crate) fn wait_while(&self, busy: impl FnMut(&mut Clock) -> bool) -> MutexGuard<'_, Clock> {
        self.0.1.wait_while(self.lock(), busy).unwrap()
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Clock> {
        self.0.0.lock().unwrap()
    }
}
