//! Stage 05: a timer on our own `block_on`.

use probe::{Recording, record, watch};
use step05_parker_block_on::{TimerFuture, block_on};

use super::{ALL_EVENTS, MAIN, SHORT};
use crate::run::{Lane, Run, Wording};

pub const PARKER: Run = Run {
    name: "run-05-parker",
    title: "block_on sleeps on its parker until the waker calls",
    caption: "Poll, park, poll. The waker is a handle on the sleeping thread: the wake ends the sleep, and the \
              thread polls again.",
    threads: &[MAIN, "timer"],
    lanes: &[
        Lane::Thread(MAIN, "main: the thread in `block_on`"),
        Lane::Task("future", "`future`: it awaits a timer"),
        Lane::Wakers("the waker that is kept"),
        Lane::Thread("timer", "timer: its thread"),
    ],
    wording: Wording::Polls,
    most: ALL_EVENTS,
    record: parker,
};

fn parker() -> Recording {
    record(|| {
        block_on(watch("future", async { TimerFuture::new(SHORT).await }));
    })
}
