//! Stage 05: a timer on our own `block_on`.

use probe::{Recording, record, watch};
use step05_parker_block_on::{TimerFuture, block_on};

use super::{ALL_EVENTS, MAIN, SHORT};
use crate::run::{Lane, Run, Wording};

pub const PARKER: Run = Run {
    name: "run-05-parker",
    title: "block_on parks its thread until the waker unparks it",
    caption: "Poll, park, poll. The waker is a handle on the parked thread. The wake unparks the thread, which then \
              polls again.",
    threads: &[MAIN, "timer"],
    lanes: &[
        Lane::Thread(MAIN, "main: the thread in `block_on`"),
        Lane::Task("future", "`future`: it awaits a timer"),
        Lane::Wakers("the waker that is stored"),
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
