//! A `wake_by_ref` that takes the pointer to the object for a pointer to a pointer.
//!
//! `wake` is right, so the first programs run. The first combinator that wakes by reference crashes, because the first
//! bytes of the object are read as an address.
#![expect(unsafe_code, reason = "the vtable of a waker is what this is about")]

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{RawWaker, RawWakerVTable, Waker},
};

use crate::{Exhibit, Fails};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "wake-by-ref-reads-the-object",
    title: "wake_by_ref follows one pointer too many",
    was_in: "\"Parker and Reactor\", the vtable of `MyWaker`; books-futures-explained before its #22",
    breaks: "wake and wake_by_ref, of a waker and of its clones, all lead to a poll.",
    chapter: 5,
    fails: Fails::Miri("constructing invalid value of type &"),
    why: "the cast is to `*const &Parker`, but `data` is a `*const Parker`, and no compiler checks a cast. So the \
          first word of the parker, a count of 0, is read as an address. When it ran without Miri, it died of \
          SIGSEGV. The fixed version casts to the type that is there.",
    passes: "woken by reference: once",
    broken: || show(&BROKEN),
    repaired: || show(&REPAIRED),
};

#[derive(Default)]
struct Parker {
    called: AtomicUsize,
}

// ANCHOR: broken
unsafe fn wake_by_ref_broken(data: *const ()) {
    // SAFETY: broken on purpose: the promise is that `data` points to what it is read as.
    let parker = unsafe { *data.cast::<&Parker>() };
    parker.called.fetch_add(1, Ordering::Relaxed);
}
// ANCHOR_END: broken

// ANCHOR: repaired
unsafe fn wake_by_ref_repaired(data: *const ()) {
    // SAFETY: `data` came from `Arc::into_raw`, and this waker's count keeps the parker alive.
    let parker = unsafe { &*data.cast::<Parker>() };
    parker.called.fetch_add(1, Ordering::Relaxed);
}
// ANCHOR_END: repaired

static BROKEN: RawWakerVTable =
    RawWakerVTable::new(|data| clone(data, &BROKEN), wake, wake_by_ref_broken, drop_waker);
static REPAIRED: RawWakerVTable = RawWakerVTable::new(
    |data| clone(data, &REPAIRED),
    wake,
    wake_by_ref_repaired,
    drop_waker,
);

fn clone(data: *const (), table: &'static RawWakerVTable) -> RawWaker {
    // SAFETY: called by the tables alone. `data` came from `Arc::into_raw`, and the waker owns a count of it.
    unsafe { Arc::increment_strong_count(data.cast::<Parker>()) };
    RawWaker::new(data, table)
}

unsafe fn wake(data: *const ()) {
    // SAFETY: `data` came from `Arc::into_raw`, and its count is ours now.
    let parker = unsafe { Arc::from_raw(data.cast::<Parker>()) };
    parker.called.fetch_add(1, Ordering::Relaxed);
}

unsafe fn drop_waker(data: *const ()) {
    // SAFETY: as in `wake`.
    drop(unsafe { Arc::from_raw(data.cast::<Parker>()) });
}

fn show(table: &'static RawWakerVTable) {
    let parker = Arc::new(Parker::default());
    // SAFETY: `data` owns a count. Of the functions of the first table one is broken on purpose.
    let waker = unsafe { Waker::new(Arc::into_raw(Arc::clone(&parker)).cast(), table) };
    waker.wake_by_ref();
    assert_eq!(parker.called.load(Ordering::Relaxed), 1);
    println!("woken by reference: once");
}
