//! An executor that lets the panic of one task through.
//!
//! The panic leaves `run` through the loop, and the queue is dropped with all tasks that are still in it.

use std::{
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind},
    task::{Context, Waker},
};

use crate::{Breaks, Exhibit, Fails, props::BoxFuture};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "panic-ends-all",
    title: "one task panics, and the others are gone",
    was_in: "document 000, `Executor::run` (D09); async-book, examples/02_04_executor",
    breaks: Breaks::Clause("a_panic_is_contained"),
    chapter: 4,
    fails: Fails::Panics("the second task panics"),
    why: "the third task is never polled, because the panic unwinds `run` and drops the task with the queue. \
          The twin catches the panic of a poll. That task is over, and the loop goes on.",
    passes: "the first task is done\nthe third task is done",
    broken: || run_broken(three_tasks()),
    repaired: || run_repaired(three_tasks()),
};

// ANCHOR: broken
fn run_broken(mut queue: VecDeque<BoxFuture>) {
    while let Some(mut future) = queue.pop_front() {
        let mut cx = Context::from_waker(Waker::noop());
        let _ = future.as_mut().poll(&mut cx);
    }
}
// ANCHOR_END: broken

// ANCHOR: repaired
fn run_repaired(mut queue: VecDeque<BoxFuture>) {
    while let Some(mut future) = queue.pop_front() {
        let mut cx = Context::from_waker(Waker::noop());
        // This future is not polled again, so it may be left half way.
        let poll = AssertUnwindSafe(|| future.as_mut().poll(&mut cx));
        let _ = catch_unwind(poll);
    }
}
// ANCHOR_END: repaired

fn three_tasks() -> VecDeque<BoxFuture> {
    VecDeque::from([
        Box::pin(async { println!("the first task is done") }) as BoxFuture,
        Box::pin(async { panic!("the second task panics") }),
        Box::pin(async { println!("the third task is done") }),
    ])
}
