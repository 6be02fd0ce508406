//! Stage 04: two tasks on the executor that polls when woken, and on the busy one.

use probe::{Recording, record, watch};
use step04_channel_executor::{TimerFuture, executor, v2_sends_again};

use super::{ALL_EVENTS, LONG, MAIN, SHORT};
use crate::run::{Lane, Run, Wording};

pub const WOKEN: Run = Run {
    name: "run-04-woken",
    title: "Two tasks on the executor that polls when woken",
    caption: "Four polls, two for each task. Between them the lane of the executor's thread is empty: it sleeps \
              until a waker puts a task into its queue.",
    threads: &[MAIN, "timer 1", "timer 2"],
    lanes: &[
        Lane::Thread(MAIN, "main: the executor's thread"),
        Lane::Task("one", "`one`: a task that waits a short time"),
        Lane::Task("two", "`two`: a task that waits longer"),
        Lane::Wakers("the wakers that are kept"),
        Lane::Thread("timer 1", "timer 1: its thread"),
        Lane::Thread("timer 2", "timer 2: its thread"),
    ],
    wording: Wording::Polls,
    most: ALL_EVENTS,
    record: woken,
};

pub const BUSY: Run = Run {
    name: "run-04-busy",
    title: "The same two tasks on the executor that never sleeps",
    caption: "No wake asks for these polls. Each task is polled again as soon as the other has had its turn, and the \
              thread has no rest.",
    threads: &[MAIN],
    lanes: &[
        Lane::Thread(MAIN, "main: the executor's thread"),
        Lane::Task("one", "`one`: a task that waits a short time"),
        Lane::Task("two", "`two`: a task that waits longer"),
    ],
    most: 20,
    record: busy,
    ..WOKEN
};

fn woken() -> Recording {
    record(|| {
        let (executor, spawner) = executor();
        spawner.spawn(watch("one", TimerFuture::new(SHORT)));
        spawner.spawn(watch("two", TimerFuture::new(LONG)));
        drop(spawner);
        executor.run();
    })
}

fn busy() -> Recording {
    record(|| {
        let (executor, spawner) = v2_sends_again::executor();
        spawner.spawn(watch("one", TimerFuture::new(SHORT)));
        spawner.spawn(watch("two", TimerFuture::new(LONG)));
        drop(spawner);
        executor.run();
    })
}
