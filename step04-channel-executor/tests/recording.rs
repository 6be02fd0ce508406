//! The runs that the book shows: two tasks on the executor that polls when woken, and on the busy one, and a task that
//! blocks the thread of the first.

use std::{thread, time::Duration};

use probe::{Lane, Recording, Run, Wording, record, watch};
use step04_channel_executor::{TimerFuture, executor, v2_sends_again};

/// What must happen before it is over takes microseconds.
const SHORT: Duration = Duration::from_millis(10);
const LONG: Duration = Duration::from_millis(40);

#[test]
#[ignore = "the order of events needs a machine that is not busy: `.ci/run` records it"]
fn the_recording_in_the_book_is_as_it_runs_now() {
    WOKEN.check();
    BUSY.check();
    BLOCKS.check();
}

const WOKEN: Run = Run {
    name: "run-04-woken",
    title: "Two tasks on the executor that polls when woken",
    caption: "Four polls, two for each task. A wake puts its task into the queue. While the queue is empty, the \
              executor's thread sleeps, and its lane is empty too.",
    threads: &["main", "timer 1", "timer 2"],
    lanes: &[
        Lane::Queue("the queue: 1 is the task `one`, 2 is `two`"),
        Lane::Thread("main", "main: the executor's thread"),
        Lane::Task("one", "`one`: a task that waits a short time"),
        Lane::Task("two", "`two`: a task that waits longer"),
        Lane::Wakers("the wakers that are stored"),
        Lane::Thread("timer 1", "timer 1: its thread"),
        Lane::Thread("timer 2", "timer 2: its thread"),
    ],
    wording: Wording::Polls,
    most: usize::MAX,
    record: woken,
};

const BUSY: Run = Run {
    name: "run-04-busy",
    title: "The same two tasks on the executor that never sleeps",
    caption: "No wake asks for these polls. A pending task goes back into the queue at once, so the queue is never \
              empty, and the thread never sleeps.",
    threads: &["main"],
    lanes: &[
        Lane::QueueAgain("the queue: 1 is the task `one`, 2 is `two`"),
        Lane::Thread("main", "main: the executor's thread"),
        Lane::Task("one", "`one`: a task that waits a short time"),
        Lane::Task("two", "`two`: a task that waits longer"),
    ],
    most: 20,
    record: busy,
    ..WOKEN
};

const BLOCKS: Run = Run {
    name: "run-04-blocks",
    title: "A task that blocks its thread, and its neighbour",
    caption: "The timer has fired, and the neighbour has been woken and is in the queue. It stays there until the poll of \
              the blocking task is over, because the executor's only thread is asleep inside that poll.",
    threads: &["main", "timer 1"],
    lanes: &[
        Lane::Queue("the queue: 1 is `neighbour`, 2 is `blocks`"),
        Lane::Thread("main", "main: the executor's thread"),
        Lane::Task("neighbour", "`neighbour`: awaits a timer"),
        Lane::Task("blocks", "`blocks`: sleeps in its poll"),
        Lane::Wakers("the waker that is stored"),
        Lane::Thread("timer 1", "timer 1: its thread"),
    ],
    record: blocks,
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

fn blocks() -> Recording {
    record(|| {
        let (executor, spawner) = executor();
        spawner.spawn(watch("neighbour", TimerFuture::new(SHORT)));
        spawner.spawn(watch("blocks", async { thread::sleep(LONG) }));
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
