//! The run that the book shows: a timer on our own `block_on`.

use std::time::Duration;

use probe::{Lane, Recording, Run, Wording, record, watch};
use step05_parker_block_on::{TimerFuture, block_on};

/// What must happen before it is over takes microseconds.
const SHORT: Duration = Duration::from_millis(10);

#[test]
#[ignore = "the order of events needs a machine that is not busy: `.ci/run` records it"]
fn the_recording_in_the_book_is_as_it_runs_now() {
    PARKER.check();
}

const PARKER: Run = Run {
    name: "run-05-parker",
    title: "block_on parks its thread until the waker unparks it",
    caption: "Poll, park, poll. The waker is a handle on the parked thread. The wake unparks the thread, which then \
              polls again.",
    threads: &["main", "timer"],
    lanes: &[
        Lane::Thread("main: the thread in `block_on`"),
        Lane::Thread("timer: its thread"),
        Lane::Wakers("the waker that is stored"),
        Lane::Task("`future`: it awaits a timer"),
    ],
    wording: Wording::Polls,
    record: parker,
};

fn parker() -> Recording {
    record(|| {
        block_on(watch("future", async { TimerFuture::new(SHORT).await }));
    })
}
