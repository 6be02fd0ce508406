//! When the executor sleeps, how long, and what ends its sleep.

use std::{
    future::poll_fn,
    sync::{Arc, Mutex},
    task::Poll,
    time::{Duration, Instant},
};

use futures::{
    channel::oneshot,
    future::{join, join_all},
};
use probe::{Counted, hostile::elsewhere, within};
use step09_epoll_reactor::sleep;

use super::{
    HOUR, LIMIT,
    recorded::{LOOK, Parked, Unparked, calls, recorded},
    this_waker, yields,
};

#[test]
fn without_a_task_to_poll_it_parks_once_and_without_a_limit() {
    within(LIMIT, || {
        let (sender, receiver) = oneshot::channel();
        let mut sender = Some(sender);
        let (mut runtime, record) = recorded(move |_, _| {
            let sender = sender.take().expect("it sleeps a second time");
            elsewhere(|| sender.send(7).unwrap());
        });
        assert_eq!(runtime.block_on(receiver), Ok(7));
        assert_eq!(calls(&record), [Parked(None), Unparked]);
    });
}

#[test]
fn two_wakes_from_outside_in_one_sleep_cost_one_unpark() {
    within(LIMIT, || {
        let ((first, woken_first), (second, woken_second)) =
            (oneshot::channel(), oneshot::channel());
        let mut senders = vec![first, second];
        let (mut runtime, record) = recorded(move |_, _| {
            elsewhere(|| senders.drain(..).for_each(|it| it.send(()).unwrap()));
        });
        let tasks = [woken_first, woken_second].map(|it| runtime.spawn(it));
        let main = Counted::new(join_all(tasks));
        let polls = main.counts();
        runtime.block_on(main);
        assert_eq!(calls(&record), [Parked(None), Unparked]);
        assert!(polls.polls() <= 3, "{} polls", polls.polls());
    });
}

#[test]
fn a_wake_while_the_executor_polls_costs_no_unpark() {
    within(LIMIT, || {
        let (mut runtime, record) = recorded(|_, _| ());
        let (sender, receiver) = oneshot::channel();
        runtime.spawn(async move {
            yields(5).await;
            let waker = this_waker().await;
            elsewhere(|| waker.wake_by_ref());
            sender.send(()).unwrap();
        });
        runtime.block_on(join(receiver, yields(5))).0.unwrap();
        assert_eq!(calls(&record), []);
    });
}

#[test]
fn a_waker_that_a_sleep_hands_back_is_called_without_an_unpark() {
    within(LIMIT, || {
        let kept = Arc::new(Mutex::new(None));
        let waiting = Arc::clone(&kept);
        let (mut runtime, record) = recorded(move |_, due| due.extend(kept.lock().unwrap().take()));
        runtime.block_on(async {
            let mut polls = 0;
            poll_fn(|cx| {
                polls += 1;
                if polls == 3 {
                    return Poll::Ready(());
                }
                *waiting.lock().unwrap() = Some(cx.waker().clone());
                Poll::Pending
            })
            .await;
        });
        assert_eq!(calls(&record), [Parked(None), Parked(None)]);
    });
}

#[test]
fn it_sleeps_until_the_earliest_deadline_at_most() {
    within(LIMIT, || {
        let (sender, receiver) = oneshot::channel();
        let mut sender = Some(sender);
        let (mut runtime, record) = recorded(move |_, _| {
            let sender = sender.take().expect("it sleeps a second time");
            elsewhere(|| sender.send(()).unwrap());
        });
        for hours in [3, 1, 2] {
            runtime.spawn(async move { sleep(hours * HOUR).await });
        }
        let start = Instant::now();
        runtime.block_on(receiver).unwrap();
        let calls = calls(&record);
        let [Parked(Some(limit)), Unparked] = calls[..] else {
            panic!("{calls:?}");
        };
        assert!(limit <= HOUR && limit >= HOUR.saturating_sub(start.elapsed()));
    });
}

#[test]
fn it_sleeps_past_the_deadline_of_a_dropped_timer() {
    within(LIMIT, || {
        let (sender, receiver) = oneshot::channel();
        let mut sender = Some(sender);
        let (mut runtime, record) = recorded(move |_, _| {
            let sender = sender.take().expect("it sleeps a second time");
            elsewhere(|| sender.send(()).unwrap());
        });
        runtime.spawn(async { sleep(Duration::MAX).await });
        runtime.block_on(async {
            let mut dropped = sleep(HOUR);
            assert!(probe::poll(&mut dropped, &this_waker().await).is_pending());
            drop(dropped);
            receiver.await.unwrap();
        });
        assert_eq!(calls(&record), [Parked(None), Unparked]);
    });
}

#[test]
fn after_61_polls_it_looks_at_its_driver_and_does_not_sleep() {
    within(LIMIT, || {
        let (mut runtime, record) = recorded(|_, _| ());
        // A deadline far away is no reason to sleep while there are tasks to poll.
        runtime.spawn(async { sleep(HOUR).await });
        let main = Counted::new(yields(61 * 3 - 2));
        let polls = main.counts();
        runtime.block_on(main);
        // With the one of the task, these are three times 61.
        assert_eq!(polls.polls(), 61 * 3 - 1);
        assert_eq!(calls(&record), [LOOK, LOOK]);
        runtime.block_on(yields(61));
        assert_eq!(calls(&record), [LOOK]);
    });
}
