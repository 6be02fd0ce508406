//! s03f, solved: each gap of the poll, and each gap of the fire. loom tries them by itself, in atomics too: see
//! `step03-timer-future/tests/loom.rs`.

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
    for gap in 0.. {
        let (signal, task) = (new_signal(), Task::default());
        let firing = Arc::clone(&signal);
        let ((), gaps) = in_gap(gap, move || firing.fire(), || task.poll(&*signal));
        if gap >= gaps {
            // Not fired, so the task waits, as it should.
            break;
        }
        assert!(
            !task.waits(),
            "fired in gap {gap} of the poll, and not woken"
        );
    }
    for gap in 0.. {
        let (signal, task) = (new_signal(), Task::default());
        let (polled, polling) = (Arc::clone(&signal), task.clone());
        let ((), gaps) = in_gap(gap, move || polling.poll(&*polled), || signal.fire());
        if gap >= gaps {
            break;
        }
        assert!(
            !task.waits(),
            "polled in gap {gap} of the fire, and not woken"
        );
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s03f_find_the_lost_wake.rs"]
mod tests;
