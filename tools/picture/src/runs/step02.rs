//! Stage 02: two timers side by side, and one after the other.

use probe::Recording;
use step02_join::{AndThen, Join, RunLoop, SimpleFuture, Timer};

use super::{ALL_EVENTS, LONG, MAIN, SHORT};
use crate::{
    run::{Lane, Run, Wording},
    simple_future::{Noted, asleep, record},
    times::Times,
};

pub const TIMES: Times = Times {
    name: "run-02-times",
    title: "Two timers side by side and one after the other, on one time axis",
    caption: "A timer's thread starts when the timer is first polled. `Join` polls both at once, so the two waits \
              overlap. `AndThen` doesn't poll `b` until `a` is ready, so they add up.",
    runs: [(&JOIN, "Join"), (&AND_THEN, "AndThen")],
    step: 10,
};

const THREADS: &[&str] = &[MAIN, "a's timer", "b's timer"];

pub const JOIN: Run = Run {
    name: "run-02-join",
    title: "Two timers joined: each poll goes to every timer that is still pending",
    caption: "Both timers run from the first poll on. A wake goes straight to the run loop, and the poll that follows \
              goes down through the join, to each timer that is still pending.",
    threads: THREADS,
    lanes: &[
        Lane::Thread(MAIN, "main: the thread of the run loop"),
        Lane::Task("both", "`both`: the `Join`"),
        Lane::Task("a", "`a`: the short timer"),
        Lane::Task("b", "`b`: the long timer"),
        Lane::Thread("a's timer", "a's timer: its thread"),
        Lane::Thread("b's timer", "b's timer: its thread"),
    ],
    wording: Wording::PlainWakes,
    most: ALL_EVENTS,
    record: join,
};

pub const AND_THEN: Run = Run {
    name: "run-02-and-then",
    title: "The same timers one after the other",
    caption: "The second timer isn't polled before the first is ready, so it doesn't start before that. The poll in \
              which `a` is ready is also the first poll of `b`.",
    lanes: &[
        Lane::Thread(MAIN, "main: the thread of the run loop"),
        Lane::Task("both", "`both`: the `AndThen`"),
        Lane::Task("a", "`a`: the short timer"),
        Lane::Task("b", "`b`: the long timer"),
        Lane::Thread("a's timer", "a's timer: its thread"),
        Lane::Thread("b's timer", "b's timer: its thread"),
    ],
    record: and_then,
    ..JOIN
};

fn join() -> Recording {
    run(|a, b| Noted::<_, 2>::outer(Join::new(a, b)))
}

fn and_then() -> Recording {
    run(|a, b| Noted::<_, 2>::outer(AndThen::new(a, b)))
}

fn run<F: SimpleFuture>(both: fn(Noted<Timer, 0>, Noted<Timer, 1>) -> F) -> Recording {
    record(&["a", "b", "both"], || {
        let (a, b) = (Timer::new(SHORT), Timer::new(LONG));
        let mut run_loop = RunLoop::new([both(Noted::leaf(a), Noted::leaf(b))]);
        // As `RunLoop::run` does, with each sleep noted.
        run_loop.poll_all();
        while run_loop.running() > 0 {
            asleep(|| run_loop.sleep());
            run_loop.poll_all();
        }
    })
}
