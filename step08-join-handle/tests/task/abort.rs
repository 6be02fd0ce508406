//! An abort: it takes effect unless the task is ready first, and the future is dropped by a worker.

use std::task::Poll;

use probe::{CountingWaker, within};

use super::bench::{Bench, LIMIT, Shared};

const CANCELLED: &str = "the task was cancelled";

fn abort(handle: &Shared) {
    handle.lock().unwrap().as_ref().unwrap().abort();
}

#[test]
fn aborted_while_idle_it_is_put_into_the_queue_and_dropped_there() {
    within(LIMIT, || {
        let bench = Bench::pending();
        let waiting = CountingWaker::new();
        bench.tick();
        assert!(bench.poll_handle(&waiting.waker()).is_pending());
        bench.abort();
        assert_eq!(bench.counts(), [1, 1, 0, 0]);
        assert_eq!((waiting.wakes(), bench.is_finished()), (0, false));
        bench.tick();
        assert_eq!(bench.counts(), [0, 1, 1, 0]);
        assert_eq!((waiting.wakes(), bench.is_finished()), (1, true));
        assert_eq!(bench.answer(), CANCELLED);
        assert_eq!(bench.end(), [1, 0]);
    });
}

#[test]
fn aborted_in_a_poll_that_is_pending_it_is_dropped_by_the_worker_that_polls_it() {
    within(LIMIT, || {
        let bench = Bench::new(|waker, handle| {
            abort(handle);
            // A wake beside it does not bring the task back into the queue.
            waker.wake_by_ref();
            Poll::Pending
        });
        bench.tick();
        assert_eq!(bench.counts(), [0, 1, 1, 0]);
        assert_eq!(bench.answer(), CANCELLED);
        assert_eq!(bench.end(), [1, 0]);
    });
}

#[test]
fn aborted_in_a_poll_that_is_ready_its_output_wins() {
    within(LIMIT, || {
        let bench = Bench::new(|_, handle| {
            abort(handle);
            Poll::Ready(())
        });
        bench.tick();
        assert_eq!(bench.counts(), [0, 1, 1, 0]);
        assert_eq!(bench.answer(), "an output");
    });
}

#[test]
fn aborted_when_it_is_finished_it_keeps_its_output() {
    within(LIMIT, || {
        let bench = Bench::ready();
        bench.tick();
        bench.abort();
        bench.abort();
        assert_eq!(bench.counts(), [0, 1, 1, 0]);
        assert_eq!(bench.answer(), "an output");
        bench.abort();
        assert_eq!(bench.counts(), [0, 1, 1, 1]);
    });
}

#[test]
fn aborted_twice_it_is_dropped_once() {
    within(LIMIT, || {
        let bench = Bench::pending();
        bench.tick();
        bench.abort();
        bench.abort();
        assert_eq!(bench.counts(), [1, 1, 0, 0]);
        bench.tick();
        bench.abort();
        assert_eq!(bench.counts(), [0, 1, 1, 0]);
        assert_eq!(bench.answer(), CANCELLED);
    });
}

#[test]
fn aborted_and_then_detached_it_is_dropped_all_the_same() {
    within(LIMIT, || {
        let bench = Bench::pending();
        bench.tick();
        bench.abort();
        bench.drop_handle();
        assert_eq!(bench.counts(), [1, 1, 0, 0]);
        bench.tick();
        assert_eq!(bench.counts(), [0, 1, 1, 0]);
        assert_eq!(bench.end(), [1, 0]);
    });
}
