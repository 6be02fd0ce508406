//! The runs that the book shows: one task on each of the three executors, two tasks on the third, a task that is woken twice,
//! and one that blocks its thread.

use std::{
    future::{Future, poll_fn},
    sync::{Arc, Mutex, mpsc},
    task::{Poll, Waker},
    thread,
    time::Duration,
};

use probe::{Event, Lane, Recording, Run, What, Wording, record, watch};
use step04_channel_executor::{
    Signal, TimerFuture, executor, v1_looks_every_10_ms, v2_sends_again,
};

/// What must happen before it is over takes microseconds.
const SHORT: Duration = Duration::from_millis(10);
/// Half-way between two of version 1's checks, the fourth and the fifth.
const BETWEEN: Duration = Duration::from_millis(35);
const LONG: Duration = Duration::from_millis(40);

#[test]
#[ignore = "the order of events needs a machine that is not busy: `.ci/run` records it"]
fn the_recording_in_the_book_is_as_it_runs_now() {
    for run in [CHECKS, SENDS_AGAIN, WHEN_WOKEN, WOKEN, TWICE, BLOCKS] {
        run.check();
    }
}

const CHECKS: Run = Run {
    name: "run-04-checks",
    title: "One task that waits 35 ms, on each of the three executors",
    caption: "Version 1 polls the task at its next check, up to 10 ms after the wake. Version 2 polls it all the time, and \
              no wake asks for that. Version 3 polls it when the wake has put it into the queue.",
    threads: &["main", "timer"],
    lanes: &[
        Lane::Thread("main: checks a flag every 10 ms"),
        Lane::Thread("timer: its thread"),
        Lane::Task("`task`: waits for a timer"),
    ],
    wording: Wording::Flags,
    record: checks,
};

const SENDS_AGAIN: Run = Run {
    name: "run-04-sends-again",
    lanes: &[
        Lane::QueueAgain("the queue"),
        Lane::Thread("main: the queue is never empty"),
        Lane::Task("`task`: waits for a timer"),
    ],
    wording: Wording::Polls,
    record: sends_again,
    ..CHECKS
};

const WHEN_WOKEN: Run = Run {
    name: "run-04-when-woken",
    lanes: &[
        Lane::Queue("the queue"),
        Lane::Thread("main: sleeps while the queue is empty"),
        Lane::Thread("timer: its thread"),
        Lane::Task("`task`: waits for a timer"),
    ],
    wording: Wording::Polls,
    record: when_woken,
    ..CHECKS
};

const WOKEN: Run = Run {
    name: "run-04-woken",
    title: "Two tasks on the executor that polls when woken",
    caption: "Four polls, two for each task. A wake puts its task into the queue. While the queue is empty, the \
              executor's thread sleeps, and its lane is empty too.",
    threads: &["main", "timer 1", "timer 2"],
    lanes: &[
        Lane::Queue("the queue"),
        Lane::Thread("main: the executor's thread"),
        Lane::Thread("timer 1: its thread"),
        Lane::Thread("timer 2: its thread"),
        Lane::Wakers("the wakers that are stored"),
        Lane::Task("`one`: a task that waits a short time"),
        Lane::Task("`two`: a task that waits longer"),
    ],
    wording: Wording::Polls,
    record: woken,
};

const TWICE: Run = Run {
    name: "run-04-twice",
    title: "A task that is woken twice before its next poll",
    caption: "The first wake sets the flag and puts the task into the queue. The second one finds the flag set and sends \
              nothing, so the two wakes cost one poll. The flag is cleared before that poll.",
    threads: &["main"],
    lanes: &[
        Lane::Queue("the queue"),
        Lane::Thread("main: the executor's thread"),
        Lane::Word("queued.rs", &["queued"], "the flag of `task`"),
        Lane::Task("`task`: waits for a wake"),
        Lane::Task("`other`: wakes `task` twice"),
    ],
    record: twice,
    ..WOKEN
};

const BLOCKS: Run = Run {
    name: "run-04-blocks",
    title: "A task that blocks its thread, and its neighbour",
    caption: "The timer has fired, and the neighbour has been woken and is in the queue. It stays there until the poll of \
              the blocking task is over, because the executor's only thread is asleep inside that poll.",
    threads: &["main", "timer 1"],
    lanes: &[
        Lane::Queue("the queue"),
        Lane::Thread("main: the executor's thread"),
        Lane::Thread("timer 1: its thread"),
        Lane::Wakers("the waker that is stored"),
        Lane::Task("`neighbour`: awaits a timer"),
        Lane::Task("`blocks`: sleeps in its poll"),
    ],
    record: blocks,
    ..WOKEN
};

fn woken() -> Recording {
    record(|| {
        let (executor, spawner) = executor();
        let (finished, is_finished) = mpsc::channel();
        let one = watch("one", TimerFuture::new(SHORT));
        spawner.spawn(async move {
            one.await;
            finished.send(()).expect("the thread of `two` waits");
        });
        let after_one = move || is_finished.recv().expect("`one` finishes");
        spawner.spawn(watch("two", timer(LONG, after_one, || ())));
        drop(spawner);
        executor.run();
    })
}

/// A timer with a thread, as `TimerFuture` is. The thread calls `before` when it has slept, and `after` when it has fired.
fn timer(
    duration: Duration,
    before: impl FnOnce() + Send + 'static,
    after: impl FnOnce() + Send + 'static,
) -> impl Future<Output = ()> + Send + 'static {
    let signal = Arc::<Signal>::default();
    let fired = Arc::clone(&signal);
    let mut sleep = Some(move || {
        thread::sleep(duration);
        before();
        fired.fire();
        after();
    });
    poll_fn(move |cx| {
        let answer = signal.poll_fired(cx);
        sleep.take().map(thread::spawn);
        answer
    })
}

fn blocks() -> Recording {
    record(|| {
        let (executor, spawner) = executor();
        let (fired, is_fired) = mpsc::channel();
        let tell = move || fired.send(()).expect("`blocks` waits");
        spawner.spawn(watch("neighbour", timer(SHORT, || (), tell)));
        spawner.spawn(watch("blocks", async move {
            thread::sleep(LONG);
            is_fired.recv().expect("the neighbour is woken");
        }));
        drop(spawner);
        executor.run();
    })
}

/// The second task wakes the first one, which waits for that, twice in its only poll.
fn twice() -> Recording {
    record(|| {
        let (executor, spawner) = executor();
        let kept = Arc::new(Mutex::new(None::<Waker>));
        let keeps = Arc::clone(&kept);
        let mut polled = false;
        spawner.spawn(watch(
            "task",
            poll_fn(move |cx| {
                if std::mem::replace(&mut polled, true) {
                    return Poll::Ready(());
                }
                *keeps.lock().expect("no code panics here") = Some(cx.waker().clone());
                Poll::Pending
            }),
        ));
        spawner.spawn(watch("other", async move {
            let waker = kept.lock().expect("no code panics here").take();
            let waker = waker.expect("the other task was spawned first");
            waker.wake_by_ref();
            waker.wake();
        }));
        drop(spawner);
        executor.run();
    })
}

fn waits() -> impl Future<Output = ()> + Send + 'static {
    watch("task", TimerFuture::new(BETWEEN))
}

fn checks() -> Recording {
    record(|| {
        let (executor, spawner) = v1_looks_every_10_ms::executor();
        spawner.spawn(waits());
        drop(spawner);
        executor.run();
    })
}

/// Of the polls that find nothing, the third one stands for all that follow. This executor never sleeps, and no wake has an
/// effect there: it comes in a race with the polls.
fn sends_again() -> Recording {
    let mut recording = record(|| {
        let (executor, spawner) = v2_sends_again::executor();
        spawner.spawn(waits());
        drop(spawner);
        executor.run();
    });
    let of_wakers = |what: &What| {
        matches!(
            what,
            What::Wake { .. } | What::Keep { .. } | What::Release { .. }
        )
    };
    recording
        .events
        .retain(|event| event.task.is_some() && !of_wakers(&event.what));
    recording.threads.truncate(1);
    let is_pending = |event: &Event| event.what == What::Pending;
    let pending = recording.events.iter().filter(|it| is_pending(it)).count();
    let third = recording
        .events
        .iter()
        .position(is_pending)
        .expect("it waits")
        + 4;
    let polls = u32::try_from(pending - 3).expect("there is time for more than three");
    // A poll and its end are two events.
    let mut left_out = recording
        .events
        .splice(third..third + 2 * (pending - 3), []);
    let first = left_out.next().expect("there is time for more than three");
    drop(left_out);
    let again = Event {
        what: What::Again { polls },
        ..first
    };
    recording.events.insert(third, again);
    recording
}

fn when_woken() -> Recording {
    record(|| {
        let (executor, spawner) = executor();
        spawner.spawn(waits());
        drop(spawner);
        executor.run();
    })
}
