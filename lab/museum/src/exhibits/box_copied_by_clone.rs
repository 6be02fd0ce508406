//! A waker whose data is a `Box`, and whose `clone` copies the pointer.
//!
//! A box has one owner. Here both the waker and its clone own it, so both free it.
#![expect(unsafe_code, reason = "the vtable of a waker is what this is about")]

use std::{
    sync::Arc,
    task::{RawWaker, RawWakerVTable, Waker},
};

use crate::{Exhibit, Fails};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "box-copied-by-clone",
    title: "a waker and its clone free the same box",
    was_in: "O'Reilly, Async Rust, ch. 10, `my_clone` in async_runtime/src/waker.rs",
    breaks: "the last of several wakers frees what they point to, and frees it once",
    chapter: 5,
    fails: Fails::Miri("a dangling box"),
    why: "a comment in the original says that clone adds to a count, but a box has no count. The second drop frees \
          memory that is free already. When it ran without Miri, the allocator noticed and ended the process. The \
          fixed version has an `Arc`, and its clone adds to the count.",
    passes: "a waker and its clone are dropped",
    broken: || drop_both(broken::waker()),
    repaired: || drop_both(repaired::waker()),
};

// ANCHOR: broken
mod broken {
    use super::*;

    static TABLE: RawWakerVTable =
        RawWakerVTable::new(|data| RawWaker::new(data, &TABLE), free, |_| {}, free);

    pub fn waker() -> Waker {
        let data = Box::into_raw(Box::new(42_u32)).cast_const().cast();
        // SAFETY: broken on purpose: the promise is that each clone may be dropped.
        unsafe { Waker::new(data, &TABLE) }
    }

    unsafe fn free(data: *const ()) {
        // SAFETY: broken on purpose: the promise is that nothing else owns the box.
        drop(unsafe { Box::from_raw(data.cast_mut().cast::<u32>()) });
    }
}
// ANCHOR_END: broken

// ANCHOR: repaired
mod repaired {
    use super::*;

    static TABLE: RawWakerVTable = RawWakerVTable::new(clone, free, |_| {}, free);

    pub fn waker() -> Waker {
        let data = Arc::into_raw(Arc::new(42_u32)).cast();
        // SAFETY: each waker owns one count: `clone` adds one, and `free` takes one away.
        unsafe { Waker::new(data, &TABLE) }
    }

    unsafe fn clone(data: *const ()) -> RawWaker {
        // SAFETY: `data` came from `Arc::into_raw`, and this waker's count keeps it alive.
        unsafe { Arc::increment_strong_count(data.cast::<u32>()) };
        RawWaker::new(data, &TABLE)
    }

    unsafe fn free(data: *const ()) {
        // SAFETY: `data` came from `Arc::into_raw`, and its count is ours now.
        drop(unsafe { Arc::from_raw(data.cast::<u32>()) });
    }
}
// ANCHOR_END: repaired

fn drop_both(waker: Waker) {
    let clone = waker.clone();
    drop(waker);
    drop(clone);
    println!("a waker and its clone are dropped");
}
