//! s07b · complete · 15 minutes · chapter 07, "A small tokio"
//!
//! A mini-tokio: a task that is woken sends itself down a channel, and `run` polls what it receives. In *Async in
//! depth* (004) `run` never returns: it waits on a channel of which it holds a sender itself (D44).
//!
//! Write `run` so that it returns when every task is done, and not before. A task may wait for something; a waker may
//! be kept by somebody after its task is done. You may add a field, and change `spawn`.
//!
//! Run: `cargo test --bin s07b_run_comes_back`, or save this file while `rustlings` runs.
//! Red: the watchdog says that all is done, and the run does not end.

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
    /// Spawned, and not done yet: in the queue or waiting for something.
    unfinished: usize,
}

impl MiniTokio {
    fn new() -> MiniTokio {
        let (sender, queue) = mpsc::channel();
        MiniTokio {
            queue,
            sender: Some(sender),
            unfinished: 0,
        }
    }

    /// Adds a task. It is polled in `run`.
    fn spawn(&mut self, future: impl Future<Output = ()> + Send + 'static) {
        self.unfinished += 1;
        let sender = self.sender.clone().expect("the runtime's own sender");
        let task = Arc::new(Task {
            future: Mutex::new(Some(Box::pin(future))),
            queue: sender,
        });
        task.wake();
    }

    /// Runs until every task is done; sleeps while none is in the queue.
    fn run(&mut self) {
        while self.unfinished > 0 {
            // Never an error, since we hold a sender. Nor an endless wait, if every task is woken one day.
            let task = self.queue.recv().expect("we hold a sender");
            // Ready once for each task, also if it is woken after that.
            if task.poll().is_ready() {
                self.unfinished -= 1;
            }
        }
    }
}

/// A task, which may stand in the queue.
struct Task {
    /// `None` when it is done.
    future: Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>,
    queue: Sender<Arc<Task>>,
}

impl Task {
    /// Polls the future. `Ready` once: at the poll that finished it. After that there is nothing to poll, and it is
    /// `Pending`.
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
        // Nobody receives once the runtime is gone.
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
    fn it_returns_when_all_are_done() {
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
                "`run` returned, and a task that waits is not done. The queue is empty while every task waits: that \
                 is when `run` has to sleep, and not to return."
            );
            assert_eq!(
                waiting.polls(),
                2,
                "polled at the start and when it was woken, and not in between"
            );
        });
    }

    #[test]
    fn it_returns_though_somebody_keeps_a_waker() {
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
            // Woken after it was done, the task is in the queue. That must not be counted.
            kept.lock().unwrap().take().unwrap().wake();
            let waiting = spawn(&mut mini_tokio, "a second run, a delay of 30 ms", delay(30));
            mini_tokio.run();
            assert!(
                waiting.completions() == 1,
                "`run` returned, and a task that waits is not done. A task that was done before was woken once more: \
                 it is done once only."
            );
        });
    }

    #[test]
    fn without_tasks_it_returns_at_once() {
        within(LIMIT, || MiniTokio::new().run());
    }
}
