//! s04c · repair · 12 minutes · chapter 04, "An executor on a channel"
//!
//! In *Inside async*, a million wakes of one task make a million queue entries and as many polls (D22). One entry is
//! enough. Fix `schedule` and `run`. Each task has a `Queued` flag already.
//!
//! `queued.set()` returns whether the caller must send the task. `queued.clear()` notes that it has left the queue. Read
//! `step04-channel-executor/src/queued.rs`.
//!
//! Run: `cargo test --bin s04c_queued_once`
//! Red: how many polls there were, or that a wake was lost.

use std::pin::Pin;
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::task::{Context, Wake, Waker};
use step04_channel_executor::Queued;

struct Task {
    /// `None`: finished.
    future: Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>,
    queued: Queued,
    /// Simpler than in the chapter, where it is a `Weak`. Here a waker that is kept holds the channel open.
    sender: Sender<Arc<Task>>,
}

impl Task {
    /// Called when the task is spawned, and when it is woken.
    fn schedule(self: Arc<Self>) {
        // TODO: not if the task is in the queue already.
        let sender = self.sender.clone();
        let _ = sender.send(self);
    }

    fn poll(self: &Arc<Self>) {
        let waker = Waker::from(Arc::clone(self));
        let mut slot = self.future.lock().unwrap();
        if let Some(future) = &mut *slot {
            if future
                .as_mut()
                .poll(&mut Context::from_waker(&waker))
                .is_ready()
            {
                *slot = None;
            }
        }
    }
}

fn run(queue: Receiver<Arc<Task>>) {
    while let Ok(task) = queue.recv() {
        // TODO: the task has left the queue. Note that, at the right moment.
        task.poll();
    }
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        self.schedule();
    }
}

fn spawn(sender: &Sender<Arc<Task>>, future: impl Future<Output = ()> + Send + 'static) {
    let task = Task {
        future: Mutex::new(Some(Box::pin(future))),
        queued: Queued::no(),
        sender: sender.clone(),
    };
    Arc::new(task).schedule();
}

fn main() {}

#[cfg(test)]
mod tests {
    use super::*;
    use probe::{Counted, watch, within};
    use std::future::poll_fn;
    use std::sync::mpsc;
    use std::task::Poll;
    use std::time::Duration;

    /// Pending twice, and each time it is woken `wakes` times before its next poll.
    fn woken(wakes: usize) -> impl Future<Output = ()> + Send + 'static {
        let mut polls = 0;
        poll_fn(move |cx| {
            polls += 1;
            if polls == 3 {
                return Poll::Ready(());
            }
            (0..wakes).for_each(|_| cx.waker().wake_by_ref());
            Poll::Pending
        })
    }

    #[test]
    fn many_wakes_are_one_poll_and_no_wake_is_lost() {
        within(Duration::from_secs(2), || {
            let (sender, queue) = mpsc::channel();
            spawn(&sender, woken(1000));
            // Polled here rather than by `run`, to count the extra entries.
            let task = queue.recv().unwrap();
            drop(sender);
            task.queued.clear();
            task.poll();
            let entries = queue.try_iter().count();
            assert!(
                entries <= 1,
                "The task was woken 1000 times before its next poll, and is in the queue {entries} times.\n\
                 Wanted: once.\n\
                 Look at: what does `queued.set()` return, and when should the wake send the task?"
            );
            drop(task);
            let finished = run_one();
            assert!(
                finished,
                "A task was woken while it was polled, and was never polled again, so that wake was lost.\n\
                 Wanted: a wake during the poll sends the task once more.\n\
                 Look at: does `run` clear the flag before the poll, after it, or never?"
            );
        });
    }

    /// Whether a task that is woken in its own polls is finished when `run` returns.
    fn run_one() -> bool {
        let (sender, queue) = mpsc::channel();
        let future = Counted::new(watch("woken in its own poll", woken(1)));
        let counts = future.counts();
        spawn(&sender, future);
        drop(sender);
        run(queue);
        counts.completions() == 1
    }
}
