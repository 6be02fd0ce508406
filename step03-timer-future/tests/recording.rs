//! The run that the book shows: an async block that awaits a timer, on the executor of `futures`.

use std::time::Duration;

use futures::executor::block_on;
use probe::{Lane, Recording, Run, Wording, record, watch};
use step03_timer_future::TimerFuture;

/// What must happen before it is over takes microseconds.
const SHORT: Duration = Duration::from_millis(10);

#[test]
#[ignore = "the order of events needs a machine that is not busy: `.ci/run` records it"]
fn the_recording_in_the_book_is_as_it_runs_now() {
    BLOCK_ON.check();
}

const BLOCK_ON: Run = Run {
    name: "run-03-block-on",
    title: "An async block awaits a timer",
    caption: "Two polls. During the first, the timer stores a clone of the waker. The timer's thread takes that \
              clone and calls `wake` on it, and the second poll follows.",
    threads: &["main", "timer"],
    lanes: &[
        Lane::Thread("main: the thread in `block_on`"),
        Lane::Thread("timer: its thread"),
        Lane::Wakers("the waker that is stored"),
        Lane::Task("`block`: the async block"),
    ],
    wording: Wording::Polls,
    record: block,
};

fn block() -> Recording {
    record(|| {
        block_on(watch("block", async { TimerFuture::new(SHORT).await }));
    })
}
