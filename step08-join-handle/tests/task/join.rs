//! A handle is ready when its task is finished, and the result has one owner.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    task::{Poll, Waker},
};

use probe::{
    CountingWaker,
    hostile::{Hostile, Moment},
    within,
};
use step08_join_handle::Runnable;

use super::bench::{Bench, LIMIT, poll_once};

#[test]
fn joined_before_during_and_after_the_run() {
    within(LIMIT, || {
        let before = Bench::ready();
        let waiting = CountingWaker::new();
        assert!(before.poll_handle(&waiting.waker()).is_pending());
        assert_eq!((waiting.wakes(), before.is_finished()), (0, false));
        before.tick();
        assert_eq!((waiting.wakes(), before.is_finished()), (1, true));
        assert_eq!(before.answer(), "an output");
        assert_eq!((waiting.wakes(), waiting.live()), (1, 0));
        assert_eq!(before.counts(), [0, 1, 1, 1]);

        let during = Bench::new({
            let waiting = waiting.clone();
            move |_, handle| {
                let mut handle = handle.lock().unwrap();
                let answer = poll_once(handle.as_mut().unwrap(), &waiting.waker());
                assert!(answer.is_pending());
                Poll::Ready(())
            }
        });
        during.tick();
        assert_eq!((waiting.wakes(), waiting.live()), (2, 0));
        assert_eq!(during.answer(), "an output");

        let after = Bench::ready();
        after.tick();
        assert_eq!(after.counts(), [0, 1, 1, 0]);
        assert_eq!(after.answer(), "an output");
        assert_eq!(after.counts(), [0, 1, 1, 1]);
    });
}

#[test]
fn a_handle_that_is_ready_keeps_no_waker_even_if_the_task_finished_in_the_midst_of_its_poll() {
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
fn a_handle_that_moved_to_another_task_wakes_that_task_alone() {
    within(LIMIT, || {
        let bench = Bench::ready();
        let (first, second) = (CountingWaker::new(), CountingWaker::new());
        assert!(bench.poll_handle(&first.waker()).is_pending());
        assert!(bench.poll_handle(&second.waker()).is_pending());
        assert_eq!((first.live(), second.live()), (0, 1));
        bench.tick();
        assert_eq!((first.wakes(), second.wakes()), (0, 1));
        assert_eq!(second.live(), 0);
    });
}

#[test]
fn a_handle_that_is_dropped_keeps_no_waker_and_calls_none() {
    within(LIMIT, || {
        let bench = Bench::ready();
        let waiting = CountingWaker::new();
        assert!(bench.poll_handle(&waiting.waker()).is_pending());
        bench.drop_handle();
        assert_eq!(waiting.live(), 0);
        bench.tick();
        assert_eq!(waiting.wakes(), 0);
        assert_eq!(bench.counts(), [0, 1, 1, 1]);
    });
}

#[test]
fn a_result_without_a_handle_is_dropped_once_when_the_task_is_finished() {
    within(LIMIT, || {
        // Before the task is polled, between two polls, during the last poll, after it.
        let early = Bench::ready();
        early.drop_handle();
        assert_eq!(early.counts(), [1, 0, 0, 0]);
        early.tick();
        assert_eq!(early.counts(), [0, 1, 1, 1]);
        assert_eq!(early.end(), [1, 1]);

        let between = Bench::once(|_| ());
        between.tick();
        between.drop_handle();
        between.wake();
        assert_eq!(between.counts(), [1, 1, 0, 0]);
        between.tick();
        assert_eq!(between.counts(), [0, 2, 1, 1]);
        assert_eq!(between.end(), [1, 1]);

        let during = Bench::new(|_, handle| {
            drop(handle.lock().unwrap().take());
            Poll::Ready(())
        });
        during.tick();
        assert_eq!(during.counts(), [0, 1, 1, 1]);
        assert_eq!(during.end(), [1, 1]);

        let late = Bench::ready();
        late.tick();
        assert_eq!(late.counts(), [0, 1, 1, 0]);
        late.drop_handle();
        assert_eq!(late.counts(), [0, 1, 1, 1]);
        assert_eq!(late.end(), [1, 1]);
    });
}

#[test]
fn polled_again_after_it_was_ready_it_panics_and_says_so() {
    within(LIMIT, || {
        let bench = Bench::ready();
        bench.tick();
        assert_eq!(bench.answer(), "an output");
        let mut handle = bench.handle.lock().unwrap().take().unwrap();
        let again = catch_unwind(AssertUnwindSafe(|| {
            poll_once(&mut handle, Waker::noop()).is_ready()
        }));
        let message = again.unwrap_err();
        assert_eq!(
            message.downcast_ref::<String>().map(String::as_str),
            Some("a `JoinHandle` was polled again after it was ready")
        );
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
