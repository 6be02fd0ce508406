//! A waker whose clone panics. Only a waker by hand can have one.
#![expect(unsafe_code, reason = "only a waker by hand has a `clone` of its own")]

use std::{
    panic::{self, AssertUnwindSafe},
    ptr,
    task::{Poll, RawWaker, RawWakerVTable, Waker},
    time::Duration,
};

use futures::executor::block_on;
use probe::{poll, within};
use step06_reactor::{Reactor, Timer};

static VTABLE: RawWakerVTable = RawWakerVTable::new(panicking, nothing, nothing, nothing);

unsafe fn panicking(_: *const ()) -> RawWaker {
    panic!("this panic belongs to the test");
}

unsafe fn nothing(_: *const ()) {}

#[test]
fn a_waker_that_cannot_be_cloned_harms_no_other_timer() {
    within(Duration::from_secs(10), || {
        // SAFETY: no function of the table looks at the pointer, and all may be called from any thread.
        let waker = unsafe { Waker::new(ptr::null(), &VTABLE) };
        let reactor = Reactor::new();
        let mut timer = Timer::new(&reactor, Duration::from_millis(10));
        assert_eq!(poll(&mut timer, Waker::noop()), Poll::Pending);
        let polled = panic::catch_unwind(AssertUnwindSafe(|| poll(&mut timer, &waker)));
        // It panics, unless the timer was over by then, and no waker was needed.
        assert!(!matches!(polled, Ok(Poll::Pending)));
        drop(timer);
        assert_eq!(
            block_on(Timer::new(&reactor, Duration::from_millis(1))),
            Ok(())
        );
    });
}
