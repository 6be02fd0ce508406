//! Wakers whose clone and drop do something. Only a waker by hand can have them.
#![expect(unsafe_code, reason = "only a waker by hand has a `clone` of its own")]

use std::{
    future::Future,
    pin::pin,
    ptr,
    sync::{
        LazyLock,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, RawWaker, RawWakerVTable, Waker},
    time::Duration,
};

use probe::within;
use step03_timer_future::{Signal, TimerFuture};

static SIGNAL: LazyLock<Signal> = LazyLock::new(Signal::default);
static FIRES: RawWakerVTable = RawWakerVTable::new(fire_and_clone, nothing, nothing, fire);

unsafe fn fire_and_clone(data: *const ()) -> RawWaker {
    SIGNAL.fire();
    RawWaker::new(data, &FIRES)
}

unsafe fn fire(_: *const ()) {
    SIGNAL.fire();
}

unsafe fn nothing(_: *const ()) {}

#[test]
fn a_waker_may_use_the_signal_as_it_is_cloned() {
    within(Duration::from_secs(10), || {
        // SAFETY: no function of the table looks at the pointer, and all may be called from any thread.
        let waker = unsafe { Waker::new(ptr::null(), &FIRES) };
        let mut cx = Context::from_waker(&waker);
        // The clone is not needed any more: it has fired the signal. So it is dropped, and fires it again.
        assert_eq!(SIGNAL.poll_fired(&mut cx), Poll::Ready(()));
    });
}

static COUNTS: RawWakerVTable = RawWakerVTable::new(count_and_clone, nothing, nothing, nothing);
static THREADS_AT_CLONE: AtomicUsize = AtomicUsize::new(usize::MAX);

unsafe fn count_and_clone(data: *const ()) -> RawWaker {
    THREADS_AT_CLONE.store(TimerFuture::threads_started(), Ordering::SeqCst);
    RawWaker::new(data, &COUNTS)
}

#[test]
fn a_timer_keeps_its_waker_before_it_starts_its_thread() {
    // SAFETY: no function of the table looks at the pointer, and all may be called from any thread.
    let waker = unsafe { Waker::new(ptr::null(), &COUNTS) };
    let mut timer = pin!(TimerFuture::new(Duration::MAX));
    let polled = timer.as_mut().poll(&mut Context::from_waker(&waker));
    assert_eq!(polled, Poll::Pending);
    assert_eq!(TimerFuture::threads_started(), 1);
    assert_eq!(THREADS_AT_CLONE.load(Ordering::SeqCst), 0);
}
