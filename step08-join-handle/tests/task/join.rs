//! A handle is ready when its task is finished, and the result has one owner.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    task::{Poll, Waker},
};

use probe::{
    hostile::{Hostile, Moment},
    within,
};
use step08_join_handle::Runnable;

use super::bench::{Bench, LIMIT};

#[test]
fn a_handle_whose_task_finishes_during_its_poll_keeps_no_waker() {
    within(LIMIT, || {
        let bench = Bench::ready();
        let hostile = Hostile::new();
        // The handle clones the waker after it has seen that the task is not finished, and before it looks again.
        let queue = Arc::clone(&bench.queue);
        hostile.arm(Moment::Clone, move || {
            queue.try_pop().map(Runnable::run).unwrap();
        });
        assert!(bench.poll_handle(&hostile.waker()).is_ready());
        assert!(hostile.acted());
        assert_eq!((hostile.live(), hostile.wakes()), (0, 0));
        assert_eq!(bench.counts(), [0, 1, 1, 1]);
    });
}

#[test]
fn a_waker_of_the_handle_may_come_back_to_the_handle() {
    within(LIMIT, || {
        // As it is woken, it drops the handle, which is finished.
        let bench = Bench::ready();
        let hostile = Hostile::new();
        assert!(bench.poll_handle(&hostile.waker()).is_pending());
        let handle = bench.handle.clone();
        hostile.arm(Moment::Wake, move || drop(handle.lock().unwrap().take()));
        bench.tick();
        assert!(hostile.acted());
        assert_eq!(bench.counts(), [0, 1, 1, 1]);
    });
}

#[test]
fn a_cancelled_task_has_no_payload_to_give_out() {
    let bench = Bench::pending();
    bench.abort();
    bench.tick();
    let Poll::Ready(Err(error)) = bench.poll_handle(Waker::noop()) else {
        panic!("the task has no output");
    };
    let refused = catch_unwind(AssertUnwindSafe(|| error.into_panic())).unwrap_err();
    assert_eq!(
        refused.downcast_ref::<&str>(),
        Some(&"`into_panic` was called, but the task was cancelled")
    );
}
