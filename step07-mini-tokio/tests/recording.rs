//! The run that the book shows: a delay that one task polls, and another one awaits.

use std::time::{Duration, Instant};

use probe::{Lane, Recording, Run, Wording, record, watch};
use step07_mini_tokio::{Delay, MiniTokio, hand_over};

/// What must happen before it is over takes microseconds.
const SHORT: Duration = Duration::from_millis(100);

#[test]
#[ignore = "the order of events needs a machine that is not busy: `.ci/run` records it"]
fn the_recording_in_the_book_is_as_it_runs_now() {
    HANDED_OVER.check();
}

const HANDED_OVER: Run = Run {
    name: "run-07-handed-over",
    title: "A delay is handed over from one task to another",
    caption: "The delay keeps the waker of its latest poll. In its second poll, which comes from the second task, it \
              drops the waker of the first, so the wake goes to the task that awaits it now.",
    threads: &["main", "delay"],
    lanes: &[
        Lane::Queue("the queue"),
        Lane::Thread("main: the thread of mini-tokio"),
        Lane::Thread("delay: its thread"),
        Lane::Wakers("the wakers that the delay stores"),
        Lane::Task("`first`: polls the delay once"),
        Lane::Task("`second`: awaits the delay"),
    ],
    wording: Wording::Polls,
    record: handed_over,
};

fn handed_over() -> Recording {
    record(|| {
        let mini_tokio = MiniTokio::new();
        let handle = mini_tokio.handle();
        mini_tokio.spawn(watch("first", async move {
            let delay = hand_over(Delay::until(Instant::now() + SHORT)).await;
            handle.spawn(watch("second", async {
                delay.await;
            }));
        }));
        mini_tokio.run();
    })
}
