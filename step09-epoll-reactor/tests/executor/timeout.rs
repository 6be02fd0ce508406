//! A future with a time limit.

use std::{
    error::Error,
    future::{pending, ready},
    io, thread,
    time::{Duration, Instant},
};

use futures::channel::oneshot;
use probe::{Counted, hostile::elsewhere, within};
use step09_epoll_reactor::{Elapsed, sleep, timeout};

use super::{
    HOUR, LIMIT, MILLISECOND, panic_of,
    recorded::{Parked, Unparked, calls, recorded},
    runtime, yields,
};

#[test]
fn a_future_in_time_gives_its_output_and_the_limit_is_forgotten() {
    within(LIMIT, || {
        let (sender, receiver) = oneshot::channel();
        let mut sender = Some(sender);
        let (mut runtime, record) = recorded(move |_, _| {
            let sender = sender.take().expect("it sleeps a second time");
            elsewhere(|| sender.send(()).unwrap());
        });
        runtime.block_on(async {
            assert_eq!(timeout(HOUR, yields(3)).await, Ok(()));
            receiver.await.unwrap();
        });
        assert_eq!(calls(&record), [Parked(None), Unparked]);
    });
}

#[test]
fn a_future_that_is_late_is_dropped_at_the_limit_and_not_before() {
    within(LIMIT, || {
        let late = Counted::new(pending::<()>());
        let counts = late.counts();
        runtime().block_on(async {
            let start = Instant::now();
            assert_eq!(timeout(3 * MILLISECOND, late).await, Err(Elapsed));
            assert!(start.elapsed() >= 3 * MILLISECOND);
        });
        assert!(counts.polls() <= 2);
        assert_eq!(counts.drops(), 1);
    });
}

#[test]
fn a_future_that_is_ready_at_the_limit_is_in_time() {
    within(LIMIT, || {
        runtime().block_on(async {
            assert_eq!(timeout(Duration::ZERO, ready(7)).await, Ok(7));
            let late = timeout(MILLISECOND, ready(8));
            thread::sleep(2 * MILLISECOND);
            assert_eq!(late.await, Ok(8));
        });
    });
}

#[test]
fn without_time_a_future_is_polled_once() {
    within(LIMIT, || {
        let future = Counted::new(pending::<()>());
        let polls = future.counts();
        runtime().block_on(async {
            assert_eq!(timeout(Duration::ZERO, future).await, Err(Elapsed));
        });
        assert_eq!(polls.polls(), 1);
    });
}

#[test]
fn a_future_that_wakes_itself_without_end_does_not_hold_up_its_limit() {
    within(LIMIT, || {
        runtime().block_on(async {
            let result = timeout(2 * MILLISECOND, yields(usize::MAX)).await;
            assert_eq!(result, Err(Elapsed));
        });
    });
}

#[test]
fn the_longest_limit_is_none() {
    within(LIMIT, || {
        runtime().block_on(async {
            assert_eq!(timeout(Duration::MAX, sleep(MILLISECOND)).await, Ok(()));
        });
    });
}

#[test]
fn the_shorter_of_two_limits_counts() {
    within(LIMIT, || {
        runtime().block_on(async {
            let inner = timeout(2 * MILLISECOND, pending::<()>());
            assert_eq!(timeout(HOUR, inner).await, Ok(Err(Elapsed)));
            let inner = timeout(HOUR, pending::<()>());
            assert_eq!(timeout(2 * MILLISECOND, inner).await, Err(Elapsed));
        });
    });
}

#[test]
fn outside_of_a_runtime_there_is_no_limit() {
    let message = panic_of(|| timeout(MILLISECOND, ready(7)));
    assert!(message.starts_with("there is no runtime"), "{message}");
}

#[test]
fn elapsed_is_an_error_that_says_what_was_up() {
    let error: Box<dyn Error> = Box::new(Elapsed);
    assert_eq!(error.to_string(), "the time was up");
    let error = io::Error::from(Elapsed);
    assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    assert_eq!(error.to_string(), "the time was up");
}
