//! The run that the book shows: two timers joined, and the one thread that waits for both.

use std::time::Duration;

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
    caption: "Both wakers are in the reactor's map, and one thread calls both, each when its timer is due. Between \
              the two wakes, that thread sleeps too.",
    threads: &["main", "reactor"],
    lanes: &[
        Lane::Thread("main", "main: the thread in `block_on`"),
        Lane::Task("one", "`one`: the short timer"),
        Lane::Task("two", "`two`: the long timer"),
        Lane::Wakers("the wakers in the reactor's map"),
        Lane::Thread("reactor", "reactor: its thread"),
    ],
    wording: Wording::Polls,
    most: usize::MAX,
    record: reactor,
};

fn reactor() -> Recording {
    record(|| {
        let reactor = Reactor::new();
        let one = watch("one", Timer::new(&reactor, SHORT));
        let two = watch("two", Timer::new(&reactor, LONG));
        let both = block_on(async { try_join!(one, two) });
        both.expect("the reactor is there");
    })
}
