//! A waker made by hand, whose `drop` does nothing.
//!
//! Each waker owns one count of its task. A waker that is woken gives the count back, but a waker that is dropped does
//! not. An executor makes a waker for each poll and drops it, so each poll leaks one count.
#![expect(unsafe_code, reason = "the vtable of a waker is what this is about")]

use std::{
    sync::Arc,
    task::{Context, RawWaker, RawWakerVTable, Waker},
};

use crate::{Breaks, Exhibit, Fails, props::yields};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "waker-leaks",
    title: "a waker whose drop gives nothing back",
    was_in: "document 002, `create_waker` (D19)",
    breaks: Breaks::Clause("wakers_balance"),
    chapter: 5,
    fails: Fails::Prints("polled 1,000 times: 1,000 of its wakers live on"),
    why: "the table has four functions, which together must keep one count right: clone adds one, wake and \
          drop give one back. Here drop was left empty, so the task is never freed. The twin gives the count \
          back.",
    passes: "polled 1,000 times: 0 of its wakers live on",
    broken: || show(&BROKEN),
    repaired: || show(&REPAIRED),
};

// ANCHOR: broken
static BROKEN: RawWakerVTable = RawWakerVTable::new(clone, wake, wake_by_ref, drop_nothing);

unsafe fn drop_nothing(_data: *const ()) {
    // The count that this waker owned has no owner now.
}
// ANCHOR_END: broken

// ANCHOR: repaired
static REPAIRED: RawWakerVTable = RawWakerVTable::new(clone, wake, wake_by_ref, drop_waker);

unsafe fn drop_waker(data: *const ()) {
    // SAFETY: `data` came from `Arc::into_raw`, and its count is ours now: the waker is gone.
    drop(unsafe { Arc::from_raw(data.cast::<Task>()) });
}
// ANCHOR_END: repaired

struct Task {
    table: &'static RawWakerVTable,
}

fn waker(task: Arc<Task>) -> Waker {
    let table = task.table;
    // SAFETY: each function of the table takes `data` for what it is. The broken table frees too little, never too
    // much.
    unsafe { Waker::new(Arc::into_raw(task).cast(), table) }
}

unsafe fn clone(data: *const ()) -> RawWaker {
    // SAFETY: `data` came from `Arc::into_raw`, and the waker's own count keeps the task alive.
    unsafe { Arc::increment_strong_count(data.cast::<Task>()) };
    // SAFETY: as above.
    let task = unsafe { &*data.cast::<Task>() };
    RawWaker::new(data, task.table)
}

unsafe fn wake(data: *const ()) {
    // SAFETY: `data` came from `Arc::into_raw`, and its count is ours now: the waker is used up.
    drop(unsafe { Arc::from_raw(data.cast::<Task>()) });
}

fn wake_by_ref(_data: *const ()) {}

fn show(table: &'static RawWakerVTable) {
    let task = Arc::new(Task { table });
    let mut future = Box::pin(yields(1_000));
    for _ in 0..1_000 {
        // As an executor does it: a waker for this poll, dropped after it.
        let waker = waker(Arc::clone(&task));
        let poll = future.as_mut().poll(&mut Context::from_waker(&waker));
        assert!(poll.is_pending());
    }
    let left = match Arc::strong_count(&task) - 1 {
        1_000 => "1,000".to_owned(),
        left => left.to_string(),
    };
    println!("polled 1,000 times: {left} of its wakers live on");
}
