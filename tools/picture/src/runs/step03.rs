//! Stage 03: an async block that awaits a timer, on the executor of `futures`.

use futures::executor::block_on;
use probe::{Recording, record, watch};
use step03_timer_future::TimerFuture;

use super::{ALL_EVENTS, MAIN, SHORT};
use crate::run::{Lane, Run, Wording};

pub const BLOCK_ON: Run = Run {
    name: "run-03-block-on",
    title: "An async block awaits a timer",
    caption: "Two polls. During the first, the timer stores a clone of the waker. The timer's thread takes that \
              clone and calls `wake` on it, and the second poll follows.",
    threads: &[MAIN, "timer"],
    lanes: &[
        Lane::Thread(MAIN, "main: the thread in `block_on`"),
        Lane::Task("block", "`block`: the async block"),
        Lane::Wakers("the waker that is stored"),
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
