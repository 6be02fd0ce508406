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
