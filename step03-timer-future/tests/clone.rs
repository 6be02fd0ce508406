//! A waker whose clone uses the very signal that it is cloned for. Only a waker by hand can have one.
#![expect(unsafe_code, reason = "only a waker by hand has a `clone` of its own")]

use std::{
    ptr,
    sync::LazyLock,
    task::{Context, Poll, RawWaker, RawWakerVTable, Waker},
    time::Duration,
};

use probe::within;
use step03_timer_future::Signal;

static SIGNAL: LazyLock<Signal> = LazyLock::new(Signal::default);
static VTABLE: RawWakerVTable = RawWakerVTable::new(fire_and_clone, nothing, nothing, nothing);

unsafe fn fire_and_clone(data: *const ()) -> RawWaker {
    SIGNAL.fire();
    RawWaker::new(data, &VTABLE)
}

unsafe fn nothing(_: *const ()) {}

#[test]
fn a_waker_may_use_the_signal_as_it_is_cloned() {
    within(Duration::from_secs(10), || {
        // SAFETY: no function of the table looks at the pointer, and all may be called from any thread.
        let waker = unsafe { Waker::new(ptr::null(), &VTABLE) };
        let mut cx = Context::from_waker(&waker);
        assert_eq!(SIGNAL.poll_fired(&mut cx), Poll::Ready(()));
    });
}
