//! s07b · complete · 15 minutes · chapter 07, "A small tokio"
//!
//! Here is a small mini-tokio. Waking a task sends it into a channel, and `run` polls the tasks that it receives. In *Async
//! in depth* (004), `run` never returns, because it receives from a channel to which it holds a sender itself (D44).
//!
//! Write `run` so that it returns when every task has finished, and not earlier. While the tasks wait, for example for a
//! timer, `run` must wait too. A waker may be kept and called after its task has finished. You may add a field and change
//! `spawn`.
//!
//! Run: `cargo test --bin s07b_run_comes_back`, or save this file while `rustlings` runs.
//! Red: the watchdog says that every future is ready, and the run does not end. It names two ways in which a run loop can
//! learn that. Which of them still works while a waker is kept?

use std::{
    future::Future,
    pin::Pin,
    sync::{
        Arc, Mutex,
        mpsc::{self, Receiver, Sender},
    },
    task::{Context, Poll, Wake, Waker},
};

struct MiniTokio {
    queue: Receiver<Arc<Task>>,
    sender: Option<Sender<Arc<Task>>>,
}

impl MiniTokio {
    fn new() -> MiniTokio {
        let (sender, queue) = mpsc::channel();
        MiniTokio {
            queue,
            sender: Some(sender),
        }
    }

    /// Adds a task. It is polled in `run`.
    fn spawn(&mut self, future: impl Future<Output = ()> + Send + 'static) {
        let sender = self.sender.clone().expect("the runtime's own sender");
        let task = Arc::new(Task {
            future: Mutex::new(Some(Box::pin(future))),
            queue: sender,
        });
        task.wake();
    }

    /// Runs until every task has finished. Sleeps while the queue is empty.
    fn run(&mut self) {
        // TODO: when is there nothing left to wait for?
        while let Ok(task) = self.queue.recv() {
            let _ = task.poll();
        }
    }
}

/// A task, which may be in the queue.
struct Task {
    /// `None` once it has finished.
    future: Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>,
    queue: Sender<Arc<Task>>,
}

impl Task {
    /// Polls the future. Returns `Ready` once, at the poll that finishes it. After that there is nothing left to poll, and
    /// it returns `Pending`.
    fn poll(self: &Arc<Self>) -> Poll<()> {
        let waker = Waker::from(Arc::clone(self));
        let mut slot = self.future.lock().unwrap();
        let Some(future) = slot.as_mut() else {
            return Poll::Pending;
        };
        let answer = future.as_mut().poll(&mut Context::from_waker(&waker));
        if answer.is_ready() {
            *slot = None;
        }
        answer
    }
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        // This fails if the runtime has been dropped, and then there is nothing to poll.
        let _ = self.queue.send(Arc::clone(&self));
    }
}

fn main() {}

#[cfg(test)]
mod tests {
    use super::*;
    use probe::{Counted, Counts, watch, within};
    use std::{
        future::poll_fn,
        time::{Duration, Instant},
    };
    use step07_mini_tokio::Delay;

    const LIMIT: Duration = Duration::from_secs(2);

    fn spawn(
        mini_tokio: &mut MiniTokio,
        name: &str,
        future: impl Future<Output = ()> + Send + 'static,
    ) -> Counts {
        let counted = Counted::new(future);
        let counts = counted.counts();
        mini_tokio.spawn(watch(name, counted));
        counts
    }

    async fn delay(ms: u64) {
        Delay::until(Instant::now() + Duration::from_millis(ms)).await;
    }

    #[test]
    fn it_returns_when_every_task_has_finished() {
        within(LIMIT, || {
            let mut mini_tokio = MiniTokio::new();
            let counts = ["one", "two", "three"].map(|name| spawn(&mut mini_tokio, name, async {}));
            mini_tokio.run();
            for counts in counts {
                assert_eq!(counts.polls(), 1, "each task is ready at its first poll");
            }
        });
    }

    #[test]
    fn it_does_not_return_while_a_task_waits() {
        within(LIMIT, || {
            let mut mini_tokio = MiniTokio::new();
            let waiting = spawn(&mut mini_tokio, "a delay of 30 ms", delay(30));
            let quick = spawn(&mut mini_tokio, "a quick one", async {});
            mini_tokio.run();
            assert!(
                (waiting.completions(), quick.completions()) == (1, 1),
                "`run` returned, but a task that waits for a timer has not finished. While every task waits, the queue \
                 is empty. That is when `run` has to sleep instead of returning."
            );
            assert_eq!(
                waiting.polls(),
                2,
                "it should be polled at the start and when it is woken, and not in between"
            );
        });
    }

    #[test]
    fn it_returns_although_a_waker_is_kept() {
        within(LIMIT, || {
            let mut mini_tokio = MiniTokio::new();
            let kept = Arc::new(Mutex::new(None));
            let keep = Arc::clone(&kept);
            spawn(
                &mut mini_tokio,
                "leaves its waker behind",
                poll_fn(move |cx| {
                    *keep.lock().unwrap() = Some(cx.waker().clone());
                    Poll::Ready(())
                }),
            );
            mini_tokio.run();
            // The finished task is in the queue again, but it must not finish a second time.
            kept.lock().unwrap().take().unwrap().wake();
            let waiting = spawn(&mut mini_tokio, "a second run, a delay of 30 ms", delay(30));
            mini_tokio.run();
            assert!(
                waiting.completions() == 1,
                "`run` returned, but a task that waits for a timer has not finished. Another task, which had finished in the \
                 first run, was woken and so received once more. Did `run` take this for the end of a second task?"
            );
        });
    }

    #[test]
    fn without_tasks_it_returns_at_once() {
        within(LIMIT, || MiniTokio::new().run());
    }
}
