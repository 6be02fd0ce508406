//! s03f · prove · 25 minutes · chapter 03, "A timer as a future"
//!
//! A wake is lost if another thread acts at just the wrong moment, while `poll_fired` or `fire` holds no lock. A test with
//! two threads meets that moment once in a thousand runs. Yours meets it each time.
//!
//! `test_signal` gets a function that makes signals. It must panic if a wake can be lost: if the signal has been fired, and
//! a task waits and is not woken. Three broken signals lose a wake, each at another moment. Four good signals must pass.
//! Three of them also take a lock more than once in a function, in an order that loses nothing.
//!
//! `in_gap(n, other, act)` calls `act`. At the moment at which `act` has released its lock for the `n`th time, counted from
//! 0, it calls `other`, which does what another thread might do just then. It returns what `act` returned, and how many
//! such gaps there were. The last release counts too: a function that takes one lock has one gap, at its end. If there was
//! no gap with the number `n`, `other` was not called.
//!
//! Run: `cargo test --bin s03f_find_the_lost_wake`
//! Red: which broken signal your test accepted, or which good signal it refused.

use probe::{CountingWaker, in_gap};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering::SeqCst},
};
use std::task::{Context, Poll};

/// A signal that is fired once, and wakes the task that polled last.
trait Signal {
    fn poll_fired(&self, cx: &mut Context<'_>) -> Poll<()>;
    fn fire(&self);
}

/// A task that waits for a signal. A clone of it is the same task.
#[derive(Clone, Default)]
struct Task {
    waker: CountingWaker,
    is_pending: Arc<AtomicBool>,
}

impl Task {
    /// Polls the signal.
    fn poll(&self, signal: &dyn Signal) {
        let waker = self.waker.waker();
        let answer = signal.poll_fired(&mut Context::from_waker(&waker));
        self.is_pending.store(answer.is_pending(), SeqCst);
    }

    /// Whether it was Pending at its poll, and has not been woken.
    fn waits(&self) -> bool {
        self.is_pending.load(SeqCst) && self.waker.wakes() == 0
    }
}

fn test_signal(new_signal: fn() -> Arc<dyn Signal>) {
    let (signal, task) = (new_signal(), Task::default());
    let firing = Arc::clone(&signal);
    let ((), gaps) = in_gap(0, move || firing.fire(), || task.poll(&*signal));
    // TODO: what must be true now? And what about the other gaps, and those of `fire`?
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s03f_find_the_lost_wake.rs"]
mod tests;
