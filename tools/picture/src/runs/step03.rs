//! Stage 03: an async block that awaits a timer, on somebody else's executor.

use futures::executor::block_on;
use probe::{Recording, record, watch};
use step03_timer_future::TimerFuture;

use super::{ALL_EVENTS, MAIN, SHORT};
use crate::run::{Lane, Run, Wording};

pub const BLOCK_ON: Run = Run {
    name: "run-03-block-on",
    title: "An async block awaits a timer",
    caption: "Two polls. In the first one the timer keeps a clone of the waker: the hollow bar. The timer's thread \
              uses it up when it wakes.",
    threads: &[MAIN, "timer"],
    lanes: &[
        Lane::Thread(MAIN, "main: the thread in `block_on`"),
        Lane::Task("block", "`block`: the async block"),
        Lane::Wakers("the waker that is kept"),
        Lane::Thread("timer", "timer: its thread"),
    ],
    wording: Wording::Polls,
    most: ALL_EVENTS,
    record: block,
};

fn block() -> Recording {
    record(|| {
        block_on(watch("block", async { TimerFuture::new(SHORT).await }));
    })
}
