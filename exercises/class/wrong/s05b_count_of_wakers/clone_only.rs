//! s05b · repair · 12 minutes · chapter 05, "Park, unpark and block_on"
//!
//! *Inside async* (002) writes its waker by hand, from a pointer into an `Arc`. Each waker has to own one count of
//! that `Arc`. But its `clone` adds none, and its `drop` does nothing: each poll leaks a task (D19), and a waker that
//! is cloned often and woken by value frees the task under its owner (D20).
//!
//! Mend `clone` and `drop_waker`. `unsafe` is allowed here; say in a `// SAFETY:` comment why it is right.
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

/// What the waker wakes: it counts how often it was rung.
#[derive(Default)]
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

/// The waker lives on, and there is another one now.
unsafe fn clone(data: *const ()) -> RawWaker {
    // SAFETY: `data` came from `Arc::into_raw`, and the waker that is being cloned keeps the bell alive.
    unsafe { Arc::increment_strong_count(data.cast::<Bell>()) };
    RawWaker::new(data, &VTABLE)
}

/// The waker is used up: its count is ours, and goes at the end.
unsafe fn wake(data: *const ()) {
    // SAFETY: `data` came from `Arc::into_raw`, and the count of this waker is ours now.
    let bell = unsafe { Arc::from_raw(data.cast::<Bell>()) };
    bell.rung.fetch_add(1, SeqCst);
}

/// The waker lives on, and keeps its count.
unsafe fn wake_by_ref(data: *const ()) {
    // SAFETY: `data` came from `Arc::into_raw`, and the waker that we were called on keeps the bell alive.
    let bell = unsafe { &*data.cast::<Bell>() };
    bell.rung.fetch_add(1, SeqCst);
}

/// The waker is gone.
unsafe fn drop_waker(data: *const ()) {
    // ANCHOR: slip
    let _ = data;
    // ANCHOR_END: slip
}

fn main() {}
