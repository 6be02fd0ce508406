//! s03c · repair · 12 minutes · chapter 03, "A timer as a future"
//!
//! In *Future and scheduling*, the timer calls `wake` while it holds its lock (D06), and so does the timer of the
//! async-book. If an executor polls the task inside `wake`, that poll waits for a lock which its own thread holds. Repair
//! `fire`.
//!
//! The lock is `probe::Mutex`. It works as std's does, and it also knows which thread holds it.
//!
//! Run: `cargo test --bin s03c_wake_without_the_lock`
//! Red: the watchdog, after two seconds. Its line "lock" says where the lock was taken, and where it is wanted again.

use probe::Mutex;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

#[derive(Default)]
struct State {
    fired: bool,
    waker: Option<Waker>,
}

#[derive(Default)]
struct Signal {
    state: Mutex<State>,
}

impl Signal {
    fn poll_fired(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut state = self.state.lock().unwrap();
        if state.fired {
            return Poll::Ready(());
        }
        state.waker = Some(cx.waker().clone());
        Poll::Pending
    }

    fn fire(&self) {
        // TODO: up to which line is the lock held?
        let mut state = self.state.lock().unwrap();
        state.fired = true;
        if let Some(waker) = state.waker.take() {
            waker.wake();
        }
    }
}

fn main() {}

#[cfg(test)]
mod tests {
    use super::*;
    use probe::{Watched, watch, within};
    use std::future::poll_fn;
    use std::pin::Pin;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
    use std::task::Wake;
    use std::time::Duration;

    type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

    /// An executor that polls its task inside `wake`.
    struct PollsWithinWake {
        task: std::sync::Mutex<Task>,
        polls: AtomicUsize,
        ready: AtomicUsize,
    }

    impl PollsWithinWake {
        fn poll(self: &Arc<Self>) {
            let waker = Waker::from(Arc::clone(self));
            let mut task = self.task.lock().unwrap();
            self.polls.fetch_add(1, SeqCst);
            if task
                .as_mut()
                .poll(&mut Context::from_waker(&waker))
                .is_ready()
            {
                self.ready.fetch_add(1, SeqCst);
            }
        }
    }

    impl Wake for PollsWithinWake {
        fn wake(self: Arc<Self>) {
            self.poll();
        }
    }

    #[test]
    fn a_woken_task_may_be_polled_at_once() {
        within(Duration::from_secs(2), || {
            let signal = Arc::new(Signal::default());
            let polled = Arc::clone(&signal);
            let future = watch(
                "waits for the signal",
                poll_fn(move |cx| polled.poll_fired(cx)),
            );
            let executor = Arc::new(PollsWithinWake {
                task: std::sync::Mutex::new(Box::pin(future)),
                polls: AtomicUsize::new(0),
                ready: AtomicUsize::new(0),
            });
            executor.poll();
            signal.fire();
            let (polls, ready) = (executor.polls.load(SeqCst), executor.ready.load(SeqCst));
            assert!(
                polls > 1,
                "The signal was fired, and the task that waits for it was not woken.\n\
                 Expected: one wake."
            );
            assert!(
                ready == 1,
                "The task was woken and polled, and did not see that the signal had been fired.\n\
                 Expected: a task that is woken finds the new state.\n\
                 Look at: what comes first in `fire`, the flag or the wake?"
            );
        });
    }
}
