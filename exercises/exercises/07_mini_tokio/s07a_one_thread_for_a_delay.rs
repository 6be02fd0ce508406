//! s07a · repair · 15 minutes · chapter 07, "A small tokio"
//!
//! The second `Delay` of *Async in depth* (004) starts a thread in *every* poll (D43). A delay that is alone in its task is
//! polled twice, so nothing seems wrong. But twenty of them, joined in one task, start 210 threads.
//!
//! Fix `Delay` so that its first poll starts the only thread. The delay may be polled often and by different tasks, and the
//! time may come at any moment, even in the middle of a poll. Then the task that polled last must be woken.
//!
//! Its clock, `Time`, stands still until a test moves it, so that the tests can choose that moment. `Time` is finished. You
//! need only two of its methods, `now` and `sleep_until`.
//!
//! Run: `cargo test --bin s07a_one_thread_for_a_delay`, or save this file while `rustlings` runs.
//! Red: a test says how many threads were started, or which waker was not called.

use std::{
    future::Future,
    pin::Pin,
    sync::{Arc, Condvar, Mutex, MutexGuard},
    task::{Context, Poll},
    thread,
    time::Duration,
};

/// Ready once the clock shows `when`.
struct Delay {
    when: u64,
    time: Time,
}

impl Delay {
    fn until(when: u64, time: &Time) -> Delay {
        Delay {
            when,
            time: time.clone(),
        }
    }
}

impl Future for Delay {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.time.now() >= self.when {
            return Poll::Ready(());
        }
        // TODO: the next poll that comes too early starts another thread.
        let waker = cx.waker().clone();
        self.time.sleep_until(self.when, move || waker.wake());
        Poll::Pending
    }
}

/// A clock that a test moves, and threads that sleep by it. Clones share the clock.
#[derive(Clone, Default)]
struct Time(Arc<(Mutex<Clock>, Condvar)>);

#[derive(Default)]
struct Clock {
    shows: u64,
    /// What the clock shows right after the next look at it, if a test has asked for that.
    after_look: Option<u64>,
    started: usize,
    /// For each thread that has not acted yet, the time at which it does.
    asleep: Vec<u64>,
}

impl Time {
    /// What the clock shows.
    fn now(&self) -> u64 {
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
    fn sleep_until(&self, when: u64, act: impl FnOnce() + Send + 'static) {
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

    /// The clock shows `to` now, and the threads that this wakes up act. It waits for them only a moment, because the
    /// caller may hold a lock that they need.
    fn pass(&self, to: u64) {
        let mut clock = self.lock();
        clock.shows = to.max(clock.shows);
        self.0.1.notify_all();
        let acting = |clock: &mut Clock| clock.asleep.iter().any(|when| *when <= clock.shows);
        let (_clock, _) = self
            .0
            .1
            .wait_timeout_while(clock, Duration::from_millis(100), acting)
            .unwrap();
    }

    /// The same for a caller that holds no lock. It waits until they have all acted.
    fn pass_and_act(&self, to: u64) {
        self.pass(to);
        drop(self.wait_while(|clock| clock.asleep.iter().any(|when| *when <= clock.shows)));
    }

    fn started(&self) -> usize {
        self.lock().started
    }

    fn wait_while(&self, busy: impl FnMut(&mut Clock) -> bool) -> MutexGuard<'_, Clock> {
        self.0.1.wait_while(self.lock(), busy).unwrap()
    }

    fn lock(&self) -> MutexGuard<'_, Clock> {
        self.0.0.lock().unwrap()
    }
}

fn main() {}

// The tests that this file must pass. Read them, but do not change them.
#[cfg(test)]
#[path = "../../checks/s07a_one_thread_for_a_delay.rs"]
mod tests;
