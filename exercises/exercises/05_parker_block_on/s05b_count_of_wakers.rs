//! s05b · repair · 12 minutes · chapter 05, "Park, unpark and block_on"
//!
//! *Inside async* (002) makes its waker by hand, from a pointer into an `Arc`. Each waker has to own one count of that
//! `Arc`. But its `clone` adds no count and its `drop` does nothing, so each poll leaks a task (D19), and a waker that is
//! cloned often and woken by value frees the task while it is still in use (D20).
//!
//! Repair `clone` and `drop_waker`. `unsafe` is allowed here; say in a `// SAFETY:` comment why your code is sound.
//!
//! Run: `cargo test --bin s05b_count_of_wakers`, or save this file while `rustlings` runs.
//! Red: a test says how many wakers there are, and what the count of the `Arc` says.
#![allow(unsafe_code)]

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::{RawWaker, RawWakerVTable, Waker},
};

/// What the waker wakes. It counts how often it was rung. It has a cache line of its own, because many threads ring it.
#[derive(Default)]
#[repr(align(64))]
struct Bell {
    rung: AtomicUsize,
}

static VTABLE: RawWakerVTable = RawWakerVTable::new(clone, wake, wake_by_ref, drop_waker);

/// A waker that rings `bell`. It owns the count that it was given.
fn waker(bell: Arc<Bell>) -> Waker {
    let data = Arc::into_raw(bell).cast();
    // SAFETY: `data` owns one count of an `Arc<Bell>`, as all functions of the table expect, and a `Bell` may be rung
    // from any thread.
    unsafe { Waker::new(data, &VTABLE) }
}

/// The waker stays, and there is one more now.
unsafe fn clone(data: *const ()) -> RawWaker {
    // TODO: the new waker owns no count.
    RawWaker::new(data, &VTABLE)
}

/// The waker is consumed, so its count is ours, and is given back at the end.
unsafe fn wake(data: *const ()) {
    // SAFETY: `data` came from `Arc::into_raw`, and the count of this waker is ours now.
    let bell = unsafe { Arc::from_raw(data.cast::<Bell>()) };
    bell.rung.fetch_add(1, SeqCst);
}

/// The waker stays, and keeps its count.
unsafe fn wake_by_ref(data: *const ()) {
    // SAFETY: `data` came from `Arc::into_raw`, and the waker that is being called keeps the bell alive.
    let bell = unsafe { &*data.cast::<Bell>() };
    bell.rung.fetch_add(1, SeqCst);
}

/// The waker is gone.
unsafe fn drop_waker(data: *const ()) {
    // TODO: the count of this waker is not given back.
    let _ = data;
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s05b_count_of_wakers.rs"]
mod tests;
