//! A timer stores its waker before it starts its thread.
//!
//! Only a waker by hand can observe the moment at which it is cloned.
#![expect(unsafe_code, reason = "only a waker by hand has a `clone` of its own")]

use std::{
    future::Future,
    pin::pin,
    ptr,
    sync::atomic::{AtomicUsize, Ordering},
    task::{Context, Poll, RawWaker, RawWakerVTable, Waker},
    time::Duration,
};

use step03_timer_future::TimerFuture;

static COUNTS: RawWakerVTable = RawWakerVTable::new(count_and_clone, nothing, nothing, nothing);
static THREADS_AT_CLONE: AtomicUsize = AtomicUsize::new(usize::MAX);

unsafe fn count_and_clone(data: *const ()) -> RawWaker {
    THREADS_AT_CLONE.store(TimerFuture::threads_started(), Ordering::SeqCst);
    RawWaker::new(data, &COUNTS)
}

unsafe fn nothing(_: *const ()) {}

#[test]
fn a_timer_stores_its_waker_before_it_starts_its_thread() {
    let stored_first = || {
        let before = TimerFuture::threads_started();
        // SAFETY: no function of the table reads through the pointer, and all may be called from any thread.
        let waker = unsafe { Waker::new(ptr::null(), &COUNTS) };
        let mut timer = pin!(TimerFuture::new(Duration::MAX));
        let polled = timer.as_mut().poll(&mut Context::from_waker(&waker));
        assert_eq!(polled, Poll::Pending);
        assert_eq!(TimerFuture::threads_started(), before + 1);
        assert_eq!(THREADS_AT_CLONE.load(Ordering::SeqCst), before);
    };
    // Miri starts no programs, and runs one test at a time.
    if cfg!(miri) {
        stored_first();
    } else {
        probe::alone(stored_first);
    }
}
