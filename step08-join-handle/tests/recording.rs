//! The run that the book shows: a task is woken on one worker while another one polls it.

use std::{
    future::poll_fn,
    hint,
    sync::mpsc,
    task::{Poll, Waker},
    time::{Duration, Instant},
};

use probe::{Lane, Recording, Run, Wording, record, watch};
use step08_join_handle::Runtime;

const WORKER_1: &str = "worker 1";
const WORKER_2: &str = "worker 2";

/// What must happen before it is over takes microseconds.
const SHORT: Duration = Duration::from_millis(10);

#[test]
#[ignore = "the order of events needs a machine that is not busy: `.ci/run` records it"]
fn the_recording_in_the_book_is_as_it_runs_now() {
    WOKEN_IN_POLL.check();
}

/// As `v2_state_bits/state.rs` has them.
const BITS: &[&str] = &[
    "SCHEDULED",
    "RUNNING",
    "CANCELLED",
    "FINISHED",
    "HANDLE",
    "WAITING",
];

const WOKEN_IN_POLL: Run = Run {
    name: "run-08-woken-in-poll",
    title: "A task is woken on one worker while another one polls it",
    caption: "The wake only marks the task, which stays out of the queue, so worker 2 takes the next one. After the \
              poll, worker 1 sees the mark and puts the task into the queue. When the task is finished, worker 1 wakes the \
              thread that waits for its handle.",
    threads: &["main", WORKER_1, WORKER_2],
    lanes: &[
        Lane::SharedQueue(&["task", "sender", "other"], "the queue"),
        Lane::Thread("worker 1"),
        Lane::Thread("worker 2"),
        Lane::Thread("main"),
        Lane::Word("state.rs", BITS, "the state of `task`"),
        Lane::Task("`task`: its first poll takes a while"),
        Lane::Task("`other`: another task"),
        Lane::Task("`handle`: waits for `task`"),
        Lane::Task("`sender`: wakes `task`"),
    ],
    wording: Wording::Polls,
    record: woken_in_poll,
};

fn woken_in_poll() -> Recording {
    record(|| {
        let runtime = Runtime::new(2);
        let spawner = runtime.handle();
        let (polled, is_polled) = mpsc::channel();
        let (release, released) = mpsc::channel::<()>();
        let mut other_ends = Some(released);
        let task = poll_fn(move |cx| {
            let Some(released) = other_ends.take() else {
                return Poll::Ready(());
            };
            polled.send(()).expect("main waits for it");
            let end = Instant::now() + SHORT; // by then, main has polled the handle
            compute_until(|| Instant::now() >= end);
            let (begin, begun) = mpsc::channel();
            let sender = watch("sender", wake(cx.waker().clone()));
            let other = watch("other", async move {
                begin.send(()).expect("the task waits for it");
                // Keeps worker 2, so that worker 1 is the one that polls the task again.
                let _ = released.recv();
            });
            drop((spawner.spawn(sender), spawner.spawn(other)));
            compute_until(|| begun.try_recv().is_ok()); // by then, worker 2 polls `other`
            Poll::Pending
        });
        let handle = runtime.spawn(watch("task", task));
        is_polled.recv().expect("worker 1 polls it");
        let joined = runtime.block_on(watch("handle", handle));
        joined.expect("the task does not panic");
        drop(release);
        runtime.shutdown();
    })
}

async fn wake(waker: Waker) {
    waker.wake();
}

/// The poll does not sleep meanwhile, so the picture shows a worker that is busy.
fn compute_until(done: impl Fn() -> bool) {
    while !done() {
        hint::spin_loop();
    }
}
