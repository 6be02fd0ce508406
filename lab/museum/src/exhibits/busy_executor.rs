//! An executor that puts every pending task back into its queue at once.
//!
//! It needs no waker, because a task that is polled all the time notices each event anyway. In document 000 that made
//! 10 to 42 million polls in three seconds, where two would have done. Here the timer takes 30 ms.

use std::{
    collections::VecDeque,
    sync::mpsc,
    task::{Context, Waker},
};

use probe::{Counted, Counts};

use crate::{
    Breaks, Exhibit, Fails,
    props::{BoxFuture, Task, nap},
};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "busy-executor",
    title: "every pending task is polled again at once",
    was_in: "document 000, `Executor::run` (D04)",
    breaks: Breaks::Clause("only_when_woken"),
    chapter: 4,
    fails: Fails::Prints("a timer of 30 ms took more than 1,000 polls"),
    why: "the run loop does not wait for a wake. It keeps a processor busy for as long as any task waits, \
          and it hides a missing wake, because no task depends on one. In the twin, a task gets into the \
          queue by a wake alone.",
    passes: "a timer of 30 ms took 2 polls",
    broken: || show(run_broken),
    repaired: || show(run_repaired),
};

// ANCHOR: broken
fn run_broken(future: BoxFuture) {
    let mut queue = VecDeque::from([future]);
    while let Some(mut future) = queue.pop_front() {
        let mut cx = Context::from_waker(Waker::noop());
        if future.as_mut().poll(&mut cx).is_pending() {
            queue.push_back(future);
        }
    }
}
// ANCHOR_END: broken

// ANCHOR: repaired
fn run_repaired(future: BoxFuture) {
    let (sender, queue) = mpsc::channel();
    let wakes = sender.clone();
    let task = Task::new(future, move |task| wakes.send(task).unwrap());
    sender.send(task).unwrap();
    for task in queue {
        if task.poll() {
            return;
        }
    }
}
// ANCHOR_END: repaired

fn show(run: fn(BoxFuture)) {
    let timer = Counted::new(nap(30));
    let counts: Counts = timer.counts();
    run(Box::pin(timer));
    match counts.polls() {
        polls if polls > 1_000 => println!("a timer of 30 ms took more than 1,000 polls"),
        polls => println!("a timer of 30 ms took {polls} polls"),
    }
}
