//! The run that the book shows: two timers joined, and the one thread that waits for both.

use std::{
    sync::{Arc, LazyLock},
    time::Duration,
};

use futures::{executor::block_on, try_join};
use probe::{Lane, Recording, Run, Wording, record, watch};
use step06_reactor::{Reactor, Timer};

/// What must happen before it is over takes microseconds.
const SHORT: Duration = Duration::from_millis(10);
const LONG: Duration = Duration::from_millis(40);

#[test]
#[ignore = "the order of events needs a machine that is not busy: `.ci/run` records it"]
fn the_recording_in_the_book_is_as_it_runs_now() {
    REACTOR.check();
}

const REACTOR: Run = Run {
    name: "run-06-reactor",
    title: "Two timers joined on the reactor's one thread",
    caption: "A timer puts its waker into the map, under the lock, and sends its deadline. One thread waits for both deadlines. \
              When one is due, it finishes that timer under the lock, and calls the waker after it has released it.",
    threads: &["main", "reactor"],
    lanes: &[
        Lane::Lock("timers.rs"),
        Lane::Thread("main: the thread in `block_on`"),
        Lane::Thread("reactor: its thread"),
        Lane::Task("`one`: the short timer"),
        Lane::Task("`two`: the long timer"),
    ],
    wording: Wording::Polls,
    record: reactor,
};

/// Never dropped, because its end, for which two threads take the lock, might come in the next recording.
static THREAD: LazyLock<Arc<Reactor>> = LazyLock::new(Reactor::new);

fn reactor() -> Recording {
    record(|| {
        let one = watch("one", Timer::new(&THREAD, SHORT));
        let two = watch("two", Timer::new(&THREAD, LONG));
        let both = block_on(async { try_join!(one, two) });
        both.expect("the reactor is there");
    })
}
