//! What becomes of tasks, timers, wakers and handles when their runtime is dropped.

use std::{
    future::{pending, poll_fn},
    mem,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::Poll,
    thread,
};

use probe::{CountingWaker, OnDrop, poll, within};
use step09_epoll_reactor::{Handle, sleep};

use super::{HOUR, LIMIT, MILLISECOND, panic_of, recorded::recorded, runtime, yields};

#[test]
#[cfg_attr(miri, ignore = "it leaks a timer on purpose")]
fn nothing_is_left_in_a_circle_of_wakers_and_queue() {
    within(LIMIT, || {
        let (mut runtime, record) = recorded(|_, _| ());
        runtime.spawn(yields(usize::MAX));
        runtime.block_on(async {
            // A timer that is never dropped, whose waker is the task's.
            let mut leaked = Box::new(sleep(HOUR));
            poll_fn(|cx| Poll::Ready(poll(&mut leaked, cx.waker())))
                .await
                .is_pending();
            mem::forget(leaked);
            yields(2).await;
            // In the queue as the runtime is dropped.
            super::this_waker().await.wake();
        });
        drop(runtime);
        // The driver itself is owned by the leaked timer, but nothing else is.
        assert_eq!(record.strong_count(), 1);
        let (mut runtime, record) = recorded(|_, _| ());
        runtime.spawn(yields(usize::MAX));
        runtime.block_on(yields(2));
        drop(runtime);
        assert_eq!(record.strong_count(), 0);
    });
}

const GONE: &str = "the runtime of this `sleep` has been dropped";

#[test]
fn a_sleep_that_outlives_its_runtime_is_woken_and_panics() {
    within(LIMIT, || {
        let runtime = runtime();
        let handle: Handle = runtime.handle();
        let waker = CountingWaker::new();
        let mut waits = handle.sleep(HOUR);
        assert!(poll(&mut waits, &waker.waker()).is_pending());
        let mut over = handle.sleep(MILLISECOND);
        thread::sleep(MILLISECOND);
        drop(runtime);
        assert_eq!((waker.wakes(), waker.live()), (1, 0));
        assert_eq!(panic_of(|| poll(&mut waits, &waker.waker())), GONE);
        assert!(poll(&mut over, &waker.waker()).is_ready());
        let mut late = handle.sleep(HOUR);
        assert_eq!(panic_of(|| poll(&mut late, &waker.waker())), GONE);
        drop((waits, late));
        assert_eq!(waker.live(), 0);
    });
}

#[test]
fn a_cancelled_future_is_dropped_before_its_handle_is_woken() {
    within(LIMIT, || {
        for polled in [false, true] {
            let mut runtime = runtime();
            let (told, seen) = (CountingWaker::new(), Arc::new(AtomicUsize::new(0)));
            let (told_by_then, looked) = (told.clone(), Arc::clone(&seen));
            let looks = OnDrop(move || looked.store(told_by_then.wakes() + 1, SeqCst));
            let mut handle = runtime.spawn(async move {
                let _looks = looks;
                pending::<()>().await;
            });
            assert!(poll(&mut handle, &told.waker()).is_pending());
            if polled {
                runtime.block_on(yields(2));
            }
            drop(runtime);
            assert_eq!((seen.load(SeqCst), told.wakes()), (1, 1));
        }
    });
}
