//! A future with a time limit.

use std::{
    future::{pending, ready},
    thread,
    time::{Duration, Instant},
};

use futures::channel::oneshot;
use probe::{Counted, hostile::elsewhere, within};
use step09_epoll_reactor::{Elapsed, timeout};

use super::{
    HOUR, LIMIT, MILLISECOND,
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
fn a_future_that_always_wakes_itself_is_stopped_in_time() {
    within(LIMIT, || {
        runtime().block_on(async {
            let result = timeout(2 * MILLISECOND, yields(usize::MAX)).await;
            assert_eq!(result, Err(Elapsed));
        });
    });
}
