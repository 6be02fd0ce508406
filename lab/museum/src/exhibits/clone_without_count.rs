//! A waker made by hand, whose `clone` copies the pointer and does not count.
//!
//! Two wakers then share one count. Each gives it back when it is used up. After the first, the task may be freed, and
//! the second reads freed memory.
#![expect(unsafe_code, reason = "the vtable of a waker is what this is about")]

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{RawWaker, RawWakerVTable, Waker},
};

use crate::{Breaks, Exhibit, Fails};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "clone-without-count",
    title: "a waker whose clone adds no count",
    was_in: "document 002, `create_waker` (D20)",
    breaks: Breaks::Rule("each waker owns one count of its task: clone adds one, wake and drop give one back"),
    chapter: 5,
    fails: Fails::Miri("has been freed"),
    why: "the first wake gave the last count back, so the task was freed, but the second waker still points \
          to it. When it ran without Miri, it printed what the twin prints. The twin adds one to the count \
          for each clone.",
    passes: "3 wakers woken, wakes seen: 3",
    broken: || show(&BROKEN),
    repaired: || show(&REPAIRED),
};

struct Task {
    wakes: Arc<AtomicUsize>,
}

// ANCHOR: broken
static BROKEN: RawWakerVTable = RawWakerVTable::new(
    |data| RawWaker::new(data, &BROKEN),
    wake,
    wake_by_ref,
    drop_waker,
);
// ANCHOR_END: broken

// ANCHOR: repaired
static REPAIRED: RawWakerVTable = RawWakerVTable::new(
    |data| {
        // SAFETY: `data` came from `Arc::into_raw`, and this waker's count keeps the task alive.
        unsafe { Arc::increment_strong_count(data.cast::<Task>()) };
        RawWaker::new(data, &REPAIRED)
    },
    wake,
    wake_by_ref,
    drop_waker,
);
// ANCHOR_END: repaired

unsafe fn wake(data: *const ()) {
    // SAFETY: broken on purpose, where `clone` is: the promise is that each waker owns a count that it may give back.
    let task = unsafe { Arc::from_raw(data.cast::<Task>()) };
    task.wakes.fetch_add(1, Ordering::Relaxed);
}

unsafe fn wake_by_ref(data: *const ()) {
    // SAFETY: as in `wake`, but the count stays with the waker.
    let task = unsafe { &*data.cast::<Task>() };
    task.wakes.fetch_add(1, Ordering::Relaxed);
}

unsafe fn drop_waker(data: *const ()) {
    // SAFETY: as in `wake`.
    drop(unsafe { Arc::from_raw(data.cast::<Task>()) });
}

fn show(table: &'static RawWakerVTable) {
    let wakes = Arc::new(AtomicUsize::new(0));
    let task = Arc::new(Task {
        wakes: Arc::clone(&wakes),
    });
    // SAFETY: broken on purpose with the first table: the promise is that the functions keep the count of `task` right.
    let first = unsafe { Waker::new(Arc::into_raw(task).cast(), table) };
    let (second, third) = (first.clone(), first.clone());
    for waker in [first, second, third] {
        waker.wake();
    }
    let wakes = wakes.load(Ordering::Relaxed);
    println!("3 wakers woken, wakes seen: {wakes}");
}
