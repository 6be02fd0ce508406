//! Version 1: a waker by hand, from a pointer and a table of four functions.
//!
//! A [`Waker`] is a trait object taken apart: a data pointer and a vtable. It is neither a `Box<dyn …>` nor an
//! `Arc<dyn …>`, because an executor for a device without a heap needs wakers too.
//!
//! Here the pointer comes from an [`Arc`], and each waker owns one reference. So `clone` adds a reference, `drop` releases
//! one, `wake` consumes the waker and so releases one too, and `wake_by_ref` leaves the count as it is.
#![expect(
    unsafe_code,
    reason = "the vtable of a waker is what this file teaches"
)]

use std::{
    sync::Arc,
    task::{RawWaker, RawWakerVTable, Waker},
};

use crate::Parker;

// ANCHOR: table
static VTABLE: RawWakerVTable = RawWakerVTable::new(clone, wake, wake_by_ref, drop_waker);
// ANCHOR_END: table

/// A waker that unparks `parker`.
///
/// ```
/// use step05_parker_block_on::{Parker, waker::v1_by_hand::waker};
/// use std::sync::Arc;
///
/// let parker = Arc::new(Parker::default());
/// let waker = waker(Arc::clone(&parker));
/// assert_eq!(Arc::strong_count(&parker), 2);
///
/// waker.wake(); // consumes it
/// assert_eq!(Arc::strong_count(&parker), 1);
/// parker.park(); // returns at once
/// ```
// ANCHOR: make
pub fn waker(parker: Arc<Parker>) -> Waker {
    let data = Arc::into_raw(parker).cast();
    // SAFETY: `data` owns one reference to an `Arc<Parker>`, which is what all functions of
    // the table expect. They may be called from any thread, because `Parker` is `Send` and
    // `Sync`.
    unsafe { Waker::new(data, &VTABLE) }
}
// ANCHOR_END: make

/// # Safety
///
/// This function and the three below: `data` is a pointer from [`Arc::into_raw`], and the waker that holds it owns
/// one reference. `wake` and `drop_waker` take that reference over, because the waker is gone afterwards.
// ANCHOR: clone
unsafe fn clone(data: *const ()) -> RawWaker {
    // SAFETY: `data` came from `Arc::into_raw`, and the reference that this waker owns
    // keeps the `Parker` alive.
    unsafe { Arc::increment_strong_count(data.cast::<Parker>()) };
    RawWaker::new(data, &VTABLE)
}
// ANCHOR_END: clone

// ANCHOR: wake
unsafe fn wake(data: *const ()) {
    // SAFETY: `data` came from `Arc::into_raw`, and its reference is ours now, because `wake`
    // consumes the waker.
    let parker = unsafe { Arc::from_raw(data.cast::<Parker>()) };
    parker.unpark();
}
// ANCHOR_END: wake

// ANCHOR: wake_by_ref
unsafe fn wake_by_ref(data: *const ()) {
    // SAFETY: `data` came from `Arc::into_raw`, so it points to a `Parker`. The waker that
    // is being called owns a reference, which keeps the `Parker` alive for the whole call.
    let parker = unsafe { &*data.cast::<Parker>() };
    parker.unpark();
}
// ANCHOR_END: wake_by_ref

// ANCHOR: drop
unsafe fn drop_waker(data: *const ()) {
    // SAFETY: `data` came from `Arc::into_raw`, and its reference is ours now, because the
    // waker is gone after this call.
    drop(unsafe { Arc::from_raw(data.cast::<Parker>()) });
}
// ANCHOR_END: drop
