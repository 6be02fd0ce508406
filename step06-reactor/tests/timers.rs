//! The map alone: what it does with wakers, and that it does nothing with them under its lock.
#![expect(unsafe_code, reason = "only a waker by hand has a `clone` of its own")]

use std::{
    ptr,
    sync::LazyLock,
    task::{Context, Poll, RawWaker, RawWakerVTable, Waker},
    time::Duration,
};

use probe::{CountingWaker, within};
use step06_reactor::{TimerError, Timers};

static VTABLE: RawWakerVTable =
    RawWakerVTable::new(clone, uses_the_map, uses_the_map, uses_the_map);
/// Each function of this waker uses the map, so it deadlocks if the lock is held.
static MAP: LazyLock<Timers> = LazyLock::new(Timers::default);

unsafe fn clone(data: *const ()) -> RawWaker {
    MAP.len();
    RawWaker::new(data, &VTABLE)
}

unsafe fn uses_the_map(_: *const ()) {
    MAP.len();
}

#[test]
fn the_map_may_be_used_by_every_function_of_a_waker() {
    within(Duration::from_secs(10), || {
        // SAFETY: no function of the table looks at the pointer, and all may be called from any thread.
        let waker = unsafe { Waker::new(ptr::null(), &VTABLE) };
        let mut cx = Context::from_waker(&waker);
        let mut other = Context::from_waker(Waker::noop());

        let replaced = MAP.register(&waker).unwrap();
        assert_eq!(MAP.poll(replaced, &mut other), Poll::Pending);
        assert_eq!(MAP.poll(replaced, &mut cx), Poll::Pending);
        MAP.finish(replaced, Ok(()));
        assert!(MAP.remove(replaced).is_none());

        let removed = MAP.register(&waker).unwrap();
        drop(MAP.remove(removed));
        MAP.finish(removed, Ok(())); // too late, and no mistake

        let cut_off = MAP.register(&waker).unwrap();
        MAP.close();
        let gone = Err(TimerError::ReactorGone);
        assert_eq!(MAP.poll(cut_off, &mut cx), Poll::Ready(gone));
        assert_eq!(MAP.register(&waker), Err(TimerError::ReactorGone));
        assert!(MAP.is_empty());
    });
}

#[test]
fn polled_again_by_the_same_task_a_timer_clones_no_waker() {
    let (timers, waker) = (Timers::default(), CountingWaker::new());
    let handed_out = waker.waker();
    let id = timers.register(&handed_out).unwrap();
    for _ in 0..if cfg!(miri) { 10 } else { 1_000 } {
        let pending = timers.poll(id, &mut Context::from_waker(&handed_out));
        assert_eq!(pending, Poll::Pending);
    }
    assert_eq!(waker.clones(), 1);
}

#[test]
fn the_map_says_which_timers_are_in_it() {
    let timers = Timers::default();
    assert!(timers.is_empty());
    let id = timers.register(Waker::noop()).unwrap();
    assert_eq!((timers.len(), timers.is_empty()), (1, false));
    assert_eq!(
        (timers.contains(id), timers.contains(id + 1)),
        (true, false)
    );
    drop(timers.remove(id));
    assert_eq!((timers.contains(id), timers.is_empty()), (false, true));
}

#[test]
fn an_error_says_what_has_happened() {
    for (error, part) in [
        (TimerError::ReactorGone, "reactor was dropped"),
        (TimerError::NoThread, "no thread can be started"),
    ] {
        assert!(error.to_string().contains(part), "{error}");
    }
}
