//! Makes mini-tokio, and the queue and the four delays of *Async in depth*, testable by `lab/contract`.
//!
//! `run` returns only when every task is finished, so a runtime that still has a pending task is dropped without having
//! been run.

use std::time::{Duration, Instant};

use contract::{
    Answer, BoxFuture, Leaf, Make, Runtime, Spawn, Subject, Unsupported, cannot_spawn, leaf,
};
use step07_mini_tokio::{
    MiniTokio,
    async_in_depth::{
        delay::{v1_busy, v2_thread_per_poll, v3_latest_waker, v4_notify},
        mini_tokio as on_a_queue,
    },
};

/// The types of this stage that the contract is about.
pub const SUBJECTS: [Subject; 6] = [QUEUE, CHANNEL, BUSY, THREAD_PER_POLL, LATEST_WAKER, NOTIFY];

/// The document's first mini-tokio, which polls every task in turn without pause.
const QUEUE: Subject = Subject::runtime("step07-queue", &Queue);

/// mini-tokio, which polls the tasks that it receives from a channel.
const CHANNEL: Subject = Subject::runtime("step07", &Channel);

/// The delay that wakes its task in every poll.
const BUSY: Subject = Subject::leaf(
    "step07-delay-busy",
    &Delay(|w| leaf(v1_busy::Delay::until(w))),
);

/// The delay that starts a thread in every poll.
const THREAD_PER_POLL: Subject = Subject::leaf(
    "step07-delay-threads",
    &Delay(|when| leaf(v2_thread_per_poll::Delay::until(when))),
);

/// The delay that keeps the latest waker.
const LATEST_WAKER: Subject = Subject::leaf(
    "step07-delay",
    &Delay(|when| leaf(v3_latest_waker::Delay::until(when))),
);

/// The delay on tokio's `Notify`.
const NOTIFY: Subject = Subject::leaf(
    "step07-delay-notify",
    &Delay(|when| leaf(v4_notify::delay(when))),
);

struct Queue;
struct Channel;
struct Delay(fn(Instant) -> BoxFuture);

impl Runtime for Queue {
    fn run(&self, tasks: Vec<BoxFuture>) -> Answer {
        let mut mini_tokio = on_a_queue::MiniTokio::new();
        tasks.into_iter().for_each(|task| mini_tokio.spawn(task));
        mini_tokio.run();
        Ok(())
    }

    fn drop_unrun(&self, make: Make) -> Answer {
        let mut mini_tokio = on_a_queue::MiniTokio::new();
        let tasks = make(cannot_spawn());
        tasks.into_iter().for_each(|task| mini_tokio.spawn(task));
        Ok(())
    }
}

impl Runtime for Channel {
    fn run(&self, tasks: Vec<BoxFuture>) -> Answer {
        let mini_tokio = MiniTokio::new();
        tasks.into_iter().for_each(|task| mini_tokio.spawn(task));
        mini_tokio.run();
        Ok(())
    }

    fn run_spawning(&self, first: Box<dyn FnOnce(Spawn) -> BoxFuture + Send>) -> Answer {
        let mini_tokio = MiniTokio::new();
        let handle = mini_tokio.handle();
        mini_tokio.spawn(first(Box::new(move |task| {
            handle.spawn(task);
            Ok(())
        })));
        mini_tokio.run();
        Ok(())
    }

    fn drop_unrun(&self, make: Make) -> Answer {
        let mini_tokio = MiniTokio::new();
        let handle = mini_tokio.handle();
        let tasks = make(Box::new(move |task| {
            handle.spawn(task);
            Ok(())
        }));
        tasks.into_iter().for_each(|task| mini_tokio.spawn(task));
        Ok(())
    }
}

impl Leaf for Delay {
    fn timer(&self, after: Duration) -> Answer<BoxFuture> {
        let when = Instant::now().checked_add(after).ok_or(Unsupported)?;
        Ok((self.0)(when))
    }
}
