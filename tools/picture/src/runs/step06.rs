//! Stage 06: two timers joined, and the one thread that waits for both.

use futures::{executor::block_on, try_join};
use probe::{Recording, record, watch};
use step06_reactor::{Reactor, Timer};

use super::{ALL_EVENTS, LONG, MAIN, SHORT};
use crate::run::{Lane, Run, Wording};

pub const REACTOR: Run = Run {
    name: "run-06-reactor",
    title: "Two timers joined on the reactor's one thread",
    caption: "Both wakers are in the reactor's map, and one thread calls both, each when its timer is due. Between \
              the two wakes, that thread sleeps too.",
    threads: &[MAIN, "reactor"],
    lanes: &[
        Lane::Thread(MAIN, "main: the thread in `block_on`"),
        Lane::Task("one", "`one`: the short timer"),
        Lane::Task("two", "`two`: the long timer"),
        Lane::Wakers("the wakers in the reactor's map"),
        Lane::Thread("reactor", "reactor: its thread"),
    ],
    wording: Wording::Polls,
    most: ALL_EVENTS,
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
