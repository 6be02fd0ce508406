//! A gauge of tasks.

use std::{
    pin::pin,
    task::{Context, Poll, Waker},
};

use probe::Tasks;

#[test]
fn a_future_counts_until_it_is_dropped_and_not_only_until_it_is_ready() {
    let tasks = Tasks::new();
    {
        let mut future = pin!(tasks.watch(async { 7 }));
        let poll = future
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()));
        assert_eq!((poll, tasks.live()), (Poll::Ready(7), 1));
    }
    assert_eq!(tasks.live(), 0);
}

#[test]
fn a_future_that_is_forgotten_stays_on_the_gauge() {
    let tasks = Tasks::new();
    let forgotten = std::mem::ManuallyDrop::new(tasks.watch(async {}));
    assert_eq!(tasks.live(), 1);
    drop(std::mem::ManuallyDrop::into_inner(forgotten));
    assert_eq!((tasks.live(), tasks.most()), (0, 1));
}
